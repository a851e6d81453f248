"""Voices that outlive a model, in the window: offered, made anew, stopped; and what is grey."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest
from cloning_kit import MicBench
from studio_fakes import model_info
from voice_kit import SMALL, Encoder, clip_of, kept_voice
from window_kit import dialog

from app.inference.service import EngineState
from app.voices.delegate import VoiceRole
from app.widgets.error_dialog import ErrorDialog
from engine.cancel import CancelToken
from engine.voices import Codec, VoiceLibrary
from engine.voices.clips import pack_clip

THIS = Codec.of(model_info())


@pytest.fixture
def library(mic: MicBench) -> VoiceLibrary:
    return mic.store.library


def keep(mic: MicBench, *names: str) -> None:
    folder = Path(mic.store.library.directory)
    for number, name in enumerate(names):
        kept_voice(folder, name, clips=((clip_of(1.0, number), f"Words of {name}."),))
    mic.app.voices.refresh()


def test_voices_of_another_model_are_made_anew(mic: MicBench, library: VoiceLibrary) -> None:
    keep(mic, "Grandpa's voice: kitchen?", "Berta")
    library.save("Old", Encoder(SMALL)(clip_of(), "Old words."))
    mic.window.show()
    panel = mic.window.voices
    assert not panel.strip.isVisible(), "without a model all may be fine"
    panel.choose(library.like("Grandpa's voice: kitchen?"))
    mic.load()
    assert panel.strip.isVisible()
    words = panel.strip.words.text()
    assert words.startswith("2 voices can be made anew")
    assert "1 voice for another model" in words
    generate = mic.window.script.generate
    mic.window.script.set_text("Good evening.")
    assert not generate.isEnabled()
    assert "Grandpa's voice: kitchen? was made for another model" in generate.toolTip()
    before = library.load("Berta")
    panel.strip.make.click()
    mic.until(lambda: not mic.app.voice_controller.maker.busy)
    assert not generate.toolTip().startswith("Grandpa")
    assert generate.isEnabled()
    assert panel.strip.words.text() == "1 voice for another model has no clip."
    assert not panel.strip.make.isVisible()
    assert "2 voices were made anew" in mic.window.toast.text.text()
    assert library.load("Berta") == before
    assert library.load("Berta", THIS).codec == THIS
    mic.make_take("Good evening.")
    (used,) = mic.engine.requests[-1].references
    assert used.transcript == "Words of Grandpa's voice: kitchen?."
    assert used.codec == THIS
    mic.engine.info = model_info(num_codebooks=2, codebook_size=64, sample_rate=8000)
    mic.load("other.gguf")
    assert not panel.strip.isVisible(), "the way back is open too"
    assert generate.isEnabled()


def test_making_anew_can_be_stopped_and_nothing_is_lost(
    mic: MicBench, library: VoiceLibrary
) -> None:
    keep(mic, "Anna", "Berta", "Clara")
    mic.window.show()
    mic.load()
    strip, maker = mic.window.voices.strip, mic.app.voice_controller.maker

    def wait(index: int, cancel: CancelToken) -> None:
        if len(mic.engine.encoded) == 2:
            cancel._event.wait(20)

    mic.engine.wait = wait
    strip.make.click()
    mic.until(lambda: len(mic.engine.encoded) == 2)
    assert "Berta" in strip.words.text()
    assert "2 of 3" in strip.words.text()
    assert strip.cancel.isVisible()
    strip.cancel.click()
    mic.until(lambda: not maker.busy)
    assert strip.words.text().startswith("2 voices can be made anew")
    assert library.load("Anna", THIS).codec == THIS
    assert library.load("Berta", THIS).codec == SMALL
    assert all(entry.notes.clips for entry in library.list())
    mic.engine.wait = lambda index, cancel: None
    strip.make.click()
    mic.until(lambda: not maker.busy and not strip.isVisible())


def test_one_that_cannot_be_made_does_not_stop_the_others(
    mic: MicBench, library: VoiceLibrary
) -> None:
    keep(mic, "Anna", "Berta")
    path = library.companions("Anna").folder / "clip-1.flac"
    path.write_bytes(pack_clip(clip_of(1.0, 40), "x", "y")[1])
    mic.window.show()
    mic.load()
    mic.window.voices.strip.make.click()
    mic.until(lambda: not mic.app.voice_controller.maker.busy)
    said = mic.window.toast.text.text()
    assert "1 voice was made anew" in said
    assert "Anna: The file of the clip" in said
    assert library.load("Berta", THIS).codec == THIS


def test_a_deleted_voice_is_asked_for(mic: MicBench, library: VoiceLibrary) -> None:
    library.keep("Anna", Encoder(THIS)(clip_of(), "Words."))
    mic.app.voices.refresh()
    mic.window.show()
    mic.load()
    panel, script = mic.window.voices, mic.window.script
    script.set_text("Good evening.")
    script.measure()
    panel.choose("Anna")
    assert script.generate.isEnabled()
    panel.delete_requested.emit("Anna")
    assert panel.asking
    assert panel.heading.facts == "Choose a voice"
    assert not panel.view.selectedIndexes()
    assert not script.generate.isEnabled()
    assert script.generate.toolTip().startswith("Choose a voice")
    mic.window.toast.button.click()
    assert panel.key == "Anna"
    assert script.generate.isEnabled()
    panel.delete_requested.emit("Anna")
    panel.view.setCurrentIndex(panel.filter.index(0, 0))
    assert not panel.asking
    assert panel.heading.facts == ""
    assert script.generate.isEnabled(), "no voice is a choice"


def test_what_does_not_fit_makes_no_take(mic: MicBench, library: VoiceLibrary) -> None:
    library.keep("Old", Encoder(SMALL)(clip_of(), "Words."))
    mic.app.voices.refresh()
    mic.window.show()
    mic.window.voices.choose("Old")
    mic.load()
    mic.window.script.set_text("Good evening.")
    mic.window.script.measure()
    mic.window.actions_.generate.trigger()
    assert mic.app.current.list.rowCount() == 0
    assert "its clip was not kept" in mic.window.script.generate.toolTip()
    index = mic.window.voices.filter.index(1, 0)
    assert index.data(VoiceRole.FITS) is False


def test_a_take_that_waits_for_another_model_gets_its_voice_or_is_refused(
    mic: MicBench, library: VoiceLibrary
) -> None:
    keep(mic, "Anna")
    library.companions("Anna").keep_other(Encoder(THIS)(clip_of(1.0, 0), "Words of Anna."))
    mic.app.voices.refresh()
    mic.window.show()
    mic.window.voices.choose("Anna")
    for made in (True, False):
        if not made:
            shutil.rmtree(library.companions("Anna").folder)
            mic.app.voices.refresh()
        mic.engine.info = model_info(num_codebooks=2, codebook_size=64, sample_rate=8000)
        mic.load("small.gguf")
        mic.engine.info = model_info()
        mic.loader.gate = threading.Event()
        mic.app.models.open(Path("large.gguf"))
        mic.until(lambda: mic.session.state is EngineState.LOADING)
        mic.window.script.set_text("Good evening.")
        rows = mic.app.current.list.rowCount()
        mic.app.scripts.generate()
        mic.loader.gate.set()
        if made:
            mic.until(lambda rows=rows: mic.app.current.list.rowCount() == rows + 1)
            mic.until(lambda: mic.session.can_generate)
            assert mic.engine.requests[-1].references[0].codec == THIS
        else:
            mic.until(lambda: any(d.isVisible() for d in mic.window.findChildren(ErrorDialog)))
            assert "Make it anew" in dialog(mic).advice.text()
            dialog(mic).reject()
            assert mic.app.current.list.rowCount() == rows, "no take of nothing"
