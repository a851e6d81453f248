"""Closing the window in every state ends the process soon, cleanly and with code 0."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.core import settings as keys
from app.core.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"
LIMIT_S = 3.0


def environment() -> dict[str, str]:
    paths = os.pathsep.join([str(ROOT), str(SUPPORT)])
    return {**os.environ, "PYTHONPATH": paths, "QT_QPA_PLATFORM": "offscreen"}


@pytest.mark.parametrize(
    "state", ["start", "load", "stuck", "prefill", "generate", "play", "dialog", "signal"]
)
def test_closing_ends_the_process(qtbot: object, tmp_path: Path, state: str) -> None:
    process = subprocess.Popen(
        [sys.executable, str(SUPPORT / "close_script.py"), str(tmp_path), state],
        env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    closed = time.monotonic()
    assert line == "closing\n", process.stderr.read()
    code = process.wait(20)
    took = time.monotonic() - closed
    output = process.stderr.read()
    process.stdout.close()
    process.stderr.close()
    assert code == 0, output
    assert took < LIMIT_S
    assert "QThread" not in output
    assert "Traceback" not in output
    settings = Settings(tmp_path / "config" / "studio.json")
    assert settings.get(keys.SCRIPT) == "Unsent text."
    assert not settings.get(keys.GEOMETRY).isEmpty()


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True,
        timeout=60, check=True,
    )  # fmt: skip
    return done.stdout.strip()


def test_the_window_is_there_before_torch() -> None:
    found = run(
        "import sys, app.application, app.__main__\n"
        "heavy = {'torch', 'numba', 'sounddevice', 'soundfile', 'pyqtgraph'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert found == "[]"


@pytest.mark.parametrize(
    ("first", "picture"),
    [
        ("window.take.show_take(store, 'Take')", "window.take.waveform"),
        ("window.reference.shown.set_clip(store.samples, Peaks(), 8000)", "window.reference.wave"),
        ("window.reference.shown.begin_growing(8000, 8000)", "window.reference.wave"),
    ],
)
def test_pictures_are_imported_with_the_first_sound(
    tmp_path: Path, first: str, picture: str
) -> None:
    """By another thread, so that the window stays alive meanwhile."""
    found = run(
        "import sys, time\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from studio_fakes import FakeEngine, FakeLoader, FakeSoundDevice\n"
        "from app.application import Application, StartOptions, make_application\n"
        "from app.audio.devices import AudioDevices\n"
        "from app.audio.peaks import Peaks\n"
        "from app.takes.store import TakeFormat, TakeStore\n"
        "qt = make_application(['t'])\n"
        f"made = Application(qt, StartOptions(data_root=Path({str(tmp_path)!r})),\n"
        "    loader=FakeLoader(FakeEngine()), devices=AudioDevices(lambda: FakeSoundDevice()),\n"
        "    find_demo=lambda: None)\n"
        "made.show()\n"
        "until = time.monotonic() + 0.5\n"
        "while time.monotonic() < until: qt.processEvents()\n"
        "before = 'pyqtgraph' in sys.modules\n"
        "store = TakeStore(TakeFormat(8000, 256, (64, 32)))\n"
        "store.fill(np.ones(8000, np.float32), None, [])\n"
        "window = made.window\n"
        f"{first}\n"
        "until = time.monotonic() + 30\n"
        f"where, name = {picture.rpartition('.')[0]}, {picture.rpartition('.')[2]!r}\n"
        "while not getattr(where, name, None) and time.monotonic() < until: qt.processEvents()\n"
        "print(before, 'pyqtgraph' in sys.modules, not getattr(where, name).axis.empty)\n"
        "made.shutdown()\n"
    )
    assert found.splitlines()[-1] == "False True True"


def test_the_command_line_tells_its_options() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "--help"], env=environment(), capture_output=True,
        text=True, timeout=60, check=True,
    )  # fmt: skip
    for option in ("--model", "--tokenizer", "--voice-dir"):
        assert option in done.stdout


def test_on_windows_torch_comes_before_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its libraries fail to load there once Qt's are in the process."""
    order: list[str] = []

    class Watch:
        def find_spec(self, name: str, path: object = None, target: object = None) -> None:
            if name in ("torch", "app.application"):
                order.append(name)

    import app.__main__ as entry

    monkeypatch.setattr(sys, "meta_path", [Watch(), *sys.meta_path])
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "torch")
    monkeypatch.delitem(sys.modules, "app.application", raising=False)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(ImportError):
        entry.main([])
    assert order == ["torch"]
