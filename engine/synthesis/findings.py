"""What is known about a request before it is spoken, and must reach whoever asked for it.

The same sentences go to the window, to the command line's error output, into a header of the
server and into :attr:`engine.types.Summary.warnings`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import Message
from engine.text.pauses import NO_UNIT
from engine.text.speech_plan import plan_speech
from engine.text.tags import SPEAKER_LIKE, SPEAKER_TAG
from engine.types import SynthesisRequest
from engine.voices import VoiceProfile

MOST_TOLD = 3


def request_warnings(request: SynthesisRequest) -> list[str]:
    """What was found out about the voices, and speakers that the text asks for in vain."""
    found = [warning for voice in request.references for warning in voice.warnings]
    found += misspelt_speakers(request.text)
    found += unknown_speakers(request.text, request.references)
    found += pause_warnings(request)
    return list(dict.fromkeys(found))


def misspelt_speakers(text: str) -> list[str]:
    """Tags that would be spoken as they stand, because a character of them is wrong."""
    wrong = [
        match.group()
        for match in SPEAKER_LIKE.finditer(text)
        if SPEAKER_TAG.fullmatch(match.group()) is None
    ]
    return [Message("speaker.misspelt", tag=tag) for tag in [*dict.fromkeys(wrong)][:MOST_TOLD]]


def pause_warnings(request: SynthesisRequest) -> list[str]:
    """Pauses that the text asks for and that will not be as they are meant."""
    wrong = [found.group() for found in NO_UNIT.finditer(request.text)]
    told: list[str] = [
        Message("text.pause_unit", tag=tag) for tag in [*dict.fromkeys(wrong)][:MOST_TOLD]
    ]
    if request.post.trim_silence and plan_speech(request.text).after:
        told.append(Message("text.pause_trimmed"))
    return told


def unknown_speakers(text: str, references: Sequence[VoiceProfile]) -> list[str]:
    """Numbers that no voice of the request has; with no voices at all there is none to miss."""
    if not references:
        return []
    known: set[int] = set()
    for place, voice in enumerate(references):
        inside = {int(match.group(1)) for match in SPEAKER_TAG.finditer(voice.transcript)}
        known |= inside or {place}
    asked = {int(match.group(1)) for match in SPEAKER_TAG.finditer(text)}
    missing = sorted(asked - known)[:MOST_TOLD]
    return [Message("speaker.no_voice", number=number) for number in missing]
