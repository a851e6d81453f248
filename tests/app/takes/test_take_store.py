"""The growing take, its peaks, and the lists of the window."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE

from app.audio.peaks import Peaks
from app.takes.store import TakeFormat, TakeStore
from app.voices.list_model import VoiceListModel, VoiceRole
from engine.errors import VoiceError
from engine.types import AudioChunk, FrameCodes, SegmentStart
from engine.voices import VoiceProfile

FORMAT = TakeFormat(RATE, FRAME, (4096,) + (1024,) * 9)


def chunk(start: int, samples: np.ndarray) -> AudioChunk:
    return AudioChunk(start, samples.astype(np.float32), RATE)


def frame(index: int) -> FrameCodes:
    return FrameCodes(index, np.full(10, index, np.int32))


def test_chunks_add_up(qtbot: QtBot) -> None:
    store = TakeStore(FORMAT)
    source = np.random.default_rng(1).uniform(-1, 1, 300_000).astype(np.float32)
    at = 0
    for size in (1, 7, 2048, 65_536, 100_000, 132_408):
        store.append(chunk(at, source[at : at + size]))
        at += size
    assert store.length == at == 300_000
    assert np.array_equal(store.samples, source)
    assert np.array_equal(store.read(5, 10), source[5:15])
    assert len(store.read(299_999, 50)) == 1
    assert not store.samples.flags.writeable


@pytest.mark.parametrize("start", [0, 99, 101, 5000])
def test_a_chunk_that_does_not_fit_is_refused(qtbot: QtBot, start: int) -> None:
    store = TakeStore(FORMAT)
    store.append(chunk(0, np.zeros(100)))
    with pytest.raises(ValueError, match="expected 100"):
        store.append(chunk(start, np.zeros(10)))


def test_codes_and_pieces_map_to_time(qtbot: QtBot) -> None:
    store = TakeStore(FORMAT)
    store.begin_segment(SegmentStart(0, 2, "one", 0))
    for i in range(300):
        store.append_codes(frame(i))
    pause = 300 * FRAME + 7938
    store.begin_segment(SegmentStart(1, 2, "two", pause))
    assert store.segments()[-1] == (300, 300, pause, "two")
    for i in range(300, 310):
        store.append_codes(frame(i))
    assert store.codes.shape == (10, 310)
    assert store.segments() == [(0, 300, 0, "one"), (300, 310, pause, "two")]
    assert store.frame_at(0) == 0
    assert store.frame_at(300 * FRAME - 1) == 299
    assert store.frame_at(300 * FRAME + 10) is None, "in the pause"
    assert store.frame_at(pause) == 300
    assert store.frame_at(pause + 10 * FRAME) is None
    assert store.sample_of_frame(300) in (pause, 300 * FRAME)
    assert store.sample_of_frame(305) == pause + 5 * FRAME
    assert store.held == store.sample_of_frame(310)
    store.append(chunk(0, np.zeros(pause + 4 * FRAME)))
    assert store.held == 6 * FRAME


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3000), min_size=1, max_size=12), st.integers(1, 900))
def test_peaks_hold_the_true_extremes(sizes: list[int], columns: int) -> None:
    """Each sample is covered by its column, give or take one block at the edges."""
    source = np.random.default_rng(sum(sizes)).uniform(-1, 1, sum(sizes)).astype(np.float32)
    peaks, at = Peaks(), 0
    for size in sizes:
        at += size
        peaks.update(source[:at])
    per_column = len(source) / columns
    low, high = peaks.columns(source, 0, per_column, columns)
    assert len(low) == len(high) <= columns
    assert np.all(low <= high)
    if len(source) < 128:
        assert low.min() == source.min()
        assert high.max() == source.max()
    assert low.min() >= source.min()
    assert high.max() <= source.max()


def test_peaks_of_a_long_signal_find_a_single_click() -> None:
    source = np.zeros(3_000_000, np.float32)
    source[1_234_567] = 1.0
    peaks = Peaks()
    peaks.update(source)
    _, high = peaks.columns(source, 0, len(source) / 800, 800)
    assert int(np.argmax(high)) == pytest.approx(1_234_567 / len(source) * 800, abs=1.1)
    assert high.max() == 1.0


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(0), np.zeros(1), np.ones(1), np.zeros(5000), np.full(5000, np.nan),
        np.r_[np.ones(100), np.full(900, np.nan), -np.ones(100)],
        np.r_[np.full(500, np.inf), np.full(500, -np.inf)], np.full(70_000, 1e30),
    ],
)  # fmt: skip
def test_strange_signals_have_finite_peaks(samples: np.ndarray) -> None:
    data = samples.astype(np.float32)
    peaks = Peaks()
    peaks.update(data)
    for columns in (1, 3, 700):
        low, high = peaks.columns(data, 0, max(len(data) / columns, 0.01), columns)
        for values in (low, high):
            assert np.isfinite(values).all()
            assert np.abs(values).max(initial=0) <= 1


@pytest.mark.long_call("Peaks.update")
def test_ten_million_samples_are_taken_in_quickly() -> None:
    source = np.random.default_rng(2).uniform(-1, 1, 10_000_000).astype(np.float32)
    peaks = Peaks()
    peaks.update(source)
    read = [level.count * level.block for level in peaks._levels]
    assert read[0] >= 10_000_000 - 64
    start = time.thread_time()
    low, _ = peaks.columns(source, 0, len(source) / 1000, 1000)
    assert time.thread_time() - start < 0.2
    assert len(low) == 1000


def profile(text: str = "A text.", frames: int = 50) -> VoiceProfile:
    return VoiceProfile(text, np.zeros((10, frames), np.int32), RATE, 4096)


def test_the_voice_list(qtbot: QtBot, tmp_path: Path) -> None:
    model = VoiceListModel(tmp_path / "user", tmp_path / "shipped")
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    assert model.rowCount() == 1
    model.refresh()
    assert model.voice_count == 0
    model.library.save("小梅", profile("今天的天气真好。"))
    model.library.save("Bob", profile())
    (tmp_path / "user" / "broken.s2voice").write_bytes(b"S2VOICE\0")
    (tmp_path / "shipped").mkdir()
    profile("Demo.").save(tmp_path / "shipped" / "Bob.s2voice")
    model.refresh()
    assert "shipped:Bob" not in [row.key for row in model.rows]
    model.offer_shipped(True)
    keys = [model.index(i).data(VoiceRole.KEY) for i in range(model.rowCount())]
    assert keys == ["", "Bob", "broken", "小梅", "shipped:Bob"]
    broken = model.index(model.row_of("broken"))
    assert broken.data(VoiceRole.ERROR)
    assert broken.data(VoiceRole.DETAIL)
    assert model.load("") is None
    assert model.load("小梅").transcript == "今天的天气真好。"  # type: ignore[union-attr]
    assert model.load("shipped:Bob").transcript == "Demo."  # type: ignore[union-attr]
    for key in ("broken", "gone"):
        with pytest.raises(VoiceError):
            model.load(key)
    model.set_frame_seconds(0.1)
    assert model.index(1).data(VoiceRole.LENGTH) == pytest.approx(5.0)
