"""A user's folders: absolute, never where one stands, and there without a home."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs
import pytest

from engine.storage import places
from engine.storage.names import is_companion
from engine.storage.places import home_folder, user_folder


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    places._stranded.cache_clear()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> str:
        raise RuntimeError("Could not determine home directory.")

    for kind in ("cache", "config", "data", "log"):
        monkeypatch.setattr(platformdirs, f"user_{kind}_dir", fails)


@pytest.mark.parametrize("kind", ["cache", "config", "data", "log"])
def test_without_a_home_there_is_a_place_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: places.Kind
) -> None:
    homeless(monkeypatch)
    found = user_folder(kind)
    assert found.is_relative_to(tmp_path)
    assert (found.relative_to(tmp_path).parts[0]).startswith("s2-voice-studio-")
    assert user_folder(kind) == found


def test_a_folder_of_somebody_else_is_not_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    homeless(monkeypatch)
    number = places.os.getuid()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"s2-voice-studio-{number}").symlink_to(tmp_path / "elsewhere")
    assert not user_folder("cache").is_relative_to(tmp_path / f"s2-voice-studio-{number}")


@pytest.mark.parametrize("value", ["relative/place", "~/cache", ".", "a b"])
def test_relative_paths_make_nothing_where_one_stands(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: value)
    assert user_folder("cache").is_absolute()


def test_no_home_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", fails)
    assert home_folder() == Path.cwd()


@pytest.mark.skipif(sys.platform != "linux", reason="needs an environment without HOME")
def test_the_command_line_lives_without_home(tmp_path: Path) -> None:
    script = (
        "import os, pwd\n"
        "def none(*_): raise KeyError('uid')\n"
        "pwd.getpwuid = none\n"
        "from engine.cli import main\n"
        "raise SystemExit(main(['models', 'list']))\n"
    )
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=120,
        env={"PATH": "/usr/bin", "PYTHONPATH": root, "TMPDIR": str(tmp_path)}, cwd=tmp_path,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert "no home folder" in done.stderr


@pytest.mark.parametrize(
    "name",
    ["._anna.s2voice", ".DS_Store", "Thumbs.db", "DESKTOP.INI", "~$a.txt", ".~lock.a#",
     "a.gguf.part", "a.s2voice~", "b.crdownload", "c.gguf.icloud"],
)  # fmt: skip
def test_companions(name: str) -> None:
    assert is_companion(name)


@pytest.mark.parametrize("name", ["anna.s2voice", "a.b.gguf", "_a.wav", "~a.s2voice", "part.wav"])
def test_what_is_ones_own(name: str) -> None:
    assert not is_companion(name)
