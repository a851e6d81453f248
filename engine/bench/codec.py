"""How fast the codec is: milliseconds a frame when streaming, seconds to encode a clip."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from engine.codec.codec import AudioCodec

STRIDES = (1, 4, 16)


def run_codec(
    codec: AudioCodec,
    *,
    strides: Sequence[int] = STRIDES,
    frames: int = 32,
    repeats: int = 3,
    encode_s: float = 10.0,
) -> dict[str, Any]:
    """Measure exact streaming at each stride, and encoding.

    Args:
        frames: frames in one timing, completed to whole strides.
        encode_s: length of the clip; its time is scaled to ten seconds.
    """
    rng = np.random.default_rng(1)
    config = codec.config
    figures: dict[str, Any] = {
        "codec_ms_per_frame": {},
        "codec_ms_per_frame_range": {},
        "codec_frame_ms": 1e3 / config.frame_rate,
    }
    for stride in strides:
        count = -(-frames // stride) * stride
        codes = rng.integers(0, config.residual_size, (config.num_codebooks, count), dtype=np.int32)
        push_all(codec, codes[:, :stride], stride)
        times = [1e3 * t / count for t in _times(lambda: push_all(codec, codes, stride), repeats)]  # noqa: B023
        figures["codec_ms_per_frame"][str(stride)] = statistics.median(times)
        figures["codec_ms_per_frame_range"][str(stride)] = [min(times), max(times)]
    pcm = rng.standard_normal(int(encode_s * config.sample_rate)).astype(np.float32) * 0.1
    codec.encode(pcm[: config.samples_per_frame])
    times = [10 / encode_s * t for t in _times(lambda: codec.encode(pcm), max(1, repeats - 1))]
    figures["encode_s_per_10s"] = statistics.median(times)
    figures["encode_s_per_10s_range"] = [min(times), max(times)]
    return figures


def push_all(codec: AudioCodec, codes: np.ndarray, stride: int) -> int:
    """Decode through a fresh stream, ``stride`` frames at a time; returns the frames decoded."""
    stream = codec.stream()
    for start in range(0, codes.shape[1], stride):
        stream.push(codes[:, start : start + stride])
    return stream.frames_decoded


def _times(run: Callable[[], object], repeats: int) -> list[float]:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return times


def as_rows(figures: dict[str, Any]) -> list[list[object]]:
    """Rows of a table with the header of :mod:`engine.bench.ar`."""
    rows: list[list[object]] = []
    for stride, ms in figures["codec_ms_per_frame"].items():
        span = figures["codec_ms_per_frame_range"][stride]
        rows.append([f"codec, stride {stride}", ms, *span, "ms a frame"])
    span = figures["encode_s_per_10s_range"]
    rows.append(["encoding ten seconds", figures["encode_s_per_10s"], *span, "s"])
    return rows
