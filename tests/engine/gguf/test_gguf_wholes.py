"""What is whole by its header and still no model: parts of a split one, tensors in each other."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from gguf_support import ARCHITECTURE, gguf_bytes, key, save, tensor, text

from engine.errors import ModelFileError
from engine.gguf.reader import GGUFFile


@pytest.mark.parametrize(
    ("number", "count", "kind"), [(0, 2, 2), (1, 2, 2), (6, 11, 4), (0, 3, 10)]
)
@pytest.mark.parametrize("named", [True, False])
def test_a_part_says_which_it_is(
    tmp_path: Path, number: int, count: int, kind: int, named: bool
) -> None:
    keys = [key("split.no", kind, number), key("split.count", kind, count)]
    keys = [ARCHITECTURE, *keys] if named else keys
    path = save(tmp_path / "m.gguf", gguf_bytes(keys, tensors=[tensor("w", (4,))], data=bytes(32)))
    with pytest.raises(ModelFileError) as caught:
        GGUFFile.open(path)
    assert f"part {number + 1} of {count}" in caught.value.detail
    assert "--merge" in caught.value.advice


def test_a_model_of_one_part_is_whole(tmp_path: Path) -> None:
    keys = [ARCHITECTURE, key("split.no", 2, 0), key("split.count", 2, 1)]
    with GGUFFile.open(save(tmp_path / "m.gguf", gguf_bytes(keys))) as file:
        assert file.metadata["split.count"] == 1


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 32), (32, 0), (64, 32)])
def test_no_byte_belongs_to_two_tensors(tmp_path: Path, first: int, second: int) -> None:
    entries = [tensor("a", (32, 8), offset=first), tensor("b", (32, 8), offset=second)]
    path = save(tmp_path / "m.gguf", gguf_bytes(tensors=entries, data=bytes(4096)))
    with pytest.raises(ModelFileError, match="lies in tensor"):
        GGUFFile.open(path)


def test_gaps_and_neighbours_are_no_overlap(tmp_path: Path) -> None:
    entries = [
        tensor("a", (8,), offset=0),
        tensor("b", (8,), offset=32),
        tensor("c", (8,), offset=96),
    ]
    path = save(tmp_path / "m.gguf", gguf_bytes(tensors=entries, data=bytes(128)))
    with GGUFFile.open(path) as file:
        assert list(file.tensors) == ["a", "b", "c"]


def test_arrays_in_arrays_are_bounded_in_all(tmp_path: Path) -> None:
    """Three hundred keys of four thousand empty arrays took seconds."""
    empty = struct.pack("<IQ", 4, 0)
    inner = struct.pack("<IIQ", 9, 9, 4096) + empty * 4096
    keys = [ARCHITECTURE, *(text(f"k{index}") + inner for index in range(40))]
    with pytest.raises(ModelFileError, match="arrays in an array"):
        GGUFFile.open(save(tmp_path / "m.gguf", gguf_bytes(keys)))
