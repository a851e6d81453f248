"""Takes out of the window and back: export, dropping back, dragging out, pieces spoken again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDrag, QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from real_bench import RealBench
from studio_bench import Bench
from window_kit import drop, save_voice

from app.core import settings as keys
from app.takes.export_dialog import ExportDialog
from app.takes.files import write_take
from app.takes.splice import join, splice
from app.takes.store import TakeFormat, TakeStore
from app.takes.take import Take
from engine.audio.encode import ExportFormat
from engine.takes.export import Exported
from engine.takes.provenance import read_provenance


def settle(bench: Any) -> None:
    bench.until(lambda: not bench.app.tasks.busy)


def exported(bench: Any, path: Path, kind: ExportFormat) -> Path:
    """Export the current take."""
    bench.app.desk.exports.write_take(path, kind)
    settle(bench)
    written = path.with_suffix(kind.suffix)
    assert written.exists()
    return written


@pytest.mark.parametrize("kind", list(ExportFormat), ids=lambda kind: kind.value)
def test_every_kind_brings_the_take_back(bench: Bench, tmp_path: Path, kind: ExportFormat) -> None:
    bench.load()
    save_voice(bench, "Hope")
    bench.window.voices.choose("Hope")
    bench.window.engine.temperature.setValue(0.4)
    bench.make_take("Good [pause] evening.")
    take = bench.session.current.take
    assert take is not None
    path = exported(bench, tmp_path / "take", kind)
    provenance = read_provenance(path)
    assert provenance is not None
    assert (provenance.text, provenance.seed) == (take.origin.request.text, take.origin.seed)
    bench.window.voices.choose("")
    bench.window.engine.temperature.setValue(0.9)
    bench.window.script.set_text("Another.")
    drop(bench, path)
    bench.until(lambda: bench.session.current.take is not take)
    back = bench.session.current.take
    assert back is not None
    assert back.origin.request.text == take.origin.request.text
    assert (back.origin.seed, back.origin.voice) == (take.origin.seed, "Hope")
    assert back.origin.request.sampling == take.origin.request.sampling
    assert np.array_equal(back.store.codes, take.store.codes)
    assert back.store.length == take.store.length, "decoded from the codes"
    assert bench.window.script.text == "Good [pause] evening."
    assert bench.window.voices.key == "Hope"
    assert bench.window.engine.temperature.value() == pytest.approx(0.4)
    assert bench.session.current.list.row_of(back) == 0


def test_without_a_model_the_files_own_sound_comes_back(
    bench: Bench, qapp: QApplication, tmp_path: Path
) -> None:
    bench.load()
    bench.make_take("Good evening.")
    take = bench.session.current.take
    assert take is not None
    path = exported(bench, tmp_path / "take", ExportFormat.WAV_FLOAT)
    sound = take.store.samples.copy()
    bench.app.shutdown()
    second = Bench(bench.qtbot, qapp, tmp_path / "other")
    drop(second, path)
    second.until(lambda: second.session.current.take is not None)
    back = second.session.current.take
    assert back is not None
    assert np.array_equal(back.store.samples, sound)
    assert np.array_equal(back.store.codes, take.store.codes)
    assert second.window.below.currentWidget() is second.window.take
    settle(second)
    assert second.app.shutdown()


def test_a_recording_is_no_take(bench: Bench, tmp_path: Path) -> None:
    soundfile.write(tmp_path / "a.wav", np.zeros(1000), 44100)
    clips: list[Path] = []
    bench.app.desk.exports.other_sound.connect(clips.append)
    drop(bench, tmp_path / "a.wav")
    bench.until(lambda: clips == [tmp_path / "a.wav"])
    assert bench.session.current.take is None


def test_a_damaged_story_is_an_error_in_words(bench: Bench, tmp_path: Path) -> None:
    bench.load()
    bench.make_take()
    path = exported(bench, tmp_path / "take", ExportFormat.WAV_16)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"seed":', b'"sexd":'))
    reports: list[Any] = []
    bench.app.messages.raised.connect(reports.append)
    bench.app.desk.exports.take_back(path)
    bench.until(lambda: bool(reports))
    assert "brought back" in reports[0].error.title


def test_the_export_dialog_shows_what_it_will_write(bench: Bench, tmp_path: Path) -> None:
    bench.load("m.gguf")
    bench.window.show()
    bench.make_take("Good evening.")
    bench.app.settings.set(keys.FOLDER_SAVE, str(tmp_path))
    bench.window.actions_.export.trigger()
    dialog = bench.window.findChild(ExportDialog)
    assert dialog is not None
    dialog.template.setText("{text}_{seed}_{model}")
    dialog.format.setCurrentIndex(dialog.format.findData("opus"))
    assert "48000" in dialog.kind_hint.text()
    take = bench.session.current.take
    assert take is not None
    assert dialog.preview.text() == f"Good-evening_{take.origin.seed}_Fake-S2.opus"
    (tmp_path / dialog.preview.text()).write_text("mine")
    dialog.template.setText("{text}_{seed}_{model} ")
    dialog.template.setText("{text}_{seed}_{model}")
    assert "(2)" in dialog.preview.text()
    dialog.template.setText("{colour}")
    assert not dialog.export_button.isEnabled()
    assert "colour" in dialog.preview.text()
    dialog.template.setText("{text}")
    dialog.folder.setText(str(tmp_path / "no"))
    assert not dialog.export_button.isEnabled()
    dialog.folder.setText(str(tmp_path))
    dialog.export_button.click()
    bench.until((tmp_path / "Good-evening.opus").exists)
    assert bench.app.settings.get(keys.EXPORT_FORMAT) == "opus"
    settle(bench)
    assert "resampled" in bench.window.toast.text.text()


def test_a_take_is_dragged_out_as_a_file_that_another_thread_writes(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    writers: list[threading.Thread] = []
    dragged: list[QUrl] = []

    def write(take: Take, path: Path, kind: ExportFormat) -> Exported:
        writers.append(threading.current_thread())
        return write_take(take, path, kind)

    def drag(self: QDrag, *actions: object) -> None:
        dragged.extend(self.mimeData().urls())

    monkeypatch.setattr("app.takes.export_controller.write_take", write)
    monkeypatch.setattr(QDrag, "exec", drag)
    monkeypatch.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    bench.load()
    bench.make_take("Good evening.")
    for _ in range(3):  # the mouse moves on while the file is written
        bench.window.takes.view.startDrag(Qt.DropAction.CopyAction)
    bench.until(lambda: bool(dragged))
    settle(bench)
    assert len(writers) == 1
    assert writers[0] is not threading.main_thread()
    (url,) = dragged
    provenance = read_provenance(url.toLocalFile())
    assert provenance is not None
    assert provenance.text == "Good evening."
    folder = Path(url.toLocalFile()).parent
    bench.app.shutdown()
    assert not folder.exists()


def test_a_place_that_cannot_be_written_keeps_the_take(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.load()
    bench.make_take()
    reports: list[Any] = []
    bench.app.messages.raised.connect(reports.append)
    bench.app.desk.exports.write_take(tmp_path / "no" / "a.wav", ExportFormat.FLAC_24)
    bench.until(lambda: bool(reports))
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *a, **k: (str(tmp_path / "b.wav"), "")
    )
    reports[0].then()
    bench.until((tmp_path / "b.wav").exists)


@pytest.fixture
def real(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[RealBench]:
    made = RealBench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.service.shutdown(20_000)
    made.app.shutdown()


def long_take(real: RealBench, models: Any) -> np.ndarray:
    """Three pieces by the real engine."""
    real.app.models.open(models.path("tiny-f32"))
    real.until(lambda: real.session.can_generate)
    real.window.engine.max_frames.setValue(6)
    real.app.settings.set(keys.SPLIT_MODE, "always")
    real.app.settings.set(keys.PAUSE_MS, 100)
    real.window.script.show_seed(7)
    real.window.actions_.pin_seed.setChecked(True)
    samples = real.speak("One is here. Two is there. Three is gone.")
    settle(real)
    return samples


def test_a_long_take_comes_back_from_a_file(real: RealBench, models: Any, tmp_path: Path) -> None:
    """Decoded from its codes, piece by piece, it is the same sound; the AR does not run."""
    samples = long_take(real, models)
    take = real.session.current.take
    assert take is not None
    assert len(take.store.segments()) == 3
    path = exported(real, tmp_path / "take", ExportFormat.MP3)
    real.app.desk.exports.take_back(path)
    real.until(lambda: real.session.current.take is not take)
    back = real.session.current.take
    assert back is not None
    assert back.store.segments() == take.store.segments()
    assert np.array_equal(back.store.codes, take.store.codes)
    assert len(back.store.samples) == len(samples)
    assert np.abs(back.store.samples - samples).max() < 1e-4, "better than the MP3"
    settle(real)


def test_a_piece_is_spoken_again(real: RealBench, models: Any) -> None:
    samples = long_take(real, models)
    take = real.session.current.take
    assert take is not None
    runs = take.store.segments()
    menu = real.app.desk.segment_menu(runs[1][2] + 10)
    action = menu.actions()[0]
    assert "piece 2" in action.text()
    assert "Two is there" in action.text()
    action.trigger()
    real.until(lambda: real.session.current.take is not take)
    made = real.session.current.take
    assert made is not None
    fresh = made.store.segments()
    assert len(fresh) == 3
    assert np.array_equal(made.store.samples[: runs[1][2]], samples[: runs[1][2]])
    tail = samples[runs[2][2] :]
    assert np.array_equal(made.store.samples[-len(tail) :], tail)
    assert np.array_equal(made.store.codes[:, : runs[1][0]], take.store.codes[:, : runs[1][0]])
    assert not np.array_equal(
        made.store.codes[:, fresh[1][0] : fresh[1][1]], take.store.codes[:, runs[1][0] : runs[1][1]]
    )
    assert "Piece 2" in real.window.toast.text.text()
    settle(real)
    assert len(real.app.library.archive.list()) == 2


def test_the_engine_speaks_piece_i_with_seed_plus_i(real: RealBench, models: Any) -> None:
    """So a piece alone, with that seed, is the piece of the whole."""
    samples = long_take(real, models)
    take = real.session.current.take
    assert take is not None
    first, end, *_ = take.store.segments()[1]
    codes = take.store.codes[:, first:end].copy()
    real.app.settings.set(keys.SPLIT_MODE, "never")
    real.window.script.show_seed(8)
    alone = real.speak("Two is there.")
    assert real.session.current.take is not None
    assert np.array_equal(real.session.current.take.store.codes, codes)
    back = splice(take.store, 1, alone, codes, [0, 4410, 4410, 0])
    assert np.allclose(back.samples, samples, atol=1e-5), "put in again it is the same take"
    settle(real)


def test_splicing_keeps_everything_else() -> None:
    rng = np.random.default_rng(3)
    pieces = [rng.uniform(-0.5, 0.5, n * 256).astype(np.float32) for n in (10, 8, 12)]
    around = [0, 400, 400, 0]
    shaped = join(pieces, 8000, around)
    starts = np.cumsum([0, *map(len, shaped)])
    store = TakeStore(TakeFormat(8000, 256, (64, 32)))
    codes = rng.integers(0, 32, (2, 30))
    segments = list(zip((0, 10, 18), map(int, starts), strict=False))
    store.fill(np.concatenate(shaped), codes, segments)
    fresh = rng.uniform(-0.5, 0.5, 5 * 256).astype(np.float32)
    made = splice(store, 2, fresh, np.ones((2, 5), np.int32), around)
    assert [f for f, _ in made.segments] == [0, 10, 18]
    assert made.codes.shape == (2, 23)
    assert len(made.samples) == starts[2] + 5 * 256
    made = splice(store, 0, fresh, np.ones((2, 5), np.int32), around)
    assert [f for f, _ in made.segments] == [0, 5, 13]
    assert len(made.samples) - store.length == -5 * 256
    with pytest.raises(IndexError):
        splice(store, 3, fresh, np.ones((2, 5), np.int32), around)
