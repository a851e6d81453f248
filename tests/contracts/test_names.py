"""Words that the project gave up: no file and no class has them in its name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Word -> what is said instead; CONTRIBUTING's glossary has the meanings.
RETIRED = {
    "asked": "prepared request",
    "asking": "request",
    "audition": "preview",
    "cast": "speakers",
    "chore": "task",
    "crew": "thread pool",
    "dense": "packed, or plain where it means not quantised",
    "desk": "feature, loader, context or queue",
    "errand": "pending request",
    "exchange": "HTTP call",
    "flow": "controller",
    "flows": "controller",
    "foreseen": "prefetched",
    "knobs": "sampling tensors",
    "native": "compiled",
    "overlap": "threaded",
    "overlapped": "threaded",
    "piece": "segment",
    "pieces": "segments",
    "pyramid": "peaks",
    "roll": "view",
    "serving": "compiled weights, or serve",
    "shelf": "resolver",
    "speaking": "synthesis",
    "standin": "random model",
    "story": "provenance",
    "studio": "session",
    "survey": "probe",
    "wide": "many columns",
    "wish": "request, or options",
    "wishes": "request, or options",
    "wording": "formats",
}


def words_of(name: str) -> set[str]:
    """The words of a name in CamelCase or snake_case, in small letters."""
    return {w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def classes_of(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]


MODULES = sorted(path for top in ("app", "engine") for path in (ROOT / top).rglob("*.py"))


def test_words_are_found_in_names() -> None:
    assert words_of("TakeFlowsHTTP") == {"take", "flows", "http"}
    assert words_of("_wide_rows") == {"wide", "rows"}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_retired_word_names_a_file_or_a_class(path: Path) -> None:
    names = [*path.relative_to(ROOT).with_suffix("").parts, *classes_of(path)]
    met = {name: sorted(words_of(name) & RETIRED.keys()) for name in names}
    assert not {name: RETIRED[words[0]] for name, words in met.items() if words}
