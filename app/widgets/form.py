"""Rows of a label, a control and a sentence, and the tie between controls and settings."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from app.core.settings import Setting, Settings
from app.widgets.labels import ElidedLabel, label

LABEL_WIDTH = 92
TEXT_MARGIN = 6
PATH_WIDTH = 180
_MARKS = ".,\u066b\u066c'\u2019 \u00a0\u202f"


class Form(QWidget):
    """A block of controls with a title, or without one as a part of the block above it."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        if title:
            self._grid.addWidget(label(title, "heading"), 0, 0, 1, 2, Qt.AlignmentFlag.AlignTop)
            self._grid.setRowMinimumHeight(0, 20)
        self._rows: dict[QWidget, tuple[int, list[QWidget], int]] = {}

    def show_row(self, control: QWidget, on: bool) -> None:
        """Show or hide a control with everything that belongs to it, and its room."""
        row, parts, height = self._rows[control]
        for part in parts:
            part.setVisible(on)
        self._grid.setRowMinimumHeight(row + 1, height if on else 0)

    def add(self, name: str, control: QWidget, sentence: str = "") -> QLabel:
        """Add a row; returns the label of its sentence, to change it later."""
        row = self._grid.rowCount()
        title = label(name, "label")
        title.setBuddy(control)
        control.setAccessibleName(name)
        control.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if isinstance(control, QAbstractSpinBox | QComboBox):
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(_WheelGuard(control))
        self._grid.addWidget(title, row, 0)
        self._grid.addWidget(control, row, 1)
        hint = ElidedLabel(sentence, "hint")
        if sentence:
            self._grid.addWidget(hint, row + 1, 0, 1, 2)
            self._grid.setRowMinimumHeight(row + 1, 17)
            hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        else:
            self._grid.setRowMinimumHeight(row + 1, 2)
            hint.hide()
        parts = [title, control, *([hint] if sentence else [])]
        self._rows[control] = (row, parts, 17 if sentence else 2)
        return hint

    def add_full_width(self, control: QWidget, sentence: str = "") -> None:
        """Add a control without a label of its own."""
        row = self._grid.rowCount()
        self._grid.addWidget(control, row, 1)
        self._rows[control] = (row, [control], 0)
        if sentence:
            hint = ElidedLabel(sentence, "hint")
            hint.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(hint, row + 1, 0, 1, 2)
            self._rows[control][1].append(hint)

    def add_text(self, text: QLabel) -> None:
        """Add lines of text over both columns."""
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.add_full(text)

    def add_full(self, control: QWidget) -> None:
        """Add a control over both columns."""
        row = self._grid.rowCount()
        self._grid.addWidget(control, row, 0, 1, 2)
        self._rows[control] = (row, [control], 2)


class _WheelGuard(QObject):
    """Scrolling the panel must not change a value that happens to be under the mouse."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        wheel = event.type() is QEvent.Type.Wheel
        if wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class WholeNumber(QSpinBox):
    """Refuses marks inside a number, which Qt would drop: ``1.5`` is not 15."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        bare = text.removeprefix(self.prefix()).removesuffix(self.suffix())
        if text != self.specialValueText() and any(mark in bare.strip() for mark in _MARKS):
            return QValidator.State.Invalid, text, place
        return super().validate(text, place)


class DecimalNumber(QDoubleSpinBox):
    """Takes the point and the comma in every language, for people type what they read."""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        return super().validate(self._local(text), place)

    def valueFromText(self, text: str) -> float:
        return super().valueFromText(self._local(text))

    def _local(self, text: str) -> str:
        point = self.locale().decimalPoint()
        typed = [mark for mark in text if mark in ".,\u066b"]
        return text.replace(typed[0], point) if len(typed) == 1 else text


def spin(setting: Setting[int], suffix: str, lowest: str = "", step: int = 1) -> QSpinBox:
    """A whole number in the range of ``setting``; ``lowest`` names its lowest value."""
    box = WholeNumber()
    box.setRange(int(setting.minimum or 0), int(setting.maximum or 0))
    box.setSuffix(suffix)
    box.setSpecialValueText(lowest)
    box.setSingleStep(step)
    box.setKeyboardTracking(False)
    box.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
    return box


def double_spin(setting: Setting[float], step: float) -> QDoubleSpinBox:
    """A number with two decimals in the range of ``setting``."""
    box = DecimalNumber()
    box.setDecimals(2)
    box.setRange(float(setting.minimum or 0), float(setting.maximum or 0))
    box.setSingleStep(step)
    box.setKeyboardTracking(False)
    box.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
    return box


def bind_number(settings: Settings, setting: Setting[Any], box: QSpinBox | QDoubleSpinBox) -> None:
    """Show the setting in ``box`` and keep what the user enters."""
    box.setValue(settings.get(setting))
    box.valueChanged.connect(lambda value: settings.set(setting, value))
    settings.watch(setting, box.setValue)


def bind_choice(
    settings: Settings, setting: Setting[str], box: QComboBox, choices: list[tuple[str, str]]
) -> None:
    """Show the setting in ``box`` and keep what the user picks."""

    def show(value: str) -> None:
        box.setCurrentIndex(max(0, box.findData(value)))

    for value, title in choices:
        box.addItem(title, value)
    show(settings.get(setting))
    box.currentIndexChanged.connect(lambda _: settings.set(setting, str(box.currentData())))
    settings.watch(setting, show, owner=box)


def bind_toggle(settings: Settings, setting: Setting[bool], box: QCheckBox) -> None:
    """Show the setting in ``box`` and keep what the user switches."""
    box.setChecked(settings.get(setting))
    box.toggled.connect(lambda on: settings.set(setting, on))
    settings.watch(setting, box.setChecked)


class FolderRow(QWidget):
    """A folder with buttons to choose another one and to go back to the usual one."""

    def __init__(self, settings: Settings, setting: Setting[str], usual: str, title: str) -> None:
        super().__init__()
        self._settings = settings
        self._setting = setting
        self._usual = usual
        self._title = title
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.path = ElidedLabel("", "value")
        self.path.setMinimumWidth(PATH_WIDTH)
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setAutoDefault(False)
        self.choose.setAccessibleName(self.tr("Choose: {what}").format(what=title))
        self.choose.clicked.connect(self._choose)
        self.reset = QPushButton(self.tr("Usual"))
        self.reset.setAutoDefault(False)
        self.reset.setAccessibleName(self.tr("Back to the usual one: {what}").format(what=title))
        self.reset.clicked.connect(self._reset)
        row.addWidget(self.path, 1)
        row.addWidget(self.choose)
        row.addWidget(self.reset)
        self.setFocusProxy(self.choose)
        self._show()

    def keep(self, folder: str) -> None:
        """Make ``folder`` the one in use; empty is the usual one."""
        self._settings.set(self._setting, folder)
        self._show()

    def _show(self) -> None:
        value = self._settings.get(self._setting)
        self.path.setText(value or self._usual)
        self.reset.setEnabled(bool(value))

    def _choose(self) -> None:
        start = self._settings.get(self._setting)
        folder = QFileDialog.getExistingDirectory(self, self._title, start)
        if folder:
            self.keep(folder)

    def _reset(self) -> None:
        self.keep("")
