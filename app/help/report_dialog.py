"""Help > Report: what a maintainer needs, to read and to copy. Nothing is sent."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets.labels import label

SIZE = (640, 480)


class ReportDialog(QDialog):
    """Shows the report and copies it."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Report"))
        self.resize(*SIZE)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 16, 24, 16)
        box.setSpacing(12)
        box.addWidget(
            label(
                self.tr(
                    "Copy this into a report of a fault. Names of users, machines and folders "
                    "are taken out. Nothing is sent by itself."
                ),
                "value",
                wrap=True,
            )
        )
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(self.tr("Report"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        box.addWidget(self.text, 1)
        self.said = label("", "hint")
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.setProperty("role", "primary")
        self.copy.setDefault(True)
        self.copy.clicked.connect(self._copy)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.said, 1)
        row.addWidget(close)
        row.addWidget(self.copy)
        box.addLayout(row)
        self.copy.setFocus()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.said.setText(self.tr("Copied."))
