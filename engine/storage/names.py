"""Names that are free: a file that is there already is never written over unasked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

MAX_NAMES = 10_000


def numbered(path: Path, form: str = " ({})") -> Iterator[Path]:
    """``path``, then ``name (2).wav``, ``name (3).wav`` and so on, without looking at the disk.

    Args:
        form: what stands between name and ending from the second on; ``{}`` is the number.
    """
    yield path
    for number in range(2, MAX_NAMES):
        yield path.with_name(f"{path.stem}{form.format(number)}{path.suffix}")


def free_name(path: Path, form: str = " ({})") -> Path:
    """The first of :func:`numbered` that nothing has, not even a link that leads nowhere."""
    return next(name for name in numbered(path, form) if not os.path.lexists(name))


_COMPANIONS = frozenset({".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", ".directory"})
_UNFINISHED = ("~", ".part", ".partial", ".crdownload", ".download", ".tmp", ".icloud")


def is_companion(name: str) -> bool:
    """Whether a file is another system's or program's note beside the user's own.

    macOS writes ``._name`` beside each file on sticks and shares; file managers keep their
    views; editors and browsers keep locks and what is not finished. None is damaged: none is ours.
    """
    lower = name.casefold()
    return (
        lower.startswith(("._", "~$", ".~lock", ".fuse_hidden", ".nfs"))
        or lower in _COMPANIONS
        or lower.endswith(_UNFINISHED)
    )
