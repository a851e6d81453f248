"""What the window does with files and with what it remembers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from PySide6.QtWidgets import (
    QFileDialog,
)
from studio_bench import Bench
from studio_fakes import CODEBOOKS, RATE
from window_kit import dialog, drop, save_voice

from engine.audio.encode import ExportFormat
from engine.voices import VoiceProfile


def choose_file(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str = "") -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), kind))


def test_save_writes_the_take(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.load()
    bench.make_take()
    choose_file(monkeypatch, tmp_path / "out.wav")
    bench.window.take.transport.save.click()
    bench.until((tmp_path / "out.wav").exists)
    bench.until(lambda: not bench.app.tasks.busy)
    samples, rate = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert rate == RATE
    assert bench.session.current.take is not None
    assert np.array_equal(samples, bench.session.current.take.store.samples)
    assert "out.wav" in bench.window.toast.text.text()


def test_an_ending_is_added_without_replacing(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asked about ``out``, not about ``out.wav``: that one stays."""
    (tmp_path / "out.wav").write_text("mine")
    bench.load()
    bench.make_take()
    choose_file(monkeypatch, tmp_path / "out")
    bench.app.desk.exports.save_take()
    bench.until((tmp_path / "out (2).wav").exists)
    assert (tmp_path / "out.wav").read_text() == "mine"
    assert (tmp_path / "out (2).wav").stat().st_size > 1000


def test_a_failed_save_offers_another_place(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.load()
    bench.window.show()
    bench.make_take()
    choose_file(monkeypatch, tmp_path / "no folder" / "out.wav")
    bench.app.desk.exports.save_take()
    bench.until(lambda: not bench.app.tasks.busy)
    shown = dialog(bench)
    choose_file(monkeypatch, tmp_path / "good.wav")
    shown.action_button.click()
    bench.until((tmp_path / "good.wav").exists)


def test_drops_go_where_they_belong(bench: Bench, tmp_path: Path) -> None:
    profile = VoiceProfile("Hi.", np.zeros((CODEBOOKS, 4), np.int32), RATE, 4096)
    profile.save(tmp_path / "Ann.s2voice")
    (tmp_path / "text.txt").write_text("\ufeffZwei Wörter.\r\nNoch eins.", encoding="utf-8")
    drop(bench, tmp_path / "Ann.s2voice", tmp_path / "text.txt", Path("m.gguf"))
    assert bench.window.voices.key == "Ann"
    assert bench.window.script.text == "Zwei Wörter.\nNoch eins."
    bench.until(lambda: bench.session.can_generate)
    assert bench.loader.options[0].model == Path("m.gguf")
    drop(bench, tmp_path / "Ann.s2voice")
    assert bench.app.voices.voice_count == 2, "nothing is replaced"
    bench.window.script.editor.undo()
    assert bench.window.script.text == ""


@pytest.mark.parametrize("content", [b"", b"S2VOICE\0" + b"\xff" * 60])
def test_a_damaged_voice_is_refused(bench: Bench, tmp_path: Path, content: bytes) -> None:
    bench.window.show()
    (tmp_path / "x.s2voice").write_bytes(content)
    bench.app.files.open([tmp_path / "x.s2voice"])
    dialog(bench).reject()
    assert bench.app.voices.voice_count == 0


def test_a_text_that_is_no_text_is_refused(bench: Bench, tmp_path: Path) -> None:
    bench.window.show()
    bench.window.script.set_text("mine")
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\x80")
    bench.app.scripts.read_text(tmp_path / "x.txt")
    dialog(bench).reject()
    assert bench.window.script.text == "mine"


def test_without_sound_the_window_says_why_and_works(bench: Bench, tmp_path: Path) -> None:
    bench.sound.devices = []
    bench.app.sound.list_devices()
    bar = bench.window.take.transport
    assert not bar.device.isEnabled()
    assert "saving works" in bar.device.toolTip()
    bench.load()
    bench.make_take()
    assert not bench.window.actions_.play_pause.isEnabled()
    assert bench.window.actions_.save_take.isEnabled()
    bench.app.desk.exports.write_take(tmp_path / "a.wav", ExportFormat.WAV_FLOAT)
    bench.until((tmp_path / "a.wav").exists)


def test_the_window_comes_back_as_it_was(bench: Bench, qapp: object, tmp_path: Path) -> None:
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    bench.window.script.set_text("Unsent text.")
    bench.window.engine.stride.setValue(11)
    bench.load("m.gguf")
    bench.app.shutdown()
    again = Bench(bench.qtbot, qapp, tmp_path)  # type: ignore[arg-type]
    assert again.window.script.text == "Unsent text."
    assert again.window.voices.key == "Hope"
    assert again.window.engine.stride.value() == 11
    again.window.recent_menu.aboutToShow.emit()
    assert again.window.recent_menu.actions()[0].text() == "m.gguf (not there)"
    again.app.shutdown()
