"""What lights up while files are dragged over the window."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.core.theme import Theme
from app.widgets.labels import label

VEIL = 225


class DropOverlay(QWidget):
    """Covers its host with a veil and says what a drop would do."""

    def __init__(self, host: QWidget, theme: Theme) -> None:
        super().__init__(host)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 24)
        zone = QWidget()
        zone.setObjectName("dropzone")
        zone.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inner = QVBoxLayout(zone)
        self.text = label("", "title")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inner.addWidget(self.text)
        box.addWidget(zone)
        host.installEventFilter(self)
        self.hide()

    def offer(self, text: str) -> None:
        """Show what a drop would do."""
        self.text.setText(text)
        host = self.parentWidget()
        if host is not None:
            self.setGeometry(host.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        host = self.parentWidget()
        if event.type() is QEvent.Type.Resize and host is not None:
            self.setGeometry(host.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor(self._theme.colors.panel)
        veil.setAlpha(VEIL)
        painter = QPainter(self)
        painter.fillRect(self.rect(), veil)
        painter.end()
