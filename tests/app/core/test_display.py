"""Not the variable counts, but whether somebody answers."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core import display
from app.core.display import display_trouble

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="displays of X11 and Wayland")


@pytest.fixture
def wayland(tmp_path: Path) -> Iterator[dict[str, str]]:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-7"))
        server.listen()
        yield {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-7"}


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "there is no display"),
        ({"DISPLAY": ""}, "there is no display"),
        ({"DISPLAY": ":4242"}, "no display answers at DISPLAY=:4242"),
        ({"DISPLAY": "unix:4242"}, "no display answers"),
        ({"DISPLAY": "localhost:4242.0"}, "no display answers"),
        ({"DISPLAY": "[::1]:4242"}, "no display answers"),
        ({"DISPLAY": "nonsense"}, "no display answers"),
        ({"DISPLAY": ":99999"}, "no display answers"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "no display answers at WAYLAND_DISPLAY"),
        ({"WAYLAND_DISPLAY": "/nowhere/w", "DISPLAY": ":4242"}, "no display answers"),
        ({"QT_QPA_PLATFORM": "nonsense"}, "no platform 'nonsense'"),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":4242"}, "no display answers"),
        ({"QT_QPA_PLATFORM": "xcb"}, "there is no display"),
        ({"QT_QPA_PLATFORM": "offscreen"}, ""),
        ({"QT_QPA_PLATFORM": "offscreen:size=1x1", "DISPLAY": ":4242"}, ""),
        ({"QT_QPA_PLATFORM": "minimal;xcb"}, ""),
    ],
)
def test_what_is_there(environ: dict[str, str], words: str) -> None:
    trouble = display_trouble(environ)
    assert words in trouble
    assert bool(words) == bool(trouble)


def test_a_server_that_listens_is_a_display(
    wayland: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert display_trouble(wayland) == ""
    path = str(tmp_path / "wayland-7")
    assert display_trouble({"WAYLAND_DISPLAY": path, "DISPLAY": ":4242"}) == ""
    assert "no display" in display_trouble({**wayland, "QT_QPA_PLATFORM": "xcb"})
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(display, "_X_PORT", server.getsockname()[1])
        assert display_trouble({"DISPLAY": "127.0.0.1:0.0"}) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "environ", [{"DISPLAY": ":4242"}, {"QT_QPA_PLATFORM": "nonsense"}, {"WAYLAND_DISPLAY": "w"}]
)
def test_one_sentence_and_no_abort(tmp_path: Path, environ: dict[str, str]) -> None:
    clean = {k: v for k, v in os.environ.items() if "DISPLAY" not in k and "QPA" not in k}
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-m", "app"], env={**clean, **environ, "PYTHONPATH": root},
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1
