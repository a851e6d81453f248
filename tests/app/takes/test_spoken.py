"""The sentence that is heard is lit in the script, and a click in the script plays from there."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from studio_bench import Bench
from studio_fakes import FRAME, RATE

from app.audio.player import PlayState
from app.takes.spoken import SpokenText
from app.takes.store import TakeFormat, TakeStore

TEXT = "One is here. Two is there.\n\n<|speaker:1|>Three is gone. Four comes back."
PIECES = [
    "One is here.", "Two is there.", "<|speaker:1|>Three is gone.", "<|speaker:1|>Four comes back.",
]  # fmt: skip


def spoken(texts: list[str], seconds: list[float]) -> SpokenText:
    store = TakeStore(TakeFormat(1000, 10, (64, 64)))
    starts = np.cumsum([0, *seconds]) * 1000
    segments = [(int(s) // 10, int(s)) for s in starts[:-1]]
    length = int(starts[-1])
    store.fill(np.zeros(length, np.float32), np.zeros((2, length // 10)), segments, texts)
    return SpokenText(TEXT, store)


def words(text: SpokenText, sample: int) -> str:
    span = text.at(sample)
    assert span is not None
    return TEXT[slice(*span)].strip()


def test_segments_are_found_in_the_text() -> None:
    text = spoken(PIECES, [1, 2, 1, 1])
    heard = [words(text, at) for at in (0, 999, 1000, 2999, 3000, 4500)]
    one, two, three, four = (p.removeprefix("<|speaker:1|>") for p in PIECES)
    assert [h.removeprefix("<|speaker:1|>") for h in heard] == [one, one, two, two, three, four]
    starts = [text.sample_of(TEXT.index(word)) for word in ("One", "here", "Two", "gone", "back")]
    assert starts == [0, 0, 1000, 3000, 4000]


@pytest.mark.parametrize("texts", [[TEXT], [""]])
def test_without_segments_sentences_share_the_time(texts: list[str]) -> None:
    text = spoken(texts, [8])
    assert words(text, 0) == "One is here."
    assert words(text, 7999) == "Four comes back."
    order = [words(text, at) for at in range(0, 8000, 50)]
    assert list(dict.fromkeys(order)) == [
        "One is here.", "Two is there.", "<|speaker:1|>Three is gone.", "Four comes back.",
    ]  # fmt: skip


def lit(bench: Bench) -> str:
    found = bench.window.script.editor.extraSelections()
    return found[0].cursor.selectedText().strip() if found else ""


def test_the_script_follows_the_player(bench: Bench) -> None:
    bench.load()
    bench.window.show()
    bench.engine.frames = 80
    text = "🙂 One is here. Two is there."
    bench.make_take(text)
    player, editor = bench.app.player, bench.window.script.editor
    bench.until(lambda: player.state is PlayState.PLAYING)
    assert lit(bench) == "🙂 One is here."
    player.seek(80 * FRAME - RATE // 2)
    assert lit(bench) == "Two is there."
    bench.window.actions_.follow.setChecked(False)
    assert lit(bench) == ""
    bench.window.actions_.follow.setChecked(True)
    assert lit(bench) == "Two is there."

    place = editor.cursorRect(editor.textCursor())
    editor.jump_to(4, 4)
    place = editor.cursorRect().center()
    control = Qt.KeyboardModifier.ControlModifier
    bench.qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, control, place)
    assert player.position == 0
    assert lit(bench) == "🙂 One is here."
    player.abort()
    assert lit(bench) == ""
    editor.jump_to(len(text) - 3, len(text) - 3)
    place = editor.cursorRect().center()
    bench.qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, control, place)
    assert player.state is not PlayState.IDLE
    assert 20 * FRAME < player.position < 60 * FRAME
    bench.window.script.set_text("Something else.")
    assert lit(bench) == ""
    bench.qtbot.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, control, place)
    assert "not the one of this take" in bench.window.toast.text.text()


def test_a_long_script_is_scrolled_to_what_is_heard(bench: Bench) -> None:
    bench.load()
    bench.window.show()
    bench.engine.frames = 200
    bench.make_take("\n".join(f"This is sentence number {n}." for n in range(60)))
    player, editor = bench.app.player, bench.window.script.editor
    bench.until(lambda: player.state is PlayState.PLAYING)
    before = editor.textCursor().position()
    player.seek(150 * FRAME)
    found = editor.extraSelections()
    assert editor.viewport().rect().contains(editor.cursorRect(found[0].cursor))
    assert editor.textCursor().position() == before
