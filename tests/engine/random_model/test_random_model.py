"""Stand-in models: golden bytes, valid files of every type, safe writing."""

from __future__ import annotations

import errno
import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from tokenizers import Tokenizer

from engine.cancel import CancelToken
from engine.errors import CancelledError, OutputError
from engine.gguf.inspect import describe
from engine.gguf.reader import GGUFFile
from engine.gguf.weights import WeightSource
from engine.random_model import weights as standin_random
from engine.random_model import writer as standin_writer
from engine.random_model.config import metadata, random_plan
from engine.random_model.layout import tensors
from engine.random_model.model import TYPES, make_random_model, make_tokenizer
from engine.random_model.writer import header_bytes, total_bytes


def test_golden_files_have_their_bytes(models: Any, golden_file: Callable[[str], Path]) -> None:
    expected = json.loads(golden_file("sha256.json").read_text())
    for name, digest in expected.items():
        assert hashlib.sha256((models.dir / name).read_bytes()).hexdigest() == digest, name


def test_tokenizer_gives_the_golden_ids(models: Any, golden_file: Callable[[str], Path]) -> None:
    words = Tokenizer.from_file(str(models.tokenizer))
    for case in json.loads(golden_file("tokenizer-cases.json").read_text(encoding="utf-8")):
        assert words.encode(case["text"], add_special_tokens=False).ids == case["ids"]


def test_full_tokenizer_has_the_true_ids(tmp_path: Path) -> None:
    words = Tokenizer.from_file(str(make_tokenizer(tmp_path / "t.json", full=True)))
    for token, number in {
        "<|endoftext|>": 151643,
        "<|im_start|>": 151644,
        "<|im_end|>": 151645,
        "<|voice|>": 151673,
        "<|semantic:0|>": 151678,
        "<|semantic:4095|>": 155773,
    }.items():
        assert words.token_to_id(token) == number
    assert words.encode("\n<|im_end|><|semantic:7|>").ids == [198, 151645, 151685]
    assert len(words.encode("<|speaker:0|>").ids) > 1


@pytest.mark.parametrize("kind", TYPES)
def test_tiny_models_are_valid_and_repeatable(tmp_path: Path, kind: str) -> None:
    first = make_random_model(tmp_path / "a.gguf", type=kind, tokenizer=tmp_path / "t.json")
    again = make_random_model(tmp_path / "b.gguf", type=kind)
    other = make_random_model(tmp_path / "c.gguf", type=kind, seed=5)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.gguf", "b.gguf", "c.gguf", "t.json"]
    reference = gguf.GGUFReader(first)
    with GGUFFile.open(first) as file:
        assert list(file.tensors) == [t.name for t in reference.tensors]
        source = WeightSource(file)
        for name, info in file.tensors.items():
            values = source.f32(name, info.shape)
            assert bool(values.isfinite().all()), name
            assert float(values.abs().max()) < 60, name
        names = {"f32": "F32", "f16": "F16", "q8_0": "Q8_0", "q4_k": "Q4_K"}
        assert names[kind] in describe(file).types


@pytest.mark.parametrize("kind", ["q8_0", "q4_k", "q6_k"])
def test_blocks_have_the_wanted_spread(kind: str) -> None:
    layout = standin_writer.TensorLayout("w", (64, 1024), {"q8_0": 8, "q4_k": 12, "q6_k": 14}[kind])
    made = standin_random.RandomTensor(layout, standin_random.Normal(0.05))
    raw = np.frombuffer(made.draw(np.random.default_rng(0), 64), np.uint8).reshape(64, -1)
    values = gguf.quants.dequantize(raw.copy(), gguf.GGMLQuantizationType(layout.type_id))
    assert math.isclose(values.std(), 0.05, rel_tol=0.05)
    assert abs(values.mean()) < 0.002


@pytest.mark.parametrize(("kind", "size"), [("q4_k", 3.6), ("q8_0", 5.6), ("f16", 9.9)])
def test_full_plans_have_the_released_shape(kind: str, size: float) -> None:
    plan = random_plan("full", kind, None)
    layouts = [t.layout for t in tensors(plan)]
    codec = [t for t in layouts if t.name.startswith("c.")]
    assert (len(layouts) - len(codec), len(codec)) == (358, 455)
    assert sum(math.prod(t.shape) for t in codec) == 391_398_385
    total = total_bytes(header_bytes(metadata(plan), layouts), layouts)
    assert math.isclose(total / 1e9, size, rel_tol=0.05)
    shapes = {t.name: t.shape for t in layouts}
    assert shapes["layers.35.attention.wqkv.weight"] == (6144, 2560)
    assert shapes["codebook_embeddings.weight"] == (40960, 2560)
    assert shapes["c.decoder.model.1.block.1.conv.weight"] == (1536, 768, 16)


def test_large_tensors_come_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standin_random, "PIECE_VALUES", 4096)
    layout = standin_writer.TensorLayout("w", (10, 1024), 12)
    made = standin_random.RandomTensor(layout, standin_random.Normal(1.0))
    assert made.pieces() == [4, 4, 2]
    rng = np.random.default_rng(0)
    assert sum(len(made.draw(rng, rows)) for rows in made.pieces()) == layout.nbytes


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    path = make_random_model(tmp_path / "m.gguf", progress=lambda *step: steps.append(step))
    assert steps == sorted(steps)
    assert steps[-1] == (path.stat().st_size, path.stat().st_size)


def test_cancelling_leaves_nothing(tmp_path: Path) -> None:
    cancel = CancelToken()
    with pytest.raises(CancelledError):
        make_random_model(
            tmp_path / "m.gguf", progress=lambda done, total: cancel.cancel(), cancel=cancel
        )
    assert not list(tmp_path.iterdir())


def test_a_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "m.gguf"
    path.write_text("old")

    def no_room(*_: object) -> memoryview:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(standin_random.RandomTensor, "draw", no_room)
    with pytest.raises(OutputError, match=r"no room left"):
        make_random_model(path)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]


def test_too_little_room_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = standin_writer.shutil.disk_usage(tmp_path)._replace(free=1_000_000)
    monkeypatch.setattr(standin_writer.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(OutputError, match=r"needs 36\d\d MB, but only 1 MB are free"):
        make_random_model(tmp_path / "m.gguf", size="full", type="q4_k")
    assert not list(tmp_path.iterdir())


def test_unwritable_places_and_unknown_choices(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"folder for .* does not exist"):
        make_random_model(tmp_path / "none" / "m.gguf")
    with pytest.raises(ValueError, match="size must be one of tiny, full"):
        make_random_model(tmp_path / "m.gguf", size="huge")
    with pytest.raises(ValueError, match="type must be one of f32, f16, q8_0, q4_k"):
        make_random_model(tmp_path / "m.gguf", type="q2_k")
