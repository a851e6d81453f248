"""Opening models: what is asked of the engine's thread, and what is remembered of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from app.core import settings as keys
from app.core.file_dialogs import remember
from app.core.settings import Settings
from app.inference.controls import Controls
from app.inference.jobs import ConnectJob, DisconnectJob, Ending, LoadJob, LoadOptions, Outcome
from app.inference.service import Activity, EngineService, JobHandle
from engine.remote import RemoteOptions
from engine.types import ModelInfo


class ModelLoader(QObject):
    """Loads models and remembers them.

    Attributes:
        info: the loaded model, or that of a server; ``None`` without one.
        options: how the one of this computer was loaded.

    Signals:
        opening(LoadOptions): a model is about to be loaded.
        ended(Outcome): it is, or it could not be.
        loaded(ModelInfo | None): another model is loaded, or none is any more.
        said(str): a sentence for the user.
    """

    opening = Signal(object)
    ended = Signal(object)
    loaded = Signal(object)
    said = Signal(object)

    def __init__(
        self, settings: Settings, service: EngineService, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._service = service
        self.info: ModelInfo | None = None
        self.options: LoadOptions | None = None

    @property
    def busy(self) -> bool:
        """The engine works; it is stopped before another model is opened."""
        return self._service.working

    def open(self, path: Path, tokenizer: Path | None = None) -> None:
        """Load a model in place of the one that is loaded."""
        if self.busy:
            self.said.emit(self.tr("The engine is busy. Stop it first, then open the model."))
            return
        controls = Controls.from_settings(self._settings)
        options = controls.load_options(path, tokenizer)
        self.opening.emit(options)
        handle = self._service.submit(LoadJob(options), describe=self._describe_load)
        handle.ended.connect(lambda outcome: self._on_ended(options, outcome))

    def connect_to(self, server: RemoteOptions) -> JobHandle:
        """Speak through a server from now on."""
        return self._submit_place(ConnectJob(server))

    def disconnect_server(self) -> JobHandle:
        """Speak with the model of this computer again."""
        return self._submit_place(DisconnectJob())

    def _submit_place(self, work: ConnectJob | DisconnectJob) -> JobHandle:
        handle = self._service.submit(work, describe=self._describe_place)
        handle.ended.connect(self._change_place)
        return handle

    def _describe_load(self, now: Activity) -> Activity:
        part = f" {now.percent} %" if now.percent else ""
        return replace(now, text=self.tr("Loading the model{part}").format(part=part))

    def _describe_place(self, now: Activity) -> Activity:
        return replace(now, text=self.tr("Asking the server"))

    def _on_ended(self, options: LoadOptions, outcome: Outcome) -> None:
        if outcome.ending is Ending.CANCELLED:
            self.said.emit(self.tr("Opening the model was stopped."))
        if isinstance(outcome.value, ModelInfo):
            self.info, self.options = outcome.value, options
            self._remember(options.model)
            self.loaded.emit(self.info)
        elif not outcome.engine_loaded:  # else the model that was there works on
            self.info = self.options = None
            self.loaded.emit(None)
        self.ended.emit(outcome)

    @Slot(object)
    def _change_place(self, outcome: Outcome) -> None:
        """A server speaks now, or this computer again; a failed try changes nothing."""
        if outcome.ending is Ending.DONE:
            self.info = outcome.value if isinstance(outcome.value, ModelInfo) else None
            self.loaded.emit(self.info)

    def _remember(self, model: Path) -> None:
        self._settings.set(keys.LAST_MODEL, str(model))
        remember(self._settings, keys.RECENT_MODELS, model)
