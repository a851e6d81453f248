"""The window with the real engine and a tiny model: open, speak, stop, save."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from real_bench import RealBench
from studio_bench import put_away

from app.inference.service import EngineState
from engine.audio.encode import ExportFormat


@pytest.fixture
def real(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[RealBench]:
    made = RealBench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.service.shutdown(20_000)
    made.app.shutdown()
    put_away(made.window)


def test_from_text_to_a_saved_file(real: RealBench, models: Any, tmp_path: Path) -> None:
    real.app.models.open(models.path("tiny-f32"))
    real.until(lambda: real.session.can_generate)
    info = real.session.info
    assert info is not None
    real.window.engine.max_frames.setValue(12)
    real.window.script.show_seed(7)
    real.window.actions_.pin_seed.setChecked(True)
    samples = real.speak("Good evening.")
    take = real.session.current.take
    assert take is not None
    assert take.result is not None
    assert take.origin.seed == 7
    assert len(samples) == take.store.frames * info.samples_per_frame > 0
    assert take.store.frames == take.result.metrics.frames
    assert np.abs(samples).max() > 0
    real.window.engine.stride.setValue(1)
    assert np.allclose(real.speak("Good evening."), samples, atol=1e-5), "stride changes nothing"
    real.app.desk.exports.write_take(tmp_path / "take.wav", ExportFormat.WAV_FLOAT)
    real.until((tmp_path / "take.wav").exists)
    written, rate = soundfile.read(tmp_path / "take.wav", dtype="float32")
    assert rate == info.sample_rate
    assert real.session.current.take is not None
    assert np.array_equal(written, real.session.current.take.store.samples)


def test_stop_and_start_again(real: RealBench, models: Any) -> None:
    real.app.models.open(models.path("tiny-q8_0"))
    real.until(lambda: real.session.can_generate)
    real.window.engine.max_frames.setValue(600)
    real.window.script.set_text("A long text that goes on for a while.")
    real.app.scripts.generate()
    take = real.session.current.take
    assert take is not None
    real.until(lambda: take.store.frames > 2 or take.store.complete)
    real.session.stop()
    real.until(lambda: real.session.can_generate)
    assert take.store.complete
    real.window.engine.max_frames.setValue(5)
    assert len(real.speak("Again.")) > 0


def test_a_model_that_is_none_is_an_error_in_words(real: RealBench, tmp_path: Path) -> None:
    real.window.show()
    (tmp_path / "bad.gguf").write_bytes(b"not a model at all")
    failures: list[Any] = []
    real.session.failed.connect(lambda error, job: failures.append(error))
    real.app.models.open(tmp_path / "bad.gguf")
    real.until(lambda: real.session.state is EngineState.FAILED)
    assert failures
    assert failures[0].title
    assert failures[0].detail
