"""The list of keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.widgets.labels import label

COLUMNS = 2
GAP = 40
MARGIN = 100


class KeysDialog(QDialog):
    """Every action that has a key, in the order of the menus, in two columns."""

    def __init__(self, actions: list[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keys"))
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(16)
        self._list = QWidget()
        grid = QGridLayout(self._list)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        rows = -(-len(actions) // COLUMNS)
        for index, action in enumerate(actions):
            column, row = divmod(index, rows)
            grid.addWidget(label(action.text().replace("…", ""), "value"), row, 3 * column)
            grid.addWidget(_key(action), row, 3 * column + 1)
        for column in range(COLUMNS - 1):
            grid.setColumnMinimumWidth(3 * column + 2, GAP)
        area = QScrollArea()
        area.setWidget(self._list)
        area.setWidgetResizable(True)
        area.setAccessibleName(self.tr("Keys"))
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        box.addWidget(area, 1)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        close.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """As large as the list, but never larger than the screen."""
        super().showEvent(event)
        need = self._list.sizeHint()
        room = self.screen().availableGeometry().size()
        width = min(need.width() + 48 + 16, room.width())
        self.setMinimumWidth(width)
        self.resize(width, min(need.height() + MARGIN, room.height()))


def _key(action: QAction) -> QWidget:
    key = label(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText), "label")
    key.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return key
