"""``s2studio --smoke`` and the second start of the window."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.core import settings as keys
from app.core.settings import Settings
from app.core.single_instance import SingleInstance

ROOT = Path(__file__).resolve().parents[3]


def environment(home: Path, **more: str) -> dict[str, str]:
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env |= {"PYTHONPATH": str(ROOT), "HOME": str(home), **more}
    folders = {"XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data"}
    return env | {name: str(home / folder) for name, folder in folders.items()}


def smoke(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", "--smoke", *arguments],
        cwd=home, env=environment(home, **more), capture_output=True, text=True, timeout=200,
    )  # fmt: skip


@pytest.mark.real
@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_the_smoke_run_speaks_and_ends_well(tmp_path: Path, models: Any) -> None:
    """Without a display it takes Qt's offscreen one by itself."""
    env = environment(tmp_path)
    env.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-m", "app", "--smoke", "--model", str(models.path("tiny-q8_0"))],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1
    assert "smoke ok" in done.stdout
    assert "tiny-q8_0.gguf" in done.stdout
    for untouched in ("config", "data"):
        ours = tmp_path / untouched / "s2-voice-studio"
        assert not ours.exists(), "it keeps its hands off the user's files"


@pytest.mark.real
def test_a_smoke_run_that_fails_says_why(tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"no model" * 100)
    done = smoke(tmp_path, "--model", str(bad), QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 1
    line = done.stderr.strip().splitlines()[-1]
    assert line.startswith("s2studio: smoke failed: ")
    assert "GGUF" in line


@pytest.mark.real
@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs Xvfb")
def test_the_smoke_run_works_in_a_real_window(tmp_path: Path, models: Any) -> None:
    done = subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1366x768x24", sys.executable, "-m", "app", "--smoke",
         "--model", str(models.path("tiny-q8_0"))],
        cwd=tmp_path, env=environment(tmp_path, QT_QPA_PLATFORM="xcb"), capture_output=True,
        text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "smoke ok" in done.stdout


def test_a_second_start_hands_its_files_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.claim([])
    code = (
        "import sys\nfrom pathlib import Path\nfrom PySide6.QtCore import QCoreApplication\n"
        "from app.core.single_instance import SingleInstance\napp = QCoreApplication([])\n"
        "second = SingleInstance(Path(sys.argv[1]))\n"
        "print(second.claim([Path('model 小.gguf')]))\n"
    )
    asked: list[list[Path]] = []
    first.asked.connect(asked.append)
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], env=environment(tmp_path), cwd=tmp_path,
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    qtbot.waitUntil(lambda: bool(asked), timeout=20_000)
    out, _ = process.communicate(timeout=20)
    assert out.strip() == "False"
    assert asked == [[tmp_path / "model 小.gguf"]]
    first.release()
    third = SingleInstance(tmp_path)
    assert third.claim([])
    third.release()


def test_another_folder_is_another_studio(qtbot: QtBot, tmp_path: Path) -> None:
    one, two = SingleInstance(tmp_path / "a"), SingleInstance(tmp_path / "b")
    assert one.claim([])
    assert two.claim([])
    one.release()
    two.release()


def test_a_first_window_that_does_not_answer_stops_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    from PySide6.QtCore import QLockFile

    lock = QLockFile(str(tmp_path / "studio.lock"))
    assert lock.tryLock(0)
    second = SingleInstance(tmp_path)
    assert second.claim([Path("a.gguf")])
    second.release()
    lock.unlock()


def test_two_windows_do_not_damage_the_settings(qtbot: QtBot, tmp_path: Path) -> None:
    """Each writes what it changed; neither file nor the other's values are lost."""
    path = tmp_path / "studio.json"
    code = (
        "import sys\nfrom pathlib import Path\nfrom app.core import settings as k\n"
        "s = k.Settings(Path(sys.argv[1]))\n"
        "for n in range(60):\n    s.set(k.VOICE, f'voice {n}')\n    s.sync()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], env=environment(tmp_path), cwd=tmp_path
    )
    mine = Settings(path)
    for number in range(60):
        mine.set(keys.STRIDE, number % 9)
        mine.sync()
    assert other.wait(60) == 0
    mine.sync()
    read = Settings(path)
    assert read.notice == ""
    assert read.get(keys.VOICE) == "voice 59"
    assert read.get(keys.STRIDE) == 59 % 9


@pytest.mark.real
def test_closing_while_the_backends_are_tried_ends_at_once(tmp_path: Path) -> None:
    """torch is being loaded then, which nothing can interrupt."""
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom PySide6.QtCore import QTimer\n"
        "from app import application, startup\n"
        "class Brief(application.Application):\n"
        "    def show(self):\n"
        "        super().show()\n"
        "        self.service._ask.connect(lambda: QTimer.singleShot(30, self.window.close))\n"
        "startup.Application = Brief\n"
        "application.ModelOpening.open_first = lambda *_: None\n"
        "code = startup.run(['x'], application.StartOptions(data_root=Path(sys.argv[1])))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env=environment(tmp_path, QT_QPA_PLATFORM="offscreen"), capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "QThread" not in done.stderr
    assert "Traceback" not in done.stderr
    log = (tmp_path / "logs" / "studio.log").read_text()
    assert "started" in log


@pytest.mark.real
def test_two_starts_make_one_window(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom PySide6.QtCore import QTimer\n"
        "from app import application, startup\nfrom studio_fakes import FakeLoader\n"
        "class First(application.Application):\n"
        "    def __init__(self, app, options):\n"
        "        super().__init__(app, options, loader=FakeLoader(), find_demo=lambda: None)\n"
        "    def show(self):\n"
        "        super().show()\n        print('shown', flush=True)\n"
        "    def come_to_front(self, files):\n"
        "        super().come_to_front(files)\n"
        "        print([f.name for f in files], flush=True)\n"
        "        QTimer.singleShot(0, self.window.close)\n"
        "startup.Application = First\n"
        "root, model = Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else None\n"
        "sys.exit(startup.run(['x'], application.StartOptions(model, data_root=root)))\n"
    )
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    env = environment(tmp_path, QT_QPA_PLATFORM="offscreen", PYTHONPATH=paths)
    start = [sys.executable, "-c", code, str(tmp_path)]
    first = subprocess.Popen(start, env=env, stdout=subprocess.PIPE, text=True)
    assert first.stdout is not None
    assert first.stdout.readline() == "shown\n"
    model = tmp_path / "other 小.gguf"
    second = subprocess.run(
        [*start, str(model)], env=env, capture_output=True, text=True, timeout=60
    )
    assert second.returncode == 0, second.stderr
    assert "open already" in second.stdout
    out, _ = first.communicate(timeout=60)
    assert "other 小.gguf" in out
    assert first.returncode == 0
