"""The license of the weights: shown whole in short, accepted before the first download."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.widgets.labels import label
from engine.hub import License


class LicensePage(QWidget):
    """What the license says, in our words, with the way to the text itself.

    Signals:
        accepted(): the person accepts.
        refused(): back without a download.
    """

    accepted = Signal()
    refused = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        self._license: License | None = None
        self.title = label("", "title", wrap=True)
        box.addWidget(self.title)
        box.addWidget(label(self.tr("In short, and in our words:"), "hint"))
        self.points = QGridLayout()
        self.points.setVerticalSpacing(10)
        self.points.setColumnStretch(1, 1)
        box.addLayout(self.points)
        self.notice = label("", "hint", wrap=True)
        box.addSpacing(4)
        box.addWidget(self.notice)
        box.addStretch(1)
        self.read = QPushButton(self.tr("Read the whole license"))
        self.read.setToolTip(self.tr("Opens the page in your browser."))
        self.read.clicked.connect(self._open_page)
        back = QPushButton(self.tr("Back"))
        back.clicked.connect(self.refused)
        self.accept = QPushButton(self.tr("Accept and download"))
        self.accept.setProperty("role", "primary")
        self.accept.clicked.connect(self.accepted)
        for button in (self.read, back, self.accept):
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.read)
        row.addStretch(1)
        row.addWidget(back)
        row.addWidget(self.accept)
        box.addLayout(row)

    def show_license(self, license: License) -> None:
        """Show ``license``."""
        self._license = license
        self.title.setText(self.tr("License of the weights: {name}").format(name=license.name))
        self.notice.setText(license.notice)
        self.read.setToolTip(license.page)
        while (item := self.points.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, sentence in enumerate(self._sentences(license)):
            point = label(sentence, "value", wrap=True)
            point.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.points.addWidget(label("•", "label"), number, 0, Qt.AlignmentFlag.AlignTop)
            self.points.addWidget(point, number, 1)

    def _sentences(self, license: License) -> list[str]:
        """The sentences in the language of the window; of a license not known here, as they
        stand in the catalogue."""
        known = [
            self.tr(
                "Free of charge for research and for other uses that are not meant to earn money, "
                "such as private use and trying things out."
            ),
            self.tr(
                "Commercial use, also inside a company, needs a written license from Fish Audio "
                "(business@fish.audio)."
            ),
            self.tr(
                "Whoever passes on the weights, or something made with them, hands over the "
                "license text, keeps its notice and shows “Built with Fish Audio”."
            ),
            self.tr(
                "The law and Fish Audio's rules of acceptable use apply to the weights and to what "
                "is made with them."
            ),
            self.tr(
                "What the model makes may not be used to make another foundation model. The sound "
                "that you make belongs to you."
            ),
            self.tr("There is no warranty and no liability; breaking the terms ends the license."),
        ]
        return known if len(license.summary) == len(known) else list(license.summary)

    def _open_page(self) -> None:
        if self._license is not None:
            QDesktopServices.openUrl(QUrl(self._license.page))
