"""Names for exported takes, and writing them without ever losing or replacing anything."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Literal

from app.models.take_store import TakeStore
from engine.errors import OutputError
from engine.voices import safe_name

TEMPLATE = "{date}_{voice}_{seed}_{text}"
VOICE_CHARS = 24
TEXT_CHARS = 32
NAME_BYTES = 200
TAGS = re.compile(r"<\|[^|>]*\|>|\[[^\]]*\]")


def take_name(
    text: str, voice: str, seed: int, when: datetime.datetime, template: str = TEMPLATE
) -> str:
    """A file name without ending, safe on every system, made from the template.

    Tags of the script are left out: they say how, not what. Two takes of one text differ in
    the time and the seed.
    """
    values = {
        "date": when.strftime("%Y%m%d-%H%M%S"),
        "voice": _part(voice, VOICE_CHARS) or "no-voice",
        "seed": str(seed),
        "text": _part(TAGS.sub(" ", text), TEXT_CHARS) or "take",
    }
    name = safe_name(template.format_map(values), 160, fallback="take")
    while len(name.encode()) > NAME_BYTES:
        name = name[:-1].rstrip(" .-")
    return name


def _part(text: str, limit: int) -> str:
    if not text.strip():
        return ""
    return safe_name(text, limit, fallback="").replace(" ", "-").strip("-")


def free_path(path: Path) -> Path:
    """``path``, or the first of ``name (2)``, ``name (3)``... that does not exist."""
    candidate, number = path, 2
    while candidate.exists():
        candidate = path.with_name(f"{path.stem} ({number}){path.suffix}")
        number += 1
    return candidate


def write_take(store: TakeStore, path: Path, subtype: Literal["FLOAT", "PCM_16"]) -> None:
    """Write the samples so far as a WAV file, whole or not at all.

    Raises:
        OutputError: it could not be written; the take is still in memory.
    """
    from engine.audio.wav import write_wav

    if store.length == 0:
        raise OutputError("there is no sound to save yet", "Generate a take first.")
    write_wav(path, store.samples, store.format.sample_rate, subtype)
