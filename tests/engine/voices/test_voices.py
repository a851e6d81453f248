"""Voice profiles: bytes, hostile files, and what a model accepts (spec 05)."""

from __future__ import annotations

import os
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from error_kit import refused
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import OutputError, VoiceError
from engine.voices import VoiceProfile

GOLDEN_HEX = (
    "5332564f49434500 01000000 0a000000 01000000 44ac0000 00100000 "
    "0300000000000000 2800000000000000 686900"
)


def golden_bytes() -> bytes:
    return bytes.fromhex(GOLDEN_HEX) + np.arange(10, dtype="<i4").tobytes()


def changed(offset: int, layout: str, value: int, data: bytes | None = None) -> bytes:
    data = golden_bytes() if data is None else data
    field = struct.pack("<" + layout, value)
    return data[:offset] + field + data[offset + len(field) :]


def profile(transcript: str = "hi", codes: np.ndarray | None = None) -> VoiceProfile:
    codes = np.arange(10).reshape(10, 1) if codes is None else codes
    return VoiceProfile(transcript, codes, 44100, 4096)


def test_bytes_are_the_peers() -> None:
    data = golden_bytes()
    assert len(data) == 87
    assert profile().to_bytes() == data
    assert VoiceProfile.from_bytes(data) == profile()


def test_example_of_the_layout_has_128_bytes() -> None:
    assert len(profile("abc", np.zeros((10, 2), int)).to_bytes()) == 128


def test_voice_written_by_the_peer_round_trips(golden_file, tmp_path: Path) -> None:
    source = golden_file("voice-tiny-f32.s2voice")
    voice = VoiceProfile.load(source)
    assert voice.transcript == "The morning train was late, so we waited by the river."
    assert voice.codes.shape == (10, 65)
    assert (voice.sample_rate, voice.codebook_size, voice.warnings) == (44100, 64, ())
    voice.save(tmp_path / "copy.s2voice")
    assert (tmp_path / "copy.s2voice").read_bytes() == Path(source).read_bytes()


CORRUPTIONS = [
    (b"", "truncated voice profile"),
    (golden_bytes()[:43], "truncated voice profile"),
    (b"X" + golden_bytes()[1:], "invalid voice profile magic"),
    (changed(8, "I", 2), "unsupported voice profile version"),
    (changed(28, "Q", 0), "invalid voice profile transcript length"),
    (changed(28, "Q", 2**63), "voice profile too large"),
    (changed(28, "Q", 2**64 - 1), "voice profile too large"),
    (changed(28, "Q", 2**20 + 1), "voice profile too large"),
    (changed(36, "Q", 2**63), "voice profile too large"),
    (changed(36, "Q", 2**28 + 4), "voice profile too large"),
    (changed(36, "Q", 44), "truncated voice profile"),
    (golden_bytes()[:-1], "truncated voice profile"),
    (golden_bytes()[:60], "truncated voice profile"),
    (changed(46, "B", 65), "transcript not null-terminated"),
    (changed(45, "B", 0), "invalid voice profile transcript"),
    (changed(45, "B", 0xFF), "invalid voice profile transcript"),
    (changed(36, "Q", 39), "invalid voice profile codes size"),
    (changed(36, "Q", 41, golden_bytes() + b"\0"), "invalid voice profile codes size"),
    (changed(12, "i", 0), "invalid voice profile header"),
    (changed(12, "i", 65), "invalid voice profile header"),
    (changed(16, "i", -1), "invalid voice profile header"),
    (changed(16, "i", 0), "invalid voice profile header"),
    (changed(16, "i", 65537), "invalid voice profile header"),
    (changed(20, "i", 0), "invalid voice profile header"),
    (changed(20, "i", 768_001), "invalid voice profile header"),
    (changed(24, "i", 0), "invalid voice profile header"),
    (changed(24, "i", 65537), "invalid voice profile header"),
    (changed(12, "i", 9), "voice profile codes do not match its header"),
    (changed(16, "i", 5), "voice profile codes do not match its header"),
    (changed(47, "i", -1), "voice profile contains out-of-range codes"),
    (changed(47, "i", 4096), "voice profile contains out-of-range codes"),
]


@pytest.mark.parametrize(("data", "message"), CORRUPTIONS)
def test_every_check_has_its_message(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.s2voice"
    path.write_bytes(data)
    for read in (
        lambda: VoiceProfile.from_bytes(data, "bad.s2voice"),
        lambda: VoiceProfile.load(path),
    ):
        with pytest.raises(VoiceError) as caught:
            read()
        assert caught.value.detail == message
        assert "bad.s2voice" in caught.value.advice


def test_earlier_check_wins() -> None:
    data = changed(8, "I", 2, changed(12, "i", 0, b"X" + golden_bytes()[1:]))
    with refused("profile.magic", VoiceError):
        VoiceProfile.from_bytes(data)


@pytest.mark.parametrize("name", ["missing.s2voice", "folder", "pipe", "nul\0byte"])
def test_what_cannot_be_opened(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    path = f"{tmp_path}/{name}"
    with pytest.raises(VoiceError) as caught:
        VoiceProfile.load(path)
    assert caught.value.detail.startswith("cannot open voice profile: ")
    assert str(tmp_path) in caught.value.detail


def test_trailing_bytes_are_accepted_with_a_warning() -> None:
    voice = VoiceProfile.from_bytes(golden_bytes() + b"extra")
    assert voice == profile()
    assert voice.warnings == ("the voice profile has 5 unknown bytes at its end",)


def test_hostile_sizes_take_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "big.s2voice"
    tracemalloc.start()
    try:
        for data in (
            changed(28, "Q", 2**64 - 1),
            changed(36, "Q", 2**63),
            changed(36, "Q", 2**28),
            changed(28, "Q", 2**20),
        ):
            path.write_bytes(data)
            with pytest.raises(VoiceError):
                VoiceProfile.load(path)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_loading_takes_at_most_twice_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.s2voice"
    profile("hi", np.zeros((10, 50_000), np.int32)).save(path)
    size = path.stat().st_size
    tracemalloc.start()
    try:
        VoiceProfile.load(path)
        assert tracemalloc.get_traced_memory()[1] < 2.3 * size
    finally:
        tracemalloc.stop()


@settings(max_examples=100, deadline=None)
@given(
    transcript=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    rows=st.integers(1, 12),
    frames=st.integers(1, 9),
    rate=st.integers(1, 768_000),
    size=st.integers(1, 65536),
    seed=st.integers(0, 2**32 - 1),
)
def test_round_trip(
    transcript: str, rows: int, frames: int, rate: int, size: int, seed: int
) -> None:
    codes = np.random.default_rng(seed).integers(0, size, (rows, frames))
    voice = VoiceProfile(transcript, codes, rate, size)
    data = voice.to_bytes()
    again = VoiceProfile.from_bytes(data)
    assert again == voice
    assert hash(again) == hash(voice)
    assert again.to_bytes() == data
    assert again.codes.dtype == np.int32


def test_transcript_keeps_its_bytes() -> None:
    text = "e\u0301 é 你好 \u200b नमस्ते"
    assert VoiceProfile.from_bytes(profile(text).to_bytes()).transcript == text


def test_codes_are_private_and_read_only() -> None:
    mine = np.zeros((2, 3), np.int32)
    voice = VoiceProfile("x", mine, 44100, 8)
    mine[:] = 5
    assert not voice.codes.any()
    with pytest.raises(ValueError, match="read-only"):
        voice.codes[0, 0] = 1


@pytest.mark.parametrize(
    ("codes", "match"),
    [
        (np.full((2, 2), 2**32 + 1), "out-of-range"),
        (np.full((2, 2), -1), "out-of-range"),
        (np.full((2, 2), 4096), "out-of-range"),
        (np.zeros((2, 2)), "whole numbers"),
        (np.zeros(4, int), "two axes"),
    ],
)
def test_profile_refuses_codes(codes: np.ndarray, match: str) -> None:
    with pytest.raises(VoiceError, match=match):
        profile("hi", codes)


@pytest.mark.parametrize(
    ("voice", "message"),
    [
        (profile("a\0b"), "invalid voice profile transcript"),
        (profile("a\ud800"), "invalid voice profile transcript"),
        (profile("x" * 2**20), "voice profile too large"),
        (profile("hi", np.zeros((0, 3), int)), "invalid voice profile header"),
        (profile("hi", np.zeros((10, 0), int)), "invalid voice profile header"),
        (profile("hi", np.zeros((65, 1), int)), "invalid voice profile header"),
        (VoiceProfile("hi", np.zeros((1, 1), int), 0, 8), "invalid voice profile header"),
    ],
)
def test_saving_refuses_what_loading_would(
    voice: VoiceProfile, message: str, tmp_path: Path
) -> None:
    with pytest.raises(VoiceError) as caught:
        voice.save(tmp_path / "x.s2voice")
    assert caught.value.detail == message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("transcript", ["", "  ", "\n", "\u200b\ufeff"])
def test_saving_needs_a_transcript(transcript: str, tmp_path: Path) -> None:
    with refused("voice.unsaved_transcript", VoiceError):
        profile(transcript).save(tmp_path / "x.s2voice")
    assert list(tmp_path.iterdir()) == []


class TestWriting:
    def test_failure_keeps_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "x.s2voice"
        profile("old").save(path)

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        with refused("voice.not_saved", OutputError) as caught:
            profile("new").save(path)
        assert "No space left on device" in caught.value.advice
        assert VoiceProfile.load(path).transcript == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == ["x.s2voice"]

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
    def test_full_disk(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real_open = os.open

        def open_full(path: str, flags: int, mode: int = 0o777) -> int:
            if str(path).endswith(".tmp"):
                return real_open("/dev/full", os.O_WRONLY)
            return real_open(path, flags, mode)

        monkeypatch.setattr(os, "open", open_full)
        with pytest.raises(OutputError):
            profile().save(tmp_path / "x.s2voice")
        assert list(tmp_path.iterdir()) == []

    def test_missing_folder(self, tmp_path: Path) -> None:
        with refused("voice.not_saved", OutputError):
            profile().save(tmp_path / "none" / "x.s2voice")

    def test_folder_in_the_way(self, tmp_path: Path) -> None:
        (tmp_path / "x.s2voice").mkdir()
        with pytest.raises(OutputError):
            profile().save(tmp_path / "x.s2voice")
        assert [entry.name for entry in tmp_path.iterdir()] == ["x.s2voice"]

    @pytest.mark.skipif(os.name != "posix", reason="permission bits of POSIX")
    def test_file_is_as_readable_as_any_new_file(self, tmp_path: Path) -> None:
        (tmp_path / "plain").write_bytes(b"")
        profile().save(tmp_path / "x.s2voice")
        expected = (tmp_path / "plain").stat().st_mode
        assert (tmp_path / "x.s2voice").stat().st_mode == expected


class TestCheckModel:
    MODEL = (10, 4096, 44100, 4096, 1024)

    def test_fits(self) -> None:
        profile().check_model(*self.MODEL)

    @pytest.mark.parametrize(
        ("voice", "named"),
        [
            (profile("hi", np.zeros((9, 1), int)), "number of codebooks is 9, not 10"),
            (VoiceProfile("hi", np.zeros((10, 1), int), 22050, 4096), "sample rate is 22050"),
            (VoiceProfile("hi", np.zeros((10, 1), int), 44100, 64), "codebook size is 64"),
        ],
    )
    def test_names_what_differs(self, voice: VoiceProfile, named: str) -> None:
        again = VoiceProfile.from_bytes(voice.to_bytes())  # loading is fine, using is not
        with pytest.raises(VoiceError) as caught:
            again.check_model(*self.MODEL)
        assert "voice profile incompatible with current model/codec" in caught.value.detail
        assert named in caught.value.detail

    def test_limit_of_each_row(self) -> None:
        codes = np.zeros((10, 2), int)
        codes[0, 1] = 4095
        codes[3, 1] = 1023
        profile("hi", codes).check_model(*self.MODEL)
        codes[3, 1] = 1024
        with pytest.raises(VoiceError, match=r"1024 in codebook 3, whose limit .* is 1023"):
            profile("hi", codes).check_model(*self.MODEL)

    def test_transcript_is_needed_for_cloning_only(self) -> None:
        data = golden_bytes()
        data = struct.pack("<Q", 1).join((data[:28], data[36:44])) + b"\0" + data[47:]
        voice = VoiceProfile.from_bytes(data)
        assert voice.transcript == ""
        voice.check_model(*self.MODEL, as_reference=False)
        with refused("voice.no_transcript", VoiceError):
            voice.check_model(*self.MODEL)
