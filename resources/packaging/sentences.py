"""Write the engine's sentences as a source that the translation tools read.

``python -m resources.packaging.sentences FILE``, then give FILE to ``pyside6-lupdate`` too.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from engine.errors import catalogue

ENGLISH = frozenset({"bench", "cli", "codec", "header", "lm", "play", "random_model", "tokens"})
"""Subjects that stay English: the command line's own, and what is wrong inside of a model file."""


def sentences() -> list[str]:
    """The templates that are translated, each once."""
    return list(dict.fromkeys(v for k, v in catalogue().items() if k.split(".")[0] not in ENGLISH))


def write(path: Path) -> None:
    """Calls that ``pyside6-lupdate`` takes for the context of the engine."""
    lines = [
        f'QT_TRANSLATE_NOOP("Engine", {json.dumps(s, ensure_ascii=False)})' for s in sentences()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
