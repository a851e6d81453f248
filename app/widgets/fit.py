"""Gives a dialog the size that its wrapped texts really need."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog


def fit_to_text(dialog: QDialog, width: int) -> None:
    """Make ``dialog`` at least ``width`` wide and as high as its texts are at that width.

    To be called when it is shown: only then does the style sheet say how large letters are,
    and Qt does not ask a window's layout for its height at a width by itself.
    """
    layout = dialog.layout()
    if layout is None:
        return
    layout.activate()
    width = max(width, layout.totalMinimumSize().width())
    height = layout.totalHeightForWidth(width)
    if height < 0:
        height = layout.totalSizeHint().height()
    dialog.setMinimumSize(width, min(height, dialog.screen().availableGeometry().height()))
    dialog.resize(dialog.minimumSize())
