"""Sounds that others collected for their own readers, where a copy of them is at hand.

``S2_FLAC_FILES`` names the folder of IETF's FLAC test files, ``S2_TAGGED_FILES`` that of mutagen's
data. Each file is read right or refused in words; a FLAC is held against the sum in its header.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import soundfile

from engine.audio.files import read_audio
from engine.errors import EngineError
from engine.takes.provenance import read_provenance


def folder(variable: str) -> Path:
    named = os.environ.get(variable)
    if not named or not Path(named).is_dir():
        pytest.skip(f"no copy is at hand: {variable} names no folder")
    return Path(named)


def stream_info(path: Path) -> tuple[int, int, bytes]:
    """Bits of a sample, frames and MD5, as the header of a FLAC tells them."""
    head = path.read_bytes()[:42]
    assert head[:4] == b"fLaC"
    packed = int.from_bytes(head[18:26], "big")
    return (packed >> 36 & 31) + 1, packed & (1 << 36) - 1, head[26:42]


def sum_of(samples: np.ndarray, bits: int) -> bytes:
    whole = np.rint(samples.astype(np.float64) * (1 << bits - 1)).astype("<i4")
    width = -(-bits // 8)
    return hashlib.md5(
        whole.reshape(-1).view(np.uint8).reshape(-1, 4)[:, :width].tobytes()
    ).digest()


def hold_flac(path: Path) -> None:
    bits, frames, wanted = stream_info(path)
    clip = read_audio(path)
    if frames:
        assert len(clip.samples) == frames, path.name
    if bits <= 24 and any(wanted):
        assert sum_of(clip.samples, bits) == wanted, path.name


def test_flac_of_all_kinds_is_read_to_the_bit() -> None:
    names = sorted((folder("S2_FLAC_FILES") / "subset").rglob("*.flac"))
    assert names
    for path in names:
        hold_flac(path)


def test_our_own_flac_is_held_the_same_way(tmp_path: Path) -> None:
    """So that the measure is tried where no copy is at hand."""
    rng = np.random.default_rng(5)
    for bits, kind in ((16, "PCM_16"), (24, "PCM_24")):
        samples = rng.integers(-(1 << bits - 1), 1 << bits - 1, (3000, 2)) / (1 << bits - 1)
        soundfile.write(tmp_path / "own.flac", samples, 32000, subtype=kind)
        hold_flac(tmp_path / "own.flac")


@pytest.mark.parametrize("variable", ["S2_FLAC_FILES", "S2_TAGGED_FILES"])
def test_every_stranger_is_read_or_refused_in_words(variable: str) -> None:
    seen = 0
    for path in sorted(folder(variable).rglob("*")):
        if not path.is_file():
            continue
        for read in (read_audio, read_provenance):
            with suppress(EngineError):
                read(path)
        seen += 1
    assert seen
