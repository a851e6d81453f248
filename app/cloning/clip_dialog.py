"""The picture of the clip in a window of its own, wide enough to trim by eye."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QPushButton, QWidget

from app.cloning.clip_view import ClipView
from app.cloning.shown_clip import ShownClip
from app.core.theme import Theme
from app.widgets.labels import label
from app.widgets.layout import in_column, in_row

SIZE = QSize(960, 320)


class ClipDialog(QDialog):
    """Shows the same clip as the panel: what is moved here moves there.

    Attributes:
        wave: the picture.
    """

    def __init__(
        self,
        shown: ShownClip,
        theme: Theme,
        tie: Callable[[ClipView], None],
        parent: QWidget | None = None,
    ) -> None:
        """``tie`` connects a picture with what its handles and keys do."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Clip"))
        self.wave = ClipView(shown, theme)
        self.wave.setMinimumHeight(180)
        tie(self.wave)
        words = self.tr(
            "Drag the ends to trim. The wheel zooms at the mouse, Shift and the wheel move, "
            "Space plays, Ctrl+Z takes back."
        )
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.accept)
        foot = in_row((label(words, "hint", wrap=True), 1), close)
        in_column((self.wave, 1), foot, spacing=10, on=self, margins=(16, 16, 16, 12))
        room = self.screen().availableGeometry().size()
        self.resize(SIZE.boundedTo(room))
