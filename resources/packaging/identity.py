"""Who the program is to an operating system: names, version, file types, wishes."""

from __future__ import annotations

from typing import Any

from engine import __version__

VERSION = __version__
TITLE = "S2 Voice Studio"
SUMMARY = "Desktop voice studio for Fish Audio S2 Pro"
COPYRIGHT = "MIT license"
DESKTOP_ID = "s2-voice-studio"
BUNDLE_ID = "io.github.s2-voice-studio.studio"
MICROPHONE = "The microphone is used only while you record the voice that you want to clone."
VOICE_MIME = "application/x-s2voice"
BUNDLE_MIME = "application/x-s2vbundle"
MODEL_MIME = "application/x-gguf"


def info_plist() -> dict[str, Any]:
    """Keys of the macOS bundle beside those that PyInstaller writes."""
    return {
        "CFBundleDisplayName": TITLE,
        "CFBundleShortVersionString": VERSION,
        "CFBundleVersion": VERSION,
        "LSApplicationCategoryType": "public.app-category.music",
        "LSMinimumSystemVersion": "12.0",
        "NSHighResolutionCapable": True,
        "NSMicrophoneUsageDescription": MICROPHONE,
        "NSRequiresAquaSystemAppearance": False,
        "CFBundleDocumentTypes": [
            _document("S2 voice", "s2voice", "Owner", f"{BUNDLE_ID}.voice"),
            _document("S2 voice bundle", "s2vbundle", "Owner", f"{BUNDLE_ID}.bundle"),
            _document("GGUF model", "gguf", "Alternate", f"{BUNDLE_ID}.gguf"),
        ],
        "UTExportedTypeDeclarations": [
            _type("S2 voice", "s2voice", f"{BUNDLE_ID}.voice"),
            _type("S2 voice bundle", "s2vbundle", f"{BUNDLE_ID}.bundle"),
        ],
        "UTImportedTypeDeclarations": [_type("GGUF model", "gguf", f"{BUNDLE_ID}.gguf")],
    }


def _document(name: str, ending: str, rank: str, uti: str) -> dict[str, Any]:
    return {
        "CFBundleTypeName": name,
        "CFBundleTypeExtensions": [ending],
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": rank,
        "LSItemContentTypes": [uti],
    }


def _type(name: str, ending: str, uti: str) -> dict[str, Any]:
    return {
        "UTTypeIdentifier": uti,
        "UTTypeDescription": name,
        "UTTypeConformsTo": ["public.data"],
        "UTTypeTagSpecification": {"public.filename-extension": [ending]},
    }


def version_resource(file_name: str) -> str:
    """Text of the Windows version resource of one program, as PyInstaller reads it."""
    numbers = ([int(part) for part in VERSION.split(".") if part.isdigit()] + [0] * 4)[:4]
    strings = {
        "CompanyName": TITLE,
        "FileDescription": SUMMARY,
        "FileVersion": VERSION,
        "InternalName": file_name,
        "LegalCopyright": COPYRIGHT,
        "OriginalFilename": f"{file_name}.exe",
        "ProductName": TITLE,
        "ProductVersion": VERSION,
    }
    pairs = ", ".join(f"StringStruct({key!r}, {value!r})" for key, value in strings.items())
    quad = tuple(numbers)
    return (
        "VSVersionInfo(\n"
        f"  ffi=FixedFileInfo(filevers={quad}, prodvers={quad}, mask=0x3F, flags=0x0, "
        "OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)),\n"
        "  kids=[\n"
        f"    StringFileInfo([StringTable('040904B0', [{pairs}])]),\n"
        "    VarFileInfo([VarStruct('Translation', [1033, 1200])]),\n"
        "  ],\n"
        ")\n"
    )
