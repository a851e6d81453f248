"""The engine's sentences in the language of the window.

The engine knows no Qt and speaks English; what it says still knows its code. Translations
belong to the templates of the engine's catalogue.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engine.errors import Message

CONTEXT = "Engine"


def engine_text(text: str) -> str:
    """``text`` of the engine in the language of the window; what is not known stays as it is."""
    if not isinstance(text, Message) or not text.source:
        return QCoreApplication.translate(CONTEXT, text) if text else ""
    # A parameter may be a sentence of its own, such as the reason of a failure.
    params = {
        name: engine_text(value) if isinstance(value, Message) else value
        for name, value in text.params.items()
    }
    return " ".join(QCoreApplication.translate(CONTEXT, text.source).format_map(params).split())
