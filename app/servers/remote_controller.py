"""Speaking through a server: connecting, its voices, and honesty about what it cannot do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from app.core import settings as keys
from app.core.engine_texts import engine_text
from app.core.formats import sentence
from app.core.settings import Settings
from app.inference.jobs import Ending, Outcome, SynthesisJob
from app.inference.loader import ModelLoader
from app.inference.service import EngineService
from app.servers.remote_form import HERE, SERVER, RemoteForm
from engine.errors import EngineError
from engine.remote import RemoteError, RemoteOptions
from engine.types import ModelInfo


class RemoteController(QObject):
    """Ties the choice of the place to the engine's thread.

    Attributes:
        options: the server that is or was asked last.
    """

    def __init__(
        self, form: RemoteForm, settings: Settings, service: EngineService, models: ModelLoader
    ) -> None:
        super().__init__(form)
        self._form, self._settings = form, settings
        self._service, self._models = service, models
        self.options: RemoteOptions | None = None
        self._spoke = False
        self._form.place_chosen.connect(self._on_place)
        self._form.test_requested.connect(self.connect_now)
        models.loaded.connect(self._on_model)

    @property
    def connected(self) -> ModelInfo | None:
        """The server that speaks now; ``None`` while this computer does."""
        info = self._models.info
        return info if info is not None and info.host else None

    def open_first(self) -> None:
        """Go back to the server that spoke when the window was closed."""
        if self._settings.get(keys.REMOTE_ON) and self._settings.get(keys.REMOTE_URL):
            self._form.show_place(SERVER)
            self.connect_now()

    @Slot()
    def connect_now(self) -> None:
        """Ask the server what it is and can; from then on it speaks."""
        form = self._form
        current = self._service.current
        if current is not None and isinstance(current.work, SynthesisJob):
            form.say(self.tr("The engine speaks. Stop it first, then connect."), "warn")
            return
        self._settings.set(keys.REMOTE_URL, form.address.text().strip())
        try:
            self.options = RemoteOptions(
                form.address.text(), self._settings.get(keys.REMOTE_KIND), form.key.text().strip()
            )
        except RemoteError as error:
            self._tell(error)
            return
        form.say(self.tr("Asking {host}…").format(host=self.options.host))
        self._models.connect_to(self.options).ended.connect(self._on_ended)

    def next_step(self, error: EngineError, job: str) -> tuple[str, Callable[[], None] | None]:
        """What helps against an error of a server."""
        if isinstance(error, RemoteError):
            return self.tr("Test connection"), self.connect_now
        return "", None

    @Slot(str)
    def _on_place(self, place: str) -> None:
        if place == HERE:
            self._settings.set(keys.REMOTE_ON, False)
            if self.connected is not None:
                self._models.disconnect_server()
        elif self._form.address.text().strip():
            self.connect_now()
        else:
            self._form.address.setFocus()
            self._form.say(self._not_yet())

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        if outcome.ending is Ending.DONE:
            self._settings.set(keys.REMOTE_ON, True)
        elif outcome.error is not None:
            self._tell(outcome.error)
        else:
            self._form.say(self._not_yet())

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        spoke, self._spoke = self._spoke, info is not None and bool(info.host)
        if info is not None and info.host:
            can, exposed = info.capabilities, self.options is not None and self.options.key_exposed
            self._form.show_place(SERVER)
            self._form.set_voices(can.voices)
            self._form.say(self._form.describe(can, exposed), "warn" if exposed else "")
        elif spoke:  # a model was opened here, or the place was changed
            self._settings.set(keys.REMOTE_ON, False)
            self._form.show_place(HERE)

    def _tell(self, error: EngineError) -> None:
        """Beside the button that was pressed, where the next try is made."""
        words = f"{sentence(engine_text(error.detail))} {engine_text(error.advice)}".strip()
        server = self.connected
        if server is None:
            words = f"{words} {self._not_yet()}"
        else:
            still = self.tr("Takes are still made by {host}.").format(host=server.host)
            words = f"{words} {still}"
        self._form.say(words, "bad")

    def _not_yet(self) -> str:
        return self.tr("Not connected: takes are made on this computer.")
