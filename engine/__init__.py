"""Text-to-speech engine for Fish Audio S2 Pro: dual-AR model and neural codec from one GGUF file.

Importing this package is cheap: each public name is loaded on first use, torch with the
first one that needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "engine.audio.files": ("read_audio",),
    "engine.cancel": ("CancelToken",),
    "engine.engine": ("Engine", "Rendering"),
    "engine.errors": (
        "BusyError",
        "CancelledError",
        "ContextError",
        "DeviceError",
        "EngineError",
        "GenerationError",
        "ModelFileError",
        "OutputError",
        "ReferenceAudioError",
        "RequestError",
        "TokenizerError",
        "VoiceError",
    ),
    "engine.takes.export": ("ExportFormat", "Exported", "export_take"),
    "engine.takes.provenance": ("Provenance", "ProvenanceError", "read_provenance"),
    "engine.audio.reference_checks": ("Check", "check_reference"),
    "engine.takes.archive": ("SavedTake", "TakeArchive"),
    "engine.types": (
        "AudioChunk",
        "Capabilities",
        "FrameCodes",
        "Metrics",
        "ModelInfo",
        "PostProcessing",
        "Progress",
        "Sampling",
        "SegmentStart",
        "Segmentation",
        "StreamOptions",
        "Summary",
        "SynthesisRequest",
    ),
    "engine.voices": ("VoiceLibrary", "VoiceProfile"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME_OF, "__version__"])


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
