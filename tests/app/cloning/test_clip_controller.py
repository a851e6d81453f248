"""Recording, opening, trimming, curing and transcribing a clip, on the real window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cloning_kit import FakeTranscriber, MicBench, speech, text_for, use
from media_kit import speech_like, write_media
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from recorder_kit import RATE, voice
from window_kit import dialog, drop

from app.audio.player import PlayState
from app.audio.recorder import RecordState
from app.core import settings as keys
from app.widgets.error_dialog import ErrorDialog
from engine.audio.wav import write_wav


def test_the_lamp_stays_until_it_is_clicked(mic: MicBench) -> None:
    row = mic.panel.microphone
    row.listen.click()
    assert mic.recorder.state is RecordState.ARMED
    mic.hear(np.full(480, 1.0, np.float32))
    assert row.meter.lamp.lit
    mic.hear(voice(0.5)[:, 0] * 0.1)
    assert row.meter.lamp.lit
    row.listen.click()
    assert mic.recorder.state is RecordState.OFF
    assert row.meter.lamp.lit, "it stays after the microphone was closed too"
    mic.qtbot.mouseClick(row.meter.lamp, Qt.MouseButton.LeftButton)
    assert not row.meter.lamp.lit


def test_escape_ends_a_recording_and_keeps_it(mic: MicBench) -> None:
    mic.panel.record.click()
    mic.hear(speech(2))
    assert mic.window.script.stop.isEnabled()
    mic.window.actions_.stop.trigger()
    mic.settle()
    assert mic.clip.seconds == pytest.approx(2.0)
    assert not mic.window.script.stop.isEnabled()


def test_the_time_limit_ends_a_recording(mic: MicBench) -> None:
    mic.recorder.limit_s = 1.0
    mic.panel.record.click()
    mic.hear(speech(1.5))
    mic.settle()
    assert mic.clip.seconds == 1.0
    assert "limit" in mic.window.toast.text.text()


def test_zeros_are_no_access_and_not_kept(mic: MicBench, tmp_path: Path) -> None:
    mic.open(tmp_path / "good.wav", speech(6))
    before = mic.clip.source
    mic.panel.record.click()
    mic.hear(np.zeros(3 * RATE, np.float32))
    assert "No access" in mic.panel.live.text()
    mic.panel.record.click()
    assert "silence" in mic.panel.note.text()
    assert mic.clip.source is before, "the clip that was there stays"
    assert mic.panel.shown.editable


def test_stop_stays_where_it_was_pressed_whatever_is_said(mic: MicBench) -> None:
    mic.window.resize(1280, 800)
    mic.window.show()
    mic.record(speech(4))
    record = mic.panel.record
    place = record.mapTo(mic.window, QPoint(0, 0))
    mic.panel.record.click()
    mic.hear(speech(3))
    assert mic.panel.live.text() == ""
    mic.hear(np.zeros(round(2.5 * RATE), np.float32))
    assert mic.panel.live.text() == "No sound for 2 s.", "there was sound before"
    QApplication.processEvents()
    assert record.mapTo(mic.window, QPoint(0, 0)) == place
    mic.hear(speech(1))
    assert mic.panel.live.text() == ""
    mic.panel.record.click()
    mic.settle()


def test_a_saved_voice_gives_the_room_to_the_voices(mic: MicBench) -> None:
    mic.window.resize(1280, 760)
    mic.window.show()
    mic.load()
    mic.record(speech(6))
    mic.panel.transcript.editor.setPlainText(text_for(5.8))
    QApplication.processEvents()
    assert mic.panel.saving.isVisible()
    foot = mic.panel.saving.parentWidget()
    assert foot is not None
    assert foot.height() >= foot.sizeHint().height()
    assert mic.panel.rect().contains(foot.geometry())
    mic.panel.saving.name.setText("Anna")
    mic.panel.saving.save.click()
    mic.until(lambda: mic.window.voices.key == "Anna")
    assert not mic.panel.saving.isVisible()
    assert not mic.panel.transcript.isVisible()
    mic.panel.fold.click()
    assert mic.panel.saving.isVisible(), "the clip is still there"
    mic.panel.fold.click()
    mic.open(Path(mic.store.library.directory).parent / "b.wav", speech(5))
    assert mic.panel.saving.isVisible(), "another clip is shown"


def cure(mic: MicBench, key: str) -> None:
    if mic.panel.lights.chosen != key:
        mic.panel.lights.chips[key].click()
    mic.panel.lights.cure.click()


def test_cures_do_what_they_say(mic: MicBench, tmp_path: Path) -> None:
    quiet = np.random.default_rng(1).normal(0, 2e-5, RATE).astype(np.float32)
    sound = np.concatenate([quiet, speech(6, level=0.3) * 0.02, quiet])
    mic.open(tmp_path / "quiet.wav", sound, text_for(5.8))
    assert mic.check("level").light != "green"
    cure(mic, "level")
    mic.until(lambda: mic.check("level").light == "green")
    assert mic.clip.edits.gain_db > 10
    cure(mic, "end_silence")
    mic.until(lambda: mic.check("end_silence").light == "green")
    assert mic.clip.seconds < 7
    mic.panel.undo.click()
    mic.panel.undo.click()
    assert mic.clip.seconds == pytest.approx(8.0)
    assert mic.clip.edits.gain_db == 0
    cut = speech(6)[: int(5.17 * RATE)]
    mic.open(tmp_path / "cut.wav", cut, text_for(5.8))
    assert mic.check("ending").light == "amber"
    cure(mic, "ending")
    mic.until(lambda: mic.check("ending").light == "green")
    assert mic.clip.edits.end < len(cut)


def test_a_clip_is_dropped_with_its_text(mic: MicBench, tmp_path: Path) -> None:
    path = tmp_path / "Голос ☃.WAV"
    write_wav(path, speech(5.5), RATE)
    path.with_suffix(".txt").write_bytes("Grüße aus Zürich.".encode("utf-16"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    mic.window.dropEvent(
        QDropEvent(
            QPointF(10, 10),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )
    mic.settle()
    assert mic.clip.text == "Grüße aus Zürich."
    assert mic.panel.saving.name.text() == "Голос ☃"


def test_a_phones_recording_is_dropped(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    path = write_media(tmp_path / "Memo 7.m4a", [speech_like(6.0)], container="ipod")
    drop(mic, path)
    mic.settle()
    assert mic.clip.source is not None
    assert mic.clip.source.clip.kind == "MOV aac"
    assert mic.clip.seconds == pytest.approx(6.0, abs=0.1)
    assert str(path) in mic.app.settings.get(keys.RECENT_CLIPS)
    film = write_media(tmp_path / "film.mp4", [], picture=True)
    drop(mic, film)
    mic.until(lambda: any(d.isVisible() for d in mic.window.findChildren(ErrorDialog)))
    dialog(mic).reject()
    assert mic.clip.source.path == path, "the clip stays"


@pytest.mark.parametrize("data", [b"", b"RIFF\0\0\0\0WAVE", b"not audio", b"\0\0\0\x20ftypM4A "])
def test_what_is_no_audio_changes_nothing(mic: MicBench, tmp_path: Path, data: bytes) -> None:
    mic.window.show()
    mic.open(tmp_path / "good.wav", speech(5))
    (tmp_path / "bad.wav").write_bytes(data)
    mic.flow.open_file(tmp_path / "bad.wav")
    mic.until(lambda: any(d.isVisible() for d in mic.window.findChildren(ErrorDialog)))
    shown = dialog(mic)
    assert shown.action_button.text() == "Open another clip…"
    shown.reject()
    assert mic.clip.source is not None
    assert mic.clip.source.clip.name == "good.wav"


def test_the_clip_is_played_as_it_is_trimmed(mic: MicBench, tmp_path: Path) -> None:
    sound = speech(3)
    mic.open(tmp_path / "a.wav", sound)
    mic.clip.trim(RATE, 2 * RATE, "trim")
    mic.panel.play.click()
    assert mic.app.player.state is not PlayState.IDLE
    assert mic.app.player.store is not None
    assert np.array_equal(mic.app.player.store.samples, sound[RATE : 2 * RATE])
    mic.panel.play.click()
    assert mic.app.player.state is PlayState.IDLE
    assert mic.cloning.preview.token == ""


def test_what_the_model_hears_is_the_round_trip(mic: MicBench, tmp_path: Path) -> None:
    mic.load()
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.model.click()
    mic.until(lambda: mic.cloning.preview.token == "model")
    store = mic.app.player.store
    assert store is not None
    assert np.all(store.samples == 0.25), "the codec's sound, not the clip's"
    assert len(mic.engine.encoded) == 1
    mic.panel.play.click()
    assert mic.cloning.preview.token == "clip", "one click compares them"
    mic.panel.model.click()
    mic.until(lambda: mic.cloning.preview.token == "model")
    assert len(mic.engine.encoded) == 1, "encoded once"
    mic.panel.model.click()


def test_a_clip_is_transcribed_in_the_chosen_language(mic: MicBench, tmp_path: Path) -> None:
    scribe = FakeTranscriber()
    use(mic, scribe)
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.transcript.language_chosen.emit("de")
    mic.panel.transcript.button.click()
    clip, language = scribe.clips[0]
    assert language == "de"
    assert clip.seconds == 5.0
    assert "Stop" in mic.panel.transcript.button.text()
    mic.panel.transcript.button.click()
    assert not scribe.busy
    assert mic.panel.transcript.button.text() == "Transcribe"
    mic.panel.transcript.button.click()
    scribe.answer("Guten Abend.", "de")
    assert mic.clip.text == "Guten Abend."
    assert mic.panel.transcript.editor.toPlainText() == "Guten Abend."
    assert not mic.panel.transcript.editor.isReadOnly()
    assert mic.cloning.transcript.language == "de"


def test_a_new_clip_ends_the_transcription_of_the_old(mic: MicBench, tmp_path: Path) -> None:
    scribe = FakeTranscriber()
    use(mic, scribe)
    mic.open(tmp_path / "a.wav", speech(5))
    mic.panel.transcript.button.click()
    mic.open(tmp_path / "b.wav", speech(5))
    assert not scribe.busy
    assert mic.clip.text == ""


def test_devices_are_listed_kept_and_missed_visibly(mic: MicBench) -> None:
    box = mic.panel.microphone.device
    assert [box.itemText(i) for i in range(box.count())] == ["System default", "Mic — ALSA"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    assert mic.app.settings.get(keys.INPUT_DEVICE) == "Mic — ALSA"
    mic.mics.devices = [d for d in mic.mics.devices if d["name"] != "Mic"]
    mic.panel.microphone.rescan.click()
    assert not box.isEnabled()
    assert "No microphone was found" in mic.window.toast.text.text()
    assert "No microphone was found" in box.toolTip()


def test_closing_while_recording_is_quiet(mic: MicBench) -> None:
    mic.panel.record.click()
    mic.hear(speech(1))
    stream = mic.mics.input_streams[-1]
    assert mic.app.shutdown()
    assert stream.closed
    stream.callback(np.zeros((480, 1), np.float32), 480, None, None)


def test_record_and_open_have_keys(
    mic: MicBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    actions = mic.window.actions_
    actions.record.trigger()
    assert mic.recorder.state is RecordState.RECORDING
    mic.hear(speech(2))
    actions.record.trigger()
    mic.settle()
    path = tmp_path / "a.wav"
    write_wav(path, speech(3), RATE)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a, **k: (str(path), ""))
    actions.open_clip.trigger()
    mic.until(lambda: mic.clip.source is not None and mic.clip.source.path == path)
    assert mic.app.settings.get(keys.FOLDER_CLIP) == str(tmp_path)


def test_the_settings_count_at_once(mic: MicBench, tmp_path: Path) -> None:
    mic.app.settings.set(keys.RECORD_LIMIT, 7)
    assert mic.recorder.limit_s == 7
    mic.app.settings.set(keys.TRANSCRIBE_MODEL, str(tmp_path))
    assert mic.cloning.transcriber.model_folder == tmp_path  # type: ignore[attr-defined]
    mic.app.settings.set(keys.TRANSCRIBE_MODEL, "")
    assert mic.cloning.transcriber.model_folder is None  # type: ignore[attr-defined]


def test_a_long_clip_is_cut_visibly_and_a_quiet_one_is_used(mic: MicBench, tmp_path: Path) -> None:
    long = np.tile(speech(20, 8000), 60)
    mic.open(tmp_path / "long.wav", long, rate=8000)
    assert "only the first 180.0 s" in mic.panel.note.text()
    assert mic.check("length").light == "red"
    cure(mic, "length")
    mic.until(lambda: mic.check("length").light == "green")
    assert 5 < mic.clip.seconds <= 30
    rng = np.random.default_rng(5)
    bursts = rng.normal(0, 0.004, 6 * RATE) * np.repeat(np.tile([1.0, 0.02], 15), RATE // 5)
    mic.open(tmp_path / "quiet.wav", bursts.astype(np.float32))
    assert mic.check("level").light != "green"
    mic.panel.scissors.click()
    assert mic.clip.seconds > 4, "a quiet clip is never trimmed to nothing"


def test_the_picture_of_a_clip_is_saved(mic: MicBench, tmp_path: Path, monkeypatch: Any) -> None:
    mic.open(tmp_path / "good.wav", speech(6))
    wave, path = mic.panel.wave, tmp_path / "a.png"
    assert wave is not None
    asked: list[str] = []

    def ask(parent: object, title: str, start: str, *rest: object, **_: object) -> tuple[str, str]:
        asked.append(Path(start).name)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    menu = mic.cloning.menu(3 * RATE)
    menu.actions()[0].trigger()
    assert mic.panel.shown.span == pytest.approx(6 * RATE / 1.5, rel=0.01)
    menu.actions()[2].trigger()
    assert mic.panel.shown.span == 6 * RATE
    menu.actions()[-1].trigger()
    mic.until(lambda: path.exists() and not mic.app.tasks.busy)
    assert asked == ["good.png"]
    image = QImage(str(path))
    assert image.width() == 2 * wave.width()
    places = ((x, y) for x in range(image.width()) for y in range(0, image.height(), 5))
    assert mic.app.theme.colors.wave in {image.pixelColor(x, y).name() for x, y in places}
