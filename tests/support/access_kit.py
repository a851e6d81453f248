"""Walks through windows: names of controls, order of Tab, visible focus, cut texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
from drawn_text import drawn_whole
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from studio_bench import Bench
from studio_fakes import CODEBOOKS, RATE

from app.cloning.clip_dialog import ClipDialog
from app.cloning.recogniser_dialog import RecogniserDialog
from app.cloning.save_dialogs import ConsentDialog, FaultyClip, NameTaken
from app.core.engine_texts import engine_text
from app.help.about import AboutDialog, GetModelDialog
from app.help.keys_dialog import KeysDialog
from app.help.manual_dialog import ManualDialog
from app.help.report_dialog import ReportDialog
from app.help.settings_dialog import SettingsDialog
from app.model_files.dialog import ModelsDialog
from app.script.pronunciations_dialog import PronunciationsDialog
from app.takes.export_dialog import ExportDialog
from app.voices.details_dialog import VoiceDetails
from app.widgets.error_dialog import ErrorDialog
from app.widgets.labels import ElidedLabel
from engine.errors import Message, ModelFileError
from engine.transcription import RECOGNISER
from engine.voices import VoiceProfile
from engine.voices.notes import VoiceNotes

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit,
    QPlainTextEdit, QTextEdit, QProgressBar,
)  # fmt: skip
SLACK = 2
ARROW = 34
Maker = Callable[[Bench], QDialog]


def _profile() -> VoiceProfile:
    codes = np.zeros((CODEBOOKS, 200), np.int32)
    return VoiceProfile("The morning train was late, so we waited.", codes, RATE, 4096)


def _error(bench: Bench) -> ErrorDialog:
    error = ModelFileError(
        "s2-pro-q4_k_m.gguf ends after 1.2 GB, but its directory promises 3.6 GB of tensors",
        "Download it again.",
    )
    action = bench.app.models.tr("Open another model…")
    return ErrorDialog(error, bench.app.theme, action, bench.window)


def _export(bench: Bench) -> ExportDialog:
    if bench.session.current.take is None:
        bench.load()
        bench.make_take()
    assert bench.session.current.take is not None
    return ExportDialog(bench.session.current.take, bench.app.settings, "/tmp", bench.window)


def _models(bench: Bench) -> ModelsDialog:
    bench.app.manager.refresh()
    app = bench.app
    return ModelsDialog(app.manager.list, app.settings, app.theme, "/home/ann/models", bench.window)


DIALOGS: dict[type[QDialog], Maker] = {
    AboutDialog: lambda b: AboutDialog(b.window),
    GetModelDialog: lambda b: GetModelDialog(b.window),
    ErrorDialog: _error,
    ExportDialog: _export,
    KeysDialog: lambda b: KeysDialog(b.window.actions_.all(), b.window),
    PronunciationsDialog: lambda b: PronunciationsDialog(
        (("us", "you and me"),), "Tell us.", lambda _: True, b.window
    ),
    ManualDialog: lambda b: ManualDialog("en", b.window),
    ModelsDialog: _models,
    RecogniserDialog: lambda b: RecogniserDialog(RECOGNISER, "huggingface.co", b.window),
    ReportDialog: lambda b: ReportDialog(b.app.help.report(), b.window),
    FaultyClip: lambda b: FaultyClip([engine_text(Message("check.length", seconds=2.1))], b.window),
    ConsentDialog: lambda b: ConsentDialog("Hope", b.window),
    NameTaken: lambda b: NameTaken("Hope", "Hope 2", True, b.window),
    SettingsDialog: lambda b: SettingsDialog(
        b.app.settings, [("", "System default")], Path("/home/ann/voices"), None, b.window
    ),
    ClipDialog: lambda b: ClipDialog(
        b.window.reference.shown, b.app.theme, lambda w: None, b.window
    ),
    VoiceDetails: lambda b: VoiceDetails("Hope", _profile(), 0.046, VoiceNotes(), True, b.window),
}


def is_inner(widget: QWidget) -> bool:
    """A part that Qt makes inside a control, such as the line of a spin box."""
    parent = widget.parentWidget()
    if widget.objectName().startswith("qt_") or isinstance(widget, QScrollBar) or parent is None:
        return True
    composed = (QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView)
    return isinstance(parent, composed) or parent.inherits("QComboBoxPrivateContainer")


def controls(root: QWidget) -> Iterator[QWidget]:
    """Everything that the user can act on, and everything that shows a value by drawing."""
    for widget in root.findChildren(QWidget):
        takes_focus = widget.focusPolicy() is not Qt.FocusPolicy.NoFocus
        words = isinstance(widget, QLabel)  # selectable text speaks for itself
        if not is_inner(widget) and not words and (isinstance(widget, CONTROLS) or takes_focus):
            yield widget


def spoken_name(widget: QWidget) -> str:
    """What a screen reader says."""
    if widget.accessibleName():
        return widget.accessibleName()
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def tab_order(root: QWidget) -> list[QWidget]:
    """The visible controls in the order of the Tab key."""
    found: list[QWidget] = []
    widget = root.nextInFocusChain()
    while widget is not root:
        reached = bool(widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        usable = widget.isVisible() and widget.isEnabled() and widget.window() is root
        if reached and usable and widget.focusProxy() is None and not is_inner(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def reads_in_order(order: list[QWidget], root: QWidget) -> bool:
    """From top to bottom, or one column after the other and each from top to bottom."""
    middle = root.width() / 2
    columns = [place(w, root).center().x() > middle for w in order]
    changes = sum(a != b for a, b in pairwise(columns))
    parts = [[w for w, c in zip(order, columns, strict=True) if c == side] for side in (0, 1)]
    return _falls(order, root) or (changes == 1 and all(_falls(part, root) for part in parts))


def _falls(order: list[QWidget], root: QWidget) -> bool:
    tops = [place(w, root).center().y() for w in order]
    start = tops.index(min(tops))
    return all(b >= a - 24 for a, b in pairwise(tops[start:] + tops[:start]))


def place(widget: QWidget, root: QWidget) -> QRect:
    """Where it is in its window."""
    return QRect(widget.mapTo(root, widget.rect().topLeft()), widget.size())


def scroll_to(widget: QWidget) -> None:
    """Bring it into view, as the Tab key does."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def shows_focus(widget: QWidget, root: QWidget) -> bool:
    """Whether anything looks different when ``widget`` has the focus."""
    reveal(widget)
    scroll_to(widget)
    area = place(widget, root).adjusted(-4, -4, 4, 4).intersected(root.rect())
    focused = QApplication.focusWidget()
    if focused is not None:
        focused.clearFocus()
    plain = root.grab(area).toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    with_focus = root.grab(area).toImage()
    widget.clearFocus()
    return plain != with_focus


def reveal(widget: QWidget) -> None:
    """Scroll to ``widget``, as Tab does."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def cut_texts(root: QWidget) -> list[str]:
    """Visible texts that have less room than they need."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or is_inner(widget) or _scrolled_away(widget):
            continue
        if isinstance(widget, ElidedLabel):
            short = widget.fontMetrics().horizontalAdvance(widget.text())
            if short > widget.contentsRect().width() and widget.property("role") == "hint":
                found.append(f"elided: {widget.text()}")
        elif isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
            if not _label_fits(widget):
                found.append(f"label: {widget.text()}")
        elif isinstance(widget, QPushButton | QCheckBox):
            if widget.text() and not drawn_whole(widget):
                found.append(f"button: {widget.text()}")
        elif isinstance(widget, QComboBox):
            need = widget.fontMetrics().horizontalAdvance(widget.currentText())
            if need > widget.width() - ARROW:
                found.append(f"choice: {widget.currentText()}")
        elif isinstance(widget, QAbstractSpinBox):
            line = widget.findChild(QLineEdit)
            need = line.fontMetrics().horizontalAdvance(line.text()) + line.textMargins().left()
            if need > line.width():
                found.append(f"number: {line.text()}")
    return found


def overlaps(root: QWidget) -> list[str]:
    """Neighbours in a layout that lie upon each other, because the room is too small."""
    found = []
    for parent in [root, *root.findChildren(QWidget)]:
        if parent.layout() is None or isinstance(parent, QMainWindow) or not parent.isVisible():
            continue
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        children = [
            c for c in parent.findChildren(QWidget, options=direct)
            if c.isVisible() and not c.isWindow() and not is_inner(c)
        ]  # fmt: skip
        for one, two in combinations(children, 2):
            common = one.geometry().intersected(two.geometry())
            if common.width() > SLACK and common.height() > SLACK:
                found.append(f"{_title(one)} lies on {_title(two)}")
    return found


def _title(widget: QWidget) -> str:
    return f"{type(widget).__name__} {spoken_name(widget)}".strip()


def _scrolled_away(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea | QAbstractScrollArea):
            return widget.visibleRegion().isEmpty()
        parent = parent.parentWidget()
    return False


def _label_fits(widget: QLabel) -> bool:
    if widget.wordWrap():
        return widget.height() >= widget.heightForWidth(widget.width())
    need = widget.sizeHint()
    return widget.width() >= need.width() and widget.height() >= need.height() - 2
