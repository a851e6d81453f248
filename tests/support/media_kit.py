"""Phones' recordings and videos, made with the library that reads them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

RATE = 44100


def speech_like(seconds: float = 3.0, rate: int = RATE) -> np.ndarray:
    """Low tones in syllables, float32 ``(n,)``, which lossy coding keeps."""
    t = np.arange(round(seconds * rate)) / rate
    tones = sum(np.sin(2 * np.pi * f * t) / (1 + i) for i, f in enumerate((180, 360, 540, 900)))
    return (0.25 * tones * np.clip(np.sin(2 * np.pi * 2 * t), 0, 1)).astype(np.float32)


def write_media(
    path: Path,
    tracks: list[np.ndarray],
    codec: str = "aac",
    rate: int = RATE,
    picture: bool = False,
    container: str | None = None,
) -> Path:
    """A file with sound tracks ``(n,)`` or ``(n, 2)``, and with a moving picture."""
    with av.open(str(path), "w", format=container) as file:
        video = None
        if picture:
            name = "mpeg4" if path.suffix in (".mp4", ".mov", ".m4v", ".avi") else "libvpx"
            video = file.add_stream(name, rate=10)
            video.width, video.height, video.pix_fmt = 64, 64, "yuv420p"
        streams = []
        for samples in tracks:
            layout = "mono" if samples.ndim == 1 else "stereo"
            stream = file.add_stream(codec, rate=rate, layout=layout)
            stream.codec_context.bit_rate = 192_000
            streams.append((stream, samples.reshape(len(samples), -1).T))
        if video is not None:
            for number in range(10):
                shade = np.full((64, 64, 3), 20 * number, np.uint8)
                frame = av.VideoFrame.from_ndarray(shade, format="rgb24")
                file.mux(video.encode(frame))
            file.mux(video.encode(None))
        for stream, rows in streams:
            layout = stream.codec_context.layout.name
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(rows), "fltp", layout)
            frame.sample_rate, frame.pts, frame.time_base = rate, 0, Fraction(1, rate)
            context = stream.codec_context
            size = context.frame_size or 1024
            wanted = context.format.name if context.is_open else "fltp"
            resampler = av.AudioResampler(wanted, layout, rate, frame_size=size)
            for each in [*resampler.resample(frame), *resampler.resample(None)]:
                file.mux(stream.encode(each))
            file.mux(stream.encode(None))
    return path
