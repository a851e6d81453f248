"""How fast the codec is: milliseconds a frame when streaming, seconds to encode a clip."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.bench.report import measure

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
        timed = measure(partial(push_all, codec, codes, stride), repeats, warm_up=0)
        least, most = timed["min_ms"] / count, timed["max_ms"] / count
        figures["codec_ms_per_frame"][str(stride)] = timed["median_ms"] / count
        figures["codec_ms_per_frame_range"][str(stride)] = [least, most]
    pcm = rng.standard_normal(int(encode_s * config.sample_rate)).astype(np.float32) * 0.1
    codec.encode(pcm[: config.samples_per_frame])
    timed = measure(partial(codec.encode, pcm), max(1, repeats - 1), warm_up=0)
    figures["encode_s_per_10s"] = timed["median_ms"] / encode_s / 100
    figures["encode_s_per_10s_range"] = [timed[k] / encode_s / 100 for k in ("min_ms", "max_ms")]
    return figures


def push_all(codec: AudioCodec, codes: np.ndarray, stride: int) -> int:
    """Decode through a fresh stream, ``stride`` frames at a time; returns the frames decoded."""
    stream = codec.stream()
    for start in range(0, codes.shape[1], stride):
        stream.push(codes[:, start : start + stride])
    return stream.frames_decoded


def as_rows(figures: dict[str, Any]) -> list[list[object]]:
    """Rows of a table with the header of :mod:`engine.bench.ar`."""
    rows: list[list[object]] = []
    for stride, ms in figures["codec_ms_per_frame"].items():
        span = figures["codec_ms_per_frame_range"][stride]
        rows.append([f"codec, stride {stride}", ms, *span, "ms a frame"])
    span = figures["encode_s_per_10s_range"]
    rows.append(["encoding ten seconds", figures["encode_s_per_10s"], *span, "s"])
    return rows
