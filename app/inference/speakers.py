"""Who speaks in a text, with which voice, and the references that say so to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.text import SPEAKER_TAG, is_speakable, speaker_tag
from engine.voices import VoiceProfile

MAX_SPEAKER = 63


def speakers_of(text: str) -> tuple[tuple[int, ...], bool]:
    """Numbers of the speaker tags, ascending, and whether something is spoken before the first
    or without any: that is speaker 0's."""
    tags = list(SPEAKER_TAG.finditer(text))
    numbers = tuple(sorted({int(tag.group(1)) for tag in tags}))
    return numbers, not tags or is_speakable(text[: tags[0].start()])


def all_speakers(numbers: tuple[int, ...], leading: bool) -> tuple[int, ...]:
    """Numbers of all speakers that say something, ascending."""
    return tuple(sorted({*numbers, *((0,) if leading else ())}))


def parse_speakers(stored: list[str]) -> dict[int, str]:
    """Speaker number to key of a voice, from the lines that the settings keep."""
    found = {}
    for line in stored:
        number, _, key = line.partition("=")
        if number.isdecimal() and int(number) <= MAX_SPEAKER and key:
            found[int(number)] = key
    return found


def dump_speakers(speakers: Mapping[int, str]) -> list[str]:
    """The opposite of :func:`parse_speakers`."""
    return [f"{number}={key}" for number, key in sorted(speakers.items()) if key]


def numbered(voices: Mapping[int, VoiceProfile]) -> tuple[VoiceProfile, ...]:
    """References in the order of their speaker numbers, each under its own number.

    The engine counts references from 0 where their transcripts hold no speaker tag. A voice
    whose number is another one (a gap before it, or a tag from the recording it was made of)
    gets its number written into its transcript, else two voices could change places. A single
    voice for speaker 0 stays as it is.
    """
    result = []
    for place, (number, voice) in enumerate(sorted(voices.items())):
        inside = {int(match.group(1)) for match in SPEAKER_TAG.finditer(voice.transcript)}
        if len(voices) == 1 and number == 0:
            result.append(voice)
        elif not inside:
            wanted = voice.transcript
            if place != number:
                wanted = speaker_tag(number) + wanted
            result.append(replace(voice, transcript=wanted))
        elif len(inside) == 1 and inside != {number}:
            fixed = SPEAKER_TAG.sub(speaker_tag(number), voice.transcript)
            result.append(replace(voice, transcript=fixed))
        else:
            result.append(voice)
    return tuple(result)
