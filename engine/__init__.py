"""Text-to-speech engine for Fish Audio S2 Pro: dual-AR model and neural codec from one GGUF file.

Importing this package is cheap: each public name is loaded on first use, torch with the
first one that needs it.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "engine.audio.files": ("read_audio",),
    "engine.audio.loudness": ("integrated_loudness",),
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
    "engine.takes.checks": ("TakeFacts", "check_take"),
    "engine.takes.choice": ("Choice", "RatedTake", "best_take"),
    "engine.takes.archive": ("SavedTake", "TakeArchive"),
    "engine.types": (
        "AudioChunk",
        "Capabilities",
        "FrameCodes",
        "Metrics",
        "ModelInfo",
        "PostProcessing",
        "Progress",
        "Resume",
        "Sampling",
        "SegmentStart",
        "Segmentation",
        "StreamOptions",
        "Summary",
        "SynthesisRequest",
    ),
    "engine.voices": ("VoiceLibrary", "VoiceProfile"),
}
__all__ = sorted([name for names in _HOMES.values() for name in names] + ["__version__"])


def lazy_names(package: str, homes: dict[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are loaded on first use.

    Args:
        homes: the names by the module that holds them.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(home_of[name]), name)

    return load


__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
