"""The real window with a fake engine and a fake sound card."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QProgressBar,
    QWidget,
)
from studio_bench import Bench
from studio_fakes import CODEBOOKS, FRAME, frame_samples, model_info, pace
from window_kit import dialog, save_voice

from app.audio.player import PlayState
from app.core import settings as keys
from app.inference.service import EngineState
from engine.errors import GenerationError, ModelFileError
from engine.types import SynthesisRequest


def test_first_view_and_first_take(bench: Bench) -> None:
    window = bench.window
    window.show()
    assert window.below.currentWidget() is window.card
    assert not window.script.generate.isEnabled()
    bench.load()
    assert window.below.currentWidget() is window.take
    assert window.script.generate.isEnabled()
    window.script.set_text("Good evening.")
    bench.qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.complete)
    expected = np.concatenate([frame_samples(i, take.origin.seed) for i in range(20)])
    assert np.array_equal(take.store.samples, expected)
    assert take.store.codes.shape == (CODEBOOKS, 20)
    assert window.script.seed.text() == str(take.origin.seed)
    assert "Done" in window.status.work.text()
    assert window.status.first_sound.text() == "0.12 s"
    assert window.status.rtf.text() == "0.50"
    assert window.actions_.save_take.isEnabled()


def request_of(bench: Bench) -> SynthesisRequest:
    bench.make_take()
    return bench.engine.requests[-1]


def test_each_control_changes_what_the_engine_is_asked(bench: Bench) -> None:
    bench.load()
    panel, window = bench.window.engine, bench.window
    voice = save_voice(bench, "Hope")
    base = request_of(bench)
    assert base.references == ()
    assert (base.stream.decode_mode, base.stream.stride) == ("exact", 4)
    panel.stride.setValue(9)
    assert request_of(bench).stream.stride == 9
    panel.holdback.setValue(5)
    assert request_of(bench).stream.holdback == 5
    panel.decode.setCurrentIndex(1)
    assert request_of(bench).stream.decode_mode == "windowed"
    panel.context.setValue(33)
    assert request_of(bench).stream.context == 33
    panel.temperature.setValue(0.35)
    assert request_of(bench).sampling.temperature == pytest.approx(0.35)
    panel.top_p.setValue(0.5)
    assert request_of(bench).sampling.top_p == pytest.approx(0.5)
    panel.top_k.setValue(12)
    assert request_of(bench).sampling.top_k == 12
    panel.max_frames.setValue(77)
    assert request_of(bench).sampling.max_new_tokens == 77
    panel.start_buffer.setValue(800)
    request_of(bench)
    assert bench.app.player.start_buffer_s == 0.8
    panel.low_latency.setChecked(True)
    low = request_of(bench)
    assert (low.stream.low_latency, low.stream.stride, low.stream.holdback) == (True, 0, None)
    assert bench.app.player.start_buffer_s == 0.0
    window.voices.choose("Hope")
    assert request_of(bench).references == (voice,)
    window.script.set_text("Another text.")
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate)
    assert bench.engine.requests[-1].text == "Another text."


def test_load_options_follow_the_panel(bench: Bench) -> None:
    panel = bench.window.engine
    panel.codec.setCurrentIndex(2)
    bench.load("a.gguf")
    assert bench.loader.options[-1].codec_policy == "cpu"
    assert bench.loader.options[-1].device == "cpu"
    assert panel.reload.isHidden()
    panel.codec.setCurrentIndex(1)
    assert not panel.reload.isHidden()
    panel.reload.click()
    bench.until(lambda: len(bench.loader.options) == 2 and bench.session.can_generate)
    assert bench.loader.options[-1].codec_policy == "follow"
    assert panel.reload.isHidden()


def test_a_pinned_seed_stays_and_a_free_one_is_drawn(bench: Bench) -> None:
    bench.load()
    first, second = request_of(bench).sampling.seed, request_of(bench).sampling.seed
    assert first != second
    bench.window.script.seed.setText("")
    bench.qtbot.keyClicks(bench.window.script.seed, "428117")
    assert bench.window.actions_.pin_seed.isChecked(), "a typed seed is meant"
    assert [request_of(bench).sampling.seed for _ in range(2)] == [428117, 428117]
    bench.window.actions_.pin_seed.setChecked(False)
    assert request_of(bench).sampling.seed != 428117


def test_stop_keeps_what_was_heard(bench: Bench) -> None:
    bench.load()
    bench.engine.wait, bench.engine.frames = pace(0.005), 500
    bench.window.script.set_text("Hello.")
    bench.app.scripts.generate()
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.length > 5 * FRAME)
    bench.window.actions_.stop.trigger()
    assert bench.app.player.state is PlayState.IDLE
    assert bench.session.state is EngineState.CANCELLING
    kept = take.store.length
    bench.until(lambda: bench.session.can_generate)
    assert take.store.length == kept
    assert take.store.complete
    assert "Stopped" in bench.window.status.work.text()
    assert bench.window.actions_.save_take.isEnabled()
    bench.engine.wait, bench.engine.frames = pace(0), 6
    bench.make_take()
    assert bench.session.current.take is not take
    assert bench.session.current.take is not None
    assert bench.session.current.take.store.frames == 6


def test_a_cut_at_the_limit_is_said(bench: Bench) -> None:
    bench.load()
    bench.engine.finish_reason = "length"
    bench.make_take()
    assert "limit" in bench.window.status.work.text()
    assert "20 frames" in bench.window.toast.text.text()


def test_errors_tell_what_why_and_what_next(bench: Bench) -> None:
    bench.window.show()
    bench.loader.error = ModelFileError("the file ends early", "Download it again.")
    bench.app.models.open(Path("bad.gguf"))
    bench.until(lambda: bench.session.state is EngineState.FAILED)
    shown = dialog(bench)
    assert shown.title.text() == "The model cannot be opened"
    assert shown.detail.text() == "The file ends early."
    assert shown.advice.text() == "Download it again."
    assert "another model" in shown.action_button.text()
    shown.reject()
    bench.loader.error = None
    bench.load()
    bench.engine.fail_at, bench.engine.error = 4, GenerationError("out of memory", "Close others.")
    bench.make_take()
    shown = dialog(bench)
    assert shown.advice.text() == "Close others."
    shown.reject()
    assert bench.session.current.take is not None
    assert bench.session.current.take.store.length == 4 * FRAME, "what was made is kept"
    assert bench.window.actions_.save_take.isEnabled()


@pytest.mark.parametrize("text", ["", "   \n", "[pause]", "..."])
def test_text_without_words_is_refused_with_advice(bench: Bench, text: str) -> None:
    bench.load()
    bench.window.show()
    bench.window.script.set_text(text)
    bench.app.scripts.generate()
    if bench.session.current.take is None:
        dialog(bench).reject()
        assert not bench.engine.requests


def test_a_voice_that_is_gone_is_never_replaced(bench: Bench) -> None:
    bench.load()
    bench.window.show()
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    bench.app.voices.library.path("Hope").unlink()
    bench.window.script.set_text("Hello.")
    bench.app.scripts.generate()
    assert bench.session.current.take is None
    assert dialog(bench).title.text() == "The voice cannot be used"
    dialog(bench).reject()


def test_playing_from_the_window(bench: Bench) -> None:
    bench.load()
    bench.window.actions_.play_live.setChecked(False)
    bench.make_take()
    assert bench.app.player.state is PlayState.IDLE
    assert not bench.sound.streams
    actions, player = bench.window.actions_, bench.app.player
    bench.window.take.seek_requested.emit(7 * FRAME)
    assert player.position == 7 * FRAME
    actions.play_pause.trigger()
    assert player.state is PlayState.PLAYING
    stream = bench.sound.streams[-1]
    stream.pump(1000)
    actions.play_pause.trigger()
    assert player.state is PlayState.PAUSED
    actions.play_pause.trigger()
    stream.pump(1000)
    assert bench.session.current.take is not None
    gain = np.float32(0.8**2)
    expected = bench.session.current.take.store.samples[7 * FRAME : 7 * FRAME + 2000]
    assert np.allclose(stream.sound, expected * gain, atol=1e-6)
    bench.window.take.transport.volume.setValue(0)
    stream.pump(1000)
    assert not stream.pump(100).any()
    actions.stop_playing.trigger()
    assert player.state is PlayState.IDLE


def test_search_narrows_and_keeps_the_choice(bench: Bench) -> None:
    save_voice(bench, "Hope", "The morning train.")
    save_voice(bench, "Bob", "Nobody knows (why).")
    panel = bench.window.voices
    panel.choose("Hope")
    panel.search.setText("(why")
    assert panel.filter.rowCount() == 2
    assert panel.key == "Hope"
    panel.search.clear()
    assert panel.view.currentIndex().data() == "Hope"


def test_every_control_has_a_name(bench: Bench) -> None:
    kinds = (
        QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QAbstractSlider, QPlainTextEdit,
        QListView, QProgressBar,
    )  # fmt: skip
    nameless = []
    for widget in bench.window.findChildren(QWidget):
        inner = isinstance(widget.parentWidget(), kinds) or widget.objectName().startswith("qt_")
        inner |= widget.parentWidget().inherits("QComboBoxPrivateContainer")
        inner |= widget is bench.window.toast.button  # named by each message
        if not isinstance(widget, kinds) or inner or widget.inherits("QScrollBar"):
            continue
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        if not widget.accessibleName() and not text:
            nameless.append(f"{type(widget).__name__} {widget.objectName()}")
    assert not nameless
    bench.load()
    bench.make_take()
    bench.until(lambda: hasattr(bench.window.take, "roll"))
    for picture in (bench.window.take.waveform, bench.window.take.roll):
        assert picture.accessibleName()
        assert picture.focusPolicy() is Qt.FocusPolicy.StrongFocus


def test_each_control_of_the_engine_has_a_sentence(bench: Bench) -> None:
    panel = bench.window.engine
    for mode in (0, 1):
        panel.decode.setCurrentIndex(mode)
        hints = [w.text() for w in panel.findChildren(QLabel) if w.property("role") == "hint"]
        assert sum(bool(h.strip()) for h in hints) == 9
    for box in (panel.temperature, panel.top_p, panel.top_k, panel.max_frames):
        assert box.toolTip()


def test_actions_have_different_keys(bench: Bench) -> None:
    used = [s.toString() for a in bench.window.actions() for s in a.shortcuts()]
    assert len(used) == len(set(used))
    for needed in ("Ctrl+Return", "Esc", "Space", "Shift+Space", "Ctrl+O", "Ctrl+S", "?"):
        assert needed in used


def test_space_types_in_the_script_and_plays_elsewhere(bench: Bench) -> None:
    bench.load()
    bench.window.actions_.play_live.setChecked(False)
    bench.make_take("a")
    bench.window.show()
    bench.qtbot.waitExposed(bench.window)
    bench.window.activateWindow()
    editor = bench.window.script.editor
    editor.setFocus()
    bench.until(editor.hasFocus)
    bench.qtbot.keyClick(editor, Qt.Key.Key_Space)
    assert " " in bench.window.script.text
    assert bench.app.player.state is PlayState.IDLE
    bench.window.take.waveform.setFocus()
    bench.qtbot.keyClick(bench.window.take.waveform, Qt.Key.Key_Space)
    assert bench.app.player.state is PlayState.PLAYING


def test_a_model_of_other_sizes_works(bench: Bench) -> None:
    bench.engine.info = model_info(sample_rate=24000, num_codebooks=CODEBOOKS, semantic_size=64)
    bench.load()
    bench.engine.frames = 3
    bench.make_take()
    assert bench.session.current.take is not None
    assert bench.session.current.take.store.format.sample_rate == 24000
    assert bench.window.engine.max_frames.suffix().strip() == "(87 s)"


def test_opening_a_model_while_busy_is_refused_in_words(bench: Bench) -> None:
    bench.loader.gate = threading.Event()
    bench.app.models.open(Path("one.gguf"))
    bench.until(lambda: bench.session.state is EngineState.LOADING)
    bench.app.models.open(Path("two.gguf"))
    assert "busy" in bench.window.toast.text.text()
    bench.loader.gate.set()
    bench.until(lambda: bench.session.can_generate)
    assert [o.model.name for o in bench.loader.options] == ["one.gguf"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_themes_switch_while_running(bench: Bench, theme: str) -> None:
    bench.window.show()
    bench.app.settings.set(keys.THEME, theme)
    assert bench.app.theme.dark == (theme == "dark")
    color = bench.window.grab().toImage().pixelColor(QPoint(4, 300))
    assert (color.lightness() < 128) == (theme == "dark")


@pytest.mark.parametrize("text", ["Short.", "A very long sentence. " * 40])
def test_everything_fits_a_small_screen(bench: Bench, text: str) -> None:
    """1366x768 less a task bar, with all parts shown, and no label cut in its height."""
    save_voice(bench, "A voice with a name that is longer than its card", text)
    bench.engine.info = model_info(name="A model with quite a long name (random weights) 4.6 B")
    bench.load("a-model-file-with-a-long-name-q4_k_m.gguf")
    bench.make_take(text)
    bench.window.resize(1366, 728)
    bench.window.show()
    bench.qtbot.waitExposed(bench.window)
    least = bench.window.minimumSizeHint()
    assert least.width() <= 1366
    assert least.height() <= 728
    assert bench.window.width() == 1366
    for found in bench.window.findChildren(QLabel):
        if found.isVisible() and found.text():
            assert found.height() >= found.fontMetrics().ascent(), found.text()
