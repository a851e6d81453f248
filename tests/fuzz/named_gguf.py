"""Model files with one fault each: every failure of spec 01, section 6, and what it is called.

The verdict is the innermost code of the error and, behind a blank, what its sentence must show.
The fuzzer damages these files further.
"""

from __future__ import annotations

import struct

from gguf_support import gguf_bytes, key, tensor, text

ONE = tensor("w", (4,))


def claim(count: int, element: int = 4) -> bytes:
    """An array that claims more elements than it has."""
    return text("k") + struct.pack("<IIQ", 9, element, count)


GGUF_CASES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "gguf.foreign file is empty"),
    "23 bytes": (gguf_bytes()[:23], "gguf.foreign first bytes"),
    "magic": (gguf_bytes(magic=b"GGUX"), "gguf.foreign"),
    "version 1": (gguf_bytes(version=1), "gguf.version version 1"),
    "version 99": (gguf_bytes(version=99), "gguf.version version 99"),
    "big-endian": (gguf_bytes(version=0x03000000), "gguf.version big-endian"),
    "n_kv": (gguf_bytes(n_keys=65537), "header.count_limit"),
    "n_kv past the end": (gguf_bytes(n_keys=60000), "header.count_bytes"),
    "n_tensors": (gguf_bytes(n_tensors=2**63), "header.count_limit"),
    "n_tensors past the end": (gguf_bytes(n_tensors=60000), "header.count_bytes"),
    "key length": (gguf_bytes([struct.pack("<Q", 2**62) + bytes(32)]), "header.text_length"),
    "string length": (
        gguf_bytes([text("k") + struct.pack("<IQ", 8, 1 << 24)]),
        "header.text_length",
    ),
    "value type": (gguf_bytes([text("k") + struct.pack("<IQ", 13, 0)]), "header.value_type 13"),
    "element type": (gguf_bytes([claim(1, 77) + bytes(8)]), "header.element_type 77"),
    "array count": (gguf_bytes([claim(2**60)]), "header.array_length"),
    "array past the end": (gguf_bytes([claim(1 << 20)]), "header.past_end"),
    "array of strings": (gguf_bytes([claim(1 << 24, 8)]), "header.array_length"),
    "array nesting": (
        gguf_bytes([text("k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 40]),
        "header.nesting",
    ),
    "empty key": (gguf_bytes([key("", 4, 1)]), "header.empty_name"),
    "key with NUL": (gguf_bytes([key("a\0b", 4, 1)]), "header.empty_name"),
    "key not UTF-8": (gguf_bytes([key(b"\xff\xfe", 4, 1)]), "header.not_utf8 key 0"),
    "duplicate key": (gguf_bytes([key("k", 4, 1), key("k", 4, 2)]), "gguf.duplicate_key key: k"),
    "duplicate tensor": (
        gguf_bytes(tensors=[ONE, ONE], data=bytes(16)),
        "gguf.duplicate_tensor tensor: w",
    ),
    "no dims": (gguf_bytes(tensors=[tensor("w", ()) + bytes(32)]), "header.dimensions claims 0"),
    "n_dims": (
        gguf_bytes(tensors=[text("w") + struct.pack("<I", 1_000_000) + bytes(64)]),
        "header.dimensions claims 1000000",
    ),
    "zero dim": (gguf_bytes(tensors=[tensor("w", (4, 0))]), "header.shape"),
    "huge dim": (gguf_bytes(tensors=[tensor("w", (2**58 + 1,))]), "header.shape"),
    "product wraps": (gguf_bytes(tensors=[tensor("w", (2**32, 2**32))]), "header.shape 4294967296"),
    "row in a block": (
        gguf_bytes(tensors=[tensor("w", (32, 2), 12)], data=bytes(288)),
        "gguf.row_length 32 is not a multiple of 256",
    ),
    "odd offset": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=8)], data=bytes(64)),
        "header.offset tensor w",
    ),
    "offset past the end": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=2**62)], data=bytes(64)),
        "gguf.truncated tensor w",
    ),
    "unknown type past the end": (
        gguf_bytes(tensors=[tensor("w", (4,), 999, 2**62)]),
        "gguf.truncated tensor w",
    ),
    "alignment 0": (gguf_bytes([key("general.alignment", 4, 0)]), "header.alignment"),
    "alignment 24": (gguf_bytes([key("general.alignment", 4, 24)]), "header.alignment"),
    "alignment text": (
        gguf_bytes([key("general.alignment", 8, "32")]),
        "header.alignment_type",
    ),
    "web page": (b"<!DOCTYPE html><html><head></head></html>" * 3, "gguf.foreign (HTML)"),
    "LFS pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 4000000000\n",
        "gguf.foreign LFS pointer",
    ),
    "safetensors": (
        struct.pack("<Q", 60) + b'{"w":{"dtype":"F32"}}'.ljust(60),
        "gguf.foreign safetensors",
    ),
    "pickle": (b"PK\x03\x04" + bytes(60), "gguf.foreign PyTorch checkpoint"),
    "json": (b'{"model": {}}' + b" " * 40, "gguf.foreign JSON"),
    "voice": (b"S2VOICE\0" + bytes(60), "gguf.foreign saved voice"),
    "sound": (b"RIFF" + bytes(60), "gguf.foreign WAV"),
    "zeros": (bytes(100), "gguf.foreign unfinished download"),
}
