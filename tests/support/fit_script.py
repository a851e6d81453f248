"""Shows the window and every dialog at one scale in one language and looks for cut texts."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

from access_kit import DIALOGS, cut_texts, overlaps
from drawn_text import missing_font
from PySide6.QtCore import QEventLoop, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication, QWidget
from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice

from app.application import Application, StartOptions, make_application
from app.audio.devices import AudioDevices
from app.core import settings as keys
from app.core import theme
from app.core.settings import Settings

SIZE = (1366, 728)
SMALLER = (1280, 680)
LIMIT_MS = 90_000  # only a hang reaches it
ROUNDS = 4


def wait_for(change: SignalInstance, condition: Callable[[], bool]) -> None:
    """Run the event loop until ``change`` was heard and ``condition`` is true."""
    if condition():
        return
    loop, limit = QEventLoop(), QTimer()
    limit.setSingleShot(True)
    limit.timeout.connect(lambda: loop.exit(1))
    limit.start(LIMIT_MS)
    change.connect(lambda *_: loop.exit(0) if condition() else None)
    if loop.exec():
        raise SystemExit("it took too long")


def settle(window: QWidget) -> None:
    """Let everything that is on its way be laid out and painted; hints may follow hints."""
    for _ in range(ROUNDS):
        QApplication.sendPostedEvents()
        QApplication.processEvents()
    assert window.isVisible()


def main() -> None:
    root, language, family = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    qt = make_application(["test"])
    if missing := missing_font(language, family):
        raise SystemExit(missing)
    theme.FONT_FAMILY = family or theme.FONT_FAMILY
    settings = Settings(root / "config" / "studio.json")
    settings.set(keys.LANGUAGE, language)
    settings.sync()
    loader = FakeLoader(FakeEngine())
    session = Application(
        qt,
        StartOptions(data_root=root),
        loader=loader,
        devices=AudioDevices(lambda: FakeSoundDevice()),
        find_demo=lambda: None,
    )
    window = session.window
    window.resize(*SIZE)
    window.show()
    settle(window)
    cut = [f"empty: {t}" for t in (*cut_texts(window), *overlaps(window))]
    session.models.open(Path("s2-pro-q4_k_m.gguf"))
    wait_for(session.session.availability_changed, lambda: session.session.can_generate)
    window.script.set_text("<|speaker:0|> Good evening. [short pause] The harbour is quiet.")
    session.scripts.generate()
    take = session.session.current.take
    assert take is not None
    wait_for(session.session.take_ended, lambda: take.store.complete)
    settle(window)
    assert (window.width(), window.height()) == SIZE, "the window is larger than the screen"
    cut += [f"window: {t}" for t in (*cut_texts(window), *overlaps(window))]
    window.resize(*SMALLER)
    settle(window)
    assert window.width() == SMALLER[0], "1920 at a scale of 1.5 is too narrow"
    cut += [f"smaller: {t}" for t in (*cut_texts(window), *overlaps(window))]
    bench = SimpleNamespace(app=session, window=window, session=session.session)
    for kind, make in DIALOGS.items():
        dialog = make(bench)  # type: ignore[arg-type]
        dialog.show()
        settle(dialog)
        cut += [f"{kind.__name__}: {t}" for t in (*cut_texts(dialog), *overlaps(dialog))]
        dialog.close()
    session.shutdown()
    print("\n".join(cut) or "ok")


main()
