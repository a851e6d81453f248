"""The player and its devices: rows F1 to F4 of the known bugs."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from player_kit import BLOCK, Deck, heard, ramp
from pytestqt.qtbot import QtBot
from studio_fakes import FRAME, RATE, FakeSoundDevice

from app.audio.devices import AudioDevices, AudioUnavailableError
from app.audio.player import WATCHDOG_S, Player, PlayState
from app.takes.store import TakeFormat, TakeStore


def test_no_portaudio_says_why(qtbot: QtBot) -> None:
    def missing() -> object:
        raise AudioUnavailableError("PortAudio was not found.")

    devices = AudioDevices(missing)
    player = Player(devices)
    said: list[str] = []
    player.message.connect(said.append)
    assert devices.outputs() == []
    assert "PortAudio" in devices.problem
    assert not player.start(TakeStore(TakeFormat(RATE, FRAME, (4096,))))
    assert said == ["PortAudio was not found."]
    assert player.state is PlayState.IDLE


def test_a_device_that_appears_later_can_be_used(deck: Deck) -> None:
    deck.sound.devices = []
    assert deck.devices.outputs() == []
    assert deck.devices.problem
    deck.sound.devices = [FakeSoundDevice.device("New speakers", RATE)]
    assert deck.devices.rescan()
    assert [d.key for d in deck.devices.outputs()] == ["", "New speakers \u2014 ALSA"]
    assert deck.devices.problem == ""


@pytest.mark.parametrize("rate", [48000, 22050, 96000])
def test_a_device_that_refuses_the_rate_gets_its_own(deck: Deck, rate: int) -> None:
    """Stereo only, another rate: right pitch, right length, the same sound on both sides."""
    deck.sound.devices = [FakeSoundDevice.device("Picky", rate)]
    deck.sound.accepts = lambda r, c: r == rate and c == 2
    t = np.arange(RATE) / RATE
    for start in range(0, RATE, 3000):
        deck.add(0.5 * np.sin(2 * np.pi * 1000 * t[start : start + 3000]))
    deck.store.finish()
    assert deck.player.start(deck.store)
    deck.until_idle()
    assert deck.stream.channels == 2
    sound = deck.stream.sound
    active = np.flatnonzero(np.abs(sound) > 1e-4)
    assert active[-1] - active[0] == pytest.approx(rate, rel=0.01)
    middle = sound[active[0] + rate // 4 : active[0] + 3 * rate // 4]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle))))
    assert np.argmax(spectrum) * rate / len(middle) == pytest.approx(1000, abs=3)
    assert deck.player.position == RATE


def test_a_device_that_takes_nothing_is_named(deck: Deck) -> None:
    deck.sound.accepts = lambda r, c: False
    assert not deck.player.start(deck.store)
    assert "System default" in deck.messages[0]


def test_a_device_is_found_by_name_after_re_plugging(deck: Deck) -> None:
    deck.devices.outputs()
    deck.player.device_key = "Headset \u2014 ALSA"
    deck.sound.devices.reverse()
    deck.add(ramp(1000))
    assert deck.player.start(deck.store)
    index = deck.stream.settings["device"]
    assert deck.sound.devices[index]["name"] == "Headset"


def test_a_device_that_is_gone_falls_back_visibly(deck: Deck) -> None:
    deck.player.device_key = "Headset \u2014 ALSA"
    deck.sound.devices = deck.sound.devices[:1]
    assert deck.player.start(deck.store)
    assert deck.stream.settings["device"] is None
    assert "default" in deck.messages[0]
    assert deck.player.device_key == "Headset \u2014 ALSA", "the wish is kept"


def test_a_rescan_does_not_cut_a_running_stream(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.store.finish()
    deck.player.start(deck.store)
    deck.run(0.1)
    assert not deck.devices.rescan()
    assert deck.sound.terminated == 0
    deck.until_idle()
    assert deck.sound.terminated == 1, "it is made up for when the stream is closed"
    assert np.array_equal(heard(deck.stream), ramp(RATE))


@pytest.mark.parametrize("how", ["inactive", "no callbacks"])
def test_a_lost_device_ends_the_playing_only(deck: Deck, how: str) -> None:
    deck.store.expected = 100 * FRAME
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.run(0.5)
    if how == "inactive":
        deck.stream.active = False
        deck.player.tick()
    else:
        deck.clock.now += WATCHDOG_S + 0.1
        deck.player.tick()
    assert deck.player.state is PlayState.IDLE
    assert deck.messages
    assert "lost" in deck.messages[-1]
    deck.add(ramp(FRAME, RATE))
    assert deck.store.length == RATE + FRAME, "the take goes on"
    assert len(deck.sound.streams) == 1, "nothing moves to other speakers unasked"


def test_a_driver_that_hangs_at_close_does_not_hang_the_window(deck: Deck) -> None:
    deck.sound.hang_on_close = threading.Event()
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.run(0.1)
    deck.stream.active = False
    deck.player.tick()
    assert deck.player.state is PlayState.IDLE
    assert not deck.stream.closed
    deck.sound.hang_on_close.set()


def test_a_stream_that_does_not_start_says_so(deck: Deck) -> None:
    deck.sound.start_error = deck.sound.PortAudioError("device unavailable")
    assert not deck.player.start(deck.store)
    assert "unavailable" in deck.messages[0]
    deck.sound.start_error = None
    assert deck.player.start(deck.store)


def test_late_callbacks_are_counted(deck: Deck) -> None:
    deck.add(ramp(RATE))
    deck.player.start(deck.store)
    deck.stream.pump(BLOCK, underflow=True)
    core = deck.player._core
    assert core is not None
    assert core.device_underflows == 1
