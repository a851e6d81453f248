"""The one reader of JSON that nobody vouches for, and its objects as checked dataclasses.

Small on purpose: of records it knows what the engine's own hold (numbers, texts, options,
tuples, records) and refuses all else. Of two values under one key the last one counts.
"""

from __future__ import annotations

import functools
import json
import math
import types
import typing
from collections.abc import Collection
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, TypeVar

from engine.storage.regular_files import read_regular

T = TypeVar("T")

MAX_NUMBER = 2**64 - 1
MAX_ITEMS = 1 << 16
MAX_DEPTH = 50
MAX_BYTES = 4 << 20
"""Of the small files that :func:`read_object` reads."""


def parse_json(data: bytes | bytearray | str, *, finite: bool = True) -> Any:
    """The value of a JSON text, which is UTF-8 and may begin with a byte order mark.

    Args:
        finite: refuse numbers beyond the range of floats too, which cannot be written again;
            otherwise they are infinite.

    Raises:
        ValueError: no JSON or no UTF-8, ``NaN`` and the like, or nested deeper than
            :data:`MAX_DEPTH`: that can be read, but to show, copy or write it may run into the
            limit of recursion, which is nearer there.
    """
    text = data if isinstance(data, str) else data.decode("utf-8-sig")
    try:
        plain = json.loads(text, parse_constant=_refuse, parse_float=_finite if finite else None)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    level = [plain] if isinstance(plain, dict | list) else []
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return plain
        level = [
            inner
            for node in level
            for inner in (node.values() if type(node) is dict else node)
            if type(inner) is dict or type(inner) is list
        ]
    raise ValueError("it is nested too deep")


def parse_object(data: bytes | bytearray | str) -> dict[str, Any]:
    """:func:`parse_json` of an object; :class:`ValueError` for any other value."""
    plain = parse_json(data)
    if not isinstance(plain, dict):
        raise ValueError("it is no JSON object")
    return plain


def read_object(path: Path) -> dict[str, Any]:
    """The object in a file of ours; empty when there is none or it cannot be used."""
    try:
        data = read_regular(path, MAX_BYTES)
        return parse_object(data) if len(data) <= MAX_BYTES else {}
    except (OSError, ValueError):
        return {}


def dump_line(plain: dict[str, Any], *, ascii_only: bool = False) -> str:
    """One line of compact JSON that can be stored as UTF-8 in any case."""
    text = json.dumps(plain, ensure_ascii=ascii_only, separators=(",", ":"), allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape
        return json.dumps(plain, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text


def read_record(plain: object, kind: type[T], skip: Collection[str] = ()) -> T:
    """A dataclass from an object; unknown keys are passed over, missing ones get defaults.

    Args:
        skip: fields that are not taken from the object.

    Raises:
        ValueError: a value of a wrong type or a missing one without default, naming the
            field. What the record itself raises when it checks its values comes through.
    """
    if not isinstance(plain, dict):
        raise ValueError(f"not an object: {short(plain)}")
    hints = _hints(kind)  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for spec in fields(kind):  # type: ignore[arg-type]
        if spec.name in skip:
            continue
        if spec.name in plain:
            try:
                values[spec.name] = _convert(plain[spec.name], hints[spec.name])
            except ValueError as error:
                raise ValueError(f"{spec.name} is {error}") from error
        elif spec.default is MISSING and spec.default_factory is MISSING:
            raise ValueError(f"{spec.name} is missing")
    return kind(**values)


@functools.lru_cache(maxsize=64)
def _hints(kind: type[Any]) -> dict[str, Any]:
    """Types of a record's fields; to find them takes longer than all else in a reading."""
    return typing.get_type_hints(kind)


def short(value: object) -> str:
    """``value`` for a message."""
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:39] + "…"


def _convert(value: Any, kind: Any) -> Any:
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal and isinstance(value, str) and value in inner:
        return value
    if origin in (typing.Union, types.UnionType):
        rest = [choice for choice in inner if choice is not type(None)]
        return None if value is None else _convert(value, rest[0])
    if origin is tuple and isinstance(value, list):
        return _convert_list(value, inner)
    if hasattr(kind, "__dataclass_fields__"):
        return read_record(value, kind)
    if kind is float and type(value) in (int, float) and abs(value) <= MAX_NUMBER:
        return float(value)
    if kind is int and type(value) is int and abs(value) <= MAX_NUMBER:
        return value
    if kind in (str, bool) and type(value) is kind:
        return value
    raise ValueError(f"not what it should be: {short(value)}")


def _convert_list(value: list[Any], inner: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(inner) == 2 and inner[1] is Ellipsis:
        if len(value) > MAX_ITEMS:
            raise ValueError("too long")
        return tuple(_convert(item, inner[0]) for item in value)
    if len(value) != len(inner):
        raise ValueError(f"not of {len(inner)} values")
    return tuple(_convert(item, kind) for item, kind in zip(value, inner, strict=True))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text[:40]} is too large")
    return value
