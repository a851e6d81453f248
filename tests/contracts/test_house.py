"""What the house promises about itself: layers of ``app``, and none of the old couplings."""

from __future__ import annotations

import ast
from pathlib import Path

import house_facts
import pytest

ROOT = Path(__file__).resolve().parents[2]
LONG_FILE = 400
GROUND = {"core", "widgets"}
MIDDLE = {"audio", "inference"}
FEATURES = {
    "script", "takes", "voices", "cloning", "model_files", "servers", "help", "welcome"
}  # fmt: skip
TOP = {"selftest"}
"""Packages that stand on everything, like the modules at the root."""


@pytest.fixture(scope="module")
def facts() -> dict[str, house_facts.Facts]:
    return {package: house_facts.facts_of(ROOT, package) for package in house_facts.PACKAGES}


def may_import(one: str, other: str) -> bool:
    """Whether a module of room ``one`` of ``app`` may import from room ``other``."""
    if one == other or one in TOP or one not in GROUND | MIDDLE | FEATURES:
        return True
    below = {"core": set(), "widgets": {"core"}}
    return other in below.get(one, GROUND | (MIDDLE if one in MIDDLE | FEATURES else set()))


def test_every_room_of_the_app_has_its_floor() -> None:
    folders = {path.name for path in (ROOT / "app").iterdir() if (path / "__init__.py").is_file()}
    assert folders == GROUND | MIDDLE | FEATURES | TOP


def test_a_feature_knows_the_floors_below_and_no_other_feature() -> None:
    graph = house_facts.import_graph(house_facts.read_package(ROOT, "app"))
    wrong = {
        (one.removeprefix("app."), other.removeprefix("app."))
        for one, others in graph.items()
        for other in others
        if one.count(".") > 1 and not may_import(one.split(".")[1], other.split(".")[1])
    }
    assert not wrong


def test_the_app_knows_the_engine_by_the_faces_of_its_packages() -> None:
    found = set()
    for module in house_facts.read_package(ROOT, "app").values():
        for node in ast.walk(module.tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            found |= {
                f"{module.path} {name}"
                for name in names
                if name.startswith("engine.") and name.count(".") > 1
            }
    assert not found


@pytest.mark.parametrize("package", house_facts.PACKAGES)
def test_nothing_imports_in_a_circle(facts: dict[str, house_facts.Facts], package: str) -> None:
    assert not facts[package].circles


def test_nothing_is_set_on_others_and_nobody_listens_to_all_jobs(
    facts: dict[str, house_facts.Facts],
) -> None:
    assert not facts["app"].hooks
    assert not facts["app"].job_listeners


def test_the_window_is_handed_to_two_at_most(facts: dict[str, house_facts.Facts]) -> None:
    assert len(facts["app"].window_parameters) <= 2


@pytest.mark.parametrize(("package", "most"), [("app", 10), ("engine", 8)])
def test_few_files_stand_at_the_root(
    facts: dict[str, house_facts.Facts], package: str, most: int
) -> None:
    assert len(facts[package].root_files) <= most


@pytest.mark.parametrize("package", house_facts.PACKAGES)
def test_functions_and_files_stay_short(facts: dict[str, house_facts.Facts], package: str) -> None:
    assert facts[package].long_functions == []
    assert facts[package].largest[0] <= LONG_FILE
