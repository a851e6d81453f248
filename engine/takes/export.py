"""Saving takes: a safe new name, one of many kinds of file, and the take's story inside.

Nothing is ever replaced, a file appears whole or not at all, and what a kind of file cannot
hold is said in a note. The same take gives the same bytes.
"""

from __future__ import annotations

import datetime
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.audio.encode import ExportFormat, encode_audio
from engine.audio.wav import KEPT
from engine.errors import Message, OutputError
from engine.storage.files import shown, telling, write_new
from engine.storage.names import numbered
from engine.takes.provenance import Provenance
from engine.takes.provenance_codes import CHUNK_NAME, CodesError, pack_codes
from engine.takes.sound_mark import sound_mark
from engine.voices import safe_name

__all__ = [
    "TEMPLATE",
    "TEMPLATE_FIELDS",
    "ExportFormat",
    "Exported",
    "check_template",
    "export_name",
    "export_take",
]

TEMPLATE = "{date}_{voice}_{seed}_{text}"
TEMPLATE_FIELDS = ("date", "voice", "seed", "text", "model")
NAME_CHARS = 120
NAME_BYTES = 180
"""Leaves room for a number and the ending in the 255 bytes of a file name."""

_PART_CHARS = {"voice": 24, "text": 32, "model": 24}
_FIELD = re.compile(r"\{([^{}]*)\}")
_TAGS = re.compile(r"<\|[^|>]*\|>|\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: the file; its name may differ from the wish, which was taken.
        rate: samples a second in the file.
        notes: sentences about what differs from the take: another rate, codes left out.
    """

    path: Path
    rate: int
    size: int
    notes: tuple[str, ...] = ()


def export_name(
    template: str = TEMPLATE,
    *,
    text: str,
    voice: str = "",
    seed: int = 0,
    model: str = "",
    when: datetime.datetime | None = None,
) -> str:
    """A file name without ending, safe on every system.

    Tags of the script are left out: they say how, not what. Two texts may give one name;
    :func:`export_take` then finds a free one beside it.

    Args:
        when: time of the take, to the second; without one the date is left out.

    Raises:
        OutputError: the template holds an unknown field.
    """
    check_template(template)
    values = {
        "date": when.strftime("%Y%m%d-%H%M%S") if when else "",
        "voice": _part(voice, "voice") or "no-voice",
        "seed": str(seed),
        "text": _part(_TAGS.sub(" ", text[:2000]), "text") or "take",
        "model": _part(model, "model"),
    }
    filled = _FIELD.sub(lambda found: values[found.group(1)], template)
    name = safe_name(filled.strip("_- "), NAME_CHARS, fallback="take")
    while len(name.encode("utf-8")) > NAME_BYTES:
        name = name[:-1].rstrip(" .-_")
    return name


def check_template(template: str) -> None:
    """Raise :class:`OutputError` when a name template holds a field that does not exist."""
    for found in _FIELD.finditer(template):
        if found.group(1) not in TEMPLATE_FIELDS:
            known = ", ".join(f"{{{field}}}" for field in TEMPLATE_FIELDS)
            raise OutputError("take.template", field=found.group(0)[:40], known=known)


def export_take(
    path: str | os.PathLike[str],
    samples: np.ndarray,
    rate: int,
    kind: ExportFormat = ExportFormat.WAV_16,
    *,
    provenance: Provenance | None = None,
    strict: bool = False,
) -> Exported:
    """Write mono ``samples`` ``(n,)`` of ``rate`` Hz as a new file.

    Args:
        path: folder and name; the ending of ``kind`` is added when it has another one.
        provenance: goes into the file with its codes, as far as ``kind`` has room.
        strict: raise when the name is taken, instead of choosing ``name (2)`` and so on.

    Raises:
        OutputError: nothing to write, a taken name and ``strict``, or a place that cannot be
            written. The take is untouched in memory.
    """
    wanted = Path(path)
    if wanted.suffix.lower() != kind.suffix:
        wanted = wanted.with_name(wanted.name + kind.suffix)
    comment, chunks, notes = _story(provenance, kind)
    # Opus weakens noise by up to 10 dB, so its levels would accuse files that nobody touched.
    if provenance is not None and kind is not ExportFormat.OPUS:
        marked = _story(replace(provenance, sound=sound_mark(samples, rate)), kind)
        if not marked[2]:  # else the mark is what there is no room for
            comment, chunks, notes = marked
    target = kind.rate_for(rate)
    if target != rate:
        notes.append(Message("export.resampled", rate=rate, target=target, format=kind.title))
    data = encode_audio(samples, rate, kind, comment=comment, chunks=chunks)
    with telling(shown(wanted), KEPT):
        written = write_new([wanted] if strict else numbered(wanted), [data])
    return Exported(written, target, len(data), tuple(notes))


def _story(
    provenance: Provenance | None, kind: ExportFormat
) -> tuple[str, tuple[tuple[bytes, bytes], ...], list[str]]:
    """Comment, private chunks and notes."""
    if provenance is None:
        return "", (), []
    limit = kind.max_comment_bytes
    plain = provenance.to_json(ascii_only=kind.ascii_comment)
    if len(plain.encode("utf-8")) > limit:
        return "", (), [Message("export.long_text", format=kind.title)]
    if provenance.codes is None:
        return plain, (), []
    try:
        if kind.is_wav:
            return plain, ((CHUNK_NAME, pack_codes(provenance.codes)),), []
        whole = provenance.to_json(with_codes=True, ascii_only=kind.ascii_comment)
    except CodesError as error:
        return plain, (), [Message("export.no_codes", reason=error.detail)]
    if len(whole.encode("utf-8")) > limit:
        return plain, (), [Message("export.many_codes", format=kind.title)]
    return whole, (), []


def _part(text: str, field: str) -> str:
    if not text.strip():
        return ""
    return safe_name(text, _PART_CHARS[field], fallback="").replace(" ", "-").strip("-")
