"""What phones record and the sound of videos: read as a WAV of the same would be, and no more."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from error_kit import refused
from media_kit import RATE, speech_like, write_media

from engine.audio import media, read_audio
from engine.audio.media import MediaSound, media_kind
from engine.audio.wav import write_wav
from engine.errors import EngineError, ReferenceAudioError

SOUND = speech_like(2.0)


def _delay(found: np.ndarray, wanted: np.ndarray) -> int:
    part = wanted[6000:14000]
    errors = [np.sum((found[6000 + k : 14000 + k] - part) ** 2) for k in range(2200)]
    return int(np.argmin(errors))


@pytest.mark.parametrize(
    ("name", "codec", "container", "picture", "padding"),
    [
        ("phone.m4a", "aac", "ipod", False, 0),
        ("lossless.m4a", "alac", "ipod", False, 0),
        ("raw.aac", "aac", "adts", False, 1024),
        ("film.mp4", "aac", None, True, 0),
        ("film.mov", "aac", None, True, 0),
        ("film.avi", "aac", None, True, 1024),
        ("film.webm", "libopus", None, True, 0),
        ("film.mkv", "aac", "matroska", False, 0),
    ],
)
def test_the_sound_is_that_of_a_wav(
    name: str, codec: str, container: str | None, picture: bool, padding: int, tmp_path: Path
) -> None:
    rate = 48000 if codec == "libopus" else RATE
    sound = speech_like(2.0, rate)
    write_wav(tmp_path / "same.wav", sound, rate)
    path = write_media(tmp_path / name, [sound], codec, rate, picture, container)
    clip, same = read_audio(path), read_audio(tmp_path / "same.wav")
    assert (clip.rate, clip.channels, clip.warnings) == (rate, 1, ())
    found, wanted = clip.samples[:, 0], same.samples[:, 0]
    assert abs(_delay(found, wanted) - padding) <= 1
    found = found[_delay(found, wanted) :][: len(wanted) - 4000]
    error = found - wanted[: len(found)]
    assert np.sqrt(np.mean(error**2)) < 0.02 * np.sqrt(np.mean(wanted**2)) * 3
    assert np.abs(error).max() < 0.05


def test_the_name_means_nothing(tmp_path: Path) -> None:
    path = write_media(tmp_path / "a.m4a", [SOUND], container="ipod")
    other = path.rename(tmp_path / "a.wav")
    assert read_audio(other).kind == "MOV aac"


def test_two_channels_stay_two(tmp_path: Path) -> None:
    both = np.stack([SOUND, -0.5 * SOUND], axis=1)
    clip = read_audio(write_media(tmp_path / "a.m4a", [both], "alac", container="ipod"))
    np.testing.assert_allclose(clip.samples, both, atol=1e-4)


def test_of_several_tracks_the_first_is_used_and_that_is_said(tmp_path: Path) -> None:
    other = np.zeros_like(SOUND)
    clip = read_audio(write_media(tmp_path / "a.mp4", [SOUND, other], picture=True))
    assert np.abs(clip.samples).max() > 0.1
    assert [w.code for w in clip.warnings] == ["audio.first_track"]


def test_a_silent_film_has_no_sound(tmp_path: Path) -> None:
    with refused("audio.no_track", ReferenceAudioError):
        read_audio(write_media(tmp_path / "a.mp4", [], picture=True))


def test_no_more_is_read_than_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_media(tmp_path / "a.m4a", [speech_like(20.0)], container="ipod")
    blocks: list[int] = []
    plain = MediaSound._converted

    def counted(self: MediaSound, frame: object) -> object:
        blocks.append(1)
        return plain(self, frame)  # type: ignore[arg-type]

    monkeypatch.setattr(MediaSound, "_converted", counted)
    clip = read_audio(path, max_seconds=2.0)
    assert clip.seconds == 2.0
    assert clip.source_seconds == pytest.approx(20.0, abs=0.1)
    assert "audio.read_part" in [w.code for w in clip.warnings]
    assert len(blocks) < 150, "of some 860"


def test_a_film_that_promises_more_than_it_holds(tmp_path: Path) -> None:
    path = write_media(tmp_path / "a.m4a", [SOUND], container="ipod")
    data = bytearray(path.read_bytes())
    at = data.index(b"mdhd") + 4 + 4 + 8 + 4
    data[at : at + 4] = (RATE * 3600).to_bytes(4, "big")
    at = data.index(b"mvhd") + 4 + 4 + 8 + 4
    data[at : at + 4] = (1000 * 3600).to_bytes(4, "big")
    path.write_bytes(bytes(data))
    clip = read_audio(path)
    assert clip.seconds == pytest.approx(2.0, abs=0.1)
    assert clip.source_seconds == clip.seconds
    long = read_audio(path, max_seconds=1.0)
    assert long.seconds == 1.0


def test_a_cut_film_says_so(tmp_path: Path) -> None:
    path = write_media(tmp_path / "a.webm", [speech_like(6.0, 48000)], "libopus", 48000, True)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    clip = read_audio(path)
    assert 0 < clip.seconds < 6
    assert [w.code for w in clip.warnings] == ["audio.cut"]
    path = write_media(tmp_path / "a.mp4", [SOUND])
    path.write_bytes(path.read_bytes()[:2000])
    with refused("audio.unreadable_kind", ReferenceAudioError):
        read_audio(path)


@pytest.mark.parametrize("name", ["a.m4a", "a.aac", "a.webm", "a.avi"])
def test_damage_is_an_error_of_ours_or_sound(name: str, tmp_path: Path) -> None:
    codec, rate = ("libopus", 48000) if name.endswith("webm") else ("aac", RATE)
    container = {"a.m4a": "ipod", "a.aac": "adts"}.get(name)
    path = write_media(tmp_path / name, [speech_like(0.4, rate)], codec, rate, False, container)
    data, draw = path.read_bytes(), random.Random(7)
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(draw.randint(1, 12)):
            at = (
                draw.randrange(12, len(changed)) if draw.random() < 0.5 else draw.randrange(12, 900)
            )
            changed[min(at, len(changed) - 1)] = draw.randrange(256)
        if draw.random() < 0.3:
            del changed[draw.randrange(40, len(changed)) :]
        path.write_bytes(bytes(changed))
        try:
            clip = read_audio(path, max_seconds=5.0)
        except EngineError:
            continue
        assert len(clip.samples) > 0
        assert np.isfinite(clip.samples).all()
        assert clip.seconds <= 5.0


def test_a_list_of_other_files_is_never_opened(tmp_path: Path) -> None:
    (tmp_path / "secret.wav").write_bytes(b"RIFF")
    for text in ("#EXTM3U\nsecret.wav\n", "ffconcat version 1.0\nfile secret.wav\n"):
        path = tmp_path / "list.m4a"
        path.write_text(text, encoding="utf-8")
        with refused("audio.unreadable_kind", ReferenceAudioError):
            read_audio(path)
    assert media_kind(b"#EXTM3U\nx.wav") == ""


def test_without_the_part_the_next_step_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_media(tmp_path / "a.m4a", [SOUND], container="ipod")
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "av" else find(name, *a)
    )
    with refused("audio.media_missing", ReferenceAudioError) as caught:
        read_audio(path)
    assert caught.value.advice.endswith("-m pip install av. Or convert the clip to WAV.")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with refused("audio.media_missing", ReferenceAudioError) as caught:
        read_audio(path)
    assert "pip" not in str(caught.value)
    assert "MPEG-4" in str(caught.value)


def test_a_reader_that_jumps_to_and_fro_comes_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_media(tmp_path / "a.m4a", [speech_like(4.0)], container="ipod")
    monkeypatch.setattr(media, "MAX_READS", 0)
    monkeypatch.setattr(media, "SPARE_BYTES", 2_000)
    with refused("audio.unreadable_kind", ReferenceAudioError):
        read_audio(path)
