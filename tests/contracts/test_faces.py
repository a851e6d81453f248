"""The faces of the engine's packages: every name that they show is there, and is the real one."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine"


def shown_names() -> list[tuple[str, str, str]]:
    """Package, module and name of all that a face imports, also only for the type checker."""
    found = []
    for path in sorted(ENGINE.glob("*/__init__.py")):
        package = f"engine.{path.parent.name}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            home = node.module if isinstance(node, ast.ImportFrom) and node.module else ""
            if home.startswith(f"{package}."):
                found += [(package, home, alias.name) for alias in node.names]
    return found


@pytest.mark.parametrize(("package", "home", "name"), shown_names())
def test_a_face_shows_the_name_of_its_home(package: str, home: str, name: str) -> None:
    shown = getattr(importlib.import_module(package), name)
    assert shown is getattr(importlib.import_module(home), name)
