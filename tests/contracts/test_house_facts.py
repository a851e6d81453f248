"""The script that counts the house, on a tiny made-up tree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import house_facts
import pytest

TREE = {
    "app/__init__.py": "",
    "app/top.py": "from app.rooms import thing, lazy\nimport app.other\n",
    "app/other.py": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from app.top import X\n"
    ),
    "app/rooms/__init__.py": (
        "from app.rooms.a import thing\n_HOMES = {'app.rooms.b': ('lazy',)}\n"
    ),
    "app/rooms/a.py": "def f():\n    from .b import lazy\n",
    "app/rooms/b.py": "lazy = 1\n",
    "app/window.py": '''
import sys


def free(window: "MainWindow | None", n: int) -> None: ...


class Thing:
    def __init__(self, window: MainWindow, other, service) -> None:
        self.own = self.act
        other.hook = self.act
        other.deep.hook = other.thing.act
        other.late = lambda: None
        other.number = self.count
        other.value = other.shape
        sys.excepthook = free
        service.job_ended.connect(self.act)
        service.job_started.connect(self.act)

    def act(self) -> None:
''' + "        pass\n" * 45 + '''
    @property
    def shape(self) -> int:
        return 1
''',
}  # fmt: skip


@pytest.fixture
def facts(tmp_path: Path) -> house_facts.Facts:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return house_facts.facts_of(tmp_path, "app")


def test_files_and_lines_are_counted(facts: house_facts.Facts) -> None:
    assert facts.files == len(TREE)
    assert facts.lines == sum(len(text.splitlines()) for text in TREE.values())
    assert facts.largest[1] == "app/window.py"
    assert facts.root_files == ["app/__init__.py", "app/other.py", "app/top.py", "app/window.py"]


def test_arrows_join_rooms_and_not_files(facts: house_facts.Facts) -> None:
    assert facts.arrows == {("top", "rooms"), ("top", "other"), ("other", "top")}


def test_names_are_followed_through_a_face(tmp_path: Path, facts: house_facts.Facts) -> None:
    graph = house_facts.import_graph(house_facts.read_package(tmp_path, "app"))
    assert graph["app.top"] == {"app.rooms.a", "app.rooms.b", "app.other"}
    assert graph["app.rooms.a"] == {"app.rooms.b"}


def test_imports_for_types_alone_close_a_circle(facts: house_facts.Facts) -> None:
    assert facts.circles == [["app.other", "app.top"]]


def test_longer_circles_are_one() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set()}
    assert house_facts.circles(graph) == [["a", "b", "c"]]


def test_couplings_are_found_with_their_places(facts: house_facts.Facts) -> None:
    assert [place.split()[1] for place in facts.window_parameters] == ["free", "__init__"]
    assert [place.split(" ", 1)[1] for place in facts.hooks] == [
        "other.hook = self.act",
        "other.deep.hook = other.thing.act",
        "other.late = lambda: None",
    ]
    assert [place.split()[1] for place in facts.job_listeners] == [
        "service.job_ended.connect(self.act)"
    ]
    assert [place.split(" ", 1)[1] for place in facts.long_functions] == ["act 46"]


def test_the_script_prints_both_packages() -> None:
    script = Path(house_facts.__file__)
    run = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert [line.split(":")[0] for line in run.stdout.splitlines() if line[0] != " "] == [
        "app", "engine", "both",
    ]  # fmt: skip
