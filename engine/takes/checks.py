"""Is a take worth keeping? One number, one light and one cure for each fault of the dice.

Pure functions over samples, codes and text, without a model. They find what goes wrong when
speech is drawn at random: sound that stops in a word, an end that was never drawn, a model that is
stuck, holes, bursts of noise, clipping, a level that sinks, and a length that no speaker has. All
take mono float samples ``(n,)`` at ``rate`` Hz.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.audio import levels
from engine.audio.reference_checks import Check, Light, last_pause, speaking_weight
from engine.errors import Message
from engine.takes.provenance import Provenance
from engine.text.pauses import longest_pause
from engine.types import FinishReason

END_SECONDS = 0.01
"""What is looked at to tell whether a take fades or is cut off; the models end within it."""
CUT_DB = 14.0
STUCK_SECONDS = 0.6
SILENT_DB = -70.0
LONGEST_LOOP_SECONDS = 2.0
GAP_SECONDS = 0.8
PAUSE_SECONDS = 0.4
"""How much longer a silence may be where the text has the end of a sentence or a paragraph."""
LONG_GAP = 1.5
SINK_DB = (3.0, 6.0)
SINK_SECONDS = 8.0
_SINK_BLOCK_SECONDS = 2.0
FEW_TAKES = 3
OWN_PACE = (0.7, 1.45)
USABLE_OWN_PACE = (0.5, 2.0)
ANY_PACE = (5.0, 28.0)
USABLE_ANY_PACE = (3.0, 40.0)
_NOISE_WINDOW_SECONDS = 0.023
_NOISE_HOP_SECONDS = 0.01
_NOISE_FLATNESS_DB = -5.0
_NOISE_BELOW_LOUD_DB = 12.0
_NOISE_BAND_HZ = (150.0, 8000.0)
_NOISE_FRAMES = 3
_NOISE_BLOCK = 4096
_PAUSE_MARK = re.compile(r"[.!?…。！？:;—–\n]\W*\w|\[pause", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TakeFacts:
    """What is known of a take beside its sound; each check does with what there is.

    Attributes:
        text: what was to be said; empty for unknown.
        codes: int ``(codebooks, frames)``, or ``None``.
        frame_s: seconds of sound a frame makes.
        finish_reason: of the synthesis; ``None`` for unknown.
        pause_s: silence that was put between two parts of the text.
        pace: weighted letters a second of this voice (:func:`pace_of`); 0 for unknown.
        voice: what tells voices apart.
    """

    text: str = ""
    codes: np.ndarray | None = None
    frame_s: float = 0.0
    finish_reason: FinishReason | None = None
    pause_s: float = 0.0
    pace: float = 0.0
    voice: tuple[str, ...] = ()


def check_take(samples: np.ndarray, rate: int, facts: TakeFacts | None = None) -> list[Check]:
    """All checks of a take; those come first that say most about the others."""
    facts = facts or TakeFacts()
    found = [check_cut_end(samples, rate)]
    if facts.finish_reason is not None:
        found.append(check_end_token(facts.finish_reason))
    if facts.text:
        found.append(check_pace(samples, rate, facts.text, facts.pace))
    if facts.codes is not None and facts.frame_s > 0:
        found.append(check_stuck(facts.codes, facts.frame_s, samples, rate))
    found += [
        check_gaps(samples, rate, facts.text, facts.pause_s),
        check_noise_bursts(samples, rate),
        check_take_clipping(samples, rate),
        check_sinking(samples, rate),
    ]
    return found


def facts_of(provenance: Provenance | None, text: str | None = None) -> TakeFacts:
    """What a take's own story tells, with another ``text`` where one is given."""
    if provenance is None:
        return TakeFacts(text or "")
    rate = provenance.sample_rate
    usual = provenance.segmentation.pause_ms / 1000 if len(provenance.segments) > 1 else 0.0
    return TakeFacts(
        text or provenance.text,
        provenance.codes,
        provenance.samples_per_frame / rate if rate else 0.0,
        provenance.finish_reason,
        max(usual, longest_pause(provenance.text)),
        voice=tuple(voice.sha256 for voice in provenance.voices),
    )


def own_paces(takes: Sequence[tuple[np.ndarray, int, TakeFacts]]) -> list[float]:
    """For each take, samples, rate and facts, the median pace of its voice's takes.

    0 for a voice with fewer than :data:`FEW_TAKES` takes: they tell nothing about each other.
    """
    paces = [pace_of(samples, rate, facts.text) for samples, rate, facts in takes]
    by_voice: dict[tuple[str, ...], list[float]] = {}
    for pace, (_, _, facts) in zip(paces, takes, strict=True):
        by_voice.setdefault(facts.voice, []).append(pace)
    return [
        float(np.median(by_voice[facts.voice])) if len(by_voice[facts.voice]) >= FEW_TAKES else 0.0
        for _, _, facts in takes
    ]


def failed(checks: Iterable[Check]) -> list[Check]:
    """Those that are not green."""
    return [check for check in checks if check.light != "green"]


def _from(seconds: float) -> Message:
    return Message("take_check.again_from", at=_clock(seconds))


def _clock(seconds: float) -> str:
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"


def check_cut_end(samples: np.ndarray, rate: int) -> Check:
    """Does the sound stop at full voice? How far its last moment lies below the speech, in dB."""
    frames = levels.frame_levels(samples, rate)
    last = samples[max(0, len(samples) - max(1, int(END_SECONDS * rate))) :]
    below = levels.speech_level(frames) - levels.to_db(float(np.std(last)) if len(last) else 0.0)
    if below >= CUT_DB:
        return Check("cut_end", below, "dB", "green", Message("take_check.ends_well"))
    seconds = len(samples) / rate
    pause = last_pause(samples, rate)
    at = seconds - 1.0 if pause is None else pause / rate
    message = Message("take_check.cut_end")
    return Check("cut_end", below, "dB", "red", message, _from(max(0.0, at)), seconds)


def check_end_token(reason: FinishReason) -> Check:
    """Did the model end by itself, or did the limit of frames?"""
    if reason == "end":
        return Check("end_token", 1.0, "", "green", Message("take_check.ended"))
    message, cure = Message("take_check.stopped"), Message("take_check.go_on")
    if reason == "length":
        message, cure = Message("take_check.limit_reached"), Message("take_check.raise_limit")
    return Check("end_token", 0.0, "", "red", message, cure)


def pace_of(samples: np.ndarray, rate: int, text: str) -> float:
    """Weighted letters a second, silence at both ends and long pauses left out; 0 for no sound."""
    frames = levels.frame_levels(samples, rate)
    loud = np.flatnonzero(~levels.quiet_frames(frames) & (frames > levels.FLOOR_DB))
    if not len(loud):
        return 0.0
    gaps = sum(seconds - 0.2 for _, seconds in _gaps(samples, rate) if seconds > 0.2)
    spoken = (loud[-1] + 1 - loud[0]) * levels.FRAME_SECONDS - gaps
    return float(speaking_weight(text) / max(spoken, levels.FRAME_SECONDS))


def check_pace(samples: np.ndarray, rate: int, text: str, own: float = 0.0) -> Check:
    """Is it as long as the text asks for? Against the voice's ``own`` pace where it is known."""
    pace = pace_of(samples, rate, text)
    best, usable = ANY_PACE, USABLE_ANY_PACE
    if own > 0:
        best = (own * OWN_PACE[0], own * OWN_PACE[1])
        usable = (own * USABLE_OWN_PACE[0], own * USABLE_OWN_PACE[1])
    light: Light = "red"
    if best[0] <= pace <= best[1]:
        light = "green"
    elif usable[0] <= pace <= usable[1]:
        light = "amber"
    message = Message("take_check.pace", pace=pace)
    cure: Message | str = ""
    if light != "green":
        cure = Message("take_check.too_short" if pace > best[1] else "take_check.too_long")
    return Check("pace", pace, "characters/s", light, message, cure)


def check_stuck(codes: np.ndarray, frame_s: float, samples: np.ndarray, rate: int) -> Check:
    """The longest stretch that repeats itself, be it one frame or a loop of up to 2 s.

    Judged by the semantic row, in sounding stretches only: silence may repeat itself.
    """
    start, length, period = _longest_loop(np.asarray(codes)[0], frame_s)
    seconds = length * frame_s
    if not period or _is_quiet(samples, rate, start * frame_s, seconds):
        return Check("stuck", 0.0, "s", "green", Message("take_check.not_stuck"))
    code = "take_check.stuck" if period * frame_s < 0.1 else "take_check.loop"
    at = start * frame_s
    message = Message(code, seconds=seconds, at=_clock(at))
    return Check("stuck", seconds, "s", "red", message, _from(at), at)


def _longest_loop(row: np.ndarray, frame_s: float) -> tuple[int, int, int]:
    """First frame, length and period of the longest loop; zeros for none.

    A loop holds its period twice beyond the first time, and lasts :data:`STUCK_SECONDS` at least.
    """
    least = max(4, int(np.ceil(STUCK_SECONDS / frame_s)))
    best = (0, 0, 0)
    for period in range(1, min(len(row) // 3, int(LONGEST_LOOP_SECONDS / frame_s)) + 1):
        starts, ends = levels.runs(row[period:] == row[:-period])
        if not len(starts):
            continue
        longest = int(np.argmax(ends - starts))
        same = int(ends[longest] - starts[longest])
        if same >= max(2 * period, least - period) and same + period > best[1]:
            best = (int(starts[longest]), same + period, period)
    return best


def _is_quiet(samples: np.ndarray, rate: int, at: float, seconds: float) -> bool:
    frames = levels.frame_levels(samples, rate)
    quiet = levels.quiet_frames(frames) | (frames < SILENT_DB)
    part = quiet[int(at / levels.FRAME_SECONDS) : int((at + seconds) / levels.FRAME_SECONDS) + 1]
    return bool(len(part)) and float(part.mean()) > 0.5


def _gaps(samples: np.ndarray, rate: int) -> list[tuple[float, float]]:
    """Start and length, in seconds, of the silences inside."""
    frames = levels.frame_levels(samples, rate)
    starts, ends = levels.runs(levels.quiet_frames(frames))
    return [
        (float(start * levels.FRAME_SECONDS), float((end - start) * levels.FRAME_SECONDS))
        for start, end in zip(starts, ends, strict=True)
        if start > 0 and end < len(frames)
    ]


def check_gaps(samples: np.ndarray, rate: int, text: str = "", pause_s: float = 0.0) -> Check:
    """The longest silence inside, against what marks and pauses of the text explain."""
    at, longest = max(_gaps(samples, rate), key=lambda gap: gap[1], default=(0.0, 0.0))
    allowed = GAP_SECONDS + pause_s
    if _PAUSE_MARK.search(text):
        allowed += PAUSE_SECONDS
    if longest <= allowed:
        message = Message("take_check.no_hole", seconds=longest)
        return Check("gap", longest, "s", "green", message)
    light: Light = "amber" if longest <= allowed * LONG_GAP else "red"
    message = Message("take_check.hole", seconds=longest, at=_clock(at))
    return Check("gap", longest, "s", light, message, _from(at), at)


def check_noise_bursts(samples: np.ndarray, rate: int) -> Check:
    """Moments whose spectrum is as flat as white noise, which no sound of speech is."""
    flat, level = _flatness(samples, rate)
    loud = float(np.percentile(level, 95)) if len(level) else 0.0
    starts, ends = levels.runs(
        (flat >= _NOISE_FLATNESS_DB) & (level >= loud - _NOISE_BELOW_LOUD_DB) & (level > -200)
    )
    long = ends - starts >= _NOISE_FRAMES
    starts, ends = starts[long], ends[long]
    if not len(starts):
        return Check("noise_burst", 0, "places", "green", Message("take_check.no_burst"))
    at = float(starts[0] * _NOISE_HOP_SECONDS)
    count = len(starts)
    message = Message("take_check.burst", count=count, at=_clock(at))
    return Check("noise_burst", count, "places", "red", message, _from(at), at)


def _flatness(samples: np.ndarray, rate: int) -> tuple[np.ndarray, np.ndarray]:
    """Spectral flatness and power, both in dB, float64 ``(windows,)``, every 10 ms."""
    size, hop = int(_NOISE_WINDOW_SECONDS * rate), int(_NOISE_HOP_SECONDS * rate)
    if hop == 0 or len(samples) < size:
        return np.zeros(0), np.zeros(0)
    frequencies = np.fft.rfftfreq(size, 1 / rate)
    low, high = _NOISE_BAND_HZ
    band = (frequencies > low) & (frequencies < min(high, 0.45 * rate))
    window = np.hanning(size).astype(np.float32)
    views = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    parts = []
    for first in range(0, len(views), _NOISE_BLOCK):
        spectrum = np.fft.rfft(views[first : first + _NOISE_BLOCK] * window, axis=1)
        power = np.square(np.abs(spectrum[:, band])) + 1e-20
        mean = 10 * np.log10(power.mean(axis=1))
        parts.append((10 * np.log10(power).mean(axis=1) - mean, mean))
    flat, level = zip(*parts, strict=True)
    return np.concatenate(flat), np.concatenate(level)


def check_take_clipping(samples: np.ndarray, rate: int) -> Check:
    """Stretches at full scale."""
    count, _ = levels.clipping(samples)
    if not count:
        return Check("clipping", 0, "places", "green", Message("check.not_clipped"))
    starts, ends = levels.runs(np.abs(samples) >= levels.CLIP_LEVEL)
    at = float(starts[ends - starts >= levels.CLIP_RUN][0] / rate)
    message = Message("check.clipped_once" if count == 1 else "check.clipped", count=count)
    return Check("clipping", count, "places", "red", message, Message("take_check.another"), at)


def check_sinking(samples: np.ndarray, rate: int) -> Check:
    """How much the voice's level falls a minute, by the loud moments of every two seconds.

    The median of the slopes between all blocks (Theil and Sen) minds no single loud word.
    """
    frames = levels.frame_levels(samples, rate)
    size = round(_SINK_BLOCK_SECONDS / levels.FRAME_SECONDS)
    count = len(frames) // size
    blocks = frames[: count * size].reshape(count, size)
    tops = np.percentile(blocks, 85, axis=1) if count else np.zeros(0)
    kept = np.flatnonzero(tops > levels.loud_level(frames) - levels.SPEECH_RANGE_DB)
    if len(kept) * _SINK_BLOCK_SECONDS < SINK_SECONDS:
        return Check("sinking", 0.0, "dB/min", "green", Message("take_check.too_short_to_sink"))
    slope = _slope(kept * _SINK_BLOCK_SECONDS, tops[kept])
    fall = -slope * float(kept[-1] - kept[0]) * _SINK_BLOCK_SECONDS
    a_minute = -60 * slope
    if fall < SINK_DB[0]:
        return Check("sinking", a_minute, "dB/min", "green", Message("take_check.level_holds"))
    light: Light = "amber" if fall < SINK_DB[1] else "red"
    message = Message("take_check.sinks", fall=fall, slope=a_minute)
    at = float(kept[int(np.argmax(tops[kept] < tops[kept][0] - SINK_DB[0]))] * _SINK_BLOCK_SECONDS)
    return Check("sinking", a_minute, "dB/min", light, message, Message("take_check.shorter"), at)


def _slope(times: np.ndarray, values: np.ndarray, most: int = 400) -> float:
    """Median slope between pairs; of evenly chosen points where there are many."""
    if len(times) > most:
        chosen = np.linspace(0, len(times) - 1, most).astype(int)
        times, values = times[chosen], values[chosen]
    first, second = np.triu_indices(len(times), 1)
    return float(np.median((values[second] - values[first]) / (times[second] - times[first])))
