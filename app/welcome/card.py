"""The first view: three steps to the first take, each with buttons that do it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.theme import Theme
from app.widgets.labels import label

CARD_WIDTH = 600
BUTTON_WIDTH = 144


class WelcomeCard(QWidget):
    """Shown in place of the take while there is none to show.

    Signals:
        open_model(), get_model(), choose_device(), record_clip(), open_clip(): a step's button.
    """

    open_model = Signal()
    get_model = Signal()
    choose_device = Signal()
    record_clip = Signal()
    open_clip = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._theme = theme
        self._demo = False
        self._loading = ""
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 8, 16, 8)
        card = QWidget()
        card.setObjectName("card")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        card.setFixedWidth(CARD_WIDTH)
        box = QVBoxLayout(card)
        box.setContentsMargins(24, 16, 24, 20)
        box.setSpacing(14)
        self.title = label("", "title")
        self.lead = label("", "hint", wrap=True)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.title)
        head.addWidget(self.lead)
        box.addLayout(head)
        self._fill(box)
        outer.addStretch(1)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(card)
        across.addStretch(1)
        outer.addLayout(across)
        outer.addStretch(1)
        self._tell()

    def _fill(self, box: QVBoxLayout) -> None:
        self.open_button = _button(self.tr("Open model…"), self.open_model)
        self.open_button.setProperty("role", "primary")
        self.get_button = _button(self.tr("Get S2 Pro…"), self.get_model)
        self.model_hint = label("", "hint", wrap=True)
        device_button = _button(self.tr("Choose device"), self.choose_device)
        self.device_hint = label("", "hint", wrap=True)
        self.record_button = _button(self.tr("Record a clip"), self.record_clip)
        self._theme.set_icon(self.record_button, "record", "bad")
        self.clip_button = _button(self.tr("Open a clip…"), self.open_clip)
        self.voice_hint = label("", "hint", wrap=True)
        box.addLayout(
            self._step(
                "1", self.tr("Open a model"), self.model_hint, self.open_button, self.get_button
            )
        )
        box.addLayout(self._step("2", self.tr("Pick a device"), self.device_hint, device_button))
        box.addLayout(
            self._step(
                "3", self.tr("Pick or make a voice"), self.voice_hint, self.record_button,
                self.clip_button,
            )
        )  # fmt: skip

    def _step(self, number: str, title: str, hint: QLabel, *buttons: QPushButton) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        badge = label(number, "step")
        badge.setFixedSize(QSize(28, 28))
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        badge.setObjectName("badge")
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label(title, "step"))
        texts.addWidget(hint)
        texts.addStretch(1)
        row.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        column = QVBoxLayout()
        column.setSpacing(8)
        for button in buttons:
            column.addWidget(button)
        column.addStretch(1)
        row.addLayout(column)
        return row

    def set_device(self, title: str) -> None:
        """Say which device is chosen."""
        self.device_hint.setText(
            self.tr("{device} is chosen; the list is on the right.").format(device=title)
        )

    def set_voice(self, title: str, count: int) -> None:
        """Say which voice is chosen, and how to get one's own."""
        if title:
            text = self.tr("{voice} is chosen.").format(voice=title)
        elif count:
            text = self.tr("Choose one on the left, or go without.")
        else:
            text = self.tr("Without one the model picks a voice.")
        how = self.tr("To clone a voice, record 5 to 30 s of it, or drop a clip on the window.")
        self.voice_hint.setText(f"{text} {how}")

    def set_demo(self, on: bool) -> None:
        """The demo voice is open or being opened, so a take needs nothing more."""
        self._demo = on
        self._tell()

    def set_loading(self, text: str) -> None:
        """While a model is opened the card says how far it is; empty ends that."""
        self._loading = text
        self._tell()

    def _tell(self) -> None:
        ready = self._demo and not self._loading
        self.open_button.setEnabled(not self._loading)
        role = "" if self._demo else "primary"  # then Generate is the one thing to do
        if self.open_button.property("role") != role:
            self.open_button.setProperty("role", role)
            self.open_button.style().unpolish(self.open_button)
            self.open_button.style().polish(self.open_button)
        self.title.setText(
            self.tr("Ready: click Generate") if ready else self.tr("Three steps to your first take")
        )
        self.lead.setText(self.tr("The small demo voice speaks the text above, or your own."))
        self.lead.setVisible(ready)
        hint = self.tr("An S2 Pro file in GGUF format, tokenizer.json beside it.")
        if self._loading:
            hint = self._loading
            if self._demo:
                hint = self.tr("The demo voice that comes with the studio.") + f" {hint}"
        elif self._demo:
            hint = self.tr("The demo voice is open. Your own model takes its place.")
        self.model_hint.setText(hint)


def _button(text: str, signal: SignalInstance) -> QPushButton:
    button = QPushButton(text)
    button.setMinimumWidth(BUTTON_WIDTH)
    button.clicked.connect(signal)
    return button
