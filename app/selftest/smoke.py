"""``s2studio --smoke``: the window, one take, and out again. Tells whether a build works."""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import TracebackType

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot

from app.application import SHUTDOWN_MS, Application, StartOptions, make_application
from app.core import settings as keys
from app.takes.take import Take
from engine.errors import EngineError
from engine.types import ModelInfo

WORDS = "Good evening."
FRAMES = 40
LIMIT_MS = 180_000


class SmokeRun(QObject):
    """Speaks one sentence in a real window and remembers how that went.

    Attributes:
        problem: a sentence when it failed, else empty.
        result: what came out, for the line that is printed.
    """

    def __init__(self, session: Application) -> None:
        super().__init__()
        self._app = session
        self._started = time.monotonic()
        self.problem = "the window was closed before the take was there"
        self.result = ""
        session.settings.set(keys.MAX_FRAMES, FRAMES)
        session.settings.set(keys.PLAY_LIVE, False)
        session.session.model_changed.connect(self._on_model)
        session.session.take_ended.connect(self._on_take)
        session.session.failed.connect(self._on_failed)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.timeout.connect(self._on_limit)
        self._limit.start(LIMIT_MS)

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        if info is not None:
            self._app.window.script.set_text(WORDS)
            # After everybody else has heard of the model.
            QTimer.singleShot(0, self, self._generate)

    @Slot()
    def _generate(self) -> None:
        self._app.scripts.generate()

    @Slot(object)
    def _on_take(self, take: Take) -> None:
        samples, info = take.store.samples, self._app.session.info
        if take.result is None or info is None:
            return  # the error tells
        if len(samples) == 0 or not bool(np.isfinite(samples).all()) or not samples.any():
            self._end("the take holds no sound")
            return
        took = time.monotonic() - self._started
        self.result = (
            f"{take.store.seconds:.1f} s of sound from {Path(info.path).name} "
            f"on {info.device} after {took:.1f} s"
        )
        self._end("")

    @Slot(object, str)
    def _on_failed(self, error: EngineError, _job: str) -> None:
        self._end(str(error))

    def report_fault(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """An exception in a slot ends the run; Qt alone would only print it."""
        traceback.print_exception(kind, error, trace)
        self._end(f"{kind.__name__}: {error}")

    @Slot()
    def _on_limit(self) -> None:
        self._end(f"no take after {LIMIT_MS // 1000} s")

    def _end(self, problem: str) -> None:
        self.problem = problem
        self._limit.stop()
        self._app.window.close()
        QCoreApplication.exit(1 if problem else 0)


def run_smoke(argv: list[str], model: Path, tokenizer: Path | None) -> int:
    """Do it in a folder of its own, print one line, return the exit code."""
    app = make_application(argv)
    with tempfile.TemporaryDirectory(prefix="s2studio-smoke-") as folder:
        options = StartOptions(model, tokenizer, data_root=Path(folder))
        session = Application(app, options)
        smoke = SmokeRun(session)
        sys.excepthook = smoke.report_fault
        session.show()
        code = QCoreApplication.exec()
        session.shutdown()
        session.service.shutdown(10 * SHUTDOWN_MS)
    if smoke.problem:
        print(f"s2studio: smoke failed: {smoke.problem}", file=sys.stderr)
        return 1
    print(f"s2studio: smoke ok: {smoke.result}")
    return code
