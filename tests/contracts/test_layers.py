"""Who may know whom: the layer rule of the project, checked on the source itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {"pyproject.toml", "app", "engine", "resources", "voices", "tests", "README.md"}
QUIET_APP_PARTS = ("audio", "core", "help", "script", "takes", "voices", "widgets")


def imports_of(path: Path) -> set[str]:
    """Dotted names of everything that a file imports, at any depth."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def first_parts(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports_of(path)}


@pytest.mark.parametrize("path", modules("engine"), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_engine_knows_neither_qt_nor_app(path: Path) -> None:
    assert not first_parts(path) & {"PySide6", "pyqtgraph", "app"}


@pytest.mark.parametrize("path", modules("app"), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_app_never_touches_tensors(path: Path) -> None:
    allowed = path.name in {"__main__.py"}  # Windows must load torch before Qt
    assert allowed or "torch" not in first_parts(path)


@pytest.mark.parametrize("part", QUIET_APP_PARTS)
def test_widgets_know_only_plain_types_of_the_engine(part: str) -> None:
    for path in modules(f"app/{part}"):
        engine = {name for name in imports_of(path) if name.split(".")[0] == "engine"}
        heavy = {
            n
            for n in engine
            if n.split(".")[:2]
            in (["engine", "engine"], ["engine", "lm"], ["engine", "codec"], ["engine", "gguf"])
        }
        assert not heavy, f"{path}: {heavy}"


@pytest.mark.parametrize("module", ["engine", "engine.cli", "engine.types", "engine.voices"])
def test_importing_stays_cheap(module: str) -> None:
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_top_level_holds_what_the_plan_says() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    top = {line.split("/")[0] for line in listed.splitlines()}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL | {"LICENSE"}


def test_files_stay_small() -> None:
    long = {
        path.relative_to(ROOT).as_posix(): count
        for folder in ("engine", "app", "tests")
        for path in modules(folder)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert not long


def test_test_modules_have_names_of_their_own() -> None:
    names = [path.name for path in modules("tests") if path.name.startswith("test_")]
    assert sorted(names) == sorted(set(names))
