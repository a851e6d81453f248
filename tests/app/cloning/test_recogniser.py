"""Transcription by one button: what it fetches is shown, fetched, checked and used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cloning_kit import FakeTranscriber, MicBench, speech
from hub_kit import PROXIES, Fault, Server, known, noise, serving
from PySide6.QtWidgets import QFileDialog
from window_kit import dialog

from app.cloning.recogniser import RecogniserFetch
from app.cloning.recogniser_dialog import RecogniserDialog
from app.cloning.transcriber import Availability, WhisperTranscriber
from app.core import settings as keys
from engine.transcription import RECOGNISER

FILES = {"config.json": b"{}", "tokenizer.json": b"{}", "model.bin": noise(400_000)}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with serving() as server:
        for name, content in FILES.items():
            server.put(name, content)
        yield server


@pytest.fixture
def fetch(mic: MicBench, hub: Server, tmp_path: Path) -> RecogniserFetch:
    """The window's way to a small model on a hub of this machine; its transcriber lacks one."""
    app, flow = mic.app, mic.cloning.transcript
    app.settings.set(keys.MODELS_MIRROR, hub.url)
    model = replace(RECOGNISER, files=tuple(known(name, data) for name, data in FILES.items()))
    made = RecogniserFetch(tmp_path / "got", app.manager.options, app.tasks, model, app)
    made.folder_wanted.connect(flow.choose_folder)
    made.fetched.connect(flow._on_fetched)
    flow._recogniser = mic.cloning.recogniser = made
    scribe = FakeTranscriber()
    flow.transcriber = mic.cloning.transcriber = scribe
    scribe.ready = Availability(False, "No model.", "Get one.", True)
    scribe.finished.connect(flow._on_finished)
    mic.window.show()
    mic.open(tmp_path / "a.wav", speech(5))
    return made


def shown(fetch: RecogniserFetch) -> RecogniserDialog:
    assert fetch.dialog is not None
    return fetch.dialog


def test_one_button_gets_the_model_and_goes_on(
    mic: MicBench, fetch: RecogniserFetch, tmp_path: Path
) -> None:
    scribe = mic.cloning.transcriber
    assert isinstance(scribe, FakeTranscriber)
    mic.panel.transcript.button.click()
    facts = shown(fetch).facts.text()
    assert "MIT License" in facts
    assert "someone/voices" in facts, "where it is from"
    assert known("model.bin", FILES["model.bin"]).sha256 in facts.replace("\u200b", "")
    assert "MB" in shown(fetch).fetch.text()
    assert "pip" not in facts
    assert fetch.found() is None
    scribe.ready = Availability(True)
    shown(fetch).fetch.click()
    mic.until(lambda: bool(scribe.clips))
    assert fetch.dialog is None
    assert scribe.model_folder == fetch.found() == tmp_path / "got" / RECOGNISER.folder
    scribe.answer("Every word.")
    assert mic.clip.text == "Every word."


def test_it_can_be_stopped_and_gone_on_with(
    mic: MicBench, hub: Server, fetch: RecogniserFetch
) -> None:
    mic.panel.transcript.button.click()
    hub.faults.extend([Fault(), Fault(), Fault(stall=200_000)])
    shown(fetch).fetch.click()
    hub.wait_sent(150_000)
    mic.until(lambda: shown(fetch).progress.isVisible() and shown(fetch).stop.isVisible())
    assert "of" in shown(fetch).state.text()
    shown(fetch).stop.click()
    mic.until(lambda: not fetch.busy)
    assert "kept for the next time" in shown(fetch).state.text()
    assert shown(fetch).fetch.isVisible()
    mic.cloning.transcriber.ready = Availability(True)  # type: ignore[attr-defined]
    shown(fetch).fetch.click()
    mic.until(lambda: fetch.found() is not None and fetch.dialog is None)


def test_offline_and_faults_are_said_where_it_was_asked_for(
    mic: MicBench, hub: Server, fetch: RecogniserFetch
) -> None:
    mic.app.settings.set(keys.MODELS_OFFLINE, True)
    mic.panel.transcript.button.click()
    shown(fetch).fetch.click()
    mic.until(lambda: not fetch.busy)
    assert "offline" in shown(fetch).state.text().lower()
    assert hub.seen == []
    mic.app.settings.set(keys.MODELS_OFFLINE, False)
    hub.put("model.bin", noise(400_000, seed=3))
    shown(fetch).fetch.click()
    mic.until(lambda: not fetch.busy)
    assert "SHA-256" in shown(fetch).state.text()
    assert fetch.found() is None
    shown(fetch).reject()
    mic.until(lambda: fetch.dialog is None)


def test_a_model_of_ones_own_can_be_chosen(
    mic: MicBench, fetch: RecogniserFetch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a, **k: str(own))
    mic.panel.transcript.button.click()
    shown(fetch).folder.click()
    assert mic.app.settings.get(keys.TRANSCRIBE_MODEL) == str(own)
    dialog(mic).reject()


def test_without_the_library_no_command_is_shown(
    mic: MicBench, fetch: RecogniserFetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    scribe = WhisperTranscriber(installed=lambda: False)
    mic.cloning.transcript.transcriber = scribe
    mic.panel.transcript.button.click()
    words = dialog(mic).advice.text() + dialog(mic).detail.text()
    assert "pip" not in words
    assert "README" in words
    dialog(mic).reject()
