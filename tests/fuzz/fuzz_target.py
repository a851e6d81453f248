"""What a fuzz target is: it makes bad inputs from good ones, and reads them as the program does."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from engine.errors import EngineError

T = TypeVar("T")

Content = bytes | Path | str
"""Of a file: its bytes; a path for a link to it; or ``pipe`` or ``folder``."""


@dataclass(frozen=True, slots=True)
class Case:
    """One bad input.

    Attributes:
        files: by name inside the folder of the case.
        plan: what else the target needs to know, such as a request.
        room: bytes that the first file is stretched to, as a hole that takes no disk.
        may_change: names whose files the target owns and may replace or remove.
    """

    files: Mapping[str, Content] = field(default_factory=dict)
    plan: Any = None
    room: int = 0
    may_change: frozenset[str] = frozenset()


class Target(Protocol):
    """One kind of input.

    Attributes:
        name: for the command line.
        errors: what reading a bad input may raise; anything else is a finding.
    """

    name: str
    errors: tuple[type[Exception], ...]

    def prepare(self, home: Path) -> None:
        """Make good inputs in ``home`` and load what is needed; not watched."""

    def make(self, rng: random.Random) -> Case:
        """A bad input; depends on ``rng`` alone."""

    def read(self, folder: Path, case: Case) -> str:
        """Read it as the program does; what came of it, in a word. Watched."""


def said(error: Exception) -> str:
    """The sentence of an error; that there is one is part of the rules."""
    text = str(error).strip()
    assert text, f"{type(error).__name__} without a word"
    return text


def attempt(work: Callable[[], T]) -> T | None:
    """What ``work`` gives; ``None`` where it refuses, in words."""
    try:
        return work()
    except EngineError as error:
        said(error)
        return None


def lay_out(folder: Path, case: Case) -> None:
    """Put the files of a case into an empty folder."""
    for name, content in case.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, Path):
            path.symlink_to(content)
        elif content == "pipe":
            os.mkfifo(path)
        else:
            path.mkdir(exist_ok=True)
    if case.room:
        os.truncate(folder / next(iter(case.files)), case.room)


def untouched(folder: Path, case: Case) -> list[str]:
    """Names of the case's own files that are not as they were laid out."""
    changed = []
    for name, content in case.files.items():
        if name in case.may_change or case.room:
            continue
        path = folder / name
        if isinstance(content, bytes):
            whole = path.is_file() and not path.is_symlink() and path.read_bytes() == content
        elif isinstance(content, Path):
            whole = path.is_symlink() and Path(os.readlink(path)) == content
        else:
            whole = path.exists()
        if not whole:
            changed.append(name)
    return changed


def clear(folder: Path) -> None:
    """Empty a folder, whatever a case left in it."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
            shutil.rmtree(path)
        else:
            path.unlink()
