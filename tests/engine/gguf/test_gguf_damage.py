"""Files that are wrong: each failure of spec 01, section 6, and bytes changed at random."""

from __future__ import annotations

import os
import re
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from gguf_support import ARCHITECTURE, array, gguf_bytes, key, save, tensor, text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import ModelFileError
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource

HEADER = "truncated or corrupt GGUF header"
ONE = tensor("w", (4,))


def message(tmp_path: Path, data: bytes) -> str:
    """The error for a file; it must come fast, without memory, and name the file."""
    path = save(tmp_path / "bad.gguf", data)
    tracemalloc.start()
    start = time.thread_time()
    with pytest.raises(ModelFileError) as caught:
        GGUFFile.open(path)
    seconds = time.thread_time() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 1
    assert peak < (8 << 20) + 4 * len(data)
    assert str(path) in str(caught.value)
    return str(caught.value)


def claim(count: int, element: int = 4) -> bytes:
    """An array that claims more elements than it has."""
    return text("k") + struct.pack("<IIQ", 9, element, count)


CASES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not a GGUF file: the file is empty"),
    "23 bytes": (gguf_bytes()[:23], "not a GGUF file"),
    "magic": (gguf_bytes(magic=b"GGUX"), "not a GGUF file"),
    "version 1": (gguf_bytes(version=1), "unsupported GGUF version 1"),
    "version 99": (gguf_bytes(version=99), "unsupported GGUF version 99"),
    "big-endian": (gguf_bytes(version=0x03000000), "big-endian"),
    "n_kv": (gguf_bytes(n_keys=65537), HEADER),
    "n_kv past the end": (gguf_bytes(n_keys=60000), HEADER),
    "n_tensors": (gguf_bytes(n_tensors=2**63), HEADER),
    "n_tensors past the end": (gguf_bytes(n_tensors=60000), HEADER),
    "key length": (gguf_bytes([struct.pack("<Q", 2**62) + bytes(32)]), HEADER),
    "string length": (gguf_bytes([text("k") + struct.pack("<IQ", 8, 1 << 24)]), HEADER),
    "value type": (gguf_bytes([text("k") + struct.pack("<IQ", 13, 0)]), "unknown value type 13"),
    "element type": (gguf_bytes([claim(1, 77) + bytes(8)]), "unknown element type 77"),
    "array count": (gguf_bytes([claim(2**60)]), HEADER),
    "array past the end": (gguf_bytes([claim(1 << 20)]), HEADER),
    "array of strings": (gguf_bytes([claim(1 << 24, 8)]), HEADER),
    "array nesting": (
        gguf_bytes([text("k") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 40]),
        "nests arrays too deeply",
    ),
    "empty key": (gguf_bytes([key("", 4, 1)]), HEADER),
    "key with NUL": (gguf_bytes([key("a\0b", 4, 1)]), HEADER),
    "key not UTF-8": (gguf_bytes([key(b"\xff\xfe", 4, 1)]), HEADER),
    "duplicate key": (gguf_bytes([key("k", 4, 1), key("k", 4, 2)]), "duplicate key: k"),
    "duplicate tensor": (gguf_bytes(tensors=[ONE, ONE], data=bytes(16)), "duplicate tensor: w"),
    "no dims": (gguf_bytes(tensors=[tensor("w", ()) + bytes(32)]), "claims 0 dimensions"),
    "n_dims": (
        gguf_bytes(tensors=[text("w") + struct.pack("<I", 1_000_000) + bytes(64)]),
        "claims 1000000 dimensions",
    ),
    "zero dim": (gguf_bytes(tensors=[tensor("w", (4, 0))]), HEADER),
    "huge dim": (gguf_bytes(tensors=[tensor("w", (2**58 + 1,))]), HEADER),
    "product wraps": (gguf_bytes(tensors=[tensor("w", (2**32, 2**32))]), HEADER),
    "row in a block": (
        gguf_bytes(tensors=[tensor("w", (32, 2), 12)], data=bytes(288)),
        "tensor w: row length 32 is not a multiple of 256",
    ),
    "odd offset": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=8)], data=bytes(64)),
        "not at a multiple of 32",
    ),
    "offset past the end": (
        gguf_bytes(tensors=[tensor("w", (4,), offset=2**62)], data=bytes(64)),
        "truncated: tensor w needs bytes",
    ),
    "unknown type past the end": (
        gguf_bytes(tensors=[tensor("w", (4,), 999, 2**62)]),
        "truncated: tensor w needs bytes",
    ),
    "alignment 0": (gguf_bytes([key("general.alignment", 4, 0)]), "not a power of two"),
    "alignment 24": (gguf_bytes([key("general.alignment", 4, 24)]), "not a power of two"),
    "alignment text": (
        gguf_bytes([key("general.alignment", 8, "32")]),
        "expected INT32/UINT32 for key: general.alignment",
    ),
    "web page": (b"<!DOCTYPE html><html><head></head></html>" * 3, "web page (HTML)"),
    "LFS pointer": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 4000000000\n",
        "Git LFS pointer",
    ),
    "safetensors": (struct.pack("<Q", 60) + b'{"w":{"dtype":"F32"}}'.ljust(60), "safetensors"),
    "pickle": (b"PK\x03\x04" + bytes(60), "PyTorch checkpoint"),
    "json": (b'{"model": {}}' + b" " * 40, "JSON"),
    "voice": (b"S2VOICE\0" + bytes(60), "saved voice"),
    "sound": (b"RIFF" + bytes(60), "WAV"),
    "zeros": (bytes(100), "unfinished download"),
}


@pytest.mark.parametrize("case", CASES)
def test_failure(tmp_path: Path, case: str) -> None:
    data, expected = CASES[case]
    assert expected in message(tmp_path, data)


def test_missing_file_folder_and_pipe(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="No such file"):
        GGUFFile.open(tmp_path / "none.gguf")
    with pytest.raises(ModelFileError, match="is a folder"):
        GGUFFile.open(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.gguf")
        with pytest.raises(ModelFileError, match="not a regular file"):
            GGUFFile.open(tmp_path / "pipe.gguf")


def test_incomplete_download(models: Any, tmp_path: Path) -> None:
    whole = models.path("tiny-f32").read_bytes()
    with GGUFFile.open(models.path("tiny-f32")) as file:
        last = list(file.tensors.values())[-1]
        end, first = last.offset + last.nbytes, next(iter(file.tensors.values()))
    told = message(tmp_path, whole[: end - 1])
    assert f"incomplete: needs {end} bytes, has {end - 1}" in told
    place = f"needs bytes {last.offset}..{end} but the file has {end - 1}"
    assert f"truncated: tensor {last.name} {place}" in told
    told = message(tmp_path, whole[: first.offset])
    assert f"incomplete: needs {end} bytes, has {first.offset}" in told
    assert f"truncated: tensor {first.name} " in told


@pytest.mark.parametrize("size", [24, 40, 600, 5000, 20000])
def test_cut_in_the_header(models: Any, tmp_path: Path, size: int) -> None:
    told = message(tmp_path, models.path("tiny-f32").read_bytes()[:size])
    assert HEADER in told


def test_unknown_types_matter_only_when_needed(tmp_path: Path) -> None:
    entries = [ONE, tensor("x", (256,), 1041), tensor("y", (256,), 999), tensor("z", (4,), 24)]
    entries.append(tensor("i", (4,), 26))
    path = save(tmp_path / "m.gguf", gguf_bytes(tensors=entries, data=bytes(32)))
    with GGUFFile.open(path) as file:
        source = WeightSource(file)
        assert source.f32("w", (4,)).tolist() == [0, 0, 0, 0]
        for name, number in (("x", "1041"), ("y", "999"), ("z", "24 (I8)"), ("i", "26 (I32)")):
            expected = re.escape(f"tensor {name} uses unsupported quantisation type {number}")
            with pytest.raises(ModelFileError, match=expected):
                source.f32(name, (256,))


def test_limits_themselves_are_allowed(tmp_path: Path) -> None:
    keys = [key(f"k{i}", 7, True) for i in range(65536)]
    with GGUFFile.open(save(tmp_path / "m.gguf", gguf_bytes(keys))) as file:
        assert len(file.metadata) == 65536


SMALL = gguf_bytes(
    [
        ARCHITECTURE,
        key("general.alignment", 4, 32),
        key("fish-speech.block_count", 4, 2),
        key("fish-speech.rope.freq_base", 6, 1e6),
        array("fish_speech.codec.encoder_rates", 5, [2, 4]),
        array("words", 8, ["a", "bc"]),
    ],
    [
        tensor("a.weight", (32, 2), 8),
        tensor("b.weight", (4, 1, 3), 0, 96),
        tensor("c.weight", (256,), 12, 160),
    ],
    bytes(320),
)


def use_everything(path: Path) -> None:
    """Open a file and read all of it; only :class:`ModelFileError` may come out."""
    start = time.thread_time()
    try:
        with GGUFFile.open(path) as file:
            _ = file.architecture
            file.get_u32("fish-speech.block_count", 0)
            file.get_f32("fish-speech.rope.freq_base", 0.0)
            file.get_int_list("fish_speech.codec.encoder_rates", ())
            for name, info in file.tensors.items():
                assert WeightSource(file).f32(name, info.shape).shape == info.shape
    except ModelFileError:
        pass
    assert time.thread_time() - start < 1


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(SMALL) - 1), st.integers(0, 255)), min_size=1, max_size=6
    ),
    cut=st.integers(0, len(SMALL)),
    keep=st.booleans(),
)
def test_changed_bytes_never_crash(
    tmp_path: Path, changes: list[tuple[int, int]], cut: int, keep: bool
) -> None:
    data = bytearray(SMALL)
    for place, value in changes:
        data[place] = value
    use_everything(save(tmp_path / "m.gguf", bytes(data if keep else data[:cut])))


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    place=st.integers(0, len(SMALL) - 8),
    number=st.sampled_from([0, 1, 2**16, 2**24, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1]),
    width=st.sampled_from(["<I", "<Q"]),
)
def test_hostile_numbers_never_crash(tmp_path: Path, place: int, number: int, width: str) -> None:
    raw = struct.pack("<Q", number)[: struct.calcsize(width)]
    data = SMALL[:place] + raw + SMALL[place + len(raw) :]
    use_everything(save(tmp_path / "m.gguf", data))


@given(tail=st.binary(max_size=200))
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_noise_never_crashes(tmp_path: Path, tail: bytes) -> None:
    use_everything(save(tmp_path / "m.gguf", b"GGUF\3\0\0\0" + tail))
