"""The switch of the local server: started and stopped beside the GUI thread."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.servers.shared_engine import SharedEngine
from engine.errors import EngineError
from engine.server import ServerOptions

if TYPE_CHECKING:
    from engine.server import LocalServer

log = logging.getLogger(__name__)


class ServerSwitch(QObject):
    """A server over the window's engine that can be turned on and off.

    Loading the libraries and closing connections take a moment, so both happen on a thread.

    Attributes:
        wanted: it shall run.
        url: its address; empty while it does not run.

    Signals:
        changed(): it came up, ended or failed to start.
        failed(EngineError): it could not start.
        busy_changed(bool): it works for another program now, or no longer.
    """

    changed = Signal()
    failed = Signal(object)
    busy_changed = Signal(bool)
    _came_up = Signal(object)
    _went_down = Signal()
    _broke = Signal(object)

    def __init__(self, engine: SharedEngine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._server: LocalServer | None = None
        self._thread: threading.Thread | None = None
        self._next: ServerOptions | None = None
        self.wanted = False
        self.url = ""
        self._came_up.connect(self._on_up)
        self._went_down.connect(self._on_down)
        self._broke.connect(self._on_broken)

    @property
    def moving(self) -> bool:
        """It is on its way up or down."""
        return self._thread is not None

    def turn_on(self, options: ServerOptions) -> None:
        """Start; again with other options when it runs already."""
        self.wanted, self._next = True, options
        if self._thread is None:
            self._go()

    def turn_off(self) -> None:
        """Cancel what runs for others and close all connections."""
        self.wanted, self._next = False, None
        if self._thread is None and self._server is not None:
            self._go()

    def shutdown(self, timeout_s: float) -> bool:
        """Stop for good; ``False`` when that takes longer than ``timeout_s``."""
        self.turn_off()
        thread = self._thread
        if thread is not None:
            thread.join(timeout_s)
        server, self._server = self._server, None
        if server is not None and server.running:
            stopper = threading.Thread(target=server.stop, name="s2-server-stop", daemon=True)
            stopper.start()
            stopper.join(timeout_s)
            return not stopper.is_alive()
        return thread is None or not thread.is_alive()

    def _go(self) -> None:
        """Take the next step on a thread: first down, then up."""
        server, options = self._server, self._next
        self._server = None
        if server is not None:
            work = threading.Thread(target=self._down, args=(server,), daemon=True)
        elif options is not None:
            self._next = None
            work = threading.Thread(target=self._up, args=(options,), daemon=True)
        else:
            return
        work.name = "s2-server-switch"
        self._thread = work
        work.start()

    def _up(self, options: ServerOptions) -> None:
        from engine.server import LocalServer

        try:
            server = LocalServer(self._engine, options, self.busy_changed.emit)
            server.start()
        except EngineError as error:
            self._broke.emit(error)
        except Exception as error:
            log.exception("the local server failed to start")
            self._broke.emit(EngineError("program.failed", kind=type(error).__name__, reason=error))
        else:
            if self.wanted:
                self._came_up.emit(server)
                return
            server.stop()  # turned off, or the window closed, on the way
            self._went_down.emit()

    def _down(self, server: LocalServer) -> None:
        server.stop()
        self._went_down.emit()

    @Slot(object)
    def _on_up(self, server: LocalServer) -> None:
        self._thread, self._server, self.url = None, server, server.url
        log.info("serving at %s", self.url)
        self.changed.emit()
        if not self.wanted or self._next is not None:
            self._go()

    @Slot()
    def _on_down(self) -> None:
        self._thread, self.url = None, ""
        self.changed.emit()
        self._go()

    @Slot(object)
    def _on_broken(self, error: EngineError) -> None:
        self._thread, self.wanted, self.url = None, False, ""
        self.changed.emit()
        self.failed.emit(error)
