"""Names of exports, writing them, resources and settings."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QByteArray
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE

from app.core import settings as keys
from app.core.formats import clock, sentence, short
from app.core.paths import find_resource, read_resource
from app.core.settings import Setting, Settings
from app.core.settings_file import SettingsFile
from app.core.text_files import write_text
from app.inference.controls import Controls, new_seed
from app.takes.files import take_name, write_take
from app.takes.store import TakeFormat, TakeStore
from app.takes.take import Origin, Take
from app.voices.store import VoiceStore
from engine.audio.encode import ExportFormat
from engine.errors import OutputError
from engine.takes.export import NAME_BYTES, export_take
from engine.types import AudioChunk, SynthesisRequest
from engine.voices import VoiceLibrary, VoiceProfile
from engine.voices.notes import VoiceNotes

FLOAT = ExportFormat.WAV_FLOAT
NOW = datetime.datetime(2026, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("text", "voice"),
    [
        ("我" * 400, "小梅"), ('a/b\\c:d*e?f"g<h>i|j\nk', "../x"), ("", ""), ("CON", "nul.txt"),
        ("Élan", "E\u0301lan"), ("[whisper]<|speaker:0|>", "a/b"), (". . .", "name."),
        ("😀👩‍👩‍👧", "C:\\x"), ("\x00\x1f", " "),
    ],
)  # fmt: skip
def test_names_are_safe_everywhere(text: str, voice: str) -> None:
    name = take_name(text, voice, 2**64 - 1, NOW)
    assert name.startswith("20260304-050607_")
    assert str(2**64 - 1) in name
    assert len(name.encode()) <= NAME_BYTES
    assert not set(name) & set('/\\:*?"<>|\n\0')
    assert name == name.strip(" .")
    assert Path(name).name == name


def test_tags_are_no_part_of_a_name() -> None:
    name = take_name("<|speaker:0|>Good [short pause] evening.", "Hope", 7, NOW)
    assert name == "20260304-050607_Hope_7_Good-evening"


def take_with(samples: np.ndarray) -> Take:
    store = TakeStore(TakeFormat(RATE, FRAME, (4096,)))
    if len(samples):
        store.append(AudioChunk(0, samples.astype(np.float32), RATE))
    return Take(Origin(SynthesisRequest("Hi."), "", 7), store)


@pytest.mark.parametrize(
    ("kind", "limit"), [(ExportFormat.WAV_FLOAT, 0.0), (ExportFormat.WAV_16, 1 / 32000)]
)
def test_a_take_is_written_whole(
    qtbot: QtBot, tmp_path: Path, kind: ExportFormat, limit: float
) -> None:
    import soundfile

    samples = np.random.default_rng(1).uniform(-1, 1, 5000).astype(np.float32)
    write_take(take_with(samples), tmp_path / "ü 小.wav", kind)
    read, rate = soundfile.read(tmp_path / "ü 小.wav", dtype="float32")
    assert rate == RATE
    assert len(read) == 5000
    assert np.abs(read - samples).max() <= limit


def test_a_write_that_fails_keeps_the_take(qtbot: QtBot, tmp_path: Path) -> None:
    take = take_with(np.ones(100))
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError):
        write_take(take, tmp_path / "file" / "take.wav", FLOAT)
    with pytest.raises(OutputError):
        write_take(take, tmp_path / "missing" / "take.wav", FLOAT)
    assert take.store.length == 100
    with pytest.raises(OutputError):
        write_take(take_with(np.zeros(0)), tmp_path / "empty.wav", FLOAT)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def write_settings(path: Path) -> None:
    file = SettingsFile(path)
    file.set("a/b", "1")
    file.save()


def write_notes(path: Path) -> None:
    VoiceStore(VoiceLibrary(path.parent)).write_notes(path.name, VoiceNotes(notes="A voice."))


def write_sound(path: Path) -> None:
    export_take(path, np.ones(9, np.float32), RATE)


@pytest.mark.parametrize("write", [write_settings, write_notes, write_text, write_sound])
def test_only_of_sound_it_is_said_that_it_is_still_in_memory(
    write: Callable[..., object], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    words = ["words"] if write is write_text else []
    with pytest.raises(OutputError) as caught:
        write(tmp_path / "file" / "x", *words)
    assert caught.value.advice
    assert ("audio" in caught.value.advice) == (write is write_sound)


def test_settings_come_back(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "studio.json"
    first = Settings(path)
    changed: list[object] = []
    values: list[tuple[Setting[Any], object]] = [
        (keys.STRIDE, 7),
        (keys.TEMPERATURE, 0.55),
        (keys.LOW_LATENCY, True),
        (keys.SCRIPT, "Ü\n小梅, \\n"),
        (keys.RECENT_MODELS, ["/a b/ü.gguf", "c,d.gguf"]),
        (keys.GEOMETRY, QByteArray(b"\0\1\2")),
        (keys.THEME, "dark"),
    ]
    for key, value in values:
        first.watch(key, changed.append)
        first.set(key, value)
        first.set(key, value)
    first.sync()
    assert changed == [value for _, value in values]
    second = Settings(path)
    assert second.notice == ""
    for key, value in values:
        assert second.get(key) == value, key.key


def test_one_recent_model_is_still_a_list(qtbot: QtBot, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "s.json")
    settings.set(keys.RECENT_MODELS, ["only.gguf"])
    settings.sync()
    assert Settings(tmp_path / "s.json").get(keys.RECENT_MODELS) == ["only.gguf"]


@pytest.mark.parametrize("setting", keys.ALL, ids=lambda s: s.key)
def test_damaged_values_fall_back(setting: Setting[object]) -> None:
    for stored in ("", "no, sense", -99999999, 10**400, 0.5, True, None, [], [1], {"a": "b"}):
        value = setting.check(stored)
        assert type(value) is type(setting.default), stored
        assert not setting.choices or value in setting.choices
        assert setting.check(value) == value, stored


@pytest.mark.parametrize(
    "damage", [b"\xff\xfe\x00garbage\x80", b"[1]", b'{"a": 1e999}', b'{"a": NaN}', b"{"]
)
def test_a_damaged_file_is_kept_aside_and_said(qtbot: QtBot, tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "studio.json"
    path.write_bytes(damage)
    settings = Settings(path)
    assert "studio.damaged.json" in settings.notice
    assert (tmp_path / "studio.damaged.json").read_bytes() == damage
    assert settings.get(keys.STRIDE) == keys.STRIDE.default
    settings.set(keys.STRIDE, 9)
    settings.sync()
    assert Settings(path).get(keys.STRIDE) == 9


def test_settings_are_declared_once() -> None:
    names = [s.key for s in keys.ALL]
    assert len(names) == len(set(names))
    assert len(names) > 25


def test_controls_make_requests() -> None:
    voice = VoiceProfile("Hi.", np.zeros((10, 3), np.int32), RATE, 4096)
    plain = Controls(stride=8, holdback=3, context=5).request("Hello.", voice, 42)
    assert plain.references == (voice,)
    assert plain.sampling.seed == 42
    assert (plain.stream.stride, plain.stream.holdback, plain.stream.context) == (8, 3, None)
    windowed = Controls(decode_mode="windowed", context=5).request("Hello.", None, 1)
    assert windowed.references == ()
    assert (windowed.stream.holdback, windowed.stream.context) == (None, 5)
    preset = Controls(stride=8, holdback=3, start_buffer_ms=900, low_latency=True)
    stream = preset.request("Hello.", None, 1).stream
    assert (stream.stride, stream.holdback, stream.low_latency) == (0, None, True)
    assert preset.start_buffer_s == 0.0
    assert Controls().start_buffer_s is None
    assert Controls(start_buffer_ms=250).start_buffer_s == 0.25


def test_seeds_differ() -> None:
    assert len({new_seed() for _ in range(50)}) > 45


def test_times_read_well() -> None:
    assert [clock(s) for s in (0, 3.24, 59.96, 61, 600)] == [
        "0:00.0", "0:03.2", "1:00.0", "1:01.0", "10:00.0",
    ]  # fmt: skip
    assert [short(s) for s in (0.04, 9.96, 61)] == ["0.0 s", "10.0 s", "1 min 1 s"]


def test_sentences_leave_names_alone() -> None:
    assert sentence("the file ends early") == "The file ends early."
    assert sentence("s2-pro.gguf ends early.") == "s2-pro.gguf ends early."
    assert sentence("iPhone went away!") == "iPhone went away!"
    assert sentence("  ") == ""


def test_resources_are_there() -> None:
    assert "QMainWindow" in read_resource("styles", "studio.qss")
    assert find_resource("icons", "play.svg") is not None
    assert read_resource("icons", "missing.svg") == ""


def test_resources_of_a_frozen_build_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    (tmp_path / "resources").mkdir()
    (tmp_path / "resources" / "x.txt").write_text("frozen")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert read_resource("x.txt") == "frozen"
