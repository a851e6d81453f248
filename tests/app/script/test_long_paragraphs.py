"""Paragraphs without end in the script: the text is what was typed, whatever lies beneath."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot
from studio_bench import Bench

from app.script import long_paragraphs
from app.script.long_paragraphs import LONGEST, MARK, Places, insert, unsewn

WORD = "a" * 200_000
CHINESE = "今天的天气真好我们去海边散步吧😀" * 3000
MIXED = f"Short.\n{'Good evening. ' * 2000}\r\n\r{CHINESE}\u2029End\u2028line"
SEEN = MIXED.replace("\r\n", "\n").translate({0x0D: "\n", 0x2028: "\n", 0x2029: "\n"})


def blocks(document: QTextDocument) -> list[int]:
    found, block = [], document.begin()
    while block.isValid():
        found.append(block.length())
        block = block.next()
    return found


def paste(bench: Bench, text: str) -> None:
    data = QMimeData()
    data.setText(text)
    bench.window.script.editor.insertFromMimeData(data)


@pytest.mark.parametrize("text", [WORD, CHINESE, "Good evening. " * 9000], ids=["a", "zh", "words"])
def test_no_block_is_so_long_that_laying_it_out_is_felt(bench: Bench, text: str) -> None:
    editor = bench.window.script.editor
    bench.window.show()
    paste(bench, text)
    assert editor.text == bench.window.script.text == text
    assert max(blocks(editor.document())) <= 2 * LONGEST + 1, "in UTF-16 units, with its end"
    editor.undo()
    assert editor.text == ""
    editor.redo()
    assert editor.text == text


def test_all_kinds_of_line_ends_stay(bench: Bench) -> None:
    paste(bench, MIXED)
    assert bench.window.script.text == SEEN
    bench.window.script.set_text(MIXED)
    assert bench.window.script.text == SEEN


def test_a_text_in_place_of_a_long_one_begins_at_the_top(bench: Bench) -> None:
    panel = bench.window.script
    panel.set_text("a" * LONGEST)
    assert len(blocks(panel.editor.document())) == 1
    panel.set_text("b" * 10)
    panel.set_text("c" * (LONGEST + 1))
    assert panel.editor.document().begin().text().startswith("ccc")
    assert panel.text == "c" * (LONGEST + 1)


def test_a_long_text_is_there_after_a_start(qtbot: QtBot, bench: Bench) -> None:
    editor = bench.window.script.editor
    editor.load_text(SEEN)
    assert editor.text == SEEN
    assert not editor.document().isUndoAvailable()
    paste(bench, "x")
    editor.undo()
    assert editor.text == SEEN


def at_seam(bench: Bench, text: str = "ab" * 3000) -> QTextCursor:
    """The cursor at the start of the second block of one paragraph."""
    paste(bench, text)
    editor = bench.window.script.editor
    cursor = editor.textCursor()
    cursor.setPosition(editor.document().begin().next().position())
    editor.setTextCursor(cursor)
    assert cursor.block().previous().text().endswith(MARK)
    return cursor


def press(bench: Bench, key: Qt.Key) -> str:
    bench.qtbot.keyClick(bench.window.script.editor, key)
    return bench.window.script.text


def test_enter_ends_a_paragraph_anywhere(bench: Bench) -> None:
    text = "ab" * 3000
    at = at_seam(bench, text).position() - 2
    assert press(bench, Qt.Key.Key_Return) == f"{text[:at]}\n{text[at:]}"
    bench.window.script.editor.undo()
    assert bench.window.script.text == text
    cursor = bench.window.script.editor.textCursor()
    cursor.setPosition(at - 500)
    bench.window.script.editor.setTextCursor(cursor)
    assert press(bench, Qt.Key.Key_Enter).count("\n") == 1
    paste(bench, "x\ny")
    assert bench.window.script.text.count("\n") == 2


def test_backspace_and_delete_take_a_character_at_a_seam(bench: Bench) -> None:
    text = "ab" * 3000
    cursor = at_seam(bench, text)
    at = cursor.position() - 2
    for place in (at + 2, at + 1, at):  # behind the seam, in it, before it
        for key, left in (
            (Qt.Key.Key_Backspace, text[: at - 1] + text[at:]),
            (Qt.Key.Key_Delete, text[:at] + text[at + 1 :]),
        ):
            cursor.setPosition(place)
            bench.window.script.editor.setTextCursor(cursor)
            assert press(bench, key) == left
            bench.window.script.editor.undo()
            assert bench.window.script.text == text


def test_what_is_copied_holds_no_seam(bench: Bench) -> None:
    editor = bench.window.script.editor
    paste(bench, SEEN)
    editor.selectAll()
    data: Any = editor.createMimeDataFromSelection()
    assert data.text() == SEEN
    editor.clear()
    cursor = at_seam(bench, "ab" * 3000)
    end = cursor.position()
    cursor.setPosition(end - 4)
    cursor.setPosition(end + 2, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)
    assert editor.createMimeDataFromSelection().text() == "abab"


def test_a_note_leads_to_its_place_behind_seams(bench: Bench) -> None:
    bench.window.show()
    panel = bench.window.script
    panel.set_text("😀 Good evening. " * 400 + "[wisper] and on.")
    panel.measure()
    bench.until(lambda: len(panel.notes.notes) == 1)
    panel.notes.show_button.click()
    assert panel.editor.textCursor().selectedText() == "[wisper]"


@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 30), st.text("ab 😀\n", max_size=60)),
        max_size=8,
    )
)
def test_any_edits_give_the_text_they_would_give_elsewhere(
    edits: list[tuple[int, int, str]],
) -> None:
    document, expected = QTextDocument(), ""
    old, long_paragraphs.LONGEST = long_paragraphs.LONGEST, 8
    try:
        for start, length, text in edits:
            start = min(start, len(expected))
            end = min(len(expected), start + length)
            places = Places(document.toPlainText())
            cursor = QTextCursor(document)
            cursor.setPosition(places.to_qt(start))
            cursor.setPosition(places.to_qt(end), QTextCursor.MoveMode.KeepAnchor)
            assert unsewn(cursor.selectedText()) == expected[start:end]
            insert(cursor, text)
            expected = expected[:start] + text + expected[end:]
            assert unsewn(document.toPlainText()) == expected
    finally:
        long_paragraphs.LONGEST = old
