"""Names and texts of strangers' files are shown as they are written, never as markup."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from access_kit import DIALOGS
from PySide6 import QtGui
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QDialog, QLabel, QWidget
from studio_bench import Bench
from window_kit import save_voice

import app
from app.core.formats import plain_tip

EVIL = "<b>bold</b><img src='file:///etc/passwd'> & <i>more"


def plain(widget: QWidget) -> list[str]:
    """Labels below a widget that would take their text for HTML."""
    return [
        f"{label.objectName() or type(label.parent()).__name__}: {label.text()[:60]}"
        for label in widget.findChildren(QLabel)
        if label.text() and label.textFormat() is not Qt.TextFormat.PlainText
    ]


def seen(tip: str) -> str:
    """What a tooltip shows."""
    if not QtGui.Qt.mightBeRichText(tip):
        return tip
    page = QTextDocument()
    page.setHtml(tip)
    return page.toPlainText()


@pytest.mark.parametrize(
    "text", [EVIL, "a < b", "<qt>x</qt>", "two\nlines <u>x", "&lt;b&gt; <b>", "plain & simple", ""]
)
def test_a_tip_shows_what_is_written(qapp: object, text: str) -> None:
    assert seen(plain_tip(text)) == text


def test_no_label_of_the_window_reads_markup(bench: Bench) -> None:
    bench.load()
    assert plain(bench.window) == []


@pytest.mark.parametrize("kind", DIALOGS, ids=lambda kind: kind.__name__)
def test_no_label_of_a_dialog_reads_markup(bench: Bench, kind: type[QDialog]) -> None:
    bench.window.show()
    if kind.__name__ != "ExportDialog":
        bench.load()
    assert plain(DIALOGS[kind](bench)) == []


def test_a_voice_with_tags_in_its_words(bench: Bench) -> None:
    save_voice(bench, "anna", EVIL)
    model = bench.app.voices
    row = next(i for i, row in enumerate(model.rows) if row.key == "anna")
    tip = model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert EVIL in seen(tip)


def test_a_take_of_a_text_with_tags(bench: Bench) -> None:
    bench.load()
    bench.window.script.set_text(EVIL)
    bench.app.scripts.generate()
    bench.until(lambda: bench.session.can_generate and bench.app.current.list.rowCount() == 1)
    listed = bench.app.current.list
    tips = [
        listed.index(0, column).data(Qt.ItemDataRole.ToolTipRole) or ""
        for column in range(listed.columnCount())
    ]
    assert any(EVIL in seen(tip) for tip in tips)


def test_the_name_of_a_model_with_tags(bench: Bench) -> None:
    bench.window.status.set_model(EVIL)
    assert seen(bench.window.status.model.toolTip()) == EVIL


def test_labels_are_made_where_they_are_plain() -> None:
    """And every box that asks a question says so."""
    for path in sorted(Path(app.__path__[0]).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args
        }
        text = path.read_text(encoding="utf-8")
        if "QLabel" in called:
            assert path.name == "labels.py", path
        if "QMessageBox" in called:
            assert text.count("QMessageBox(") == text.count(
                "setTextFormat(Qt.TextFormat.PlainText)"
            )
