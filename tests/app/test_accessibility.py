"""The window and every dialog without a mouse, without colours, and with large letters."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from access_kit import (
    DIALOGS,
    controls,
    cut_texts,
    place,
    reads_in_order,
    shows_focus,
    spoken_name,
    tab_order,
)
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget
from studio_bench import Bench
from window_kit import save_voice

import app
from app.inference.service import EngineState

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"


def ready(bench: Bench) -> QWidget:
    """The window with a model, voices and a take."""
    for name in ("Hope", "Old lighthouse"):
        save_voice(bench, name, "The morning train was late.")
    bench.load()
    bench.make_take()
    bench.window.resize(1366, 728)
    bench.window.show()
    bench.qtbot.waitExposed(bench.window)
    bench.window.activateWindow()
    return bench.window


def show(bench: Bench, kind: type[QDialog]) -> QDialog:
    bench.window.show()
    dialog = DIALOGS[kind](bench)
    dialog.show()
    bench.qtbot.waitExposed(dialog)
    dialog.activateWindow()
    return dialog


def test_every_dialog_is_tested() -> None:
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if module.name != "app.__main__":
            importlib.import_module(module.name)
    todo, leaves = list(QDialog.__subclasses__()), set()
    while todo:
        kind = todo.pop()
        todo += kind.__subclasses__()
        if kind.__module__.startswith("app.") and not kind.__subclasses__():
            leaves.add(kind)
    assert leaves == set(DIALOGS)


def test_every_control_of_the_window_has_a_name(bench: Bench) -> None:
    window = ready(bench)
    bench.window.engine.reload.show()
    nameless = [w for w in controls(window) if not spoken_name(w)]
    assert not [(type(w).__name__, type(w.parentWidget()).__name__) for w in nameless]


@pytest.mark.parametrize("kind", list(DIALOGS), ids=lambda k: k.__name__)
def test_every_dialog_is_named_ordered_and_uncut(bench: Bench, kind: type[QDialog]) -> None:
    dialog = show(bench, kind)
    assert dialog.windowTitle()
    nameless = [type(w).__name__ for w in controls(dialog) if not spoken_name(w)]
    assert not nameless
    order = tab_order(dialog)
    assert order, "nothing can be reached with Tab"
    bench.until(lambda: dialog.focusWidget() is not None)
    assert reads_in_order(order, dialog), [
        (type(w).__name__, spoken_name(w), place(w, dialog).center()) for w in order
    ]
    assert not cut_texts(dialog)
    dialog.close()


def test_tab_goes_through_the_columns_in_order(bench: Bench) -> None:
    window = ready(bench)
    order = tab_order(window)
    assert len(order) > 30
    columns = [_column(bench, w) for w in order]
    first = columns.index("left")
    turned = [c for c in columns[first:] + columns[:first] if c]
    seen = list(dict.fromkeys(turned))
    assert seen == ["left", "middle", "right"]
    switches = sum(a != b for a, b in pairwise(turned))
    assert switches == 2, "no column is left and entered again"


def _column(bench: Bench, widget: QWidget) -> str:
    columns = bench.window.columns
    for index, name in enumerate(("left", "middle", "right")):
        if columns.widget(index).isAncestorOf(widget):
            return name
    return ""


def test_the_focus_can_be_seen(bench: Bench) -> None:
    window = ready(bench)
    bench.until(window.isActiveWindow)
    invisible = [w for w in tab_order(window) if not shows_focus(w, window)]
    assert not [(type(w).__name__, spoken_name(w)) for w in invisible]


def test_states_are_words_not_only_colours(bench: Bench) -> None:
    bench.load()
    texts = [bench.app.presenter._state_text(state)[0] for state in EngineState]
    assert len(set(texts)) == len(texts)
    chip = bench.window.state_chip
    assert any(c.isalpha() for c in chip.text())
    assert chip.accessibleName()


def test_a_message_box_takes_the_keyboard(bench: Bench) -> None:
    """Question boxes of Qt: there is a default that does no harm."""
    bench.window.show()
    box = QMessageBox(bench.window)
    box.addButton("Go on", QMessageBox.ButtonRole.AcceptRole)
    stop = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stop)
    box.open()
    assert box.defaultButton() is stop
    box.close()


@pytest.mark.parametrize("scale", ["1", "1.25", "1.5", "2"])
@pytest.mark.parametrize(
    ("language", "family"),
    [("en", ""), ("en", "Liberation Sans"), ("en", "Noto Sans CJK SC"), ("zh_CN", "")],
)
def test_nothing_is_cut_at_any_scale(
    tmp_path: Path, scale: str, language: str, family: str
) -> None:
    """In fonts of other metrics too: narrow letters, and lines half as high again."""
    done = subprocess.run(
        [sys.executable, str(SUPPORT / "fit_script.py"), str(tmp_path), language, family],
        env={
            **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(SUPPORT)]),
            "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale,
        },
        capture_output=True, text=True, timeout=250, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "ok", done.stdout + done.stderr
