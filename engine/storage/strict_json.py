"""Plain JSON data as frozen dataclasses, with every type checked.

Small on purpose: it knows what the engine's own records hold (numbers, texts, options,
tuples, records) and refuses all else, since the JSON comes from files nobody vouches for.
"""

from __future__ import annotations

import functools
import json
import types
import typing
from collections.abc import Collection
from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")

MAX_NUMBER = 2**64 - 1
MAX_ITEMS = 1 << 16
MAX_DEPTH = 50


def parse_object(text: str) -> dict[str, Any] | None:
    """The JSON object in ``text``, ``None`` for another kind of value.

    Raises:
        ValueError: no JSON, numbers that are none, or nested too deep.
    """
    try:
        plain = json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    if not is_shallow(plain):
        raise ValueError("it is nested too deep")
    return plain if isinstance(plain, dict) else None


def is_shallow(value: object) -> bool:
    """Whether a tree nests at most :data:`MAX_DEPTH` deep.

    A deeper one can be read, but to show, copy or write it may run into the limit of recursion,
    which is nearer there.
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        inner: list[object] = []
        for node in level:
            if isinstance(node, dict):
                inner.extend(node.values())
            elif isinstance(node, list):
                inner.extend(node)
        if not inner:
            return True
        level = inner
    return False


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
