"""What the four golden models say on every path, in numbers that any processor gives.

Codes, prompts and encoded references are hashed: they are equal for every processor, number of
threads and stride. Sound differs in its last bits, so a take keeps its length, its RMS, its peak
and :data:`POINTS` of its samples.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import engine

POINTS = 32
# As far as the golden sound of other engines may be away: F32 and F16 weights, and blocks.
TOLERANCE = 1e-4
TEXT = "The ferry left late, and nobody had thought of the lamps."
LONG = "The tide came in. Nobody saw it! Who would have looked?"
SPEAKERS = "<|speaker:0|>Are you there?\n<|speaker:1|>I have been here all along."
# With a seed: a frame that repeats an earlier one is drawn again, also at temperature 0.
GREEDY = engine.Sampling(temperature=0.0, seed=3, max_new_tokens=16)
SEEDED = engine.Sampling(temperature=0.9, top_p=0.9, top_k=20, seed=20261201, max_new_tokens=16)
LATE_END = engine.Sampling(seed=7, max_new_tokens=16, min_tokens_before_end=14)
SHORT = engine.Sampling(seed=22, max_new_tokens=6, min_tokens_before_end=4)
RECORDINGS = ("ref-mono-44k1.flac", "ref-stereo-24k.flac")
Record = dict[str, Any]


def voice_of(info: engine.ModelInfo, seed: int = 5, frames: int = 12) -> engine.VoiceProfile:
    """A voice of made-up codes that the model can read."""
    codes = made_codes(info, seed, frames)
    return engine.VoiceProfile("A short word.", codes, info.sample_rate, info.codebook_size)


def made_codes(info: engine.ModelInfo, seed: int, frames: int) -> np.ndarray:
    """Codes int32 ``(codebooks, frames)`` that are valid for the model."""
    most = min(info.semantic_size, info.residual_size, info.codebook_size)
    drawn = np.random.default_rng(seed).integers(0, most, (info.num_codebooks, frames))
    return drawn.astype(np.int32)


def requests(info: engine.ModelInfo) -> dict[str, engine.SynthesisRequest]:
    """The path's name to the request that walks it."""
    one, two = voice_of(info), voice_of(info, 6, 9)
    ask = engine.SynthesisRequest
    exact = {
        f"exact, stride {stride}": ask(
            TEXT, (one,), SEEDED, engine.StreamOptions(stride=stride, holdback=stride % 4)
        )
        for stride in (1, 4, 16)
    }
    cut = engine.Segmentation(sentences=True, pause_ms=100)
    return {
        "greedy": ask(TEXT, sampling=GREEDY),
        "greedy, voice": ask(TEXT, (one,), GREEDY),
        "greedy, two speakers": ask(SPEAKERS, (one, two), GREEDY),
        "seeded": ask(TEXT, sampling=SEEDED),
        "seeded, voice": ask(TEXT, (one,), SEEDED),
        "seeded, late end": ask(TEXT, sampling=LATE_END),
        **exact,
        "low latency": ask(TEXT, (one,), SEEDED, engine.StreamOptions(low_latency=True)),
        "windowed": ask(TEXT, (one,), SEEDED, engine.StreamOptions("windowed", 2, 2, 8)),
        "segments": ask(LONG, (one,), SHORT, segmentation=cut),
        "segments with history": ask(
            LONG, (one,), SHORT, segmentation=engine.Segmentation(True, 0, 40, history=True)
        ),
        "post-processing": ask(TEXT, (one,), SEEDED, post=engine.PostProcessing(True, True, True)),
    }


def codes_record(codes: np.ndarray) -> Record:
    """Shape and hash of integers ``(rows, columns)``."""
    plain = np.ascontiguousarray(codes, "<i4")
    return {"shape": list(plain.shape), "sha256": hashlib.sha256(plain.tobytes()).hexdigest()}


def sound_record(samples: np.ndarray) -> Record:
    """Length, RMS, peak and :data:`POINTS` evenly spread samples of float32 ``(n,)``."""
    places = np.linspace(0, max(len(samples) - 1, 0), POINTS).astype(int)
    wide = samples.astype(np.float64)
    return {
        "samples": len(samples),
        "rms": round(float(np.sqrt(np.mean(wide**2))), 6) if len(samples) else 0.0,
        "peak": round(float(np.abs(wide).max(initial=0.0)), 6),
        "points": [round(float(wide[i]), 6) for i in places] if len(samples) else [],
    }


def take_record(model: engine.Engine, request: engine.SynthesisRequest) -> Record:
    """Codes and sound of one request, and how the text was cut and why it ended."""
    starts: list[list[int | str]] = []

    def note(event: object) -> None:
        if isinstance(event, engine.SegmentStart):
            starts.append([event.start, event.text])

    take = model.render(request, on_event=note)
    return {
        "codes": codes_record(take.summary.codes),
        "sound": sound_record(take.samples),
        "end": take.summary.finish_reason,
        "starts": starts,
        "prompt": codes_record(model.prompt(request)),
    }


def takes_record(model: engine.Engine) -> Record:
    """What one golden model says on every path."""
    return {name: take_record(model, wish) for name, wish in requests(model.info).items()}


def codec_record(model: engine.Engine, recordings: Path) -> Record:
    """What one golden model decodes, and the codes of the recordings in a folder."""
    decoded = {
        f"{frames} frames": sound_record(model.decode(made_codes(model.info, 3, frames)))
        for frames in (1, 17, 40)
    }
    encoded = {
        name: codes_record(model.encode_reference(recordings / name, "What is said.").codes)
        for name in RECORDINGS
    }
    return {"decode": decoded, "encode": encoded}


def different_sound(found: Record, expected: Record, tolerance: float = TOLERANCE) -> bool:
    """Whether two sound records are further apart than rounding explains."""
    if found["samples"] != expected["samples"]:
        return True
    values = [np.array([r["rms"], r["peak"], *r["points"]]) for r in (found, expected)]
    return not np.allclose(*values, rtol=tolerance, atol=tolerance)


def differences(found: Any, expected: Any, path: str = "") -> Iterator[str]:
    """The places where two records differ, sounds by :func:`different_sound`."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if "points" in expected:
            if different_sound(found, expected):
                yield f"{path}: {found} is not {expected}"
            return
        for key in sorted({*found, *expected}):
            yield from differences(found.get(key), expected.get(key), f"{path}/{key}")
    elif found != expected:
        yield f"{path}: {found} is not {expected}"


def as_json(record: Any) -> str:
    """JSON whose lists of numbers stand in one line."""
    text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
    return _one_line(text) + "\n"


def _one_line(text: str) -> str:
    lines: list[str] = []
    inside = 0
    for line in text.split("\n"):
        stripped = line.strip()
        closes = stripped.startswith("]")
        if inside and lines:
            lines[-1] += stripped if closes or lines[-1].endswith("[") else f" {stripped}"
        else:
            lines.append(line)
        inside += stripped.endswith("[") - closes
    return "\n".join(lines)
