"""What is found out about a clip: the checks, and what each cure would do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.cloning.clip import Edits, used_clip
from app.cloning.clip_files import PreparedClip

if TYPE_CHECKING:
    from engine.audio import Check

KEPT_S = 30.0
LEAST_S = 5.0


@dataclass(frozen=True, slots=True)
class Findings:
    """Answers about a clip as it is trimmed now; places are samples of the whole clip.

    Attributes:
        found: all checks but that of the transcript.
        speech_s: length without the silence at the ends.
        trim: what remains when the silence at the ends goes.
        gain_db: that brings the speech to a good level.
        pause: where the clip can be cut in its last pause, if there is one.
        shorter: where a clip that is too long can end.
        channel: the louder channel.
    """

    found: tuple[Check, ...]
    speech_s: float
    trim: tuple[int, int]
    gain_db: float
    pause: int | None
    shorter: int
    channel: int

    def with_transcript(self, text: str) -> list[Check]:
        """All checks."""
        from engine.audio import reference_checks as checks

        return [*self.found, checks.check_transcript(text, self.speech_s)]


def examine(source: PreparedClip, edits: Edits) -> Findings:
    """Measure a clip; tenths of a second of work for a long one."""
    from engine.audio import downmix, levels
    from engine.audio import reference_checks as checks

    clip = used_clip(source, edits)
    rate = clip.rate
    mono = downmix(clip.samples).samples
    before, after = levels.end_silence(mono, rate)
    first, last = checks.suggested_trim(mono, rate)
    pause = checks.last_pause(mono, rate)
    shorter = int(KEPT_S * rate)
    early = checks.last_pause(mono[:shorter], rate) if len(mono) > shorter else None
    if early is not None and early > LEAST_S * rate:
        shorter = early
    loudness = [levels.rms(source.clip.samples[edits.start : edits.end, i]) for i in
                range(source.clip.channels)]  # fmt: skip
    return Findings(
        found=tuple(checks.check_reference(clip)),
        speech_s=max(0.0, clip.seconds - before - after),
        trim=(edits.start + first, edits.start + last),
        gain_db=checks.suggested_gain_db(mono, rate),
        pause=None if pause is None else edits.start + pause,
        shorter=edits.start + shorter,
        channel=int(np.argmax(loudness)),
    )
