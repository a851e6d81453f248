"""Seeded damage: bytes, JSON trees and texts as an attacker or a bad disk would leave them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

HOSTILE_INTS = (
    0, 1, 2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 257, 511, 512, 4095, 4096,
    2**15 - 1, 2**15, 2**16 - 1, 2**16, 2**20, 2**24 - 1, 2**24, 2**28, 2**31 - 1, 2**31, 2**32 - 1,
    2**40, 2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1,
)  # fmt: skip

TEXT_TRAPS = (
    "", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "\ufeff", "\ufffe\uffff", "\U0010ffff",
    "\u202e\u2066abc", "\u200b\u200d\u2060", "e" + "\u0301" * 3000, "\u00c9lan", "E\u0301lan",
    "\u0130\u0131\u017f\ufb03", "\u1112\u1161\u11ab" * 50, "\U0001f468\u200d\U0001f469" * 40,
    "\x7f\x1b[31m\r\n\t", "\u2028\u2029\x85", "../x", "..\\x", "a/b", "/etc/passwd", "C:\\x",
    "CON", "nul.txt", "name.", " lead", "x" * 300, "\u4e2d" * 90, "%s%n%x", "{0}{text}", "${HOME}",
    "<|im_end|>", "<|speaker:0|>", "<|semantic:0|>", "[" * 500, "-1", "1e999", "NaN", "@Variant(",
)  # fmt: skip

VALUE_TRAPS: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**63), 10**400, 0.5, -0.0, 1e308, 5e-324,
    [], {}, [[]], [None], {"": None}, [0] * 300, *TEXT_TRAPS,
)  # fmt: skip

DEEP = "\u2603deep\u2603"
"""Stands in a tree where :func:`dump_json` puts brackets beyond any parser's depth."""


def mutate_bytes(
    rng: random.Random, data: bytes, others: Sequence[bytes] = (), fields: Sequence[int] = ()
) -> bytes:
    """One to six kinds of damage. ``fields`` are offsets of lengths and counts."""
    raw = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        rng.choice(_BYTE_MUTATORS)(rng, raw, others, fields)
        if not raw:
            break
    return bytes(raw)


def _flip(rng: random.Random, raw: bytearray, *_: Any) -> None:
    for _i in range(rng.choice((1, 1, 2, 8, 64))):
        if raw:
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)


def _byte(rng: random.Random, raw: bytearray, *_: Any) -> None:
    if raw:
        raw[rng.randrange(len(raw))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))


def _number(rng: random.Random, raw: bytearray, _: Any, fields: Sequence[int]) -> None:
    """A hostile number at a place that holds a length, or anywhere near the start."""
    width = rng.choice((1, 2, 4, 4, 8, 8))
    if fields and rng.random() < 0.7:
        at = rng.choice(fields)
    else:
        at = rng.randrange(max(1, min(len(raw), rng.choice((64, 512, len(raw) or 1)))))
    if at + width > len(raw):
        return
    old = int.from_bytes(raw[at : at + width], "little")
    value = rng.choice((rng.choice(HOSTILE_INTS), old + 1, old - 1, 2 * old, old // 2, -old))
    raw[at : at + width] = (value % (1 << 8 * width)).to_bytes(width, rng.choice(("little", "big")))


def _cut(rng: random.Random, raw: bytearray, *_: Any) -> None:
    del raw[rng.randrange(len(raw) + 1) :]


def _remove(rng: random.Random, raw: bytearray, *_: Any) -> None:
    at = rng.randrange(len(raw) + 1)
    del raw[at : at + rng.choice((1, 2, 4, 8, 100, 5000))]


def _double(rng: random.Random, raw: bytearray, *_: Any) -> None:
    at = rng.randrange(len(raw) + 1)
    piece = raw[at : at + rng.choice((1, 4, 8, 44, 200, 4096))]
    raw[at:at] = piece * rng.choice((1, 1, 2, 50))


def _insert(rng: random.Random, raw: bytearray, *_: Any) -> None:
    at = rng.randrange(len(raw) + 1)
    kind = rng.randrange(4)
    count = rng.choice((1, 3, 4, 8, 64, 4096))
    if kind == 0:
        raw[at:at] = bytes(count)
    elif kind == 1:
        raw[at:at] = b"\xff" * count
    elif kind == 2:
        raw[at:at] = rng.randbytes(count)
    else:
        raw[at:at] = rng.choice(TEXT_TRAPS).encode("utf-8", "surrogatepass")


def _splice(rng: random.Random, raw: bytearray, others: Sequence[bytes], _: Any) -> None:
    other = rng.choice(others) if others else bytes(raw)
    if not other:
        return
    start = rng.randrange(len(other))
    piece = other[start : start + rng.choice((4, 16, 128, 2048, len(other)))]
    at = rng.randrange(len(raw) + 1)
    if rng.random() < 0.5:
        raw[at : at + len(piece)] = piece
    else:
        raw[at:at] = piece


def _swap(rng: random.Random, raw: bytearray, *_: Any) -> None:
    size = rng.choice((1, 4, 8, 32))
    if len(raw) < 2 * size:
        return
    a, b = (rng.randrange(len(raw) - size + 1) for _ in range(2))
    one, two = raw[a : a + size], raw[b : b + size]
    raw[a : a + size], raw[b : b + size] = two, one


def _fill(rng: random.Random, raw: bytearray, *_: Any) -> None:
    at = rng.randrange(len(raw) + 1)
    count = min(len(raw) - at, rng.choice((4, 64, 1024)))
    raw[at : at + count] = rng.choice((b"\0", b"\xff", b"\x80")) * count


def _noise(rng: random.Random, raw: bytearray, *_: Any) -> None:
    """Nothing of the rest, or nothing at all, is what it was."""
    raw[rng.choice((0, 4, 8, rng.randrange(len(raw) + 1))) :] = rng.randbytes(rng.randrange(400))


_BYTE_MUTATORS: tuple[Callable[..., None], ...] = (
    _flip, _flip, _byte, _number, _number, _number, _cut, _remove, _double, _insert, _splice, _swap,
    _fill, _noise,
)  # fmt: skip


def mutate_json(rng: random.Random, tree: Any) -> Any:
    """A copy of ``tree`` with one to four wrong values, lost or foreign keys, or depth."""
    tree = json.loads(json.dumps(tree))
    for _ in range(rng.choice((1, 1, 2, 4))):
        places = list(_places(tree))
        if not places:
            return _trap(rng)
        holder, key = rng.choice(places)
        match rng.randrange(8):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[rng.choice(TEXT_TRAPS)] = holder.pop(key)
            case 2:
                holder[key] = [holder[key]]
            case 3:
                holder[key] = DEEP if rng.random() < 0.3 else {"x": holder[key]}
            case 4 if isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
                holder[key] = rng.choice((-holder[key], holder[key] + 1, holder[key] * 2, 10**19))
            case 5 if isinstance(holder[key], str):
                at = rng.randrange(len(holder[key]) + 1)
                holder[key] = holder[key][:at] + rng.choice(TEXT_TRAPS) + holder[key][at:]
            case 6 if isinstance(holder[key], list) and holder[key]:
                holder[key] = [copy.deepcopy(v) for v in holder[key] * rng.choice((2, 3, 100))]
            case _:
                holder[key] = _trap(rng)
    return tree


def _trap(rng: random.Random) -> Any:
    """A copy: damage to one input must not reach the next."""
    return copy.deepcopy(rng.choice(VALUE_TRAPS))


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place of a tree; of a long list only some, so that small records are met too."""
    found: list[tuple[Any, Any]] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            keys = list(node) if len(node) <= 64 else [*list(node)[:24], *list(node)[-8:]]
        elif isinstance(node, list):
            count = len(node)
            keys = list(range(count)) if count <= 24 else [*range(8), *range(count - 8, count)]
        else:
            continue
        for key in keys:
            found.append((node, key))
            stack.append(node[key])
    return found


def dump_json(rng: random.Random, tree: Any) -> bytes:
    """JSON text, sometimes with what a serialiser would never write."""
    text = json.dumps(tree, ensure_ascii=rng.random() < 0.5)
    if DEEP in tree_text(text):
        depth = rng.choice((40, 200, 600, 900, 960, 990, 5_000, 200_000))
        deep = rng.choice(("[" * depth + "]" * depth, '{"a":' * depth, "[" * depth))
        text = text.replace(json.dumps(DEEP), deep).replace(
            json.dumps(DEEP, ensure_ascii=False), deep
        )
    match rng.randrange(10):
        case 0:
            text = text.replace(
                ":", rng.choice((":NaN,", ":Infinity,", ": ", ":1e999,", ":-0,")), 1
            )
        case 1 if text.startswith("{"):
            text = text[:-1] + "," + text[1:]  # every key twice
        case 2:
            text = "\ufeff" + text
        case 3:
            text = text + rng.choice(("{}", ",", "\0", "]"))
    return text.encode("utf-8", "surrogatepass")


def tree_text(text: str) -> str:
    """``text`` with the mark of depth written out."""
    return text.replace("\\u2603", "\u2603")
