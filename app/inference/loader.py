"""Opening models: what is asked of the engine's thread, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from app.core import settings as keys
from app.core.recent_files import remember
from app.core.settings import Settings
from app.inference.controls import Controls
from app.inference.jobs import ConnectJob, DisconnectJob, Ending, Job, LoadJob, LoadOptions, Outcome
from app.inference.service import EngineService
from engine.types import ModelInfo


class ModelLoader(QObject):
    """Loads models and remembers them.

    Attributes:
        info: the loaded model, or that of a server; ``None`` without one.
        options: how the one of this computer was loaded.
        ask_first: may hold a model back to ask about it; called with file and tokenizer.

    Signals:
        loaded(ModelInfo | None): another model is loaded, or none is any more.
        said(str): a sentence for the user.
    """

    loaded = Signal(object)
    said = Signal(str)

    def __init__(
        self, settings: Settings, service: EngineService, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._service = service
        self.info: ModelInfo | None = None
        self.options: LoadOptions | None = None
        self.ask_first: Callable[[Path, Path | None], bool] | None = None
        service.job_ended.connect(self._on_ended)

    def open(self, path: Path, tokenizer: Path | None = None, sure: bool = False) -> None:
        """Load a model in place of the one that is loaded.

        Unless ``sure``, :attr:`ask_first` may take the matter to the user instead.
        """
        if self._service.working:
            self.said.emit(self.tr("The engine is busy. Stop it first, then open the model."))
            return
        if not sure and self.ask_first is not None and self.ask_first(path, tokenizer):
            return
        controls = Controls.from_settings(self._settings)
        self._service.submit(LoadJob(controls.load_options(path, tokenizer)))

    def reload(self) -> None:
        """Load the model again, with the controls as they are now."""
        if self.options is not None:
            self.open(self.options.model, self.options.tokenizer)

    @Slot(object, object)
    def _on_ended(self, job: Job, outcome: Outcome) -> None:
        if isinstance(job.work, ConnectJob | DisconnectJob):
            self._change_place(outcome)
        if not isinstance(job.work, LoadJob):
            return
        if outcome.ending is Ending.CANCELLED:
            self.said.emit(self.tr("Opening the model was stopped."))
        if isinstance(outcome.value, ModelInfo):
            self.info = outcome.value
            self.options = job.work.options
            self._remember(job.work.options.model)
        elif outcome.engine_loaded:
            return  # the model that was there works on
        else:
            self.info = self.options = None
        self.loaded.emit(self.info)

    def _change_place(self, outcome: Outcome) -> None:
        """A server speaks now, or this computer again; a failed try changes nothing."""
        if outcome.ending is Ending.DONE:
            self.info = outcome.value if isinstance(outcome.value, ModelInfo) else None
            self.loaded.emit(self.info)

    def _remember(self, model: Path) -> None:
        self._settings.set(keys.LAST_MODEL, str(model))
        remember(self._settings, keys.RECENT_MODELS, model)
