"""Which model suits a machine: a guess from a few measurements, kept for that machine alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from engine.bench import (
    MachineSpeed,
    measure_speed,
    recommended,
    remember_speed,
    remembered_speed,
)
from engine.bench.report import processor_name
from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.hub.catalogue import VARIANTS
from engine.machine.threads import default_threads

NAMES = ("Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "F16")
ROOM = 64 << 30


def speed(rate: float, operations: float = 1e12) -> MachineSpeed:
    rates = dict.fromkeys(NAMES, rate)
    return MachineSpeed(processor_name(), default_threads(), rates, operations, "2026-12-01")


def test_a_slow_machine_is_told_the_true_figure_of_this_project() -> None:
    """README: 290 ms a frame where 15 GB/s are read, and 47 ms of the codec."""
    slowness = speed(15e9, 192e9).slowness(VARIANTS[0])
    assert slowness == pytest.approx((0.29 + 0.047) * 21.5, rel=0.05)
    assert speed(0).slowness(VARIANTS[0]) is None


@pytest.mark.parametrize(
    ("rate", "room", "best"),
    [
        (15e9, ROOM, "q4_k_m"),  # too slow for all: the advised one
        (200e9, ROOM, "q6_k"),  # the closest that speaks live
        (2e12, ROOM, "f16"),
        (15e9, 5_000_000_000, "q3_k"),  # the largest that fits
        (15e9, 1_000_000_000, None),
    ],
)
def test_one_file_is_recommended(rate: float, room: int, best: str | None) -> None:
    found = recommended(speed(rate), VARIANTS, room)
    assert (found.id if found is not None else None) == best


def test_it_is_remembered_for_this_machine_alone(tmp_path: Path) -> None:
    path, made = tmp_path / "new" / "speed.json", speed(1e9)
    assert remembered_speed(path) is None
    remember_speed(made, path)
    assert remembered_speed(path) == made
    for other in (replace(made, threads=999), replace(made, processor="another")):
        remember_speed(other, path)
        assert remembered_speed(path) is None
    for text in ("", "[]", "{}", '{"rates": 3}', '{"rates": {"Q4_K": "x"}, "threads": 1}'):
        path.write_text(text)
        assert remembered_speed(path) is None


def test_it_is_measured_with_the_kernels() -> None:
    said: list[str] = []
    found = measure_speed(["Q4_K_M", "q8_0"], say=said.append)
    assert said == ["Q4_K", "Q8_0"]
    assert set(found.rates) == {"Q4_K", "Q8_0"}
    assert all(1e8 < rate < 1e13 for rate in (*found.rates.values(), found.operations))
    token = CancelToken()
    token.cancel()
    with pytest.raises(CancelledError):
        measure_speed(["Q4_K"], token)
