"""Where a user's things lie: one home for the folders that the system keeps for programs.

The rules are platformdirs'. What it cannot know is a user without a home, or one that cannot be
written: speaking works there too, from a folder for temporary files, and that is told.
"""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from functools import cache
from pathlib import Path
from typing import Literal

import platformdirs

Kind = Literal["cache", "config", "data", "log"]
APP_NAME = "s2-voice-studio"
LOG = logging.getLogger("engine")


def user_folder(kind: Kind, name: str = APP_NAME) -> Path:
    """The folder for ``kind`` of the program ``name``; it need not exist."""
    makers = {
        "cache": platformdirs.user_cache_dir,
        "config": platformdirs.user_config_dir,
        "data": platformdirs.user_data_dir,
        "log": platformdirs.user_log_dir,
    }
    try:
        found = Path(makers[kind](name, appauthor=False))
    except (RuntimeError, KeyError):  # neither HOME nor an entry in the table of users
        return _stranded() / kind / name
    # A relative path or a tilde in XDG_... or HOME would make folders where one stands.
    return found if found.is_absolute() else _stranded() / kind / name


def home_folder() -> Path:
    """Where a file dialog begins; the current folder for a user without a home."""
    try:
        return Path.home()
    except RuntimeError:
        return Path.cwd()


@cache
def _stranded() -> Path:
    """A folder of this user's own among the temporary files."""
    number = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"{APP_NAME}-{number}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != number):
            raise OSError  # somebody else's: not to be trusted
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix=f"{APP_NAME}-"))
    LOG.warning("There is no home folder, so what is kept goes to %s.", folder)
    return folder
