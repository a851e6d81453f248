"""The line at the bottom: model, figures of the take, and what is being done."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QWidget

from app.core.formats import gigabytes, plain_tip
from app.inference.backends import BackendFacts
from app.widgets.labels import ElidedLabel, label, set_state

NOTHING = "–"
MODEL_WIDTH = 200


class StatusLine(QWidget):
    """Facts on the left, the current work with its progress on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: BackendFacts | None = None
        self.setObjectName("statusline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(30)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(24)
        self.model = self._fact(row, self.tr("Model"))
        self.rtf = self._fact(row, self.tr("Real-time factor"))
        self.rtf.setToolTip(
            self.tr("Time to make a second of sound; below 1 is faster than real time.")
        )
        self.first_sound = self._fact(row, self.tr("First sound"))
        self.buffer = self._fact(row, self.tr("Buffer"))
        self.memory = self._fact(row, self.tr("Memory"))
        self.memory.setToolTip(self.tr("What the program holds; the model's file is mapped."))
        self.underruns = self._fact(row, self.tr("Gaps"))
        self.underruns.setToolTip(self.tr("How often the sound ran dry in this take."))
        self.work = ElidedLabel("", "value")
        self.work.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.work, 1)
        self.progress = QProgressBar()
        self.progress.setFixedWidth(120)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.progress.hide()
        row.addWidget(self.progress)

    def _fact(self, row: QHBoxLayout, title: str) -> QLabel:
        pair = QHBoxLayout()
        pair.setSpacing(6)
        pair.addWidget(label(title, "label"))
        value = label(NOTHING, "value")
        value.setAccessibleName(title)
        pair.addWidget(value)
        row.addLayout(pair)
        return value

    def follow(self, facts: BackendFacts) -> None:
        """Show the program's memory whenever ``facts`` were renewed."""
        self._facts = facts
        facts.changed.connect(self._show_memory)
        self._show_memory()

    @Slot()
    def _show_memory(self) -> None:
        if self._facts is not None:
            self.memory.setText(gigabytes(self._facts.used_bytes))

    def set_model(self, name: str) -> None:
        """The model's name; a long one is cut, the tooltip has it whole."""
        cut = Qt.TextElideMode.ElideRight
        self.model.setText(self.model.fontMetrics().elidedText(name, cut, MODEL_WIDTH))
        self.model.setToolTip(plain_tip(name))

    def set_work(self, text: str, state: str = "") -> None:
        """What is being done, or how it ended; ``state`` is ok, warn, bad or empty."""
        self.work.setText(text)
        set_state(self.work, state)

    def set_progress(self, done: int, total: int) -> None:
        """Show a bar; ``total`` 0 shows one that only says that something is done."""
        self.progress.setRange(0, max(0, total))
        self.progress.setValue(min(done, total) if total else 0)
        self.progress.show()

    def end_progress(self) -> None:
        """Hide the bar."""
        self.progress.hide()
