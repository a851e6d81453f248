"""Serving the engine to other programs: the switch, its options, and what is said about it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtNetwork import QAbstractSocket, QNetworkInterface

from app.core import settings as keys
from app.core.engine_texts import engine_text
from app.core.formats import sentence
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.loader import ModelLoader
from app.inference.service import EngineService
from app.servers.local_server import ServerSwitch
from app.servers.serve_form import ServeForm
from app.servers.shared_engine import SharedEngine
from engine.errors import EngineError
from engine.server import ServerOptions
from engine.types import ModelInfo

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"


class ServeController(QObject):
    """Ties the switch in the engine panel to the local server.

    Attributes:
        switch: the server itself.
    """

    def __init__(
        self,
        form: ServeForm,
        settings: Settings,
        service: EngineService,
        models: ModelLoader,
        messages: Messages,
        folders: tuple[Path, ...],
    ) -> None:
        """``folders`` hold the voices; new ones go into the first."""
        super().__init__(form)
        self._form, self._settings, self._messages = form, settings, messages
        self._folders = folders
        self._busy = False
        self._engine = SharedEngine(service, self)
        self.switch = ServerSwitch(self._engine, self)
        self._form.switched.connect(self._on_switched)
        self._form.options_changed.connect(self._on_options)
        self._form.copied.connect(self._on_copied)
        self.switch.changed.connect(self._show)
        self.switch.failed.connect(self._on_failed)
        self.switch.busy_changed.connect(self._on_busy)
        models.loaded.connect(self._on_model)
        self._on_model(models.info)

    def options(self) -> ServerOptions:
        """The server as the settings have it."""
        everyone = self._settings.get(keys.SERVE_OPEN)
        return ServerOptions(
            host=EVERYWHERE if everyone else LOOPBACK,
            port=self._settings.get(keys.SERVE_PORT),
            voice_dir=self._folders[0],
            more_voice_dirs=self._folders[1:],
        )

    def close(self, timeout_s: float) -> bool:
        """Turn it off for good; ``False`` when it does not end in time."""
        self._engine.close()
        return self.switch.shutdown(timeout_s)

    @Slot(bool)
    def _on_switched(self, on: bool) -> None:
        if on:
            self.switch.turn_on(self.options())
        else:
            self.switch.turn_off()
        self._show()

    @Slot()
    def _on_options(self) -> None:
        if self.switch.wanted:
            self.switch.turn_on(self.options())
            if not self.switch.moving:
                self._show()

    @Slot()
    def _show(self) -> None:
        switch, note, state = self.switch, "", ""
        if switch.url and self._busy:
            note = self.tr("Speaks for another program now. Stop ends that too.")
        elif switch.url and self._engine.now is None:
            note, state = self.tr("It answers, but there is no model to speak with."), "warn"
        elif switch.url and self._settings.get(keys.SERVE_OPEN):
            note, state = self.tr("Everyone on the network can use it."), "warn"
        elif switch.url:
            note = self.tr("Open the address in a browser to try it.")
        elif switch.moving:
            note = self.tr("Starting…") if switch.wanted else self.tr("Stopping…")
        self._form.show_state(switch.wanted, reachable(switch.url), note, state)

    @Slot(object)
    def _on_failed(self, error: EngineError) -> None:
        words = f"{sentence(engine_text(error.detail))} {engine_text(error.advice)}"
        self._form.show_state(False, "", words.strip(), "bad")

    @Slot(bool)
    def _on_busy(self, busy: bool) -> None:
        self._busy = busy
        self._show()

    @Slot(str)
    def _on_copied(self, address: str) -> None:
        self._messages.say(self.tr("{address} was copied.").format(address=address))

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        self._engine.now = info
        if self.switch.url:
            self._show()


def reachable(url: str) -> str:
    """The address for others: a server that listens everywhere has that of this machine."""
    if EVERYWHERE not in url:
        return url
    for address in QNetworkInterface.allAddresses():
        if (
            address.protocol() is QAbstractSocket.NetworkLayerProtocol.IPv4Protocol
            and not address.isLoopback()
            and not address.isLinkLocal()
        ):
            return url.replace(EVERYWHERE, address.toString())
    return url.replace(EVERYWHERE, LOOPBACK)
