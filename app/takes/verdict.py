"""What the checks of a take found: plain data, and how it is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.core.engine_texts import engine_text

if TYPE_CHECKING:
    from engine.audio import Check
    from engine.transcription import WordReport

SIGNS = {"green": "✓", "amber": "▲", "red": "✕"}
ROLES = {"green": "ok", "amber": "warn", "red": "bad"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found.

    Attributes:
        checks: of the sound.
        words: ``None`` where they were not compared.
    """

    checks: tuple[Check, ...]
    words: WordReport | None = None

    @property
    def light(self) -> str:
        """``green``, ``amber`` or ``red``: the worst; a wrong word is red."""
        if self.words is not None and self.words.marks:
            return "red"
        found = [check.light for check in self.checks]
        return next((light for light in ("red", "amber") if light in found), "green")

    @property
    def faults(self) -> list[Check]:
        """Checks that are not green."""
        return [check for check in self.checks if check.light != "green"]


def lights_text(verdict: Verdict) -> str:
    """The lights in words, for people who do not see them."""
    return {
        "green": QCoreApplication.translate("Verdict", "no fault found"),
        "amber": QCoreApplication.translate("Verdict", "a doubt"),
        "red": QCoreApplication.translate("Verdict", "a fault"),
    }[verdict.light]


def fault_lines(verdict: Verdict) -> list[str]:
    """What was found, with its cure, a line each; words too where they were compared."""
    lines = [
        " ".join(engine_text(text) for text in (check.message, check.cure) if text)
        for check in verdict.faults
    ]
    if verdict.words is None:
        lines.append(QCoreApplication.translate("Verdict", "The words were not checked."))
    else:
        words = QCoreApplication.translate("Verdict", "Word errors: {percent} %")
        lines.append(words.format(percent=f"{verdict.words.errors:.1f}"))
    return lines
