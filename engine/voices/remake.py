"""Voices made of kept clips: of one or several, and anew for a model whose codec is another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.audio.clip import AudioClip
from engine.errors import Message, VoiceError
from engine.voices.companions import Companions
from engine.voices.library import VoiceLibrary
from engine.voices.listing import FRAME_SECONDS, VoiceEntry
from engine.voices.profile import Codec, VoiceProfile

Encode = Callable[[AudioClip, str], VoiceProfile]
Clips = Sequence[tuple[AudioClip, str]]
LIGHTS = {"red": 100, "amber": 1, "green": 0}
CONTEXT_SHARE = 0.25
"""Of a model's context for a voice; the rest is for the text and what is spoken."""


@dataclass(frozen=True, slots=True)
class RemakePlan:
    """What becomes of the voices of a library with a codec.

    Attributes:
        ready: voices that do not fit and can be made anew from their clips.
        lost: voices that do not fit and have no clip.
    """

    ready: tuple[VoiceEntry, ...] = ()
    lost: tuple[VoiceEntry, ...] = ()


def plan_remake(library: VoiceLibrary, codec: Codec) -> RemakePlan:
    """The voices that do not fit ``codec``; nothing is decoded for that."""
    other = [each for each in library.list() if not each.error and codec not in each.codecs]
    return RemakePlan(
        tuple(each for each in other if each.notes.clips),
        tuple(each for each in other if not each.notes.clips),
    )


def most_seconds(context_length: int, frame_s: float = FRAME_SECONDS) -> float:
    """Seconds of clips that one voice may have with a model of that context."""
    from engine.audio.reference import MAX_SECONDS  # loads the sound library

    if context_length <= 0:
        return MAX_SECONDS
    return min(MAX_SECONDS, max(1.0, CONTEXT_SHARE * context_length * frame_s))


def choose_clips(clips: Sequence[AudioClip], limit_s: float) -> list[int]:
    """Which clips a voice is made of when not all fit: those whose checks are best, and of equal
    ones the earlier, as many as fit; in their own order. At least one."""
    if sum(clip.seconds for clip in clips) <= limit_s:
        return list(range(len(clips)))
    from engine.audio.reference_checks import check_reference

    faults = [sum(LIGHTS[check.light] for check in check_reference(clip)) for clip in clips]
    chosen: list[int] = []
    room = limit_s
    for number in sorted(range(len(clips)), key=lambda n: (faults[n], n)):
        if clips[number].seconds <= room or not chosen:
            chosen.append(number)
            room -= clips[number].seconds
    return sorted(chosen)


def make_voice(encode: Encode, clips: Clips, limit_s: float | None = None) -> VoiceProfile:
    """One voice of one or several clips of the same speaker, each with its text.

    Their codes stand one behind the other, and so do their texts, a line each: to the model it is
    one long recording (spec 02, section 5). What does not fit is told in ``warnings``.

    Args:
        encode: makes a voice of one clip; the engine's ``encode_reference``.
        limit_s: most seconds of all clips; ``None`` is what any model takes.

    Raises:
        VoiceError: no clip. What ``encode`` raises comes through.
    """
    if not clips:
        raise VoiceError("voice.no_clip", name="")
    limit_s = most_seconds(0) if limit_s is None else limit_s
    chosen = choose_clips([clip for clip, _ in clips], limit_s)
    made = [encode(*clips[number]) for number in chosen]
    warnings = [warning for each in made for warning in each.warnings]
    if len(chosen) < len(clips):
        warnings.append(
            Message("voice.clips_left", used=len(chosen), clips=len(clips), limit=limit_s)
        )
    return replace(
        made[0],
        transcript="\n".join(each.transcript for each in made),
        codes=np.concatenate([each.codes for each in made], axis=1),
        warnings=tuple(warnings),
    )


def load_clips(beside: Companions) -> Clips:
    """The kept clips of a voice with their texts, in their order.

    Raises:
        VoiceError: it has none, or one is gone or another sound.
    """
    notes = beside.notes()
    if not notes.clips:
        raise VoiceError("voice.no_clip", name=notes.name or beside.profile.stem)
    return [(beside.load_clip(note), note.text) for note in notes.clips]


def remake(
    library: VoiceLibrary, voice_id: str, encode: Encode, limit_s: float | None = None
) -> VoiceProfile:
    """Make a voice anew from its clips and keep it for that codec; what it was stays too.

    Raises:
        VoiceError: there is no such voice, or no clip of it.
        OutputError: it cannot be kept.
    """
    beside = library.companions(voice_id)
    profile = make_voice(encode, load_clips(beside), limit_s)
    keep_remade(beside, profile)
    return profile


def remake_of(
    beside: Companions, clips: Clips, encode: Encode, limit_s: float | None = None
) -> VoiceProfile:
    """Make a voice of other clips than before, and keep both. What it was made for other codecs
    was made of the old ones, and goes.

    Raises:
        VoiceError, OutputError: then the voice is as it was.
    """
    profile = make_voice(encode, clips, limit_s)
    keep_of(beside, clips, profile)
    return profile


def keep_of(beside: Companions, clips: Clips, profile: VoiceProfile) -> None:
    """Keep a voice as it was made of other clips than before; raises :class:`OutputError`."""
    notes = beside.notes()
    profile.save(beside.profile)
    beside.set_clips(tuple(clips), notes)


def keep_remade(beside: Companions, profile: VoiceProfile) -> None:
    """Keep a voice that was made anew of its clips; raises :class:`OutputError`."""
    if profile.codec != VoiceProfile.load(beside.profile).codec:
        beside.keep_other(profile)
