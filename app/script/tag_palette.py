"""Tags to put into the script: the usual ones as chips, all of them in a menu."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from app.script.tags import CHIPS, GROUPS
from app.widgets.layout import in_row
from engine.text import speaker_tag

SPEAKERS = 4
GAP = 6
EXACT = "[pause 500ms]"


class TagPalette(QWidget):
    """Chips that give way to the menu where the row is narrow.

    Signals:
        tag_chosen(str): a tag with its brackets.
    """

    tag_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        hint = self.tr("How strongly a tag works depends on the model and its quantisation.")
        self.chips: list[QPushButton] = []
        for tag in CHIPS:
            chip = QPushButton(f"[{tag}]")
            chip.setProperty("role", "chip")
            chip.setAccessibleName(self.tr("Insert the tag {name}").format(name=tag))
            chip.setToolTip(hint)
            chip.clicked.connect(lambda _=False, t=tag: self.tag_chosen.emit(f"[{t}]"))
            self.chips.append(chip)
        self.more = QToolButton()
        self.more.setProperty("role", "chip")
        self.more.setText(self.tr("more ▾"))
        self.more.setAccessibleName(self.tr("All tags"))
        self.more.setToolTip(hint)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._make_menu())
        in_row(*self.chips, self.more, None, spacing=GAP, on=self)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.more.sizeHint().width(), self.more.sizeHint().height())

    def sizeHint(self) -> QSize:
        wide = sum(chip.sizeHint().width() + GAP for chip in self.chips)
        return QSize(wide + self.more.sizeHint().width(), self.more.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Whole chips only: a cut one would be no word."""
        room = self.width() - self.more.sizeHint().width()
        for chip in self.chips:
            room -= chip.sizeHint().width() + GAP
            chip.setVisible(room >= 0)
        super().resizeEvent(event)

    def _make_menu(self) -> QMenu:
        titles = {
            "pace": self.tr("Pace"),
            "voice": self.tr("Voice"),
            "mood": self.tr("Mood"),
            "sounds": self.tr("Sounds"),
        }
        menu = QMenu(self)
        for group, tags in GROUPS:
            part = menu.addMenu(titles[group])
            for tag in tags:
                action = part.addAction(f"[{tag}]")
                action.triggered.connect(lambda _=False, t=tag: self.tag_chosen.emit(f"[{t}]"))
            if group == "pace":
                exact = part.addAction(self.tr("{tag}, of exact length").format(tag=EXACT))
                exact.triggered.connect(lambda: self.tag_chosen.emit(EXACT))
        speakers = menu.addMenu(self.tr("Speaker"))
        for number in range(SPEAKERS):
            action = speakers.addAction(self.tr("Speaker {number}").format(number=number))
            tag = speaker_tag(number)
            action.triggered.connect(lambda _=False, t=tag: self.tag_chosen.emit(t))
        return menu
