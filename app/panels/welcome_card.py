"""The first view: three steps to the first take, each with a button that does it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import Theme
from app.widgets.labels import label

CARD_WIDTH = 600


class WelcomeCard(QWidget):
    """Shown in place of the take while no model is loaded.

    Signals:
        open_model(), choose_device(), import_voice(): a step's button.
    """

    open_model = Signal()
    choose_device = Signal()
    import_voice = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(16, 16, 16, 16)
        card = QWidget()
        card.setObjectName("card")
        card.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        card.setFixedWidth(CARD_WIDTH)
        box = QVBoxLayout(card)
        box.setContentsMargins(24, 16, 24, 24)
        box.setSpacing(16)
        box.addWidget(label(self.tr("Three steps to your first take"), "title"))
        self.open_button = QPushButton(self.tr("Open model…"))
        self.open_button.setProperty("role", "primary")
        self.open_button.clicked.connect(self.open_model)
        self.model_hint = label(
            self.tr("An S2 Pro file in GGUF format, tokenizer.json beside it."), "hint", wrap=True
        )
        box.addLayout(self._step("1", self.tr("Open a model"), self.model_hint, self.open_button))
        device_button = QPushButton(self.tr("Choose device"))
        device_button.clicked.connect(self.choose_device)
        self.device_hint = label("", "hint", wrap=True)
        box.addLayout(self._step("2", self.tr("Pick a device"), self.device_hint, device_button))
        voice_button = QPushButton(self.tr("Import voice…"))
        voice_button.clicked.connect(self.import_voice)
        self.voice_hint = label("", "hint", wrap=True)
        box.addLayout(self._step("3", self.tr("Pick a voice"), self.voice_hint, voice_button))
        outer.addStretch(1)
        across = QHBoxLayout()
        across.addStretch(1)
        across.addWidget(card)
        across.addStretch(1)
        outer.addLayout(across)
        outer.addStretch(1)
        self._theme = theme

    def _step(self, number: str, title: str, hint: QLabel, button: QPushButton) -> QHBoxLayout:
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
        button.setMinimumWidth(136)
        row.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignVCenter)
        return row

    def set_device(self, title: str) -> None:
        """Say which device is chosen."""
        self.device_hint.setText(
            self.tr("{device} is chosen; the list is on the right.").format(device=title)
        )

    def set_voice(self, title: str, count: int) -> None:
        """Say which voice is chosen."""
        if title:
            text = self.tr("{voice} is chosen.").format(voice=title)
        elif count:
            text = self.tr("Choose one on the left, or go without.")
        else:
            text = self.tr("Optional: without one the model picks a voice.")
        self.voice_hint.setText(text)

    def set_loading(self, text: str) -> None:
        """While a model is opened the card says how far it is; empty ends that."""
        self.open_button.setEnabled(not text)
        self.model_hint.setText(
            text or self.tr("An S2 Pro file in GGUF format, tokenizer.json beside it.")
        )
