"""Takes made by a server: connecting, speaking, stopping, a server that vanishes, honesty."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLineEdit, QWidget
from remote_kit import PIECE, PIECES, RATE, Fake, Faults, faking, tone
from studio_bench import Bench
from studio_fakes import CODEBOOKS, FRAME

from app.audio.peaks import Peaks
from app.core import settings as keys
from app.inference.service import EngineState
from app.servers.remote_form import CLIP, HERE, SERVER, RemoteForm
from app.takes.provenance import fill_from, provenance_of, take_of_provenance
from app.takes.take import Take
from app.widgets.error_dialog import ErrorDialog
from engine.audio.clip import AudioClip
from engine.audio.encode import ExportFormat
from engine.audio.wav import to_pcm16
from engine.errors import EngineError
from engine.remote.request import RemoteRequest
from engine.takes.archive import SavedTake
from engine.voices import VoiceProfile


def form_of(bench: Bench) -> RemoteForm:
    return bench.window.remote


def choose(bench: Bench, place: str) -> None:
    """Pick a place as the user does."""
    box = form_of(bench).place
    box.setCurrentIndex(box.findData(place))
    box.activated.emit(box.currentIndex())


def connect(bench: Bench, fake: Fake) -> None:
    form_of(bench).address.setText(fake.url)
    choose(bench, SERVER)
    bench.until(lambda: bench.app.remote.connected is not None)
    bench.until(lambda: bench.session.can_generate)


def take_of(bench: Bench, text: str = "Good evening.") -> Take:
    bench.make_take(text)
    assert bench.session.current.take is not None
    return bench.session.current.take


def dialogs(bench: Bench) -> list[ErrorDialog]:
    return [d for d in bench.window.findChildren(ErrorDialog) if d.isVisible()]


def seen(form: QWidget, control: QWidget) -> bool:
    return control.isVisibleTo(form)


def test_at_first_this_computer_speaks_and_nobody_is_asked(bench: Bench) -> None:
    form = form_of(bench)
    assert form.chosen == HERE
    assert not seen(form, form.address)
    assert not seen(form, form.test)
    assert not bench.app.settings.get(keys.REMOTE_ON)
    assert bench.app.remote.connected is None


def test_a_server_is_asked_and_speaks(bench: Bench) -> None:
    with faking("vllm") as fake:
        connect(bench, fake)
        form, engine = form_of(bench), bench.window.engine
        assert "vLLM-Omni, fishaudio/s2-pro" in form.result.text()
        assert "Cannot: seed" in form.result.text()
        assert not seen(engine, engine.form)
        assert not seen(engine.streaming, engine.decode)
        assert seen(engine.streaming, engine.start_buffer)
        assert not engine.temperature.isEnabled()
        assert engine.max_frames.isEnabled()
        assert not bench.window.actions_.reload_model.isEnabled()
        take = take_of(bench)
    np.testing.assert_array_equal(to_pcm16(take.store.samples), to_pcm16(tone()))
    assert take.origin.info is not None
    assert take.origin.voice == f"@ {take.origin.info.host}"
    assert "made by" in bench.window.take.heading.facts
    assert "no seed" in bench.window.take.heading.facts
    assert fake.requests[0]["input"] == "Good evening."
    assert not dialogs(bench)


def test_a_take_of_a_server_tells_no_codes(bench: Bench) -> None:
    with faking("fish") as fake:
        connect(bench, fake)
        take = take_of(bench)
        bench.window.take.roll.grab()
    assert (take.store.frames, take.store.codes.shape) == (0, (0, 0))
    provenance = provenance_of(take)
    assert provenance is not None
    assert (provenance.codes, provenance.codebooks) == (None, 0)
    assert provenance.model.endswith(f"@ {take.origin.info.host}")  # type: ignore[union-attr]
    assert provenance.seed == take.origin.seed


def test_a_take_of_a_server_is_kept_and_comes_back(bench: Bench, tmp_path: Path) -> None:
    with faking("fish") as fake:
        connect(bench, fake)
        take = take_of(bench)
        bench.until(lambda: bool(take.entry_id))
        path = tmp_path / "take.wav"
        bench.app.desk.exports.write_take(path, ExportFormat.WAV_24, take)
        bench.until(path.exists)
    count = bench.session.current.list.rowCount()
    bench.app.desk.exports.take_back(path)
    bench.until(lambda: bench.session.current.list.rowCount() == count + 1)
    back = bench.session.current.take
    assert back is not None
    assert back.store.length == PIECES * PIECE
    assert back.origin.seed == take.origin.seed


def test_going_back_to_this_computer(bench: Bench) -> None:
    bench.load()
    with faking("vllm") as fake:
        connect(bench, fake)
        choose(bench, HERE)
        bench.until(lambda: bench.app.remote.connected is None)
    assert bench.session.info is bench.engine.info
    assert seen(bench.window.engine, bench.window.engine.form)
    assert bench.window.engine.temperature.isEnabled()
    take = take_of(bench)
    assert take.store.frames == 20
    assert not bench.app.settings.get(keys.REMOTE_ON)


def test_without_a_model_here_going_back_leaves_none(bench: Bench) -> None:
    with faking("vllm") as fake:
        connect(bench, fake)
        choose(bench, HERE)
        bench.until(lambda: bench.session.state is EngineState.UNLOADED)
    assert bench.session.info is None
    assert not bench.session.can_generate


def test_opening_a_model_means_this_computer(bench: Bench) -> None:
    with faking("vllm") as fake:
        connect(bench, fake)
        bench.load()
    assert bench.app.remote.connected is None
    assert form_of(bench).chosen == HERE


def test_a_wrong_address_is_told_beside_the_button(bench: Bench) -> None:
    bench.load()
    form = form_of(bench)
    form.address.setText("127.0.0.1:9")
    choose(bench, SERVER)
    bench.until(lambda: form.result.property("state") == "bad")
    assert "127.0.0.1:9" in form.result.text()
    assert "takes are made on this computer" in form.result.text()
    assert not dialogs(bench)
    assert bench.session.info is bench.engine.info
    assert bench.session.can_generate
    form.address.setText("no address at all")
    form.test.click()
    assert "no HTTP address" in form.result.text()


def test_a_server_that_vanishes_keeps_what_was_heard(bench: Bench) -> None:
    with faking("vllm", faults=Faults(cut_after=3)) as fake:
        connect(bench, fake)
        bench.window.script.set_text("Good evening.")
        bench.app.scripts.generate()
        bench.until(lambda: bool(dialogs(bench)))
    take = bench.session.current.take
    assert take is not None
    assert take.store.length == 3 * PIECE
    assert take.store.complete
    (dialog,) = dialogs(bench)
    assert "cut off" in dialog.title.text()
    assert "kept" in bench.window.status.work.text()
    dialog.reject()
    assert bench.session.can_generate


def test_stop_is_at_once_while_the_server_is_silent(bench: Bench) -> None:
    with faking("vllm", faults=Faults(silent_after=2)) as fake:
        connect(bench, fake)
        bench.window.script.set_text("Good evening.")
        bench.app.scripts.generate()
        take = bench.session.current.take
        assert take is not None
        bench.until(lambda: take.store.length == 2 * PIECE)
        bench.until(lambda: "Receiving" in bench.window.status.work.text())
        bench.session.stop()
        bench.until(lambda: bench.session.can_generate, timeout=1000)
        assert fake.gone.wait(5)
    assert take.store.length == 2 * PIECE
    assert not dialogs(bench)


def test_the_window_stays_awake_while_the_server_thinks(bench: Bench) -> None:
    with faking("vllm", faults=Faults(silent_head=True)) as fake:
        connect(bench, fake)
        bench.window.script.set_text("Good evening.")
        bench.app.scripts.generate()
        bench.until(fake.waiting.is_set)
        bench.until(lambda: "Waiting for the server" in bench.window.status.work.text())
        bench.window.script.set_text("Something else.")
        bench.session.stop()
        bench.until(lambda: bench.session.can_generate, timeout=1000)


def library_voice(bench: Bench) -> VoiceProfile:
    profile = VoiceProfile("What Hope says.", np.zeros((CODEBOOKS, 20), np.int32), RATE, 4096)
    bench.app.voices.library.save("Hope", profile)
    bench.app.voices.refresh()
    bench.window.voices.choose("Hope")
    return profile


def test_a_library_voice_goes_as_sound_of_the_model_here(bench: Bench) -> None:
    bench.load()
    profile = library_voice(bench)
    with faking("fish") as fake:
        connect(bench, fake)
        take = take_of(bench)
    sent = fake.requests[0]["references"][0]
    assert sent["text"] == profile.transcript
    assert len(sent["audio"]) == 44 + 2 * 20 * FRAME
    assert take.origin.voice.startswith("Hope @ ")


def test_without_a_model_here_a_library_voice_is_refused(bench: Bench) -> None:
    library_voice(bench)
    with faking("fish") as fake:
        connect(bench, fake)
        bench.window.script.set_text("Good evening.")
        bench.app.scripts.generate()
        bench.until(lambda: bool(dialogs(bench)))
        assert not fake.requests
    (dialog,) = dialogs(bench)
    dialog.reject()


def test_voices_of_the_server_can_be_chosen(bench: Bench) -> None:
    with faking("fish") as fake:
        connect(bench, fake)
        box = form_of(bench).voice
        names = [box.itemData(i) for i in range(box.count())]
        assert names == ["", CLIP, "alice", "bob"]
        box.setCurrentIndex(3)
        box.activated.emit(3)
        take = take_of(bench)
        assert fake.requests[0]["reference_id"] == "bob"
        assert take.origin.voice.startswith("bob @ ")
        bench.load()
        bench.app.desk.takes.again()  # the take's voice is the server's, this computer has none
        assert len(dialogs(bench)) == 1
        dialogs(bench)[0].reject()
        assert len(bench.engine.requests) == 0


def test_a_kept_take_remembers_the_voice_of_the_server(bench: Bench) -> None:
    """Without it, speaking a take again would quietly take another voice."""
    with faking("fish") as fake:
        connect(bench, fake)
        form_of(bench).voice.setCurrentIndex(form_of(bench).voice.findData("bob"))
        take = take_of(bench)
        provenance = provenance_of(take)
        assert provenance is not None
        kept = take_of_provenance(provenance, take.origin.voice, take.origin.made)
        fill_from(
            kept, SavedTake(provenance, take.store.samples, RATE), Peaks.of(take.store.samples)
        )
        bench.session.current.admit(kept)
        bench.app.desk.takes.again()
        bench.until(lambda: len(fake.requests) == 2)
        bench.until(lambda: bench.session.can_generate)
        assert fake.requests[1]["reference_id"] == "bob"
        bench.load()
        bench.session.current.show(kept)
        bench.app.desk.takes.again()
        assert len(dialogs(bench)) == 1
        dialogs(bench)[0].reject()
    assert not bench.engine.requests


def test_the_open_clip_can_be_sent(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    form = form_of(bench)
    with faking("sglang") as fake:
        connect(bench, fake)
        form.voice.setCurrentIndex(form.voice.findData(CLIP))
        bench.window.script.set_text("Good evening.")
        bench.app.scripts.generate()  # there is no clip yet
        (dialog,) = dialogs(bench)
        dialog.reject()
        assert not fake.requests
        open_clip(bench, tone(2), "Words of the clip.")
        take = take_of(bench)
        assert fake.requests[0]["references"][0]["text"] == "Words of the clip."
    assert isinstance(take.origin.request, RemoteRequest)
    assert take.origin.request.recording is not None
    assert take.origin.voice.startswith("(open clip) @ ")


def open_clip(bench: Bench, samples: np.ndarray, text: str) -> None:
    from app.cloning.clip_files import prepare

    clip = bench.window.reference.clip
    clip.set_source(prepare(AudioClip.from_array(samples, RATE)))
    clip.set_text(text)


def test_a_key_is_kept_only_when_the_user_says_so(bench: Bench) -> None:
    form, settings = form_of(bench), bench.app.settings
    assert form.key.echoMode() is QLineEdit.EchoMode.Password
    form.key.setText("sk-1")
    form.key.textEdited.emit("sk-1")
    assert settings.get(keys.REMOTE_KEY) == ""
    form.keep_key.setChecked(True)
    assert settings.get(keys.REMOTE_KEY) == "sk-1"
    form.keep_key.setChecked(False)
    assert settings.get(keys.REMOTE_KEY) == ""
    settings.sync()
    assert "sk-1" not in settings.path.read_text(encoding="utf-8")
    with faking("vllm", key="sk-1") as fake:
        connect(bench, fake)
    assert set(fake.seen_keys) == {"Bearer sk-1"}
    assert "sk-1" not in bench.app.help.report("")


def test_a_start_goes_back_to_the_server(bench: Bench) -> None:
    settings = bench.app.settings
    bench.app.remote.open_first()
    assert bench.session.state is EngineState.UNLOADED  # nobody chose a server before
    with faking("fish") as fake:
        settings.set(keys.REMOTE_ON, True)
        form_of(bench).address.setText(fake.url)
        settings.set(keys.REMOTE_URL, fake.url)
        bench.app.remote.open_first()
        bench.until(lambda: bench.app.remote.connected is not None)
        assert form_of(bench).chosen == SERVER


def test_every_error_of_a_server_has_a_next_step(bench: Bench) -> None:
    from engine.remote import errors

    flows = bench.app.remote
    for name in ("ServerDownError", "ServerBusyError", "StreamCutError"):
        title, step = flows.next_step(getattr(errors, name)("why"), "synthesis")
        assert title
        assert step is not None
    assert flows.next_step(EngineError("x"), "load")[1] is None
