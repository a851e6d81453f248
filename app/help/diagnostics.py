"""The log file, and a report for whoever shall find a fault: complete, but without names.

Nothing is ever sent. Names of users, machines and folders are taken out of the report, so it
can be pasted anywhere.
"""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import platform
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QLibraryInfo, QtMsgType, qInstallMessageHandler, qVersion
from PySide6.QtGui import QGuiApplication

from app.core.formats import gigabytes, scrub
from app.help.about import program_version
from app.inference.backends import BackendFact
from engine.types import ModelInfo

log = logging.getLogger(__name__)

LOG_NAME = "studio.log"
FAULT_NAME = "fault.log"
LOG_BYTES = 512 << 10
LOG_COPIES = 2
LAST_LINES = 60
PACKAGES = ("torch", "numpy", "PySide6-Essentials", "sounddevice", "soundfile", "llvmlite")
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class LogFile:
    """Writes everything that is logged to a rotating file; without a folder only in memory.

    Attributes:
        path: the file, or ``None`` when it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path: Path | None = None
        self._fault: TextIO | None = None
        self._handler: logging.Handler | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / LOG_NAME
            handler = logging.handlers.RotatingFileHandler(
                path, maxBytes=LOG_BYTES, backupCount=LOG_COPIES, encoding="utf-8"
            )
            self._fault = open(folder / FAULT_NAME, "a", encoding="utf-8")  # noqa: SIM115
        except OSError:
            return
        self.path, self._handler = path, handler
        handler.setFormatter(logging.Formatter(_FORMAT))
        root = logging.getLogger()
        root.addHandler(handler)
        if root.level > logging.INFO or root.level == logging.NOTSET:
            root.setLevel(logging.INFO)
        faulthandler.enable(self._fault)
        qInstallMessageHandler(_qt_message)
        log.info("started: version %s, Python %s", program_version(), platform.python_version())

    def close(self) -> None:
        """Write what is left and let go of the file."""
        if self._handler is None:
            return
        qInstallMessageHandler(None)
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()
        self._handler = None
        if self._fault is not None:
            faulthandler.disable()
            self._fault.close()

    def tail(self, lines: int = LAST_LINES) -> list[str]:
        """The newest lines."""
        if self.path is None:
            return []
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        return text.splitlines()[-lines:]


_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def _qt_message(kind: QtMsgType, _context: object, text: str) -> None:
    logging.getLogger("qt").log(_LEVELS.get(kind, logging.WARNING), "%s", text)


@dataclass(frozen=True, slots=True)
class Situation:
    """What the report tells beside versions."""

    backends: list[BackendFact] = field(default_factory=list)
    used_bytes: int = 0
    model: ModelInfo | None = None
    state: str = ""
    sound: list[str] = field(default_factory=list)
    sound_problem: str = ""
    controls: str = ""
    log_lines: list[str] = field(default_factory=list)


def report(situation: Situation, fault: str = "") -> str:
    """The whole report as plain text; ``fault`` stands first."""
    parts = [
        *([("Fault", fault.strip().splitlines())] if fault else []),
        ("Program", _program()),
        ("Screen", _screens()),
        ("Devices", [_backend(b) for b in situation.backends]),
        ("Model", _model(situation)),
        ("Sound", situation.sound or [situation.sound_problem or "no output"]),
        ("Controls", [situation.controls or "-"]),
        ("Log", situation.log_lines or ["empty"]),
    ]
    lines = ["S2 Voice Studio report"]
    for title, body in parts:
        lines += ["", f"[{title}]", *body]
    return scrub("\n".join(lines)) + "\n"


def _program() -> list[str]:
    lines = [
        f"S2 Voice Studio {program_version()}",
        f"Python {platform.python_version()} on {platform.platform()}",
        f"Qt {qVersion()}, platform {QGuiApplication.platformName()}",
    ]
    for package in PACKAGES:
        try:
            lines.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            lines.append(f"{package} is not installed")
    lines.append(f"debug build of Qt: {QLibraryInfo.isDebugBuild()}")
    return lines


def _screens() -> list[str]:
    return [
        f"{s.size().width()} x {s.size().height()}, scale {s.devicePixelRatio():g}"
        for s in QGuiApplication.screens()
    ]


def _backend(backend: BackendFact) -> str:
    reason = f": {backend.reason}" if backend.reason else ""
    return (
        f"{backend.name} ({backend.title}) {backend.readiness.value}{reason}, "
        f"{gigabytes(backend.free_bytes)} of {gigabytes(backend.total_bytes)} free"
    )


def _model(situation: Situation) -> list[str]:
    lines = [f"state: {situation.state}", f"memory in use: {gigabytes(situation.used_bytes)}"]
    info = situation.model
    if info is not None:
        types = ", ".join(f"{name} {count}" for name, count in info.types.items())
        lines += [
            f"{info.name}, {gigabytes(info.file_bytes)}, {types}",
            f"runs on {info.device} ({info.gpu_layers} layers), codec on {info.codec_device}: "
            f"{info.codec_reason}",
        ]
    return lines
