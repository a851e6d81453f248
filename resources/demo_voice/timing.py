"""How long each sound lasts, in whole codec frames: a rule of the sound alone.

A sound is a phone of flite's English or a pause. The rule stands in for a speaker's own timing.
It costs the speech its liveliness and gives it something better for a small model: the number
of frames of a text is known before anything is spoken, so the text can be written with one
token for each frame.
"""

from __future__ import annotations

from collections.abc import Sequence

PAUSE, START, END = "pau", "start", "end"

FRAMES = {
    "aa": 3, "ae": 3, "ah": 2, "ao": 3, "aw": 4, "ax": 1, "ay": 4, "b": 2, "ch": 3, "d": 2,
    "dh": 2, "eh": 2, "er": 3, "ey": 3, "f": 2, "g": 2, "hh": 2, "ih": 2, "iy": 3, "jh": 3,
    "k": 2, "l": 2, "m": 2, "n": 2, "ng": 2, "ow": 3, "oy": 5, "p": 2, "r": 2, "s": 3, "sh": 3,
    "t": 2, "th": 2, "uh": 2, "uw": 3, "v": 2, "w": 2, "y": 2, "z": 2, "zh": 2,
    PAUSE: 4, START: 1, END: 3,
}  # fmt: skip
"""Frames of each sound; :data:`START` and :data:`END` frame every utterance."""

VOWELS = frozenset(
    ("aa", "ae", "ah", "ao", "aw", "ax", "ay", "eh", "er", "ey", "ih", "iy", "ow", "oy", "uh", "uw")
)
SOUNDS = tuple(sorted(set(FRAMES) - {PAUSE, START, END}))
SILENCES = (PAUSE, START, END)
CODA = 3
"""Most consonants between a lengthened vowel and its pause."""

MOST_FRAMES = max(FRAMES.values()) + 1


def counts_of(sounds: Sequence[str]) -> list[int]:
    """Frames of each sound of an utterance; the last vowel before a pause lasts one longer."""
    counts = [FRAMES[sound] for sound in sounds]
    for i, sound in enumerate(sounds):
        if sound in (PAUSE, END):
            for j in range(i - 1, max(-1, i - 2 - CODA), -1):
                if sounds[j] in VOWELS:
                    counts[j] += 1
                    break
                if sounds[j] in SILENCES:
                    break
    return counts


def framed(phones: Sequence[str], ends: Sequence[float]) -> tuple[list[str], list[float]]:
    """flite's phones as sounds: silences at both ends are named, doubled pauses made one.

    Args:
        ends: where each phone ends, in any unit.

    Returns:
        The sounds and where they end; the first and last one are silences.

    Raises:
        ValueError: a phone is none of the known sounds, or nothing is said.
    """
    sounds: list[str] = []
    at: list[float] = []
    for phone, end in zip(phones, ends, strict=True):
        if sounds and phone == sounds[-1] == PAUSE:
            at[-1] = end
        else:
            sounds.append(phone)
            at.append(end)
    if len(sounds) < 3 or sounds[0] != PAUSE or sounds[-1] != PAUSE:
        raise ValueError(f"no utterance: {' '.join(phones)}")
    sounds[0], sounds[-1] = START, END
    unknown = set(sounds) - set(FRAMES)
    if unknown:
        raise ValueError(f"unknown sounds: {sorted(unknown)}")
    return sounds, at
