"""What a model needs against what is free, as a bar and in words."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.core.formats import gigabytes, plain_tip
from app.inference.backends import Fit
from app.widgets.labels import ElidedLabel, set_state

STEPS = 1000


class MemoryBar(QWidget):
    """The bar is as long as the free memory and filled as far as the model needs it.

    The words say the same as the colour, so nothing depends on seeing it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 0)
        box.setSpacing(3)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Memory"))
        self.words = ElidedLabel("", "hint")
        box.addWidget(self.bar)
        box.addWidget(self.words)

    def show_free(self, free: int) -> None:
        """Without a model there is only what is free."""
        self.bar.setValue(0)
        self._say(self.tr("{free} free").format(free=gigabytes(free)) if free else "", "", "")

    def show_fit(self, fit: Fit) -> None:
        """Show what a model needs."""
        self.bar.setValue(min(STEPS, round(fit.share * STEPS)))
        needs, free = gigabytes(fit.needed), gigabytes(fit.free)
        if not fit.free:
            text = self.tr("needs {needed}").format(needed=needs)
        elif fit.state == "bad":
            text = self.tr("needs {needed}, only {free} free").format(needed=needs, free=free)
        elif fit.state == "warn":
            text = self.tr("tight: {needed} of {free} free").format(needed=needs, free=free)
        else:
            text = self.tr("needs {needed}, {free} free").format(needed=needs, free=free)
        rest = max(0, fit.needed - fit.weights - fit.cache - fit.codec)
        parts = self.tr(
            "Weights {weights}, keys and values of the frame budget {cache}, codec {codec}, "
            "program {rest}."
        ).format(
            weights=gigabytes(fit.weights), cache=gigabytes(fit.cache),
            codec=gigabytes(fit.codec), rest=gigabytes(rest),
        )  # fmt: skip
        self._say(text, parts, fit.state if fit.state != "ok" else "")

    def _say(self, text: str, parts: str, state: str) -> None:
        self.words.setText(text)
        self.setToolTip(plain_tip(parts))
        self.bar.setAccessibleDescription(f"{text}. {parts}")
        set_state(self.words, state)
        set_state(self.bar, state)
