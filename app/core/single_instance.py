"""One window for each settings folder: a second start hands its files to the first.

Where that cannot be arranged, the second window simply opens: the settings file is written
under a lock, value by value, so two windows do not damage it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal, Slot

from engine.storage import parse_json

log = logging.getLogger(__name__)

CONNECT_MS = 1000
# A window that is loading torch on a busy machine answers late; a second window is worse.
ANSWER_MS = 5000
MAX_BYTES = 1 << 16


class SingleInstance(QObject):
    """Holds the place of the first window of ``folder``.

    Signals:
        asked(list): a second start wants these files opened; empty only raises the window.
    """

    asked = Signal(list)

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._lock: QLockFile | None = None
        self._server: object = None
        digest = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()
        self.name = f"s2-voice-studio-{digest[:16]}"

    def claim(self, files: list[Path]) -> bool:
        """Take the place; ``False`` when another window has it and took ``files`` over."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return True
        lock = QLockFile(str(self._folder / "studio.lock"))
        lock.setStaleLockTime(0)  # it is held as long as the process lives
        if lock.tryLock(0):
            self._lock = lock
            self._listen()
            return True
        return not self._hand_over(files)

    def release(self) -> None:
        """Let the next start be the first."""
        from PySide6.QtNetwork import QLocalServer

        if isinstance(self._server, QLocalServer):
            self._server.close()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _listen(self) -> None:
        from PySide6.QtNetwork import QLocalServer

        QLocalServer.removeServer(self.name)  # of a window that crashed
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._on_connection)
        if not server.listen(self.name):
            log.warning("no second start can reach this window: %s", server.errorString())
        self._server = server

    def _hand_over(self, files: list[Path]) -> bool:
        from PySide6.QtNetwork import QLocalSocket

        socket = QLocalSocket()
        socket.connectToServer(self.name)
        if not socket.waitForConnected(CONNECT_MS):
            return False
        socket.write(json.dumps([os.path.abspath(f) for f in files]).encode() + b"\n")
        # An answer that came in while the words went out is no longer waited for with success.
        sent = socket.bytesToWrite() == 0 or socket.waitForBytesWritten(ANSWER_MS)
        heard = socket.bytesAvailable() > 0 or (sent and socket.waitForReadyRead(ANSWER_MS))
        heard = heard or socket.bytesAvailable() > 0
        socket.disconnectFromServer()
        return bool(heard)

    @Slot()
    def _on_connection(self) -> None:
        from PySide6.QtNetwork import QLocalServer

        server = self._server
        while isinstance(server, QLocalServer) and (socket := server.nextPendingConnection()):
            socket.readyRead.connect(self._on_ready)
            socket.disconnected.connect(socket.deleteLater)
            if socket.canReadLine():
                self._read(socket)

    @Slot()
    def _on_ready(self) -> None:
        self._read(self.sender())

    def _read(self, socket: object) -> None:
        from PySide6.QtNetwork import QLocalSocket

        if not isinstance(socket, QLocalSocket) or not socket.canReadLine():
            return
        try:
            files = parse_json(bytes(socket.readLine(MAX_BYTES).data()))
        except ValueError:
            return
        socket.write(b"ok\n")
        socket.flush()  # before the files are taken up, which may keep this loop busy for long
        if isinstance(files, list):
            self.asked.emit([Path(f) for f in files if isinstance(f, str)])
