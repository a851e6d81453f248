"""Says what a file is that was taken for a GGUF, from its first bytes."""

from __future__ import annotations

import struct

SNIFF_BYTES = 512

_CHOOSE = "Choose the .gguf file of the model."
_MAGICS: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a ZIP archive or a PyTorch checkpoint"),
    (b"\x80\x02", "a PyTorch checkpoint"),
    (b"S2VOICE\0", "a saved voice (.s2voice)"),
    (b"RIFF", "a WAV file"),
    (b"fLaC", "a FLAC file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"lmgg", "a model in the old GGML format"),
    (b"fmgg", "a model in the old GGML format"),
    (b"tjgg", "a model in the old GGML format"),
    (b"FUGG", "a big-endian GGUF"),
)


def describe_foreign(start: bytes) -> tuple[str, str]:
    """What the file seems to be and what to do, both as texts for an error.

    ``start`` is the beginning of the file. The first text is empty when nothing is
    recognised.
    """
    if not start:
        return "the file is empty", "Download it again."
    for magic, what in _MAGICS:
        if start.startswith(magic):
            return f"it is {what}", _CHOOSE
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith(b"version https://git-lfs"):
        return (
            "it is a Git LFS pointer, not the model itself",
            "Fetch the real file, for instance with `git lfs pull`.",
        )
    if text.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        return (
            "it is a web page (HTML) saved under this name",
            "Download the file itself, not the page that shows it.",
        )
    if len(start) >= 9 and 2 <= struct.unpack_from("<Q", start)[0] < 1 << 32 and start[8:9] == b"{":
        return "it is a safetensors file", "Convert it to GGUF or choose the .gguf file."
    if text.startswith((b"{", b"[")):
        return "it is a JSON text", _CHOOSE
    if b"GGUF".startswith(start[:4]) or start.startswith(b"GGUF"):
        return "the file ends inside its first bytes", "Download it again."
    if not start.strip(b"\0"):
        return "it begins with zeros only, as an unfinished download does", "Download it again."
    return "", _CHOOSE
