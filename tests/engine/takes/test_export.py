"""Exports: every kind of file, names, never replacing anything."""

from __future__ import annotations

import datetime
import hashlib
import os
import resource
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from error_kit import refused
from export_kit import KINDS, RATE, a_provenance, speech

from engine.audio.encode import encode_audio
from engine.audio.files import read_audio
from engine.audio.ogg_serial import SERIAL, with_fixed_serial
from engine.audio.resample import resample
from engine.errors import OutputError
from engine.takes.export import ExportFormat, check_template, export_name, export_take
from engine.takes.provenance import Provenance, read_provenance

WHEN = datetime.datetime(2024, 5, 6, 7, 8, 9)


def save(tmp_path: Path, kind: ExportFormat, made: Provenance | None = None) -> Path:
    provenance = made or a_provenance()
    return export_take(tmp_path / "take", speech(), RATE, kind, provenance=provenance).path


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_read_back_as_what_it_claims_to_be(tmp_path: Path, kind: ExportFormat) -> None:
    done = export_take(tmp_path / "take", speech(), RATE, kind, provenance=a_provenance())
    assert done.path == tmp_path / f"take{kind.suffix}"
    assert done.size == done.path.stat().st_size
    found = soundfile.info(str(done.path))
    clip = read_audio(done.path)
    assert (clip.rate, clip.channels, clip.warnings) == (done.rate, 1, ())
    wanted = resample(speech(), RATE, done.rate)
    assert len(clip.samples) == len(wanted)
    error = clip.samples[:, 0] - wanted
    floor = {"PCM_16": 2**-15, "PCM_24": 2**-23, "FLOAT": 0.0}.get(found.subtype)
    if floor is not None:
        assert np.abs(error).max() <= floor
    else:
        inner = slice(2000, -2000)  # Opus is off by one sample, so compare the energy, not shape
        ratio = np.square(clip.samples[inner, 0]).sum() / np.square(wanted[inner]).sum()
        assert 0.97 < ratio < 1.03
        assert np.corrcoef(clip.samples[inner, 0], wanted[inner])[0, 1] > 0.98


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_take_gives_the_same_bytes(kind: ExportFormat) -> None:
    provenance = a_provenance().to_json(ascii_only=True)
    one, two = (encode_audio(speech(0.3), RATE, kind, comment=provenance) for _ in range(2))
    assert hashlib.sha256(one).digest() == hashlib.sha256(two).digest()
    if one.startswith(b"OggS"):
        assert int.from_bytes(one[14:18], "little") == SERIAL


@pytest.mark.parametrize(
    ("kind", "rate", "expected"),
    [
        (ExportFormat.MP3, 44100, 44100),
        (ExportFormat.MP3, 37800, 44100),
        (ExportFormat.MP3, 96000, 48000),
        (ExportFormat.MP3, 7000, 8000),
        (ExportFormat.OPUS, 44100, 48000),
        (ExportFormat.VORBIS, 384000, 192000),
        (ExportFormat.FLAC_24, 37800, 37800),
    ],
)
def test_a_rate_that_the_kind_lacks_is_changed_and_said(
    tmp_path: Path, kind: ExportFormat, rate: int, expected: int
) -> None:
    done = export_take(tmp_path / "x", speech(0.2, rate), rate, kind)
    assert done.rate == soundfile.info(str(done.path)).samplerate == expected
    assert bool(done.notes) == (rate != expected)
    assert all(str(expected) in note for note in done.notes)


def test_nothing_is_ever_replaced(tmp_path: Path) -> None:
    first = export_take(tmp_path / "a.wav", speech(0.1), RATE)
    bytes_before = first.path.read_bytes()
    second = export_take(tmp_path / "a.wav", speech(0.2), RATE)
    third = export_take(tmp_path / "a.wav", speech(0.3), RATE)
    assert [first.path.name, second.path.name, third.path.name] == [
        "a.wav", "a (2).wav", "a (3).wav",
    ]  # fmt: skip
    with refused("output.exists", OutputError):
        export_take(tmp_path / "a.wav", speech(0.1), RATE, strict=True)
    assert first.path.read_bytes() == bytes_before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a (2).wav", "a (3).wav", "a.wav"]


def test_a_dangling_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "a.wav").symlink_to(tmp_path / "elsewhere.wav")
    done = export_take(tmp_path / "a.wav", speech(0.1), RATE)
    assert done.path.name == "a (2).wav"
    assert not (tmp_path / "elsewhere.wav").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_reading_block_by_block_gives_the_same_as_all_at_once(
    tmp_path: Path, kind: ExportFormat
) -> None:
    done = export_take(tmp_path / "a", speech(3.0), RATE, kind)
    whole, _ = soundfile.read(str(done.path), dtype="float32")
    assert np.array_equal(read_audio(done.path).samples[:, 0], whole)


def test_without_hard_links_nothing_is_replaced_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    (tmp_path / "a.wav").write_bytes(b"mine")
    done = export_take(tmp_path / "a.wav", speech(0.1), RATE)
    assert done.path.name == "a (2).wav"
    assert read_audio(done.path).seconds == pytest.approx(0.1)
    assert (tmp_path / "a.wav").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.fixture
def tiny_files() -> Iterator[None]:
    """No file may grow beyond 8 KiB, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("tiny_files")
def test_a_full_disk_leaves_nothing_and_says_so(tmp_path: Path) -> None:
    with refused("output.no_room", OutputError):
        export_take(tmp_path / "a", speech(), RATE)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_and_an_impossible_name_are_typed_errors(tmp_path: Path) -> None:
    with refused("output.no_folder", OutputError):
        export_take(tmp_path / "nowhere" / "a", speech(0.1), RATE)
    with refused("output.long_name", OutputError):
        export_take(tmp_path / ("a" * 300), speech(0.1), RATE)
    with refused("output.bad_name", OutputError):
        export_take(tmp_path / "a\0b", speech(0.1), RATE)


@pytest.mark.parametrize("kind", KINDS)
def test_no_sound_and_no_numbers_are_refused(tmp_path: Path, kind: ExportFormat) -> None:
    with refused("sound.none_yet", OutputError):
        export_take(tmp_path / "a", np.zeros(0, np.float32), RATE, kind)
    bad = speech(0.1)
    bad[7] = np.nan
    with pytest.raises(OutputError, match="1 of the samples"):
        export_take(tmp_path / "a", bad, RATE, kind)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in (ExportFormat.OPUS,)])
def test_loud_samples_are_limited_not_wrapped(tmp_path: Path, kind: ExportFormat) -> None:
    done = export_take(tmp_path / "a", 4 * speech(0.2), RATE, kind)
    samples = read_audio(done.path).samples[:, 0]
    wanted = np.clip(4 * speech(0.2), -1, 1)
    loud = np.abs(wanted) > 0.9
    assert (np.sign(samples[loud]) == np.sign(wanted[loud])).mean() > 0.999


def test_one_single_sample_can_be_saved(tmp_path: Path) -> None:
    for kind in KINDS:
        done = export_take(tmp_path / "a", np.array([0.5], np.float32), RATE, kind)
        assert read_audio(done.path).seconds > 0


def test_wav_keeps_the_plain_header_and_ends_with_the_story(tmp_path: Path) -> None:
    for kind, width in ((ExportFormat.WAV_16, 2), (ExportFormat.WAV_24, 3)):
        data = save(tmp_path, kind).read_bytes()
        assert data[36:40] == b"data"
        assert int.from_bytes(data[40:44], "little") == width * len(speech())
        assert int.from_bytes(data[4:8], "little") == len(data) - 8
        assert data.isascii() or data.find(b"s2cd") > data.find(b"ICMT") > 44


def test_a_long_take_loses_its_codes_in_opus_and_says_so(tmp_path: Path) -> None:
    made = a_provenance(frames=4000)
    done = export_take(tmp_path / "a", speech(), RATE, ExportFormat.OPUS, provenance=made)
    assert any("codes" in note for note in done.notes)
    back = read_provenance(done.path)
    assert back == replace(made, codes=None)
    flac = export_take(tmp_path / "a", speech(), RATE, ExportFormat.FLAC_16, provenance=made)
    assert flac.notes == ()
    assert read_provenance(flac.path) == made


@pytest.mark.parametrize("kind", [ExportFormat.OPUS, ExportFormat.MP3, ExportFormat.FLAC_16])
def test_the_longest_comment_still_opens(tmp_path: Path, kind: ExportFormat) -> None:
    empty = replace(a_provenance(), text="", codes=None)
    base = len(empty.to_json(ascii_only=kind.ascii_comment).encode())
    made = replace(a_provenance(), text="a" * (kind.max_comment_bytes - base), codes=None)
    done = export_take(tmp_path / "a", speech(0.2, 48000), 48000, kind, provenance=made)
    assert done.notes == ()
    assert read_provenance(done.path) == made
    assert read_audio(done.path).seconds > 0.19
    longer = replace(made, text=made.text + "a")
    without = export_take(tmp_path / "a", speech(0.2, 48000), 48000, kind, provenance=longer)
    assert "no room" in without.notes[0]
    assert read_provenance(without.path) is None


@pytest.mark.parametrize(
    "text",
    ["\u5b57" * 400, '/ \\ : * ? " < > \n x', "../x", "C:\\x", "CON", "nul.txt", "name.", " ",
     "[whisper] <|speaker:1|>", "\U0001f600 hi", "e\u0301lan", "a\0b", "\ud800"],
)  # fmt: skip
@pytest.mark.parametrize("template", ["{date}_{voice}_{seed}_{text}", "{text}", "{voice}/{text}"])
def test_names_are_safe_and_short(tmp_path: Path, text: str, template: str) -> None:
    name = export_name(template, text=text, voice=text, seed=2**64 - 1, when=WHEN)
    assert name
    assert len(name.encode()) <= 180
    assert not set(name) & set('/\\:*?"<>|\n\0')
    done = export_take(tmp_path / name, speech(0.05), RATE)
    assert done.path.parent == tmp_path
    assert done.path.is_file()


def test_the_name_follows_the_template() -> None:
    name = export_name(text="[angry] Good evening, everyone!", voice="Anna B", seed=7, when=WHEN)
    assert name == "20240506-070809_Anna-B_7_Good-evening-everyone"
    assert export_name(text="Hi", seed=7) == "no-voice_7_Hi"
    for bad in ("{nothing}", "{seed.__class__}", "{}", "{date!r}"):
        with refused("take.template", OutputError):
            check_template(bad)


def test_a_row_of_bytes_that_is_no_ogg_is_refused() -> None:
    with pytest.raises(ValueError, match="byte 0"):
        with_fixed_serial(b"nothing of the kind, but long enough")
