"""Model files with one fault each: every failure of spec 01, section 6, and what it is called.

The verdict is the innermost code of the error and, behind a blank, what its sentence must show.
The fuzzer damages these files further. :data:`PEER_CASES` has the kinds of damage that the peer's
own test knows and that reports of its users added; numbers are of ggml-org/llama.cpp.
"""

from __future__ import annotations

import struct

from gguf_support import gguf_bytes, key, tensor, text

ONE = tensor("w", (4,))
TWO = [tensor("a", (32, 4)), tensor("b", (32, 4), offset=512)]


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

PEER_CASES: dict[str, tuple[bytes, str]] = {
    "nothing behind the magic": (b"GGUF", "gguf.foreign first bytes"),
    "nothing behind the version": (gguf_bytes()[:8], "gguf.foreign first bytes"),
    "version 0": (gguf_bytes(version=0), "gguf.version version 0"),
    "version of the other byte order": (gguf_bytes(version=2 << 24), "gguf.version big-endian"),
    "keys that are not there": (gguf_bytes([], n_keys=1), "header.count_bytes"),
    "tensors that are not there": (gguf_bytes(n_tensors=1), "header.empty_name"),
    "one key too many": (gguf_bytes(n_keys=2, tensors=TWO, data=bytes(1024)), "header.text_length"),
    "key longer than the file": (gguf_bytes([struct.pack("<Q", 4000) + b"k"]), "header.past_end"),
    "key of 64 KiB": (gguf_bytes([key("k" * 65536, 4, 1)]), "header.text_length 65536"),
    "value cut off": (
        gguf_bytes([text("key") + struct.pack("<IH", 10, 1)])[:42],
        "header.past_end",
    ),
    "type of a value below zero": (
        gguf_bytes([text("k") + struct.pack("<iQ", -1, 0)]),
        "header.value_type 4294967295",
    ),
    "array of a type below zero": (
        gguf_bytes([text("k") + struct.pack("<IiQ", 9, -1, 1)]),
        "header.element_type",
    ),
    "string in an array without end": (
        gguf_bytes([claim(1, 8) + struct.pack("<Q", 2**63) + bytes(8)]),
        "header.text_length",
    ),
    "array of u64 whose bytes wrap": (gguf_bytes([claim(2**61, 10)]), "header.array_length"),
    "three equal keys": (
        gguf_bytes([key("k", 4, 1), key("l", 4, 1), key("k", 8, "x")]),
        "gguf.duplicate_key key: k",
    ),
    "equal tensors, other places": (
        gguf_bytes(tensors=[TWO[0], tensor("a", (32, 4), offset=512)], data=bytes(1024)),
        "gguf.duplicate_tensor tensor: a",
    ),
    "alignment 1": (gguf_bytes([key("general.alignment", 4, 1)]), "header.alignment is 1,"),
    "alignment 13": (gguf_bytes([key("general.alignment", 4, 13)]), "header.alignment is 13,"),
    "alignment below zero": (gguf_bytes([key("general.alignment", 5, -32)]), "header.alignment"),
    "alignment as array": (
        gguf_bytes([text("general.alignment") + struct.pack("<IIQI", 9, 4, 1, 32)]),
        "header.alignment_type",
    ),
    "alignment as float": (gguf_bytes([key("general.alignment", 6, 32)]), "header.alignment_type"),
    "alignment as truth": (gguf_bytes([key("general.alignment", 7, 1)]), "header.alignment_type"),
    "name of 65 bytes": (gguf_bytes(tensors=[tensor("w" * 65, (4,))]), "header.text_length 65"),
    "name of 65 bytes in 33 letters": (
        gguf_bytes(tensors=[tensor("é" * 32 + "e", (4,))], data=bytes(16)),
        "header.text_length 65",
    ),
    "name of no bytes": (gguf_bytes(tensors=[tensor("", (4,))]), "header.empty_name"),
    "five dimensions": (gguf_bytes(tensors=[tensor("w", (1,) * 5)]), "header.dimensions claims 5"),
    "dimensions below zero": (
        gguf_bytes(tensors=[text("w") + struct.pack("<i", -1) + bytes(64)]),
        "header.dimensions",
    ),
    "length below zero": (gguf_bytes(tensors=[tensor("w", (2**64 - 4, 4))]), "header.shape"),
    "product of 2^63": (gguf_bytes(tensors=[tensor("w", (2**31, 2**32))]), "header.shape"),
    "product that wraps to 4": (
        gguf_bytes(tensors=[tensor("w", (2**62 + 1, 4), 24)]),
        "header.shape",
    ),
    "offset between multiples": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=31)], data=bytes(64)),
        "header.offset",
    ),
    "offset of the other alignment": (
        gguf_bytes(
            [key("general.alignment", 4, 64)],
            [tensor("a", (4,)), tensor("b", (4,), offset=32)],
            bytes(128),
            alignment=64,
        ),
        "header.offset multiple of 64",
    ),
    "offset that wraps": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=2**64 - 32)], data=bytes(64)),
        "gguf.truncated",
    ),
    "no data": (gguf_bytes(tensors=TWO), "gguf.truncated tensor a"),
    "data short by one byte": (
        gguf_bytes(tensors=TWO, data=bytes(1023)),
        "gguf.truncated tensor b",
    ),
    "half of a block": (
        gguf_bytes(tensors=[tensor("w", (16, 2), 8)], data=bytes(64)),
        "gguf.row_length 16 is not a multiple of 32",
    ),
    "blocks only over all rows": (
        gguf_bytes(tensors=[tensor("w", (128, 2), 14)], data=bytes(256)),
        "gguf.row_length",
    ),
    "#15711: tensors that fit a count but not their memory": (
        gguf_bytes(n_tensors=(2**63 - 1) // 120),
        "header.count_limit",
    ),
    "#18674: second length of 2^42 + 1": (
        gguf_bytes(tensors=[tensor("w", (1152, 2**42 + 1), 8)], data=bytes(1224)),
        "header.shape 4398046511105",
    ),
    "#24997: alignment of 2^31": (
        gguf_bytes([key("general.alignment", 4, 2**31)]),
        "header.alignment is 2147483648",
    ),
    "#26318: alignment of another type, far out": (
        gguf_bytes([key("general.alignment", 5, -(2**31))]),
        "header.alignment",
    ),
    "#26318: size that wraps when it is rounded up": (
        gguf_bytes(tensors=[tensor("w", (2**62 - 1,)), tensor("x", (4,), offset=32)]),
        "header.shape",
    ),
    "#27188: array of 2^63": (gguf_bytes([claim(2**63)]), "header.array_length"),
    "#27188: array of strings of 2^63": (gguf_bytes([claim(2**63, 8)]), "header.array_length"),
    "#27188: inner array of 2^62": (
        gguf_bytes([claim(1, 9) + struct.pack("<IQ", 4, 2**62)]),
        "header.array_length",
    ),
    "#27188: string of 2^63": (
        gguf_bytes([text("k") + struct.pack("<IQ", 8, 2**63)]),
        "header.text_length",
    ),
    "#27188: keys of 2^63": (gguf_bytes(n_keys=2**63), "header.count_limit"),
    "#27200: bytes of blocks that wrap": (
        gguf_bytes(tensors=[tensor("w", (5124095576030431008,), 2)], data=bytes(64)),
        "header.shape",
    ),
    "#27203: product below zero": (
        gguf_bytes(tensors=[tensor("w", (2**63 - 1, 2, 1, 1), 24)]),
        "header.shape",
    ),
    "#24884: key without a letter, of every type": (
        gguf_bytes([key("", 12, 0.5)]),
        "header.empty_name",
    ),
}
GGUF_CASES |= PEER_CASES
