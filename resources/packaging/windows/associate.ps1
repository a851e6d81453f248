# Lets S2 Voice Studio open .s2voice, .s2vbundle and .gguf files for the current user; -Remove takes it back.
param([switch]$Remove)
$ErrorActionPreference = 'Stop'
$program = Join-Path (Split-Path -Parent $PSScriptRoot) 's2studio.exe'
$classes = 'HKCU:\Software\Classes'
$types = @(
    @{ Ending = '.s2voice'; Id = 'S2VoiceStudio.voice'; Title = 'S2 voice'; Own = $true },
    @{ Ending = '.s2vbundle'; Id = 'S2VoiceStudio.bundle'; Title = 'S2 voice bundle'; Own = $true },
    @{ Ending = '.gguf'; Id = 'S2VoiceStudio.gguf'; Title = 'GGUF model'; Own = $false }
)
foreach ($type in $types) {
    $id = "$classes\$($type.Id)"
    $ending = "$classes\$($type.Ending)"
    if ($Remove) {
        Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $id
        Remove-ItemProperty -ErrorAction SilentlyContinue "$ending\OpenWithProgids" $type.Id
        $current = (Get-ItemProperty -ErrorAction SilentlyContinue $ending).'(default)'
        if ($current -eq $type.Id) { Clear-Item $ending }
        continue
    }
    New-Item -Force "$id\shell\open\command" | Out-Null
    New-Item -Force "$id\DefaultIcon" | Out-Null
    Set-Item $id $type.Title
    Set-Item "$id\DefaultIcon" "`"$program`",0"
    Set-Item "$id\shell\open\command" "`"$program`" `"%1`""
    if (-not (Test-Path "$ending\OpenWithProgids")) {
        New-Item -Force "$ending\OpenWithProgids" | Out-Null
    }
    New-ItemProperty -Force "$ending\OpenWithProgids" -Name $type.Id -Value '' | Out-Null
    if ($type.Own) { Set-Item $ending $type.Id }
}
