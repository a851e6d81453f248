"""The clip with its edits and text, and how files become clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cloning_kit import speech
from pytestqt.qtbot import QtBot
from recorder_kit import RATE

from app.cloning.clip import Edits, ReferenceClip, used_clip
from app.cloning.clip_files import PreparedClip, beside, open_clip, prepare
from app.cloning.findings import examine
from engine.audio.clip import AudioClip
from engine.audio.wav import write_wav
from engine.errors import ReferenceAudioError


def clip_of(samples: np.ndarray, rate: int = RATE) -> PreparedClip:
    return prepare(AudioClip.from_array(samples, rate))


def test_each_edit_can_be_undone(qtbot: QtBot) -> None:
    clip = ReferenceClip()
    clip.set_source(clip_of(speech(3)))
    whole = Edits(0, 3 * RATE)
    assert clip.edits == whole
    clip.trim(RATE, 2 * RATE, "trim")
    clip.apply_gain(6.0, "gain")
    assert clip.edits == Edits(RATE, 2 * RATE, 6.0)
    assert clip.seconds == pytest.approx(1.0)
    clip.undo_stack.undo()
    assert clip.edits == Edits(RATE, 2 * RATE)
    clip.undo_stack.undo()
    assert clip.edits == whole
    clip.undo_stack.redo()
    assert clip.edits == Edits(RATE, 2 * RATE)
    clip.set_source(clip_of(speech(2)))
    assert not clip.undo_stack.canUndo(), "steps of another clip make no sense"


def test_half_a_second_always_stays(qtbot: QtBot) -> None:
    clip = ReferenceClip()
    clip.set_source(clip_of(speech(2)))
    for start, end in ((RATE, RATE), (5 * RATE, 6 * RATE), (-9, 3), (RATE, -5)):
        clip.trim(start, end, "trim")
        assert clip.edits.end - clip.edits.start >= RATE // 2
        assert clip.edits.start >= 0
        assert clip.edits.end <= 2 * RATE


def test_another_clip_questions_the_text(qtbot: QtBot) -> None:
    clip = ReferenceClip()
    clip.set_source(clip_of(speech(1)))
    assert not clip.questioned, "there is no text yet"
    clip.set_text("What was said.")
    clip.set_source(clip_of(speech(1)))
    assert (clip.text, clip.questioned) == ("What was said.", True)
    clip.keep_text()
    assert not clip.questioned
    clip.set_source(clip_of(speech(1)))
    clip.set_text("What was said now.")
    assert not clip.questioned, "who types knows what is said"
    own = clip_of(speech(1))
    beside_it = PreparedClip(own.clip, own.mono, own.peaks, text="Its own text.")
    clip.set_source(beside_it)
    assert (clip.text, clip.questioned) == ("Its own text.", False)


def test_the_engine_gets_what_was_edited() -> None:
    stereo = np.stack([np.full(RATE, 0.1), np.full(RATE, 0.4)], 1).astype(np.float32)
    source = clip_of(stereo)
    used = used_clip(source, Edits(100, 900, 6.0206, 1))
    assert used.samples.shape == (800, 1)
    assert np.allclose(used.samples, 0.8, atol=1e-4)
    assert used.seconds == 800 / RATE
    assert np.array_equal(source.clip.samples, stereo), "the clip itself stays"


def test_findings_are_places_of_the_whole_clip() -> None:
    quiet = np.random.default_rng(1).normal(0, 1e-4, RATE).astype(np.float32)
    source = clip_of(np.concatenate([quiet, speech(6), quiet]))
    found = examine(source, Edits(RATE // 2, 8 * RATE))
    assert found.trim[0] == pytest.approx(0.8 * RATE, abs=0.1 * RATE)
    assert found.pause is not None
    assert found.pause > 5 * RATE
    assert found.speech_s == pytest.approx(5.6, abs=0.4)
    long = examine(clip_of(speech(40, 16000), 16000), Edits(0, 40 * 16000))
    assert 25 * 16000 < long.shorter <= 30 * 16000
    lights = {c.key: c.light for c in long.with_transcript("Hi.")}
    assert lights["length"] == "amber"
    assert lights["transcript"] == "red"


@pytest.mark.parametrize(
    ("data", "text", "guessed"),
    [
        ("Grüße, Élan".encode(), "Grüße, Élan", False),
        (b"\xef\xbb\xbfBOM \xc3\xa9", "BOM é", False),
        ("Zürich 小梅".encode("utf-16"), "Zürich 小梅", False),
        ("Zürich".encode("utf-16-le"), "Zürich", True),
        ("Zürich".encode("utf-16-be"), "Zürich", True),
        ("Grüße".encode("cp1252"), "Grüße", True),
        ("今天的天气真好".encode("gb18030"), "今天的天气真好", True),
        (b"one \r\n two\r\n\r\n", "one\ntwo", False),
        (b"", "", False),
    ],
)
def test_a_text_beside_a_clip_is_read_right(
    tmp_path: Path, data: bytes, text: str, guessed: bool
) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    got, note = beside(tmp_path / "a.wav")
    assert got == text
    assert bool(note) is guessed


@pytest.mark.parametrize(
    "name",
    [
        "VOICE.WAV",
        "Голос ☃ e\u0301.wav",
        "全角\u3000空.wav",
        "🎤.wav",
        "100% #1.wav",
        "x" * 200 + ".wav",
    ],
)
def test_any_name_of_a_file_is_taken(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_wav(path, speech(1), RATE)
    path.with_suffix(".txt").write_text("Said.", encoding="utf-8")
    source = open_clip(path)
    assert source.text == "Said."
    assert source.clip.name == name
    assert source.path == path


def test_silence_and_rubbish_are_refused(tmp_path: Path) -> None:
    write_wav(tmp_path / "zeros.wav", np.zeros(RATE, np.float32), RATE)
    with pytest.raises(ReferenceAudioError, match="silence"):
        open_clip(tmp_path / "zeros.wav")
    (tmp_path / "text.wav").write_text("no audio at all")
    with pytest.raises(ReferenceAudioError, match="cannot be read"):
        open_clip(tmp_path / "text.wav")
    assert beside(tmp_path / "nothing.wav") == ("", "")
