"""The player and its buffers: rows E1 and E3 of the known bugs."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from player_kit import Deck, feed, heard, ramp
from studio_fakes import FRAME, RATE

from app.audio.output_callback import FADE_S, OutputCallback
from app.audio.player import PlayState
from app.audio.ring import RingBuffer
from app.takes.store import TakeStore
from engine.types import AudioChunk


def test_a_take_is_heard_whole_and_once(deck: Deck) -> None:
    """44,137 samples do not fill the last block: its rest is silence, nothing is dropped."""
    deck.add(ramp(44_137))
    deck.store.finish()
    assert deck.player.start(deck.store)
    deck.until_idle()
    sound = deck.stream.sound
    first = int(np.flatnonzero(sound)[0])
    assert np.array_equal(sound[first : first + 44_137], ramp(44_137))
    assert not sound[first + 44_137 :].any()
    assert deck.player.position == 44_137
    assert deck.player.underruns == 0


def test_pause_and_resume_lose_nothing(deck: Deck) -> None:
    deck.add(ramp(44_137))
    deck.store.finish()
    deck.player.start(deck.store)
    for _ in range(5):
        deck.run(0.11)
        deck.player.pause()
        assert deck.player.state is PlayState.PAUSED
        silent_from = len(deck.stream.sound)
        deck.run(0.3)
        assert not deck.stream.sound[silent_from:].any()
        deck.player.resume()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(44_137))


def test_stop_fades_and_closes(deck: Deck) -> None:
    deck.add(np.full(2 * RATE, 0.5))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.5)
    deck.player.stop()
    assert deck.player.state is PlayState.IDLE
    deck.run(0.3)
    sound = deck.stream.sound
    last = int(np.flatnonzero(sound)[-1])
    tail = sound[last - int(FADE_S * RATE) + 2 : last + 1]
    assert np.all(np.diff(tail) < 0)
    assert np.abs(np.diff(sound[last - 1000 : last + 2])).max() < 0.01, "no click"
    assert deck.stream.closed


def test_a_new_start_is_not_mixed_with_the_old_take(deck: Deck) -> None:
    deck.add(np.full(RATE, 0.25))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    other = TakeStore(deck.store.format)
    other.append(AudioChunk(0, np.full(RATE, 0.75, np.float32), RATE))
    other.finish()
    deck.player.start(other)
    deck.until_idle()
    assert set(np.unique(deck.stream.sound)) == {np.float32(0), np.float32(0.75)}


def test_seek_plays_from_there(deck: Deck) -> None:
    deck.add(ramp(3 * RATE))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    before = len(deck.stream.sound)
    deck.player.seek(2 * RATE)
    deck.until_idle()
    after = deck.stream.sound[before:]
    assert np.array_equal(after[after != 0], ramp(RATE, 2 * RATE))


def test_seek_to_the_end_ends(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.store.finish()
    deck.player.start(deck.store, deck.store.length)
    deck.until_idle()
    assert not deck.stream.sound.any()


def test_a_burst_rebuffers_once_and_shows_it(deck: Deck) -> None:
    """Ten frames, 2.5 s of nothing, ninety frames, then faster than real time."""
    deck.store.expected = 400 * FRAME
    deck.player.start(deck.store)
    made = 0
    for _ in range(10):
        made = feed(deck, 1, made)
        deck.run(0.01)
    deck.run(2.5)
    made = feed(deck, 90, made)
    for _ in range(300):
        made = feed(deck, 1, made)
        deck.run(0.03)
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns <= 1
    runs = [s for s in deck.states if s is PlayState.PLAYING]
    assert len(runs) <= 2
    assert deck.states.count(PlayState.BUFFERING) == len(runs)


def test_a_slow_engine_is_waited_for(deck: Deck) -> None:
    """Half real time: playing starts late enough that it never runs dry."""
    deck.store.expected = 100 * FRAME
    deck.player.start(deck.store)
    made = 0
    for _ in range(100):
        made = feed(deck, 1, made)
        deck.run(2 * FRAME / RATE)
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns == 0
    finite = [w for w in deck.waits if np.isfinite(w)]
    assert finite, "it says for how long"
    assert finite[-1] < finite[0]


def test_a_fast_engine_is_heard_at_once(deck: Deck) -> None:
    deck.store.expected = 200 * FRAME
    deck.player.start(deck.store)
    made, began = 0, deck.clock.now
    for _ in range(200):
        made = feed(deck, 1, made)
        deck.run(0.02)
        if deck.player.state is PlayState.PLAYING and began:
            assert deck.clock.now - began < 0.4
            began = 0.0
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))
    assert deck.player.underruns == 0
    assert deck.player.low_water_s is not None


def test_the_users_start_buffer_counts_for_the_first_start(deck: Deck) -> None:
    deck.player.start_buffer_s = 0.5
    deck.player.start(deck.store)
    made = feed(deck, 10, 0)
    deck.run(0.02)
    assert deck.player.state is PlayState.BUFFERING
    made = feed(deck, 2, made)
    deck.run(0.02)
    assert deck.player.state is PlayState.PLAYING
    deck.run(2)
    assert deck.player.state is PlayState.BUFFERING
    assert deck.player.underruns == 1
    made = feed(deck, 11, made)
    deck.run(0.02)
    assert deck.player.state is PlayState.BUFFERING, "a wish that was too small does not stutter"
    deck.store.finish()
    deck.until_idle()
    assert np.array_equal(heard(deck.stream), ramp(made))


def test_low_latency_starts_with_the_first_chunk(deck: Deck) -> None:
    deck.player.start_buffer_s = 0.0
    deck.player.start(deck.store)
    feed(deck, 1, 0)
    deck.run(0.01)
    assert deck.player.state is PlayState.PLAYING


def test_volume_glides_and_loud_samples_are_limited(deck: Deck) -> None:
    deck.add(np.full(2 * RATE, 3.0))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.2)
    deck.player.set_volume(10)
    deck.run(0.2)
    sound = deck.stream.sound
    assert sound.max() <= 1.0
    assert sound[-1] == pytest.approx(3.0 * 0.01, abs=1e-3)
    after = sound[int(0.2 * RATE) :]
    assert np.abs(np.diff(after)).max() < 0.05, "no step"


def test_damaged_samples_are_silence(deck: Deck) -> None:
    samples = np.full(RATE // 2, 0.5)
    samples[100:200] = np.nan
    samples[300] = np.inf
    deck.add(samples)
    deck.store.finish()
    deck.player.start(deck.store)
    deck.until_idle()
    assert np.isfinite(deck.stream.sound).all()
    assert np.abs(deck.stream.sound).max() <= 1.0


def test_the_callback_allocates_no_audio_buffers() -> None:
    import tracemalloc

    core = OutputCallback(RATE)
    core.ring = RingBuffer(RATE)
    core.ring.put(ramp(RATE))
    core.buffering = False
    out = np.zeros((4096, 2), np.float32)
    core.render(out)
    tracemalloc.start()
    for _ in range(9):
        core.render(out)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < out.nbytes // 8, "views only"


def test_ring_keeps_order_over_its_edge() -> None:
    ring = RingBuffer(1000)
    rng = np.random.default_rng(3)
    source, got, at = ramp(50_000), [], 0
    while at < len(source) or ring.available:
        count = min(int(rng.integers(0, ring.space + 1)), len(source) - at)
        ring.put(source[at : at + count])
        at += count
        out = np.zeros(int(rng.integers(1, 700)), np.float32)
        got.append(out[: ring.take(out)])
    assert np.array_equal(np.concatenate(got), source)


def test_two_threads_share_the_ring() -> None:
    ring = RingBuffer(4096)
    source = ramp(400_000)
    got: list[np.ndarray] = []

    def read() -> None:
        while not ring.ended or ring.available:
            out = np.zeros(333, np.float32)
            got.append(out[: ring.take(out)])

    reader = threading.Thread(target=read)
    reader.start()
    at = 0
    while at < len(source):
        count = min(ring.space, 500, len(source) - at)
        ring.put(source[at : at + count])
        at += count
    ring.ended = True
    reader.join()
    assert np.array_equal(np.concatenate(got), source)
