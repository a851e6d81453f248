"""Names of voices and of files made from text: short, portable, inside their folder.

A name must mean the same file on every system, so the rules of the strictest one hold
everywhere (spec 05, section 5).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from engine.text.tags import is_visible

MAX_CHARS = 255
MAX_NAME_BYTES = 200
"""Limit for names that are made here; file systems allow 255 bytes with the extension."""

_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)


def valid_id(name: str) -> bool:
    """Whether ``name`` can be the id of a voice.

    1 to 255 letters, digits and combining marks of any script, ``-``, ``_``, space and ``.``;
    no blank or full stop at an end, no ``..``, and no device name of Windows.
    """
    return (
        0 < len(name) <= MAX_CHARS
        and all(_allowed(char) for char in name)
        and name[0] not in " ."
        and name[-1] not in " ."
        and ".." not in name
        and not _reserved(name)
        # A mark at the start would melt with whatever is printed in front of the name.
        and not unicodedata.category(name[0]).startswith("M")
    )


def is_path(name: str) -> bool:
    """Whether ``name`` looks like a way to a file, which no voice's name should be taken for."""
    return any(part in name for part in ("/", "\\", "\0", ".."))


def name_key(name: str) -> str:
    """Equal for names that some file system takes for the same file.

    Those are names that differ only in letter case or in composed against decomposed accents.
    """
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFC", folded)


def safe_name(text: str, max_chars: int = 40, fallback: str = "untitled") -> str:
    """A short name made from any text; always a valid id.

    What a name cannot hold becomes a space; the cut at ``max_chars`` characters (and 200 bytes
    of UTF-8) never divides a letter from its marks. Different texts can give the same name;
    see :func:`unique_name`.
    """
    composed = unicodedata.normalize("NFC", text[: 8 * max_chars + 64])
    spaced = "".join(char if _allowed(char) else " " for char in composed)
    name = " ".join(spaced.split())
    while ".." in name:
        name = name.replace("..", ".")
    name = _cut(name.lstrip(" .-"), max_chars).strip(" .")
    if _reserved(name):
        name = f"_{name}"
    return name if valid_id(name) else fallback


def unique_name(name: str, taken: Iterable[str]) -> str:
    """``name``, or ``name 2``, ``name 3`` ... when it or a name like it is in ``taken``.

    Names count as alike when they differ only in case or normalisation.
    """
    keys = {name_key(other) for other in taken}
    candidate, number = name, 1
    while name_key(candidate) in keys:
        number += 1
        suffix = f" {number}"
        candidate = _cut(name, MAX_CHARS - len(suffix)).rstrip(" .") + suffix
    return candidate


def _allowed(char: str) -> bool:
    return char in "-_ ." or (unicodedata.category(char)[0] in "LNM" and is_visible(char))


def _reserved(name: str) -> bool:
    return name.split(".", 1)[0].rstrip(" ").casefold() in _RESERVED


def _cut(name: str, max_chars: int) -> str:
    end = min(len(name), max_chars)
    while end > 0 and (
        len(name[:end].encode("utf-8")) > MAX_NAME_BYTES
        or (end < len(name) and unicodedata.category(name[end]).startswith("M"))
    ):
        end -= 1
    return name[:end]
