"""Every module's ``forward`` tells the shapes that go in and come out."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_forward_says_its_shapes() -> None:
    silent = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == "forward":
                text = ast.get_docstring(node) or ""
                if "``(" not in text:
                    silent.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not silent
