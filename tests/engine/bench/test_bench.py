"""The speed benches: which figures there are and what was counted; times are not judged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.bench import ar, codec, compare, load, speed
from engine.cli import main
from engine.codec.codec import AudioCodec
from engine.errors import EngineError, RequestError
from engine.gguf.reader import GGUFFile
from engine.kernels.linear import PoolKernels
from engine.kernels.pool import KernelPool
from engine.lm.dual_ar import DualAR
from engine.text.tokenizer import Tokenizer

MODEL = "tiny-kquant"
POSITIVE = ("read_bandwidth_gb_s", "read_bandwidth_median_gb_s", "weight_bytes_per_frame")


@pytest.fixture(scope="module")
def model(models: Any) -> Iterator[DualAR]:
    end = Tokenizer.load(models.tokenizer).im_end
    with GGUFFile.open(models.path(MODEL)) as file:
        made = DualAR.from_gguf(file, end, kernels=PoolKernels(KernelPool(1)))
        with closing(made):
            yield made


def test_a_run_times_every_frame_but_the_first(model: DualAR) -> None:
    run = ar.run_once(model, 20, 4)
    assert len(run.frame_s) == 4
    assert run.stats.frames == 5
    assert run.stats.finish_reason == "length"
    assert run.stats.prefill_columns == run.stats.prompt_columns == 20
    assert run.stats.fast_passes == 9 * 5
    assert min(run.frame_s) > 0 < run.prefill_s


def test_figures_of_the_model(model: DualAR) -> None:
    figures = ar.run_ar(
        model, frames=2, repeats=2, contexts=(5, 9), prefills=(7,), bandwidth_bytes=1 << 20
    )
    assert all(figures[key] > 0 for key in POSITIVE)
    assert figures["weight_bytes_per_frame"] == model.weight_bytes_per_frame
    assert figures["fast_passes_per_frame"] == 9
    assert list(figures["ar_ms_per_frame"]) == ["5", "9"]
    assert list(figures["ar_share_of_memory_limit"]) == ["5", "9"]
    assert list(figures["prefill_tokens_per_s"]) == ["7"]
    for context, median in figures["ar_ms_per_frame"].items():
        least, most = figures["ar_ms_per_frame_range"][context]
        assert 0 < least <= median <= most
        needed = model.weight_bytes_per_frame + int(context) * figures["cache_bytes_per_position"]
        share = needed / (figures["read_bandwidth_gb_s"] * 1e9) / (median / 1e3)
        assert figures["ar_share_of_memory_limit"][context] == pytest.approx(share)
        other = share * figures["read_bandwidth_gb_s"] / figures["read_bandwidth_median_gb_s"]
        assert figures["ar_share_of_median_rate"][context] == pytest.approx(other)
    assert len(ar.as_rows(figures)) == 9
    fast = ar.run_ar(
        model, frames=1, repeats=1, contexts=(5,), prefills=(7,), bandwidth_bytes=1 << 20, fast=None
    )
    assert "prefill_fast_tokens_per_s" not in fast


def test_figures_of_the_codec(models: Any) -> None:
    with GGUFFile.open(models.path(MODEL)) as file:
        made = AudioCodec.from_gguf(file)
        figures = codec.run_codec(made, strides=(1, 3), frames=4, repeats=2, encode_s=0.3)
        codes = np.zeros((made.config.num_codebooks, 7), np.int32)
        assert codec.push_all(made, codes, 3) == 7
    assert list(figures["codec_ms_per_frame"]) == ["1", "3"]
    assert figures["codec_frame_ms"] == pytest.approx(46.44, abs=0.01)
    assert figures["encode_s_per_10s"] > 0
    assert len(codec.as_rows(figures)) == 3


@pytest.mark.slow
def test_start_and_memory_are_measured_in_another_process(models: Any) -> None:
    figures = load.run_load(models.path(MODEL), threads=1, repeats=1, frames=2)
    assert 0 < figures["load_s"] < figures["ready_s"] <= figures["first_frame_s"]
    assert figures["import_s"] > 0
    assert 50 < figures["peak_rss_mb"] < 5000
    assert figures["load_frames"] == figures["load_codec_frames_decoded"] == 2
    assert figures["load_fast_passes"] == 18
    assert figures["file_mb"] * 1e6 == models.path(MODEL).stat().st_size
    assert len(load.as_rows(figures)) == 5


def test_a_process_that_fails_says_why(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="measured process failed"):
        load.run_load(tmp_path / "none.gguf", repeats=1)


def test_what_is_measured_in_the_child_is_what_the_child_measures(models: Any) -> None:
    """The protocol between the two: one line of JSON at the end."""
    order = {"model": str(models.path(MODEL)), "tokenizer": None, "threads": 1, "frames": 1}
    order["started"] = 0.0
    here = load.measure_here(order)
    assert {*load.MEDIANS, "frames", "fast_passes", "codec_frames_decoded"} == set(here)


def test_the_command_writes_and_compares(
    models: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    small = {"contexts": (5,), "prefills": (6,), "bandwidth_bytes": 1 << 20}
    run_ar = ar.run_ar
    monkeypatch.setattr(ar, "run_ar", lambda model, **options: run_ar(model, **options, **small))
    path = tmp_path / "old.json"
    arguments = ["bench", "ar", str(models.path(MODEL)), "--threads", "1"]
    arguments += ["--frames", "1", "--repeats", "1"]
    assert main([*arguments, "--json", str(path)]) == 0
    figures = json.loads(path.read_text())
    assert figures["kind"] == "ar"
    assert figures["threads"] == 1
    assert figures["machine"]["processor"]
    assert "frame at context 5" in capfd.readouterr().out
    assert main([*arguments, "--compare", str(path)]) == 0
    out = capfd.readouterr().out
    assert "weight_bytes_per_frame" in out
    assert "ratio" in out


@pytest.mark.parametrize("option", ["--frames", "--repeats"])
def test_nothing_to_measure_is_refused(models: Any, option: str) -> None:
    assert main(["bench", "codec", str(models.path(MODEL)), option, "0"]) == 1


def test_all_runs_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def record(name: str) -> Any:
        return lambda *_args, **_options: ran.append(name) or {name: 1}

    monkeypatch.setattr(speed, "_measure_ar", record("ar"))
    monkeypatch.setattr(speed, "_measure_codec", record("codec"))
    monkeypatch.setattr(load, "run_load", record("load"))
    for kind in ("ar", "codec", "load"):
        assert kind in speed.run_speed(kind, "m")  # type: ignore[arg-type]
    assert ran == ["ar", "codec", "load"]
    assert {"ar", "codec", "load"} <= set(speed.run_speed("all", "m"))


def test_comparing_takes_numbers_that_both_have() -> None:
    before = {"a": 2.0, "b": {"x": 10, "y": 0.0}, "threads": 2, "a_range": [1, 2], "gone": 3}
    now = {"a": 1.0, "b": {"x": 20, "y": 1.0, "z": 1}, "threads": 4, "a_range": [1, 2], "name": "n"}
    assert compare.compare(before, now) == [["a", 2.0, 1.0, 0.5], ["b.x", 10.0, 20.0, 2.0]]


@pytest.mark.parametrize("content", [None, "[1]", "{"])
def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "old.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(RequestError):
        compare.read_figures(path)


def test_importing_the_benches_does_not_load_torch() -> None:
    """So that the command line can say what is wrong with its arguments at once."""
    code = "import engine.bench.compare, engine.bench.load, sys; assert 'torch' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
