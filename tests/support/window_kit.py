"""Helpers of the window's tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from studio_bench import Bench
from studio_fakes import CODEBOOKS, RATE

from app.widgets.error_dialog import ErrorDialog
from engine.voices import VoiceProfile


def save_voice(bench: Bench, name: str, text: str = "A text.") -> VoiceProfile:
    profile = VoiceProfile(text, np.zeros((CODEBOOKS, 40), np.int32), RATE, 4096)
    bench.app.voices.library.save(name, profile)
    bench.app.voices.refresh()
    return profile


def dialog(bench: Bench) -> ErrorDialog:
    """The error that is shown."""
    found = [d for d in bench.window.findChildren(ErrorDialog) if d.isVisible()]
    assert len(found) == 1
    return found[0]


def drop(bench: Bench, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    event = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    bench.window.dropEvent(event)
