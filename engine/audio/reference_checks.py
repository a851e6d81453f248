"""Is a clip fit to clone from? One number, one light and one cure for each question.

Pure functions over samples; nothing is read, written or changed. :func:`check_reference` runs
all of them for the window and the command line; the suggestions say what a cure would do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.audio import levels
from engine.audio.clip import AudioClip
from engine.audio.resample import ANTIPHASE, downmix
from engine.errors import Message

Light = Literal["green", "amber", "red"]

BEST_SECONDS = (5.0, 30.0)
USABLE_SECONDS = (1.0, 60.0)
FEW_CLIPS = 5
BEST_LEVEL_DB = (-32.0, -8.0)
USABLE_LEVEL_DB = (-45.0, -3.0)
TARGET_LEVEL_DB = -20.0
PEAK_LIMIT_DB = -1.0
GOOD_NOISE_DISTANCE_DB = 30.0
POOR_NOISE_DISTANCE_DB = 15.0
END_SILENCE_SECONDS = 0.5
LONG_END_SILENCE_SECONDS = 2.0
KEPT_SILENCE_SECONDS = 0.2
MIN_PAUSE_SECONDS = 0.08
ENDING_SECONDS = 0.04
ZERO_FRACTION = 0.3
LOST_CORRELATION = -0.35
GOOD_BANDWIDTH_HZ = 7_000.0
POOR_BANDWIDTH_HZ = 3_600.0
BEST_CHARACTERS = (7.0, 22.0)
USABLE_CHARACTERS = (3.5, 30.0)

HAN_WEIGHT = 3.3
"""Latin letters that take as long to say as one Chinese character."""
HANGUL_WEIGHT = 2.5
KANA_WEIGHT = 2.0

_TAGS = re.compile(r"<\|[^|>]*\|>|\[[^\]\n]*\]")


@dataclass(frozen=True, slots=True)
class Check:
    """One answer.

    Attributes:
        key: stable name, for code and tests.
        value: the measured number, in ``unit``.
        light: green is good, amber works but worse, red needs the cure.
        message: what was found, one sentence.
        cure: what to do; empty when green.
        at_s: where it begins, in seconds; ``None`` when it has no place.
    """

    key: str
    value: float
    unit: str
    light: Light
    message: str
    cure: str = ""
    at_s: float | None = None


def check_reference(clip: AudioClip, transcript: str | None = None) -> list[Check]:
    """All checks of a clip, and of its transcript if one is given (empty counts as missing)."""
    mono = downmix(clip.samples)
    samples, rate = mono.samples, clip.rate
    found = [
        check_length(clip.seconds),
        check_clipping(clip.samples),
        check_level(samples, rate),
        check_noise(samples, rate),
        check_end_silence(samples, rate),
        check_ending(samples, rate),
        check_zeros(clip.samples, rate),
        check_channels(mono.correlation, clip.channels),
        check_bandwidth(samples, rate),
    ]
    if transcript is not None:
        start, end = levels.end_silence(samples, rate)
        found.append(check_transcript(transcript, max(0.0, clip.seconds - start - end)))
    return found


def worst(checks: Iterable[Check]) -> Light:
    """The worst light among the checks; green when there are none."""
    lights = {check.light for check in checks}
    if "red" in lights:
        return "red"
    return "amber" if "amber" in lights else "green"


def _light(value: float, best: tuple[float, float], usable: tuple[float, float]) -> Light:
    if best[0] <= value <= best[1]:
        return "green"
    return "amber" if usable[0] <= value <= usable[1] else "red"


def check_length(seconds: float) -> Check:
    """5 to 30 s clone best; under 1 s is too little, over 60 s is not used."""
    light = _light(seconds, BEST_SECONDS, USABLE_SECONDS)
    cure = ""
    if light != "green":
        cure = Message("check.record_longer" if seconds < BEST_SECONDS[0] else "check.trim_to_30")
    return Check("length", seconds, "s", light, Message("check.length", seconds=seconds), cure)


def check_clipping(channels: np.ndarray) -> Check:
    """Stretches at full scale in any channel of ``(n, channels)``."""
    count = sum(levels.clipping(channels[:, i])[0] for i in range(channels.shape[1]))
    if count == 0:
        return Check("clipping", 0, "places", "green", Message("check.not_clipped"))
    light: Light = "amber" if count <= FEW_CLIPS else "red"
    code = "check.clipped_once" if count == 1 else "check.clipped"
    message = Message(code, count=count)
    return Check("clipping", count, "places", light, message, Message("check.lower_gain"))


def check_level(samples: np.ndarray, rate: int) -> Check:
    """Level of the speech, pauses left out."""
    level = levels.speech_level(levels.frame_levels(samples, rate))
    light = _light(level, BEST_LEVEL_DB, USABLE_LEVEL_DB)
    cure = ""
    if light != "green":
        gain = suggested_gain_db(samples, rate)
        code = "check.gain_or_closer" if light == "red" else "check.gain"
        cure = Message("check.gain_or_less" if level > BEST_LEVEL_DB[1] else code, gain=gain)
    return Check("level", level, "dBFS", light, Message("check.level", level=level), cure)


def check_noise(samples: np.ndarray, rate: int) -> Check:
    """Distance between the speech and what is heard in its pauses."""
    frames = levels.frame_levels(samples, rate)
    distance = levels.speech_level(frames) - levels.noise_level(frames)
    light = _light(
        distance, (GOOD_NOISE_DISTANCE_DB, np.inf), (POOR_NOISE_DISTANCE_DB, GOOD_NOISE_DISTANCE_DB)
    )
    cure = ""
    if light != "green":
        cure = Message("check.quieter_room")
    message = Message("check.noise", distance=distance)
    return Check("noise", distance, "dB", light, message, cure)


def check_end_silence(samples: np.ndarray, rate: int) -> Check:
    """The longer of the silences before and after the speech."""
    start, end = levels.end_silence(samples, rate)
    longer = max(start, end)
    light = _light(longer, (0.0, END_SILENCE_SECONDS), (0.0, LONG_END_SILENCE_SECONDS))
    message = Message("check.silence", before=start, after=end)
    cure = ""
    if light != "green":
        first, last = suggested_trim(samples, rate)
        cure = Message("check.trim", first=first / rate, last=last / rate)
    return Check("end_silence", longer, "s", light, message, cure)


def check_ending(samples: np.ndarray, rate: int) -> Check:
    """Does the clip stop inside a word? Its tail is then heard at the start of every output."""
    last = samples[max(0, len(samples) - int(ENDING_SECONDS * rate)) :]
    frames = levels.frame_levels(samples, rate)
    ending = levels.frame_levels(last, rate)
    below = levels.speech_level(frames) - (float(ending.max()) if len(ending) else levels.FLOOR_DB)
    if below >= POOR_NOISE_DISTANCE_DB:
        return Check("ending", below, "dB", "green", Message("check.ends_in_pause"))
    pause = last_pause(samples, rate)
    cure = Message("check.let_run")
    if pause is not None:
        cure = Message("check.cut_in_pause", at=pause / rate)
    return Check("ending", below, "dB", "amber", Message("check.ends_in_word"), cure)


def check_zeros(channels: np.ndarray, rate: int) -> Check:
    """Digital silence: a muted microphone, missing access, or dropped blocks."""
    fraction = levels.zero_fraction(np.abs(channels).max(axis=1, initial=0.0), rate)
    percent = 100 * fraction
    if fraction >= 1.0 or not channels.any():
        cure = Message("check.muted")
        return Check("zeros", 100.0, "%", "red", Message("check.only_zeros"), cure)
    message = Message("check.zeros", percent=percent)
    if fraction <= ZERO_FRACTION:
        return Check("zeros", percent, "%", "green", message)
    cure = Message("check.no_gate")
    return Check("zeros", percent, "%", "amber", message, cure)


def check_channels(correlation: float, channels: int) -> Check:
    """Channels in opposite phase cancel in a plain mix."""
    if channels == 1:
        return Check("channels", 1.0, "correlation", "green", Message("check.mono"))
    if correlation > LOST_CORRELATION:
        message = Message("check.channels_fit", channels=channels)
        return Check("channels", correlation, "correlation", "green", message)
    message = Message("check.channels_cancel", correlation=correlation)
    cure = Message("check.record_mono")
    if correlation <= ANTIPHASE:
        cure = Message("check.turned_over")
    return Check("channels", correlation, "correlation", "amber", message, cure)


def check_bandwidth(samples: np.ndarray, rate: int) -> Check:
    """How high the sound reaches: telephones stop below 4 kHz."""
    top = levels.bandwidth(samples, rate)
    best, usable = (GOOD_BANDWIDTH_HZ, np.inf), (POOR_BANDWIDTH_HZ, np.inf)
    light = _light(top, best, usable)
    cure = "" if light == "green" else Message("check.better_quality")
    message = Message("check.bandwidth", top=top / 1000)
    return Check("bandwidth", top / 1000, "kHz", light, message, cure)


def check_transcript(transcript: str, speech_seconds: float) -> Check:
    """Characters a second, weighted by script: does the transcript cover the clip?

    Too few or too many make the model ramble or swallow words.
    """
    weight = speaking_weight(transcript)
    if weight == 0:
        absent, type_it = Message("check.no_transcript"), Message("check.type_it")
        return Check("transcript", 0.0, "characters/s", "red", absent, type_it)
    pace = weight / max(speech_seconds, 1e-3)
    light = _light(pace, BEST_CHARACTERS, USABLE_CHARACTERS)
    message = Message("check.pace", pace=pace)
    few = "check.too_few" if pace < BEST_CHARACTERS[0] else "check.too_many"
    cure = "" if light == "green" else Message(few)
    return Check("transcript", pace, "characters/s", light, message, cure)


def speaking_weight(text: str) -> float:
    """Length of a text in units of Latin letters, without tags, marks and white space."""
    total = 0.0
    for character in _TAGS.sub(" ", unicodedata.normalize("NFC", text)):
        if unicodedata.category(character)[0] not in "LN":
            continue
        name = unicodedata.name(character, "")
        if name.startswith(("CJK ", "IDEOGRAPH")):
            total += HAN_WEIGHT
        elif name.startswith("HANGUL"):
            total += HANGUL_WEIGHT
        elif name.startswith(("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA")):
            total += KANA_WEIGHT
        else:
            total += 1.0
    return total


def suggested_gain_db(samples: np.ndarray, rate: int) -> float:
    """Gain in dB that brings the speech to -20 dBFS without its peak going above -1 dBFS.

    0 for a silent clip.
    """
    loudest = levels.peak(samples)
    if loudest <= 0:
        return 0.0
    wanted = TARGET_LEVEL_DB - levels.speech_level(levels.frame_levels(samples, rate))
    return min(wanted, PEAK_LIMIT_DB - levels.to_db(loudest))


def suggested_trim(samples: np.ndarray, rate: int) -> tuple[int, int]:
    """First and last sample to keep: the speech with 0.2 s around it, or all if all is silent."""
    start, end = levels.end_silence(samples, rate)
    if start + end >= len(samples) / rate:
        return 0, len(samples)
    first = max(0, int((start - KEPT_SILENCE_SECONDS) * rate))
    last = len(samples) - max(0, int((end - KEPT_SILENCE_SECONDS) * rate))
    return first, last


def last_pause(samples: np.ndarray, rate: int) -> int | None:
    """Middle of the last pause of 0.08 s or more, as a sample index; ``None`` without one.

    A pause is a stretch well below the speech, with speech before it.
    """
    frames = levels.frame_levels(samples, rate)
    if len(frames) == 0:
        return None
    quiet = frames < levels.speech_level(frames) - POOR_NOISE_DISTANCE_DB
    starts, ends = levels.runs(quiet)
    long = (ends - starts >= round(MIN_PAUSE_SECONDS / levels.FRAME_SECONDS)) & (starts > 0)
    if not long.any():
        return None
    middle = (starts[long][-1] + ends[long][-1]) / 2
    return int(middle * max(1, int(levels.FRAME_SECONDS * rate)))
