"""About: what the program is; and the way to the weights that it does not ship."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.icons import application_icon
from app.widgets.fit import fit_to_text
from app.widgets.labels import label

WIDTH = 480
ICON = 48
WEIGHTS_PAGE = "https://huggingface.co/fishaudio/s2-pro"


def program_version() -> str:
    """The installed version, or a word for a source tree."""
    from importlib.metadata import PackageNotFoundError, version

    if getattr(sys, "frozen", False):  # a built program is not an installed package
        from engine import __version__

        return __version__
    try:
        return version("s2-voice-studio")
    except PackageNotFoundError:
        return "source tree"


class _Sheet(QDialog):
    """A title, paragraphs and a row of buttons."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def _fill(self, title: str, paragraphs: list[str]) -> None:
        self.setWindowTitle(title)
        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 16)
        box.setSpacing(12)
        head = QHBoxLayout()
        head.setSpacing(16)
        sign = label("", "value")
        sign.setPixmap(application_icon().pixmap(ICON, ICON))
        head.addWidget(sign)
        head.addWidget(label(title, "title", wrap=True), 1)
        box.addLayout(head)
        for text in paragraphs:
            part = label(text, "value", wrap=True)
            part.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            box.addWidget(part)
        box.addSpacing(4)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(8)
        self.buttons.addStretch(1)
        box.addLayout(self.buttons)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)

    def _add_close(self) -> None:
        close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.buttons.addWidget(close)
        close.setFocus()


class AboutDialog(_Sheet):
    """What the program is, its license and that of the weights; ``models`` opens the manager."""

    def __init__(self, parent: QWidget | None = None, models: QAction | None = None) -> None:
        super().__init__(parent)
        self._models = models
        title = self.tr("S2 Voice Studio {version}").format(version=program_version())
        paragraphs = [
            self.tr(
                "Desktop voice studio and inference engine for Fish Audio S2 Pro. The program is "
                "under the MIT license."
            ),
            self.tr(
                "The small demo voice that comes with it is no S2 Pro: it is a robot with two "
                "speakers, made for trying the studio without a download."
            ),
            self.tr(
                "The S2 Pro weights are not part of the program. They may be used for research "
                "and other non-commercial purposes; commercial use needs a license from Fish "
                "Audio."
            ),
            self.tr(
                "Built with Fish Audio. This model is licensed under the Fish Audio Research "
                "License, Copyright © 39 AI, INC. All Rights Reserved."
            ),
        ]
        self._fill(title, paragraphs)
        ways = QPushButton(self.tr("How to get S2 Pro…"))
        ways.setAutoDefault(False)
        ways.clicked.connect(self._show_ways)
        self.buttons.insertWidget(0, ways)
        self._add_close()

    def _show_ways(self) -> None:
        GetModelDialog(self, self._models).open()


class GetModelDialog(_Sheet):
    """The license first, then the two ways to S2 Pro; ``models`` opens the manager."""

    def __init__(self, parent: QWidget | None = None, models: QAction | None = None) -> None:
        super().__init__(parent)
        paragraphs = [
            self.tr(
                "License: the weights may be used for research and other non-commercial purposes "
                "under the Fish Audio Research License. Commercial use needs a license from Fish "
                "Audio."
            ),
            self.tr(
                "1. Let the studio fetch it: File > Models lists the files with what they need "
                "and whether they fit this machine. q4_k_m (3.6 GB) is the smallest good choice, "
                "q8_0 (5.6 GB) is close to the original. The tokenizer comes along."
            ),
            self.tr(
                "2. Or use files that you have: put the GGUF file and its tokenizer.json into one "
                "folder, then open the GGUF file with Ctrl+O or drop it on the window."
            ),
            self.tr("Nothing is fetched from the network unless you ask for it there."),
        ]
        self._fill(self.tr("How to get S2 Pro"), paragraphs)
        if models is not None:
            manager = QPushButton(self.tr("Models…"))
            manager.setAutoDefault(False)
            manager.clicked.connect(self.accept)
            manager.clicked.connect(models.trigger)
            self.buttons.insertWidget(0, manager)
        page = QPushButton(self.tr("Open the page of the weights"))
        page.setToolTip(WEIGHTS_PAGE)
        page.setAutoDefault(False)
        page.clicked.connect(self._open_page)
        self.buttons.insertWidget(0, page)
        self._add_close()

    def _open_page(self) -> None:
        QDesktopServices.openUrl(QUrl(WEIGHTS_PAGE))
