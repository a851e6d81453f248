"""What is known about a voice besides its codes: ``<id>.json`` beside the ``.s2voice``.

The profile itself stays as the peer writes it; everything else stands in this sidecar.
Strangers write it too, so each field is checked by itself and falls back to its default.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine.storage.strict_json import parse_object
from engine.text.tags import is_visible

MAX_BYTES = 1 << 20
VERSION = 1
MAX_SECONDS = 1e9
MAX_NAME = 120
"""Characters of a shown name."""
MAX_CLIPS = 16
MAX_TAGS = 32
MAX_TAG = 40
COLORS = ("red", "orange", "yellow", "green", "teal", "blue", "violet", "pink")
"""Names of the colours that a voice's card can have; each theme has its own shades of them."""
CLIP_FILE = re.compile(r"clip-[0-9]{1,4}\.flac")
PICTURE_FILE = re.compile(r"picture\.(?:png|jpg|webp)")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ClipNote:
    """One recording that a voice was made of, kept in the voice's folder.

    Attributes:
        file: name in that folder.
        text: every word that is said in it.
        sha256: of its samples as they are read from the file, little-endian float32.
        seconds: its length.
        scale: factor of the samples in the file, which holds no more than full scale.
        name: what the recording was called.
        language: code such as ``en``; empty when nobody said.
    """

    file: str
    text: str
    sha256: str
    seconds: float
    scale: float = 1.0
    name: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class VoiceNotes:
    """The content of a sidecar.

    Attributes:
        name: shown name, any text; empty shows the file's name.
        notes: free text.
        language: what is spoken in the clip, a code such as ``en`` or free text.
        consent: who allowed the cloning, and when.
        source_name: what the first clip was called.
        source_sha256: of the samples that the voice was made from, little-endian float32.
        source_seconds: their length.
        made: date and time with zone, ISO 8601.
        color: one of :data:`COLORS`, or empty.
        picture: name of a picture in the voice's folder, or empty.
        tags: words to find it by.
        star: it is a favourite.
        clips: the kept recordings, in the order in which they are used.
        profile_sha256: of the ``.s2voice`` that was made of ``clips``; another one beside this
            sidecar is another voice, which has none of them.
        other: fields that a newer version wrote; kept as they are.
    """

    notes: str = ""
    language: str = ""
    consent: str = ""
    source_name: str = ""
    source_sha256: str = ""
    source_seconds: float = 0.0
    made: str = ""
    name: str = ""
    color: str = ""
    picture: str = ""
    tags: tuple[str, ...] = ()
    star: bool = False
    clips: tuple[ClipNote, ...] = ()
    profile_sha256: str = ""
    other: dict[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The file's content, UTF-8 JSON."""
        plain = asdict(self)
        other = plain.pop("other")
        whole = {**other, "version": VERSION, **plain}
        try:
            return json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8")
        except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape
            return json.dumps(whole, indent=1).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> VoiceNotes:
        """Read a sidecar; fields of the wrong type or beyond their limits are left at their
        defaults.

        Raises:
            ValueError: it is no JSON object, or one that could not be written again.
        """
        if len(data) > MAX_BYTES:
            raise ValueError("larger than 1 MB")
        plain = parse_object(data)
        known: dict[str, Any] = {}
        for name in {f.name for f in fields(cls)} - {"other"}:
            if name in plain:
                value = _READERS.get(name, _text)(plain.pop(name))
                if value is not None:
                    known[name] = value
        plain.pop("version", None)
        return cls(**known, other=plain)


def shown_name(text: str) -> str:
    """A name that can stand in a list: composed, in one line, without what nobody sees.

    Empty when nothing of it can be seen.
    """
    composed = unicodedata.normalize("NFC", text[: 8 * MAX_NAME])
    seen = "".join(
        char if unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp") else " "
        for char in composed
        if unicodedata.category(char) != "Cf" or char in "\u200c\u200d"
    )
    name = " ".join(seen.split())[:MAX_NAME].strip()
    return name if any(is_visible(char) and not char.isspace() for char in name) else ""


def clean_tags(words: object) -> tuple[str, ...]:
    """Tags without doubles (by case and composition), each one short line."""
    found: dict[str, str] = {}
    for word in words if isinstance(words, list | tuple) else ():
        tag = shown_name(word)[:MAX_TAG].strip() if isinstance(word, str) else ""
        if tag:
            found.setdefault(unicodedata.normalize("NFC", tag).casefold(), tag)
    return tuple(found.values())[:MAX_TAGS]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < MAX_SECONDS else 0.0
    return None


def _clips(value: object) -> tuple[ClipNote, ...]:
    """Those clips of a list that are whole and name a file of the voice's folder, each once."""
    found: dict[tuple[str, str], ClipNote] = {}
    for plain in value if isinstance(value, list) else ():
        if not isinstance(plain, dict):
            continue
        file, text, digest = (_text(plain.get(key)) or "" for key in ("file", "text", "sha256"))
        if not (CLIP_FILE.fullmatch(file) and text.strip() and _SHA256.fullmatch(digest)):
            continue
        scale = _number(plain.get("scale", 1.0))
        if scale is None or not 0.0 < scale <= 2.0:
            continue
        seconds = max(0.0, _number(plain.get("seconds")) or 0.0)
        name, language = (_text(plain.get(key)) or "" for key in ("name", "language"))
        found.setdefault((file, text), ClipNote(file, text, digest, seconds, scale, name, language))
    return tuple(found.values())[:MAX_CLIPS]


_READERS: dict[str, Callable[[object], Any]] = {
    "source_seconds": _number,
    "name": lambda value: shown_name(value) if isinstance(value, str) else None,
    "color": lambda value: value if isinstance(value, str) and value in COLORS else None,
    "picture": lambda value: (
        value if isinstance(value, str) and PICTURE_FILE.fullmatch(value) else None
    ),
    "tags": clean_tags,
    "star": lambda value: value if isinstance(value, bool) else None,
    "clips": _clips,
    "profile_sha256": lambda value: (
        value if isinstance(value, str) and _SHA256.fullmatch(value) else None
    ),
}
