"""``s2 bench streaming`` and ``s2 bench soak``: their counts are exact; times are not asserted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.bench.soak import SimulatedPlayer, growth, run_soak, verdict
from engine.bench.streaming import count_frames
from engine.cli import main
from engine.engine import Engine
from engine.synthesis.emitters import plan_stream
from engine.types import StreamOptions


@pytest.mark.parametrize("stride", [1, 4, 16])
def test_exact_decodes_each_frame_once(stride: int) -> None:
    assert count_frames(plan_stream(StreamOptions(stride=stride), 128)) == (1.0, 1)


@pytest.mark.parametrize(
    ("options", "ratio", "first"),
    [
        ({}, 73.0, 145),
        ({"stride": 1}, 289.0, 145),
        ({"stride": 16}, 19.0, 145),
        ({"low_latency": True}, 145.0, 1),
    ],
)
def test_windowed_decodes_what_the_arithmetic_says(
    options: dict[str, Any], ratio: float, first: int
) -> None:
    plan = plan_stream(StreamOptions("windowed", **options), 128)
    counted, frames = count_frames(plan)
    assert frames == first
    assert counted == pytest.approx(ratio, rel=0.02)
    shorter, _ = count_frames(plan, 400)
    assert abs(shorter - ratio) >= abs(counted - ratio), "it tends to the figure"


def test_one_run_gives_one_table_of_both_modes(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "figures.json"
    path = str(models.path("tiny-f32"))
    command = ["bench", "streaming", path, "--json", str(out), "--frames", "16", "--threads", "1"]
    assert main(command) == 0
    table = capsys.readouterr().out
    figures = json.loads(out.read_text(encoding="utf-8"))
    rows = figures["rows"]
    assert [(r["mode"], r["stride"]) for r in rows] == [
        ("exact", 1), ("exact", 4), ("exact", 16),
        ("windowed", 1), ("windowed", 4), ("windowed", 16), ("windowed", 1),
    ]  # fmt: skip
    assert len(table.splitlines()) == len(rows) + 2
    for row in rows:
        exact = row["mode"] == "exact"
        assert (row["decoded_per_emitted"] == 1.0) == exact
        wait = 1 if exact else max(row["stride"], row["holdback"] + 1)
        assert row["first_audio_frames"] == wait
        assert row["first_audio_s"] == pytest.approx(wait * 2048 / 44100)
        assert row["codec_ms_per_frame"] > 0
    assert figures["machine"]["torch_threads"] == 1


@pytest.mark.slow
def test_ten_seconds_of_soak(tiny_engine: Engine) -> None:
    """The counts of the ten-minute soak, on a clock that runs as the takes are made."""
    figures = run_soak(tiny_engine, 10.0, frames=16, memory=lambda: 10**9)
    assert figures["takes"] >= 2
    assert figures["takes_different"] == 0
    assert figures["memory_growth"] == 0
    assert figures["seconds"] >= 10


def test_soak_from_the_command_line(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "soak.json"
    code = main(["bench", "soak", str(models.path("tiny-f32")), "--seconds", "0.1", "--frames",
                 "4", "--json", str(out), "--threads", "1"])  # fmt: skip
    printed = capsys.readouterr().out
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert figures["takes"] >= 1
    assert "takes_different" in printed
    assert code == (1 if verdict(figures) else 0)


def test_the_simulated_player_counts_what_comes_late() -> None:
    player, now = SimulatedPlayer(cushion_s=0.2), 50.0
    for _ in range(10):
        player.chunk(0.1, now)
        now += 0.05
    assert player.underruns == 0
    now += 2.0
    player.chunk(0.1, now)
    assert player.underruns == 1
    assert player.waited_s > 1
    now += 0.05
    player.chunk(0.1, now)
    assert player.underruns == 1, "after one wait it goes on"
    assert player.low_water_s is not None
    assert player.low_water_s < 0


def test_growth_and_verdict() -> None:
    flat = [100] * 3 + [110] * 97
    assert growth(flat) == 0
    assert growth([100 + i for i in range(100)]) == pytest.approx(80 / 114.5, rel=0.01)
    figures = {"takes_different": 0, "memory_growth": 0.01, "underruns_when_faster": 0}
    assert verdict(figures) == []
    for name, value in (("takes_different", 2), ("memory_growth", 0.2)):
        assert len(verdict({**figures, name: value})) == 1
    assert np.isfinite(growth([5]))


def test_batch_and_start_print_tables(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, words, out = str(models.path("tiny-q8_0")), str(models.tokenizer), tmp_path / "f.json"
    command = ["bench", "batch", path, "-t", words, "--frames", "2", "--repeats", "1"]
    assert main([*command, "--json", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert [row["takes"] for row in figures["batch"]] == [1, 4, 8, 32]
    assert figures["batch"][0]["against_one"] == 1.0
    assert "against one" in capsys.readouterr().out
    assert main([*command, "--repeats", "0"]) == 1


@pytest.mark.slow
def test_start_times_processes(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = models.path("tiny-q8_0"), tmp_path / "f.json"
    command = ["bench", "start", str(path), "-t", str(models.tokenizer), "--repeats", "1"]
    assert main([*command, "--json", str(out)]) == 0
    rows = json.loads(out.read_text())["start"]
    assert [(row["arithmetic"], row["voice_cache_mb"]) for row in rows] == [
        ("exact", 0), ("exact", 1000), ("fast", 0), ("fast", 1000)
    ]  # fmt: skip
    assert all(row["first_sound_s"][0] > 0 for row in rows)
    assert main(["bench", "start", str(tmp_path / "none.gguf"), "--repeats", "1"]) == 1
    assert "no sound came" in capsys.readouterr().err
