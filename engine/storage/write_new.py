"""Writing new files under names that nobody has yet: nothing is ever replaced."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from engine.errors import OutputError
from engine.storage.files import create_exclusive, output_error, shown, temporary_in, write_all

MAX_TRIES = 10_000

EngineParts = Iterable[bytes | memoryview]


def write_new(path: Path, parts: Callable[[], EngineParts], *, strict: bool = False) -> Path:
    """Write a whole file under ``path`` or, when that exists, the next free name beside it.

    The bytes reach the disk under a temporary name first. Taking the final name fails when it
    appeared meanwhile, so two programs that save at once both keep their file.

    Args:
        parts: makes the bytes; called once.
        strict: raise instead of choosing another name.

    Returns:
        The path that was written.

    Raises:
        OutputError: the name is taken and ``strict``, or the file cannot be written.
    """
    temporary = temporary_in(path.parent)
    try:
        with create_exclusive(temporary) as stream:
            for part in parts():
                write_all(stream, part)
            os.fsync(stream.fileno())
        return _settle(temporary, path, strict)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, OSError):
            raise output_error(shown(path), error) from error
        raise OutputError(f"the name {path.name!r} cannot be used", "Choose another.") from error
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)


def numbered(path: Path, number: int) -> Path:
    """``path`` for number 1, else ``name (2).wav``, ``name (3).wav`` and so on."""
    if number == 1:
        return path
    return path.with_name(f"{path.stem} ({number}){path.suffix}")


def _settle(temporary: Path, path: Path, strict: bool) -> Path:
    for number in range(1, MAX_TRIES):
        target = numbered(path, number)
        try:
            _take_name(temporary, target)
        except FileExistsError:
            if strict:
                raise OutputError(f"{shown(path)} exists already", "Choose another name.") from None
            continue
        return target
    raise OutputError(f"there are too many files named like {shown(path)}", "Tidy the folder.")


def _take_name(source: Path, target: Path) -> None:
    """Give ``source`` the name ``target``; raises FileExistsError when that exists."""
    try:
        os.link(source, target)
        return
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        # An empty file holds the name, so that no other program can take it in between.
        create_exclusive(target).close()
    os.replace(source, target)
