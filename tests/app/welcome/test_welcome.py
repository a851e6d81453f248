"""What a first start has, and when voices that came with the program are in the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from studio_bench import Bench, put_away
from studio_fakes import CODEBOOKS, RATE, model_info
from window_kit import save_voice

from app.core import settings as keys
from app.voices.list_model import VoiceRole
from app.welcome.first_run import FIRST_WORDS
from engine.errors import ModelFileError
from engine.voices import VoiceProfile

DEMO = Path("demo_voice.gguf")
SMALL = {"num_codebooks": 4, "codebook_size": 1024, "sample_rate": 22050}
ROBOT = "shipped:robot-clara"


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped voices: two of the demo model and a damaged one."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("robot-clara", "robot-martin"):
        profile = VoiceProfile("The train was late.", np.zeros((4, 38), np.int32), 22050, 1024)
        profile.save(folder / f"{name}.s2voice")
    (folder / "robot-x.s2voice").write_bytes(b"S2VOICE\0")
    monkeypatch.setattr("app.application.shipped_voices", lambda: folder)
    return folder


@pytest.fixture
def start(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, shipped: Path
) -> Iterator[Callable[[], Bench]]:
    """Starts the studio with a demo voice, again and again on the same settings."""
    made: list[Bench] = []

    def begin() -> Bench:
        for old in made:
            old.app.shutdown()
        bench = Bench(qtbot, qapp, tmp_path / "user", demo=DEMO)
        made.append(bench)
        bench.engine.info = model_info(str(DEMO), **SMALL)
        bench.window.show()
        return bench

    yield begin
    assert all(bench.app.shutdown() for bench in made)
    window = made[0].window
    made.clear()
    put_away(window)


def known(bench: Bench) -> list[str]:
    return [row.key for row in bench.app.voices.rows if row.key]


def open_other(bench: Bench) -> None:
    """Open a model of S2 Pro's sizes in place of the demo."""
    bench.engine.info = model_info()
    bench.load()


def test_voices_of_another_model_do_not_clutter_the_list(shipped: Path, bench: Bench) -> None:
    assert known(bench) == []
    assert bench.window.voices.empty.isVisibleTo(bench.window)
    bench.load()
    assert known(bench) == []
    save_voice(bench, "Ann")
    assert known(bench) == ["Ann"]
    bench.engine.info = model_info("small.gguf", **SMALL)
    bench.load("small.gguf")
    assert known(bench) == ["Ann", ROBOT, "shipped:robot-martin"], "the damaged one fits nothing"
    rows = bench.app.voices
    assert rows.index(rows.row_of("Ann")).data(VoiceRole.FITS) is False
    assert rows.index(rows.row_of(ROBOT)).data(VoiceRole.FITS) is True
    bench.loader.error = ModelFileError("broken")
    bench.app.models.open(Path("x.gguf"))
    bench.until(lambda: not bench.session.service.working)
    assert ROBOT in known(bench), "the model that was there works on"


def test_the_first_click_on_generate_speaks(start: Callable[[], Bench]) -> None:
    bench = start()
    window = bench.window
    bench.app.models.open_first(None, None)
    assert window.below.currentWidget() is window.card
    bench.until(lambda: "demo voice" in window.card.model_hint.text())
    bench.until(lambda: bench.session.can_generate)
    assert window.below.currentWidget() is window.card
    assert "click Generate" in window.card.title.text()
    assert "robot-clara is chosen" in window.card.voice_hint.text()
    assert window.script.text == FIRST_WORDS
    bench.qtbot.mouseClick(window.script.generate, Qt.MouseButton.LeftButton)
    take = bench.session.current.take
    assert take is not None
    bench.until(lambda: take.store.complete)
    asked = bench.engine.requests[-1]
    assert asked.text == FIRST_WORDS
    assert [r.codes.shape for r in asked.references] == [(4, 38)]
    assert window.below.currentWidget() is window.take


def test_the_words_of_the_first_start_give_way_to_what_is_typed(
    start: Callable[[], Bench],
) -> None:
    bench = start()
    bench.app.models.open_first(None, None)
    bench.until(lambda: bench.session.can_generate)
    bench.qtbot.keyClicks(bench.window.script.editor, "Mine.")
    assert bench.window.script.text == "Mine."


def test_a_second_start_begins_with_what_the_user_left(start: Callable[[], Bench]) -> None:
    bench = start()
    bench.app.models.open_first(None, None)
    bench.until(lambda: bench.session.can_generate)
    bench.window.script.set_text("")
    bench.window.voices.choose("shipped:robot-martin")
    again = start()
    assert again.window.script.text == ""
    again.app.models.open_first(None, None)
    again.until(lambda: again.session.can_generate)
    assert again.window.script.text == ""
    assert again.window.voices.key == "shipped:robot-martin"


def test_a_shipped_voice_is_put_down_and_taken_up_with_its_model(
    start: Callable[[], Bench],
) -> None:
    bench = start()
    bench.app.models.open_first(None, None)
    bench.until(lambda: bench.session.can_generate)
    assert bench.window.voices.key == ROBOT
    open_other(bench)
    assert bench.window.voices.key == ""
    assert "robot-clara" in bench.window.toast.text.text()
    assert bench.window.below.currentWidget() is bench.window.take
    bench.make_take()
    assert bench.engine.requests[-1].references == ()
    bench.engine.info = model_info(str(DEMO), **SMALL)
    bench.app.models.open(DEMO)
    bench.until(lambda: bench.window.voices.key == ROBOT)
    assert bench.app.settings.get(keys.VOICE) == ROBOT


def test_a_start_that_cannot_open_the_demo_shows_no_voice_of_it(
    start: Callable[[], Bench],
) -> None:
    bench = start()
    bench.loader.error = ModelFileError("broken")
    bench.app.models.open_first(None, None)
    bench.until(lambda: not bench.session.service.working)
    assert known(bench) == []
    assert "Three steps" in bench.window.card.title.text()


def test_the_steps_of_the_card_do_what_they_say(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, done = bench.window.card, []
    bench.window.show()
    flow = bench.app.cloning.reference
    bench.window.actions_.record.triggered.connect(lambda: done.append("record"))
    bench.window.actions_.open_clip.triggered.connect(lambda: done.append("clip"))
    monkeypatch.setattr(type(flow), "record_or_stop", lambda self: None)
    monkeypatch.setattr(
        "app.core.file_dialogs.QFileDialog.getOpenFileName", lambda *a, **k: ("", "")
    )
    card.clip_button.click()
    card.record_button.click()
    assert done == ["clip", "record"]
    profile = VoiceProfile("Hi.", np.zeros((CODEBOOKS, 4), np.int32), RATE, 4096)
    bench.app.voices.library.save("Ann", profile)
    bench.app.voices.refresh()
    bench.app.welcome.tell()
    assert "Choose one on the left" in card.voice_hint.text()
    bench.window.voices.choose("Ann")
    assert "Ann is chosen" in card.voice_hint.text()
    assert "drop a clip" in card.voice_hint.text()
