"""Where the focus goes, what stays in a list, and what is said once: a newcomer's path."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from cloning_kit import MicBench, speech, text_for
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from studio_bench import Bench
from studio_fakes import RATE as MODEL_RATE
from window_kit import save_voice

from app.core import settings as keys
from app.core.paths import SHIPPED
from app.core.settings import Settings
from app.takes.take import Result
from app.voices.list_model import Codec, VoiceRow
from engine.types import Metrics

NAMES = (
    "VOICE.WAV", "Голос ☃ " + unicodedata.normalize("NFD", "é") + ".wav", "全角\u3000空白.wav",
    "🎙️ emoji.wav", "x" * 200 + ".wav", "100% #1.wav", "a, b; c.wav",
)  # fmt: skip


def entries(menu: QMenu) -> list[QAction]:
    menu.aboutToShow.emit()
    return [a for a in menu.actions() if a.toolTip().endswith((".wav", ".WAV"))]


def focus(bench: Bench) -> object:
    return bench.window.focusWidget()


@pytest.mark.parametrize("name", NAMES)
def test_a_clip_of_any_name_is_found_again_in_the_list(
    mic: MicBench, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    mic.open(path, speech(5.5), "Words.")
    mic.app.settings.sync()
    again = Settings(mic.app.settings.path)
    assert again.get(keys.RECENT_CLIPS) == [str(path)], "a start later it is still there"
    mic.open(tmp_path / "other.wav", speech(5.2), "Words.")
    first, second = entries(mic.panel.recent_menu)
    assert first.text() == "other.wav"
    assert second.text() == name
    second.trigger()
    mic.until(lambda: mic.clip.source is not None and mic.clip.source.path == path)
    assert [a.text() for a in entries(mic.window.clips_menu)] == [name, "other.wav"]


def test_a_clip_that_is_gone_is_shown_as_gone(mic: MicBench, tmp_path: Path) -> None:
    mic.window.clips_menu.aboutToShow.emit()
    assert [a.isEnabled() for a in mic.window.clips_menu.actions()] == [False]
    mic.open(tmp_path / "a.wav", speech(5.5), "Words.")
    (tmp_path / "a.wav").unlink()
    (entry,) = entries(mic.panel.recent_menu)
    assert not entry.isEnabled()
    assert entry.text() == "a.wav (not there)"
    mic.panel.recent_menu.actions()[-1].trigger()
    assert mic.app.settings.get(keys.RECENT_CLIPS) == []


def test_a_clip_that_cannot_be_read_is_not_in_the_list(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    (tmp_path / "x.wav").write_bytes(b"not audio")
    mic.flow.open_file(tmp_path / "x.wav")
    mic.until(lambda: not mic.flow.reading)
    assert mic.app.settings.get(keys.RECENT_CLIPS) == []


def test_the_words_are_asked_for_after_a_recording(mic: MicBench) -> None:
    mic.window.show()
    mic.window.script.editor.setFocus()
    mic.record(speech(6))
    assert focus(mic) is mic.panel.transcript.editor
    assert "no text" in mic.panel.lights.chips["transcript"].text()
    mic.panel.lights.chips["transcript"].click()
    assert mic.panel.lights.cure.isHidden(), "Transcribe stands beside the field already"


def test_a_clip_with_words_takes_no_focus(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    mic.window.script.editor.setFocus()
    mic.open(tmp_path / "a.wav", speech(5.5), "Words.")
    assert focus(mic) is mic.window.script.editor


def test_after_saving_the_script_is_next(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    mic.load()
    mic.open(tmp_path / "a.wav", speech(6), text_for(6))
    mic.panel.saving.name.setFocus()
    mic.qtbot.keyClick(mic.panel.saving.name, Qt.Key.Key_Return)
    assert focus(mic) is mic.panel.saving.cancel, "Escape from here is at hand"
    mic.until(lambda: mic.window.voices.key == "a")
    assert focus(mic) is mic.window.script.editor
    mic.until(lambda: mic.session.can_generate)
    assert "Ready" in mic.window.status.work.text()


def test_saving_leaves_the_focus_to_a_user_who_went_on(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    mic.load()
    mic.open(tmp_path / "a.wav", speech(6), text_for(6))
    mic.panel.saving.save.click()
    mic.window.voices.search.setFocus()
    mic.until(lambda: mic.window.voices.key == "a")
    assert focus(mic) is mic.window.voices.search


def warn(bench: Bench, text: str) -> None:
    take = bench.session.current.take
    assert take is not None and take.result is not None  # noqa: PT018
    take.result = Result("end", Metrics(), (text,))
    bench.session.take_ended.emit(take)


def test_a_warning_is_said_once_and_as_a_sentence(bench: Bench) -> None:
    toast = bench.window.toast
    save_voice(bench, "Ann")
    bench.window.voices.choose("Ann")
    bench.load()
    bench.make_take()
    warn(bench, "the clip is 1.8 s long; 5 to 30 s clone best")
    assert toast.text.text() == "The clip is 1.8 s long; 5 to 30 s clone best."
    toast.text.setText("")
    warn(bench, "the clip is 1.8 s long; 5 to 30 s clone best")
    assert toast.text.text() == ""
    warn(bench, "something else")
    assert toast.text.text() == "Something else."
    take = bench.session.current.take
    assert take is not None
    codec = Codec(10, 4096, MODEL_RATE)
    bench.app.voices.rows.append(VoiceRow(f"{SHIPPED}clara", "clara", codecs=(codec,)))
    take.origin = replace(take.origin, voice_ids=("clara",))
    warn(bench, "about a shipped voice")
    assert toast.text.text() == "Something else."


def test_tab_goes_through_the_checks_as_they_stand(mic: MicBench, tmp_path: Path) -> None:
    mic.window.show()
    mic.open(tmp_path / "a.wav", speech(6), text_for(6))
    lights = mic.panel.lights
    chips = [*lights.chips.values(), lights.more]
    mic.panel.transcript.editor.setFocus()
    for chip in chips:
        assert mic.panel.focusNextPrevChild(True)
        assert focus(mic) is chip, chip.text()
