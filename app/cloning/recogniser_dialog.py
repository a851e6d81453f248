"""Shows what the transcriber's model is before it is fetched, and how far that is."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QProgressBar, QPushButton, QWidget

from app.core.engine_texts import engine_text
from app.core.formats import sentence, short
from app.widgets.fit import fit_to_text
from app.widgets.labels import label, set_state
from app.widgets.layout import in_column, in_row
from engine.errors import EngineError
from engine.hub import Transfer
from engine.transcription import Recogniser

WIDTH = 460


class RecogniserDialog(QDialog):
    """One button fetches the model; it can be stopped, and goes on there the next time.

    Signals:
        fetch_wanted(), stop_wanted(), folder_wanted()
    """

    fetch_wanted = Signal()
    stop_wanted = Signal()
    folder_wanted = Signal()

    def __init__(self, model: Recogniser, host: str, parent: QWidget | None = None) -> None:
        """``host`` is where it would be fetched from."""
        super().__init__(parent)
        self._model = model
        self.setWindowTitle(self.tr("Transcription"))
        title = self.tr("Get the model that writes down what is said")
        words = self.tr(
            "{title} writes down clips in 99 languages on this computer; nothing is sent anywhere."
        ).format(title=model.title)
        facts = [
            (self.tr("Size"), self.tr("{size:.0f} MB").format(size=model.size / 1e6)),
            (self.tr("License"), f"{model.license.name} · {model.license.owner}"),
            (self.tr("From"), f"{host}/{model.files[-1].repository}"),
            (self.tr("SHA-256"), f"{model.sha256[:32]}\u200b{model.sha256[32:]}"),
        ]
        self.facts = label(
            "\n".join(f"{name}: {value}" for name, value in facts), "hint", wrap=True
        )
        self.facts.setAccessibleName(self.tr("About the model"))
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Fetching the model"))
        self.state = label("", "hint", wrap=True)
        self.fetch = QPushButton(self.tr("Download {size:.0f} MB").format(size=model.size / 1e6))
        self.fetch.setProperty("role", "primary")
        self.fetch.setDefault(True)
        self.fetch.clicked.connect(self.fetch_wanted)
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.clicked.connect(self.stop_wanted)
        self.folder = QPushButton(self.tr("I have one…"))
        self.folder.setToolTip(self.tr("Choose the folder of a faster-whisper model"))
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self.folder_wanted)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.reject)
        buttons = in_row(close, None, self.folder, self.stop, self.fetch, margins=(0, 12, 0, 0))
        parts = (label(title, "title", wrap=True), label(words, "value", wrap=True), self.facts)
        in_column(
            *parts, self.progress, self.state, buttons, spacing=10, on=self,
            margins=(24, 20, 24, 16),
        )  # fmt: skip
        self.show_rest()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        fit_to_text(self, WIDTH)

    def show_rest(self, words: str = "", state: str = "") -> None:
        """Nothing is being fetched; ``words`` say why, if something is to be said."""
        self.progress.hide()
        self.stop.hide()
        self.fetch.show()
        self.folder.setEnabled(True)
        self.state.setText(words)
        set_state(self.state, state)
        self.state.setVisible(bool(words))
        if self.isVisible():
            fit_to_text(self, WIDTH)

    def show_error(self, error: EngineError) -> None:
        """Why it could not be fetched, and what to do."""
        parts = (engine_text(error.detail), engine_text(error.advice))
        self.show_rest(" ".join(sentence(part) for part in parts if part), "bad")

    @Slot(object)
    def show_transfer(self, now: Transfer) -> None:
        """How far it is."""
        self.fetch.hide()
        self.stop.show()
        self.folder.setEnabled(False)
        self.progress.setRange(0, max(1, now.total >> 10))
        self.progress.setValue(now.done >> 10)
        self.progress.show()
        words = self.tr("{done:.0f} of {total:.0f} MB").format(
            done=now.done / 1e6, total=now.total / 1e6
        )
        if now.speed > 0:
            words += " · " + self.tr("{speed:.1f} MB/s").format(speed=now.speed / 1e6)
        if now.left_s is not None:
            words += " · " + self.tr("{time} left").format(time=short(now.left_s))
        if now.reason:
            words = now.reason
        set_state(self.state, "")
        self.state.setText(words)
        self.state.show()
