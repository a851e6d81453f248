"""The script that keeps coverage from falling, and the floors that it reads."""

from __future__ import annotations

import json
from pathlib import Path

import coverage_ratchet as ratchet
import pytest

ROOT = Path(__file__).parents[2]


def file_of(covered: int, lines: int) -> dict[str, object]:
    return {"summary": {"covered_lines": covered, "num_statements": lines}}


REPORT = {
    "files": {
        "app/session.py": file_of(9, 10),
        "app/takes/panel.py": file_of(30, 40),
        "app\\takes\\parts\\x.py": file_of(10, 10),
        "app/empty/__init__.py": file_of(0, 0),
        "engine/lm/sampler.py": file_of(2, 3),
        "tests/conftest.py": file_of(1, 1),
    }
}
FOUND = {"app": 90.0, "app/takes": 80.0, "engine/lm": 66.7}


def test_lines_are_counted_by_package() -> None:
    assert ratchet.by_package(REPORT) == FOUND


def test_what_fell_is_named() -> None:
    assert ratchet.fallen(FOUND, FOUND) == []
    assert ratchet.fallen(FOUND, {**FOUND, "app": 90.5}) == []
    assert ratchet.fallen(FOUND, {**FOUND, "app": 90.6}) == ["app: 90.0 %, its floor is 90.6 %"]
    assert "engine/lm: no floor" in ratchet.fallen(FOUND, {"app": 90.0, "app/takes": 80.0})[0]
    assert "app/gone: not in the report" in ratchet.fallen(FOUND, {**FOUND, "app/gone": 1.0})[0]


def test_floors_rise_and_never_fall() -> None:
    assert ratchet.raised(FOUND, {"app": 95.0, "app/takes": 70.0}) == {**FOUND, "app": 95.0}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report, floors = tmp_path / "coverage.json", tmp_path / "floor.json"
    report.write_text(json.dumps(REPORT), encoding="utf-8")
    floors.write_text('{"app": 91}', encoding="utf-8")
    command = [str(report), "--floors", str(floors)]
    assert ratchet.main(command) == 1
    assert "app: 90.0 %, its floor is 91.0 %" in capsys.readouterr().out
    assert ratchet.main([*command, "--write"]) == 1, "a floor is not lowered"
    floors.write_text("{}", encoding="utf-8")
    assert ratchet.main([*command, "--write"]) == 0
    assert json.loads(floors.read_text(encoding="utf-8")) == FOUND
    assert ratchet.main(command) == 0


def test_every_floor_is_of_a_package_that_is_there() -> None:
    floors = json.loads(ratchet.FLOORS.read_text(encoding="utf-8"))
    assert [name for name in floors if not (ROOT / name / "__init__.py").is_file()] == []
    assert all(0 < floor <= 100 for floor in floors.values())
