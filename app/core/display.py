"""Is there a display that answers? Asked before Qt, which ends the process where there is none.

A variable that is set tells little: it is left over from ssh, tmux or a session that has ended.
"""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

ANSWER_S = 3.0
_X_PORT = 6000
_X_NAME = re.compile(
    r"(?:(?P<protocol>unix|tcp)/)?(?P<host>[^:]*|\[[^]]*\]):(?P<number>\d{1,5})(?:\.\d+)?"
)
# Qt's own, which need neither of the two servers.
_ALONE = frozenset(
    {"offscreen", "minimal", "minimalegl", "vnc", "linuxfb", "eglfs", "vkkhrdisplay"}
)


def display_trouble(environ: Mapping[str, str] = os.environ) -> str:
    """Why no window can be shown here, one sentence; empty when one can."""
    if sys.platform in ("win32", "darwin"):
        return ""
    wish = environ.get("QT_QPA_PLATFORM", "").split(";")[0].partition(":")[0]
    if wish in _ALONE and _is_known(wish):
        return ""
    if wish and not _is_known(wish):
        return f"Qt has no platform {wish!r}, which QT_QPA_PLATFORM names. Unset it."
    wayland, x11 = environ.get("WAYLAND_DISPLAY", ""), environ.get("DISPLAY", "")
    if wayland and wish in ("", "wayland", "wayland-egl") and _wayland_answers(wayland, environ):
        return ""
    if x11 and wish in ("", "xcb") and _x_answers(x11):
        return ""
    if not wayland and not x11:
        return "there is no display here. Set DISPLAY, or use the command line: s2 --help"
    named = f"DISPLAY={x11}" if x11 else f"WAYLAND_DISPLAY={wayland}"
    return f"no display answers at {named}. Set it right, or use the command line: s2 --help"


def _is_known(platform: str) -> bool:
    """Whether this installation's Qt has the plugin; true where its folder is not found."""
    spec = find_spec("PySide6")
    for place in (spec.submodule_search_locations if spec else None) or ():
        folder = Path(place) / "Qt" / "plugins" / "platforms"
        if folder.is_dir():
            return any(folder.glob(f"libq{platform}*")) or platform.startswith("wayland")
    return True


def _wayland_answers(name: str, environ: Mapping[str, str]) -> bool:
    path = name if name.startswith("/") else f"{environ.get('XDG_RUNTIME_DIR', '')}/{name}"
    return _connects(socket.AF_UNIX, path)


def _x_answers(name: str) -> bool:
    found = _X_NAME.fullmatch(name)
    if found is None:
        return name.startswith("/") and _connects(socket.AF_UNIX, name)
    host, number = found["host"].strip("[]"), int(found["number"])
    if found["protocol"] == "unix" or host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"
        return _connects(socket.AF_UNIX, path) or (
            sys.platform == "linux" and _connects(socket.AF_UNIX, f"\0{path}")
        )
    try:
        with socket.create_connection((host, _X_PORT + number), ANSWER_S):
            return True
    except (OSError, OverflowError):
        return False


def _connects(family: int, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as trial:
            trial.settimeout(ANSWER_S)
            trial.connect(address)
    except (OSError, ValueError):
        return False
    return True
