"""What a header tells, against what the sound file holds: the content is read, and that is told."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine.audio.files import read_audio

RATE, SECONDS = 22050, 2.0
FRAMES = int(RATE * SECONDS)


def made(kind: str, coding: str | None = "PCM_16") -> bytearray:
    t = np.arange(FRAMES) / RATE
    out = io.BytesIO()
    soundfile.write(out, 0.3 * np.sin(2 * np.pi * 220 * t), RATE, format=kind, subtype=coding)
    return bytearray(out.getvalue())


def flac(total: int) -> bytearray:
    data = made("FLAC")
    packed = int.from_bytes(data[18:26], "big") >> 36 << 36 | total
    data[18:26] = packed.to_bytes(8, "big")
    return data


def wav(**fields: int) -> bytearray:
    data = made("WAV")
    places = {"per_second": (28, "<I"), "block": (32, "<H"), "data": (40, "<I")}
    for name, value in fields.items():
        struct.pack_into(places[name][1], data, places[name][0], value)
    return data


def mp3(share: float) -> bytearray:
    data = made("MP3", None)
    at = max(data.find(b"Xing"), data.find(b"Info")) + 8
    count = struct.unpack_from(">I", data, at)[0]
    struct.pack_into(">I", data, at, int(count * share))
    return data


def aiff(frames: int) -> bytearray:
    data = made("AIFF")
    struct.pack_into(">I", data, data.find(b"COMM") + 10, frames)
    return data


def au(count: int) -> bytearray:
    data = made("AU")
    struct.pack_into(">I", data, 8, count)
    return data


def half(data: bytearray) -> bytearray:
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    ("data", "seconds", "told"),
    [
        pytest.param(flac(0), 2.0, "", id="flac without a length"),
        pytest.param(flac(FRAMES // 2), 2.0, "mended", id="flac of half the length"),
        pytest.param(flac(2 * FRAMES), 2.0, "4.00 s were promised, 2.00 s", id="flac of twice"),
        pytest.param(half(made("FLAC")), 1.0, "damaged", id="flac cut"),
        pytest.param(mp3(0.5), 2.0, "", id="mp3 of half the frames"),
        pytest.param(mp3(2), 2.0, "s were promised, 2.", id="mp3 of twice the frames"),
        pytest.param(mp3(0), 2.0, "", id="mp3 of no frames"),
        pytest.param(aiff(0), 2.0, "", id="aiff of no frames"),
        pytest.param(aiff(FRAMES // 2), 2.0, "", id="aiff of half the frames"),
        pytest.param(half(made("AIFF")), 1.0, "2.00 s were promised, 1.00 s", id="aiff cut"),
        pytest.param(half(made("AU")), 1.0, "2.00 s were promised, 1.00 s", id="au cut"),
        pytest.param(au(4 * FRAMES), 2.0, "4.00 s were promised, 2.00 s", id="au of twice"),
        pytest.param(au(0xFFFFFFFF), 2.0, "", id="au of unknown length"),
        pytest.param(half(made("W64")), 1.0, "2.00 s were promised, 1.00 s", id="wave64 cut"),
        pytest.param(half(made("RF64")), 1.0, "2.00 s were promised, 1.00 s", id="rf64 cut"),
        pytest.param(wav(per_second=88200), 2.0, "", id="wav, twice the byte rate"),
        pytest.param(
            half(wav(per_second=1)), 1.0, "2.00 s were promised, 1.00 s", id="byte rate 1"
        ),
        pytest.param(half(wav(block=4)), 1.0, "2.00 s were promised, 1.00 s", id="wav, block 4"),
        pytest.param(half(wav(block=0)), 1.0, "2.00 s were promised, 1.00 s", id="wav, block 0"),
        pytest.param(wav(data=0), 2.0, "mended", id="wav of no samples"),
        pytest.param(wav(data=0xFFFFFFFF), 2.0, "", id="wav of unknown length"),
    ],
)
def test_the_content_counts(tmp_path: Path, data: bytearray, seconds: float, told: str) -> None:
    path = tmp_path / "clip"
    path.write_bytes(bytes(data))
    clip = read_audio(path)
    assert clip.seconds == pytest.approx(seconds, abs=0.3 if told == "damaged" else 0.1)
    words = " ".join(map(str, clip.warnings))
    assert told in words
    assert bool(words) is bool(told)


def test_a_long_flac_whose_length_lies_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "clip.flac"
    path.write_bytes(bytes(flac(FRAMES // 4)))
    clip = read_audio(path, max_seconds=1.0)
    assert clip.seconds == pytest.approx(1.0)
    assert "only the first 1.0 s were read" in " ".join(map(str, clip.warnings))
