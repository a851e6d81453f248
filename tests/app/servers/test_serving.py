"""The window's engine lent to other programs: the switch, its address, and taking turns."""

from __future__ import annotations

import io
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
import soundfile
from PySide6.QtWidgets import QApplication
from studio_bench import Bench
from studio_fakes import CODEBOOKS, RATE, frame_samples

from app.core import settings as keys
from app.inference.service import EngineState
from app.servers.serve_controller import reachable
from app.servers.serve_form import ServeForm
from engine.cancel import CancelToken
from engine.voices import VoiceProfile

SPEECH, TEXT = "/v1/audio/speech", {"input": "Hello.", "response_format": "wav", "seed": 3}


def form_of(bench: Bench) -> ServeForm:
    return bench.window.serve


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def turn_on(bench: Bench) -> str:
    """Switch the server on as the user does; returns its address."""
    bench.app.settings.set(keys.SERVE_PORT, free_port())
    form_of(bench).on.click()
    bench.until(lambda: bool(form_of(bench).address.text()))
    return form_of(bench).address.text()


class Client:
    """Another program: asks on a thread, while the window's loop runs."""

    def __init__(self, bench: Bench, url: str) -> None:
        self._bench, self._url = bench, url
        self._pool = ThreadPoolExecutor(2)

    def ask(self, path: str = SPEECH, **options: Any) -> Future[httpx.Response]:
        method = "GET" if not options else "POST"

        def call() -> httpx.Response:
            with httpx.Client(base_url=self._url, timeout=30, trust_env=False) as client:
                return client.request(method, path, **options)

        return self._pool.submit(call)

    def answer(self, path: str = SPEECH, **options: Any) -> httpx.Response:
        asked = self.ask(path, **options)
        self._bench.until(asked.done)
        return asked.result()

    def close(self) -> None:
        self._pool.shutdown()


@pytest.fixture
def client(bench: Bench) -> Any:
    bench.load()
    made = Client(bench, turn_on(bench))
    yield made
    bench.app.serving.switch.turn_off()
    bench.until(lambda: not bench.app.serving.switch.url)
    made.close()


def hold(bench: Bench) -> Callable[[], None]:
    """Make the engine wait before its third frame; returns what lets it go on."""
    gate = threading.Event()

    def wait(index: int, cancel: CancelToken) -> None:
        while index >= 2 and not gate.is_set() and not cancel.cancelled:
            gate.wait(0.005)

    bench.engine.wait = wait
    return gate.set


def test_it_is_off_at_first(bench: Bench) -> None:
    form = form_of(bench)
    assert not form.on.isChecked()
    assert not form.port.isVisibleTo(form)
    assert not form.address.isVisibleTo(form)
    assert not bench.app.serving.switch.wanted


def test_others_speak_with_the_engine_of_the_window(bench: Bench, client: Client) -> None:
    answer = client.answer(json=TEXT)
    assert answer.status_code == 200, answer.text
    samples, rate = soundfile.read(io.BytesIO(answer.content), dtype="float32")
    expected = np.concatenate([frame_samples(i, 3) for i in range(bench.engine.frames)])
    assert rate == RATE
    np.testing.assert_allclose(samples, expected, atol=1 / 32000)
    assert bench.session.current.list.rowCount() == 0
    assert client.answer("/health").json() == {"status": "ok"}
    assert client.answer("/v1/models").json()["data"][0]["sample_rate"] == RATE
    assert "<html" in client.answer("/").text


def test_the_address_is_of_this_machine_and_can_be_copied(bench: Bench, client: Client) -> None:
    form = form_of(bench)
    port = bench.app.settings.get(keys.SERVE_PORT)
    assert form.address.text() == f"http://127.0.0.1:{port}"
    assert form.address.isReadOnly()
    form.copy.click()
    assert QApplication.clipboard().text() == form.address.text()


def test_while_the_window_speaks_others_hear_that_it_is_busy(bench: Bench, client: Client) -> None:
    resume = hold(bench)
    bench.window.script.set_text("Good evening.")
    bench.app.scripts.generate()
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.frames == 2)
    answer = client.answer(json=TEXT)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert "busy" in answer.json()["error"]["message"]
    resume()
    bench.until(lambda: take.store.complete)
    assert take.store.frames == bench.engine.frames
    assert client.answer(json=TEXT).status_code == 200


def test_while_others_speak_the_window_waits_and_says_so(bench: Bench, client: Client) -> None:
    resume = hold(bench)
    asked = client.ask(json=TEXT)
    bench.until(lambda: bench.session.state is EngineState.BUSY)
    assert not bench.session.can_generate
    bench.window.script.set_text("Good evening.")
    bench.window.actions_.generate.trigger()
    assert len(bench.session.waiting) == 1, "it takes its turn"
    bench.until(lambda: "another program" in bench.window.status.work.text())
    bench.until(lambda: "Stop ends that too" in form_of(bench).note.text())
    assert client.answer(json=TEXT).status_code == 503
    resume()
    bench.until(asked.done)
    assert asked.result().status_code == 200
    bench.until(lambda: bench.session.current.take is not None)
    bench.until(lambda: bench.session.can_generate)


def test_stop_ends_what_others_asked_for(bench: Bench, client: Client) -> None:
    hold(bench)
    asked = client.ask(json={**TEXT, "response_format": "flac"})
    bench.until(lambda: bench.session.state is EngineState.BUSY)
    bench.session.stop()
    bench.until(asked.done)
    assert asked.result().status_code == 503
    bench.until(lambda: bench.session.can_generate)


def test_a_client_that_leaves_frees_the_engine(bench: Bench, client: Client) -> None:
    hold(bench)
    left = threading.Event()

    def leave() -> None:
        with (
            httpx.Client(trust_env=False) as other,
            other.stream("POST", f"{form_of(bench).address.text()}{SPEECH}", json=TEXT) as answer,
        ):
            next(answer.iter_bytes())
        left.set()

    worker = threading.Thread(target=leave)
    worker.start()
    bench.until(left.is_set)
    bench.until(lambda: bench.session.can_generate, timeout=2000)
    worker.join(5)


def test_a_recording_of_another_program_is_encoded_here(bench: Bench, client: Client) -> None:
    sound = io.BytesIO()
    soundfile.write(sound, np.sin(np.arange(RATE) / 9) * 0.4, RATE, format="WAV")
    files = {
        "text": (None, "Hello."),
        "reference": ("clip.wav", sound.getvalue()),
        "reference_text": (None, "Words."),
    }
    answer = client.answer("/generate", files=files)
    assert answer.status_code == 200, answer.text
    ((clip, words),) = bench.engine.encoded
    assert words == "Words."
    assert clip.seconds == pytest.approx(1.0, abs=0.1)
    assert len(bench.engine.requests[0].references) == 1


def test_voices_of_the_library_can_be_named(bench: Bench, client: Client) -> None:
    profile = VoiceProfile("What Hope says.", np.zeros((CODEBOOKS, 20), np.int32), RATE, 4096)
    bench.app.voices.library.save("Hope", profile)
    assert "Hope" in client.answer("/v1/audio/voices").json()["voices"]
    assert client.answer(json={**TEXT, "voice": "Hope"}).status_code == 200
    assert bench.engine.requests[0].references == (profile,)
    assert client.answer(json={**TEXT, "voice": "../../x"}).status_code == 400


def test_without_a_model_it_answers_and_says_why(bench: Bench) -> None:
    url = turn_on(bench)
    assert "no model" in form_of(bench).note.text()
    client = Client(bench, url)
    answer = client.answer(json=TEXT)
    assert answer.status_code == 500
    client.close()
    bench.load()
    bench.until(lambda: "browser" in form_of(bench).note.text())


def test_a_port_in_use_is_told(bench: Bench) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        bench.app.settings.set(keys.SERVE_PORT, other.getsockname()[1])
        form_of(bench).on.click()
        bench.until(lambda: form_of(bench).note.property("state") == "bad")
    form = form_of(bench)
    assert not form.on.isChecked()
    assert str(bench.app.settings.get(keys.SERVE_PORT)) in form.note.text()
    assert bench.app.serving.switch.url == ""


def test_without_the_extra_it_says_how_to_get_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    form_of(bench).on.click()
    bench.until(lambda: form_of(bench).note.property("state") == "bad")
    assert "s2-voice-studio[server]" in form_of(bench).note.text()
    assert not form_of(bench).on.isChecked()


def test_another_port_moves_it(bench: Bench, client: Client) -> None:
    before = form_of(bench).address.text()
    form_of(bench).port.setValue(free_port())
    bench.until(lambda: form_of(bench).address.text() not in ("", before))
    with httpx.Client(trust_env=False) as other:
        assert other.get(f"{form_of(bench).address.text()}/health").status_code == 200
        with pytest.raises(httpx.ConnectError):
            other.get(f"{before}/health")


def test_it_can_be_turned_off_and_on(bench: Bench, client: Client) -> None:
    form, url = form_of(bench), form_of(bench).address.text()
    form.on.click()
    bench.until(lambda: not bench.app.serving.switch.moving)
    assert form.address.text() == ""
    with httpx.Client(trust_env=False) as other, pytest.raises(httpx.ConnectError):
        other.get(f"{url}/health")
    form.on.click()
    bench.until(lambda: form.address.text() == url)
    assert client.answer("/health").status_code == 200


def test_closing_the_window_ends_it_even_while_it_speaks(bench: Bench) -> None:
    bench.load()
    url = turn_on(bench)
    hold(bench)
    client = Client(bench, url)
    asked = client.ask(json=TEXT)
    bench.until(lambda: bench.session.state is EngineState.BUSY)
    assert bench.app.shutdown()
    with httpx.Client(trust_env=False) as other, pytest.raises(httpx.TransportError):
        other.get(f"{url}/health")
    assert asked.exception(30) is not None or asked.result().status_code >= 500
    client.close()


def test_it_is_off_after_a_new_start(bench: Bench, client: Client, tmp_path: Path) -> None:
    bench.app.settings.sync()
    text = bench.app.settings.path.read_text(encoding="utf-8")
    assert "port" in text
    assert "serve/on" not in text


def test_an_address_for_others() -> None:
    assert reachable("http://127.0.0.1:1") == "http://127.0.0.1:1"
    assert reachable("") == ""
    assert "0.0.0.0" not in reachable("http://0.0.0.0:3030")
    assert reachable("http://0.0.0.0:3030").endswith(":3030")
