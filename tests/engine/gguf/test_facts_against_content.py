"""What a model's file tells of itself, against what is in it: `s2 info` and loading find out."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from engine.cli import main
from engine.engine import Engine
from engine.errors import ModelFileError

LLM, FISH, CODEC = "fish-speech.", "fish_speech.", "fish_speech.codec."


def lie(source: Path, target: Path, key: str, value: int) -> Path:
    """The same file with another number under ``key``."""
    data = bytearray(source.read_bytes())
    name = struct.pack("<Q", len(key)) + key.encode()
    at = data.index(name) + len(name)
    kind = struct.unpack_from("<I", data, at)[0]
    struct.pack_into({4: "<I", 5: "<i", 10: "<Q"}[kind], data, at + 4, value)
    target.write_bytes(bytes(data))
    return target


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (LLM + "block_count", 1),
        (LLM + "block_count", 99),
        (LLM + "block_count", 2**31 - 1),
        (LLM + "context_length", 0),
        (LLM + "embedding_length", 63),
        (LLM + "attention.head_count", 5),
        (LLM + "attention.head_count_kv", 3),
        (LLM + "vocab_size", 649),
        (FISH + "codebook_size", 65),
        (FISH + "num_codebooks", 9),
        (FISH + "semantic_begin_id", 575),
        (FISH + "semantic_end_id", 640),
        (FISH + "fast_block_count", 1),
        (FISH + "fast_block_count", 3),
        (FISH + "fast_context_length", 9),
        (CODEC + "sample_rate", 3),
        (CODEC + "hop_length", 511),
        (CODEC + "quantizer_residual_codebooks", 8),
        (CODEC + "rvq_transformer.window_size", 0),
    ],
)
def test_a_lie_is_found_by_info_and_by_loading(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, value: int
) -> None:
    path = lie(models.path("tiny-f32"), tmp_path / "m.gguf", key, value)
    with pytest.raises(ModelFileError):
        Engine.load(path, models.tokenizer, threads=1)
    assert main(["info", str(path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert "Traceback" not in told


def test_the_truth_passes(models: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("tiny-f32", "tiny-kquant", "tiny-q8_0"):
        assert main(["info", str(models.path(name))]) == 0
    assert not capsys.readouterr().err


def test_types_are_those_of_the_tensors(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not what ``general.file_type`` says."""
    path = lie(models.path("tiny-kquant"), tmp_path / "m.gguf", "general.file_type", 7)
    assert main(["info", str(path)]) == 0
    assert "Q4_K x 11" in capsys.readouterr().out
