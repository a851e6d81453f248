"""A take of ten minutes, and one of an hour: no call holds the window's thread up."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PySide6.QtWidgets import QApplication, QFileDialog
from studio_bench import Bench
from studio_fakes import CODEBOOKS, FRAME, RATE

from app.takes.provenance import take_of_provenance
from app.takes.take import Take
from engine.audio.encode import ExportFormat
from engine.takes import Provenance, SavedTake, TakeArchive
from engine.types import Segmentation


def kept(bench: Bench, frames: int, monkeypatch: pytest.MonkeyPatch) -> Take:
    """A take in the list whose sound only the archive has."""
    random = np.random.default_rng(1)
    codes = random.integers(0, 1024, (CODEBOOKS, frames)).astype(np.int32)
    sound = np.resize(0.2 * random.standard_normal(1 << 20).astype(np.float32), frames * FRAME)
    made = datetime.datetime(2026, 1, 2)
    half = frames // 2
    story = Provenance(
        "One is here. Two is there.", 7, segmentation=Segmentation(True),
        segments=((0, 0), (half, half * FRAME)), sample_rate=RATE,
        samples_per_frame=FRAME, codebooks=CODEBOOKS,
        code_sizes=(4096, 1024), codes=codes,
    )  # fmt: skip
    saved = SavedTake(provenance=story, samples=sound, rate=RATE, made=made)
    monkeypatch.setattr(TakeArchive, "load", lambda *_: saved)
    take = take_of_provenance(story, "", made)
    take.entry_id, take.kept_s = "long", len(sound) / RATE
    bench.session.current.admit(take, shown=False)
    return take


@pytest.mark.parametrize("frames", [12_920, pytest.param(80_000, marks=pytest.mark.slow)])
def test_a_long_take_is_opened_scrolled_selected_and_saved(
    bench: Bench, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frames: int
) -> None:
    bench.load()
    bench.window.show()
    take = kept(bench, frames, monkeypatch)
    bench.session.current.show(take)
    bench.until(lambda: bench.session.current.take is take)
    bench.until(lambda: len(bench.window.take.pictures) == 2)
    assert take.store.frames == frames
    axis = bench.window.take.axis
    middle = take.store.length // 2
    for span in (take.store.length, take.store.length // 7, 40 * FRAME):
        axis.show_range(middle - span // 2, middle - span // 2 + span)
        axis.scroll(0.1)
        qapp.processEvents()
        for picture in bench.window.take.pictures:
            assert not picture.grab().isNull()
    region = (middle, middle + RATE)
    axis.select(region)
    path = tmp_path / "part.wav"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    menu = bench.app.desk.segment_menu(middle)
    next(a for a in menu.actions() if a.text() == "Save the selection…").trigger()
    bench.until(lambda: path.exists() and not bench.app.tasks.busy)
    part, _ = soundfile.read(path, dtype="float32")
    assert np.abs(part - take.store.samples[slice(*region)]).max() < 2**-22
    bench.app.desk.exports.write_take(tmp_path / "whole.wav", ExportFormat.WAV_16)
    bench.until(lambda: not bench.app.tasks.busy, 120_000)
    assert soundfile.info(tmp_path / "whole.wav").frames == take.store.length


def test_a_piece_of_a_long_take_is_spoken_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.load()
    bench.window.show()
    take = kept(bench, 12_920, monkeypatch)
    bench.session.current.show(take)
    bench.until(lambda: bench.session.current.take is take)
    bench.app.desk.takes.speak_segment(take, 1)
    bench.until(lambda: bench.session.current.take is not take and not bench.app.tasks.busy)
    made = bench.session.current.take
    assert made is not None
    first = take.store.segments()[1]
    np.testing.assert_array_equal(
        made.store.codes[:, : first.first], take.store.codes[:, : first.first]
    )
    np.testing.assert_array_equal(
        made.store.samples[: first.start], take.store.samples[: first.start]
    )
    assert made.store.frames < take.store.frames
    whole = made.store.peaks(0.0, 4096.0, made.store.length // 4096)
    heard = made.store.samples[: len(whole[0]) * 4096].reshape(-1, 4096)
    np.testing.assert_array_equal(whole[1], np.clip(heard.max(axis=1), -1, 1))
