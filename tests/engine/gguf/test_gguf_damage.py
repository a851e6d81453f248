"""Files that are wrong on the disk, and what their limits allow; tests/fuzz has the rest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from error_kit import refused
from gguf_support import gguf_bytes, key, save, tensor

from engine.errors import ModelFileError
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource

ONE = tensor("w", (4,))


def test_missing_file_folder_and_pipe(tmp_path: Path) -> None:
    with refused("gguf.unopened", ModelFileError):
        GGUFFile.open(tmp_path / "none.gguf")
    with refused("gguf.folder", ModelFileError):
        GGUFFile.open(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.gguf")
        with refused("gguf.not_regular", ModelFileError):
            GGUFFile.open(tmp_path / "pipe.gguf")


def test_incomplete_download(models: Any, tmp_path: Path) -> None:
    whole = models.path("tiny-f32").read_bytes()
    with GGUFFile.open(models.path("tiny-f32")) as file:
        last = list(file.tensors.values())[-1]
        end, first = last.offset + last.nbytes, next(iter(file.tensors.values()))
    for size, lost in ((end - 1, last), (first.offset, first)):
        with refused("gguf.truncated", ModelFileError) as caught:
            GGUFFile.open(save(tmp_path / "bad.gguf", whole[:size]))
        reason = caught.value.params["reason"].params
        assert (reason["needed"], reason["size"]) == (end, size)
        assert (reason["name"], reason["offset"]) == (lost.name, lost.offset)
        assert reason["end"] == lost.offset + lost.nbytes


@pytest.mark.parametrize("size", [24, 40, 600, 5000, 20000])
def test_cut_in_the_header(models: Any, tmp_path: Path, size: int) -> None:
    path = save(tmp_path / "bad.gguf", models.path("tiny-f32").read_bytes()[:size])
    with pytest.raises(ModelFileError) as caught:
        GGUFFile.open(path)
    assert caught.value.params["reason"].code == "gguf.corrupt"


def test_unknown_types_matter_only_when_needed(tmp_path: Path) -> None:
    entries = [
        ONE,
        tensor("x", (256,), 1041),
        tensor("y", (256,), 999),
        tensor("z", (4,), 24, offset=32),
    ]
    entries.append(tensor("i", (4,), 26, offset=64))
    path = save(tmp_path / "m.gguf", gguf_bytes(tensors=entries, data=bytes(96)))
    with GGUFFile.open(path) as file:
        source = WeightSource(file)
        assert source.f32("w", (4,)).tolist() == [0, 0, 0, 0]
        for name, number in (("x", 1041), ("y", 999), ("z", 24), ("i", 26)):
            with refused("gguf.quantisation", ModelFileError) as caught:
                source.f32(name, (256,))
            reason = caught.value.params
            assert (reason["name"], reason["type_id"]) == (name, number)


def test_limits_themselves_are_allowed(tmp_path: Path) -> None:
    keys = [key(f"k{i}", 7, True) for i in range(65536)]
    with GGUFFile.open(save(tmp_path / "m.gguf", gguf_bytes(keys))) as file:
        assert len(file.metadata) == 65536
