"""The offer to make voices anew for the model that is open, and how far that is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app.widgets.labels import label
from app.widgets.layout import in_column, in_row


class RemakeStrip(QWidget):
    """A line above the voices, there only when it has something to say.

    Signals:
        wanted(), cancelled()
    """

    wanted = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label("", "hint", wrap=True)
        self.words.setAccessibleName(self.tr("Voices for another model"))
        self.make = QPushButton(self.tr("Make anew"))
        self.make.setProperty("role", "small")
        self.make.clicked.connect(self.wanted)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.setProperty("role", "small")
        self.cancel.clicked.connect(self.cancelled)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Making voices anew"))
        in_column(in_row((self.words, 1), self.make, self.cancel), self.progress, on=self)
        self.show_offer(0, 0)

    def show_offer(self, ready: int, lost: int) -> None:
        """Offer to make ``ready`` voices anew; of ``lost`` ones nothing was kept."""
        words = []
        if ready == 1:
            words.append(self.tr("1 voice can be made anew for this model."))
        elif ready:
            words.append(
                self.tr("{count} voices can be made anew for this model.").format(count=ready)
            )
        if lost == 1:
            words.append(self.tr("1 voice for another model has no clip."))
        elif lost:
            words.append(
                self.tr("{count} voices for another model have no clip.").format(count=lost)
            )
        self.setToolTip("")
        if lost:
            self.setToolTip(
                self.tr("Open a recording of the same speaker and save it under the same name.")
            )
        self.words.setText(" ".join(words))
        self.make.setVisible(ready > 0)
        self.cancel.hide()
        self.progress.hide()
        self.setVisible(bool(words))

    def show_work(self, words: str, done: int, total: int) -> None:
        """What is being made; a total of 0 means that nobody knows how far it is."""
        self.words.setText(words)
        self.make.hide()
        self.cancel.show()
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        self.progress.show()
        self.show()
