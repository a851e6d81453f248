"""About: what the program is, and the license of the weights that it does not ship."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget


def program_version() -> str:
    """The installed version, or a word for a source tree."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("s2-voice-studio")
    except PackageNotFoundError:
        return "source tree"


def show_about(parent: QWidget) -> None:
    """Show the dialog."""
    tr = parent.tr
    QMessageBox.about(
        parent,
        tr("About S2 Voice Studio"),
        tr(
            "<b>S2 Voice Studio {version}</b><p>Desktop voice studio and inference engine for "
            "Fish Audio S2 Pro. The program is under the MIT license.</p><p>The S2 Pro weights "
            "are not part of it. They may be used for research and other non-commercial "
            "purposes; commercial use needs a license from Fish Audio.</p><p>Built with Fish "
            "Audio. This model is licensed under the Fish Audio Research License, Copyright © "
            "39 AI, INC. All Rights Reserved.</p>"
        ).format(version=program_version()),
    )
