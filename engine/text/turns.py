"""Cutting a dialogue into speaker turns and turns into batches (spec 02, section 5)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from engine.text.tags import SPEAKER_TAG, is_speakable


def split_turns(text: str) -> list[str]:
    """Turns of a dialogue: each starts with its speaker tag, without blanks at its ends.

    Text in front of the first tag stays, at the head of the first turn. Without any tag the
    whole text is one turn; a text with nothing visible has none. A tag with nothing behind it
    stays with the turn before it, or after it when it is the first; nothing is lost.
    """
    starts = [match.start() for match in SPEAKER_TAG.finditer(text)]
    bounds = [0, *starts[1:], len(text)]
    turns: list[str] = []
    for start, end in pairwise(bounds):
        turn = text[start:end].strip()
        if turns and not (is_speakable(turn) and is_speakable(turns[-1])):
            turns[-1] += turn
        else:
            turns.append(turn)
    return turns if is_speakable(text) else []


def batch_turns(turns: Iterable[str], max_speakers: int = 5, max_bytes: int = 300) -> list[str]:
    """Groups of turns that are spoken in one go, each joined with line feeds.

    A group ends when it has ``max_speakers`` turns or when the next turn would make it longer
    than ``max_bytes`` bytes of UTF-8, line feeds not counted; a turn that is longer by itself
    is a group of its own.

    Raises:
        ValueError: a limit below 1.
    """
    if max_speakers < 1 or max_bytes < 1:
        raise ValueError("max_speakers and max_bytes must be at least 1")
    batches: list[list[str]] = []
    size = 0
    for turn in turns:
        length = len(turn.encode("utf-8", "surrogatepass"))
        if not batches or len(batches[-1]) >= max_speakers or size + length > max_bytes:
            batches.append([])
            size = 0
        batches[-1].append(turn)
        size += length
    return ["\n".join(batch) for batch in batches]
