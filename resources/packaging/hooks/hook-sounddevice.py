"""PortAudio for sounddevice: the wheel's own on Windows and macOS, the system's on Linux.

On Linux the libraries go into a folder of their own, as data: the program takes them only
where the system has none (see start_linux.py), because ALSA looks for its plugins at a place
that differs between distributions.
"""

import subprocess
import sys
from pathlib import Path

from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs

from resources.packaging.contents import LINUX_SOUND

binaries = collect_dynamic_libs("_sounddevice_data") if sys.platform != "linux" else []
datas = collect_data_files("_sounddevice_data") if sys.platform != "linux" else []


def _system_library(name: str) -> Path | None:
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False)
    for line in listed.stdout.splitlines():
        if line.split(" ", 1)[0].strip() == name and "=>" in line:
            return Path(line.split("=>", 1)[1].strip())  # its name is what the loader asks for
    return None


if sys.platform == "linux":
    for wanted in LINUX_SOUND:
        found = _system_library(wanted)
        if found is not None:
            datas.append((str(found), "sound"))
