"""Pictures of the real window for README and manual: ``python -m resources.manual.pictures``.

Needs a display (``xvfb-run -a``) and writes PNG files beside this module. The window has a data
folder of its own that is thrown away; it loads the model that ships, or the stand-in.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyqtgraph  # noqa: F401  # the pictures of a take are there at once
from PySide6.QtCore import QDeadlineTimer, QEventLoop, QSize
from PySide6.QtWidgets import QApplication, QWidget

from app.application import Application, StartOptions, make_application
from app.core import settings as keys
from app.welcome.first_run import first_model
from engine.audio.files import read_audio
from engine.takes.export import ExportFormat, export_take

FOLDER = Path(__file__).resolve().parent / "pictures"
SIZE = QSize(1366, 768)
TEXT = (
    "Good evening. The harbour is quiet tonight, and the last boat has come in. "
    "Listen: you can hear the bell of the old lighthouse."
)
SAID = "The last boat has come in."
LIMIT_MS = 120_000


def until(app: QApplication, condition: Callable[[], bool]) -> None:
    """Run the event loop until something is true.

    Raises:
        TimeoutError: it does not become true.
    """
    deadline = QDeadlineTimer(LIMIT_MS)
    while not condition():
        if deadline.hasExpired():
            raise TimeoutError("the window did not get there")
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 50)


@contextmanager
def session(app: QApplication, root: Path, theme: str, model: Path | None) -> Iterator[Application]:
    """A window with a data folder of its own."""
    made = Application(app, StartOptions(model, data_root=root))
    made.settings.set(keys.THEME, theme)
    made.settings.set(keys.PLAY_LIVE, False)
    made.window.resize(SIZE)
    made.show()
    made.window.resize(SIZE)
    try:
        yield made
    finally:
        made.window.close()
        made.shutdown()
        made.window.deleteLater()


def snap(app: QApplication, widget: QWidget, name: str) -> None:
    """Save a picture of a window as it is on the screen."""
    for _ in range(5):
        app.processEvents()
    path = FOLDER / f"{name}.png"
    picture = widget.grab().toImage()
    picture = picture.convertToFormat(picture.Format.Format_RGB32)
    if not picture.save(str(path), "PNG", 0):
        raise OSError(f"{path} cannot be written")
    print(path.name, picture.width(), "x", picture.height())


def speak(app: QApplication, made: Application, text: str) -> None:
    """Generate to the end."""
    made.window.script.set_text(text)
    made.scripts.generate()
    take = made.session.current.take
    if take is None:
        raise RuntimeError("no take was begun")
    until(app, lambda: take.store.complete)


def clip_of(made: Application, folder: Path) -> Path:
    """A recording to show: what the window has just said."""
    take = made.session.current.take
    assert take is not None
    rate = take.store.format.sample_rate
    written = export_take(folder / "clip", take.store.samples, rate, ExportFormat.WAV_16)
    read_audio(written.path)
    return written.path


def draw(app: QApplication, model: Path) -> None:
    """All pictures."""
    FOLDER.mkdir(exist_ok=True)
    for theme in ("dark", "light"):
        with tempfile.TemporaryDirectory(prefix="s2studio-pictures-") as folder:
            root = Path(folder)
            with session(app, root, theme, model) as made:
                until(app, lambda made=made: made.session.can_generate)  # type: ignore[misc]
                made.settings.set(keys.MAX_FRAMES, 300)
                speak(app, made, SAID)
                clip = clip_of(made, root)
                speak(app, made, TEXT)
                snap(app, made.window, f"take-{theme}")
                made.cloning.reference.open_file(clip)
                until(app, lambda made=made: made.window.reference.clip.length > 0)  # type: ignore[misc]
                made.window.reference.clip.set_text(SAID)
                snap(app, made.window.left, f"clone-{theme}")


def main() -> int:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="model to show; default is what ships")
    options = parser.parse_args()
    app = make_application([sys.argv[0]])
    draw(app, options.model or first_model())
    return 0


if __name__ == "__main__":
    sys.exit(main())
