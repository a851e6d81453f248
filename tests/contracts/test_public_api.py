"""The engine's public names are a promise: a change here is a change of version."""

from __future__ import annotations

import engine

PUBLIC = [
    "AudioChunk", "BusyError", "CancelToken", "CancelledError", "ContextError", "DeviceError",
    "Engine", "EngineError", "FrameCodes", "GenerationError", "Metrics", "ModelFileError",
    "ModelInfo", "OutputError", "PostProcessing", "Progress", "ReferenceAudioError", "Rendering",
    "RequestError", "Sampling", "SegmentStart", "Segmentation", "StreamOptions", "Summary",
    "SynthesisRequest", "TokenizerError", "VoiceError", "VoiceLibrary", "VoiceProfile",
    "__version__",
]  # fmt: skip


def test_all_is_pinned() -> None:
    assert list(engine.__all__) == PUBLIC


def test_every_public_name_resolves_and_is_documented() -> None:
    for name in PUBLIC:
        value = getattr(engine, name)
        assert name == "__version__" or value.__doc__
