"""Requests as the public documents of speech servers have them, checked strictly."""

from __future__ import annotations

import base64
from typing import Any

OPENAI = {"model": str, "input": str, "voice": str, "response_format": str, "speed": float}
VLLM = {
    **OPENAI, "task_type": str, "language": str, "instructions": str, "max_new_tokens": int,
    "initial_codec_chunk_frames": int, "non_streaming_mode": bool, "stream": bool,
    "stream_format": str, "ref_audio": str, "ref_text": str, "x_vector_only_mode": bool,
}  # fmt: skip
SGLANG = {
    **OPENAI, "stream": bool, "references": list, "ref_audio": str, "ref_text": str,
    "max_new_tokens": int, "temperature": float, "top_p": float, "top_k": int,
    "repetition_penalty": float,
}  # fmt: skip
FISH = {
    "text": str, "chunk_length": int, "format": str, "latency": str, "references": list,
    "reference_id": str, "seed": int, "use_memory_cache": str, "normalize": bool,
    "streaming": bool, "max_new_tokens": int, "top_p": float, "repetition_penalty": float,
    "temperature": float,
}  # fmt: skip
FIELDS = {"vllm": VLLM, "sglang": SGLANG, "fish": FISH, "openai": OPENAI}
FORMATS = {"wav", "mp3", "flac", "pcm", "opus", "aac"}


class RefusedError(Exception):
    """The request is not as the documents have it."""


def check_fields(kind: str, body: dict[str, Any]) -> None:
    """Raise :class:`RefusedError` for an unknown field, a wrong type or a missing one."""
    fields = FIELDS[kind]
    for name, value in body.items():
        if name not in fields:
            raise RefusedError(f"extra field not permitted: {name}")
        expected: tuple[type, ...] = (fields[name],)
        if fields[name] is float:
            expected = (float, int)
        if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
            raise RefusedError(f"{name} has the wrong type {type(value).__name__}")
    required = ("text",) if kind == "fish" else ("input",)
    if kind == "openai":
        required = ("model", "input", "voice")
    for name in required:
        if not body.get(name):
            raise RefusedError(f"{name}: field required")
    if body.get("response_format", "wav") not in FORMATS:
        raise RefusedError("response_format is not supported")


def clip_of(url: str) -> bytes:
    """The recording in a data address, which must be a WAV."""
    head, _, data = url.partition(",")
    if head != "data:audio/wav;base64":
        raise RefusedError(f"the recording is no data address of a WAV: {head[:40]}")
    clip = base64.b64decode(data, validate=True)
    if clip[:4] != b"RIFF" or clip[8:12] != b"WAVE":
        raise RefusedError("the recording is no WAV")
    return clip
