"""The list of keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from app.widgets.labels import label


class KeysDialog(QDialog):
    """Every action that has a key, in the order of the menus."""

    def __init__(self, actions: list[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keys"))
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(16)
        grid = QGridLayout()
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(6)
        for row, action in enumerate(actions):
            grid.addWidget(label(action.text().replace("…", ""), "value"), row, 0)
            native = QKeySequence.SequenceFormat.NativeText
            key = label(action.shortcut().toString(native), "label")
            key.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(key, row, 1)
        box.addLayout(grid)
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
