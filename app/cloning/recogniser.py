"""Fetches the transcriber's model when somebody asks for it, off the window's thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from app.cloning.recogniser_dialog import RecogniserDialog
from app.core.background import Tasks
from engine.cancel import CancelToken
from engine.errors import CancelledError, EngineError
from engine.hub import DownloadOptions, Transfer
from engine.transcription import (
    RECOGNISER,
    Recogniser,
    TranscribeError,
    fetch_recogniser,
    find_model,
)

QUEUE = "recogniser"


class RecogniserFetch(QObject):
    """The model's folder and the way it gets there.

    Attributes:
        dialog: while it is shown.

    Signals:
        moved(Transfer): how far it is.
        fetched(Path): the model is there and was checked.
        folder_wanted(): the user has a model already.
    """

    moved = Signal(object)
    fetched = Signal(object)
    folder_wanted = Signal()

    def __init__(
        self,
        folder: Path,
        options: Callable[[], DownloadOptions],
        tasks: Tasks,
        model: Recogniser = RECOGNISER,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder, self._options, self._tasks, self._model = folder, options, tasks, model
        self._cancel: CancelToken | None = None
        self.dialog: RecogniserDialog | None = None

    @property
    def busy(self) -> bool:
        """It is being fetched."""
        return self._cancel is not None

    def found(self) -> Path | None:
        """The folder of the model that was fetched, if it is there."""
        try:
            return find_model(self._folder / self._model.folder)
        except TranscribeError:
            return None

    def show(self, parent: QWidget) -> None:
        """Say what the model is, and offer to fetch it."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        host = self._options().hub.endpoint.partition("://")[2]
        dialog = self.dialog = RecogniserDialog(self._model, host, parent)
        dialog.fetch_wanted.connect(self.start)
        dialog.stop_wanted.connect(self.stop)
        dialog.folder_wanted.connect(self._on_folder)
        self.moved.connect(dialog.show_transfer)
        dialog.finished.connect(self._on_closed)
        dialog.open()

    @Slot()
    def start(self) -> None:
        """Fetch it, going on where an earlier try ended."""
        if self.busy:
            return
        cancel = self._cancel = CancelToken()
        options = self._options()
        self._tasks.run(
            lambda: fetch_recogniser(self._folder, options, cancel, self._tell, self._model),
            self._on_done, self._on_failed, QUEUE,
        )  # fmt: skip

    @Slot()
    def stop(self) -> None:
        """Stop; what is there is kept."""
        if self._cancel is not None:
            self._cancel.cancel()

    def _tell(self, now: Transfer) -> None:
        """In the thread of the work."""
        self.moved.emit(now)

    def _on_done(self, folder: Path) -> None:
        self._cancel = None
        if self.dialog is not None:
            self.dialog.accept()
        self.fetched.emit(folder)

    def _on_failed(self, error: EngineError) -> None:
        self._cancel = None
        if self.dialog is None:
            return
        if isinstance(error, CancelledError):
            self.dialog.show_rest(self.tr("Stopped. What was fetched is kept for the next time."))
        else:
            self.dialog.show_error(error)

    @Slot()
    def _on_folder(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()
        self.folder_wanted.emit()

    @Slot()
    def _on_closed(self) -> None:
        """The work goes on only while it is seen."""
        self.stop()
        if self.dialog is not None:
            self.dialog.deleteLater()
            self.dialog = None
