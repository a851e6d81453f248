"""Two measurements next to each other: what changed, as a ratio."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import RequestError
from engine.storage.strict_json import parse_object

HEADER = ("figure", "before", "now", "ratio")
# Facts beside the measurements: they explain a difference and are none.
_FACTS = ("machine", "threads", "file_mb")


def read_figures(path: str | Path) -> dict[str, Any]:
    """Figures that an earlier run wrote with ``--json``.

    Raises:
        RequestError: no such file, or not one of ours.
    """
    try:
        return parse_object(Path(path).read_bytes())
    except OSError as error:
        raise RequestError("bench.unreadable", path=path, reason=error.strerror) from error
    except ValueError as error:
        raise RequestError("bench.no_figures", path=path) from error


def compare(before: dict[str, Any], now: dict[str, Any]) -> list[list[object]]:
    """Rows of a table with :data:`HEADER` for the numbers that both have, in their order."""
    old = dict(_numbers(before))
    return [
        [name, old[name], value, value / old[name]]
        for name, value in _numbers(now)
        if old.get(name)
    ]


def _numbers(figures: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for key, value in figures.items():
        name = f"{prefix}{key}"
        if key in _FACTS or key.endswith("_range"):
            continue
        if isinstance(value, dict):
            yield from _numbers(value, f"{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)
