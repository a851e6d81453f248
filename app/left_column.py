"""The left column: voices above, the making of a new one below, and the room between them."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.cloning.panel import ReferencePanel
from app.voices.panel import VoicesPanel

LEAST_VOICES = 212
LEAST_REFERENCE = 150


class LeftColumn(QSplitter):
    """Gives the reference what it needs and the voices the rest, until the user moves the
    border; then only what would be cut off is pushed away.

    Attributes:
        wish: height of the reference that the user chose; 0 before.
    """

    def __init__(
        self, voices: VoicesPanel, reference: ReferencePanel, parent: QWidget | None = None
    ) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.reference = reference
        self.addWidget(voices)
        self.addWidget(reference)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        voices.setMinimumHeight(LEAST_VOICES)
        self.setStretchFactor(0, 1)
        self.setStretchFactor(1, 0)
        self.wish = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self.fit)
        reference.size_changed.connect(self._timer.start)
        self.splitterMoved.connect(self._on_moved)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, LEAST_VOICES + LEAST_REFERENCE)

    @Slot()
    def fit(self) -> None:
        """Share the height."""
        total = self.height() - self.handleWidth()
        need = self.reference.sizeHint().height()
        below = max(LEAST_REFERENCE, min(max(need, self.wish), total - LEAST_VOICES))
        if self.sizes() != [total - below, below]:
            self.setSizes([total - below, below])
        self.reference.settle_bar()

    @Slot(int, int)
    def _on_moved(self, position: int, index: int) -> None:
        self.wish = self.height() - position

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._timer.start()
