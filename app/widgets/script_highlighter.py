"""Colours tags and speaker marks in the script, so that a slip in one is seen."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.theme import Theme

SPEAKER = re.compile(r"<\|speaker:\d+\|>")
TAG = re.compile(r"\[[^\[\]\n]*\]")
OPEN = re.compile(r"\[[^\[\]\n]*$|\[(?=[^\]\n]*\[)")


class ScriptHighlighter(QSyntaxHighlighter):
    """Speakers, tags, and brackets that are not closed."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        colors = self._theme.colors
        for pattern, color in ((TAG, colors.tag), (SPEAKER, colors.warn)):
            for match in pattern.finditer(text):
                self.setFormat(match.start(), match.end() - match.start(), QColor(color))
        wrong = QTextCharFormat()
        wrong.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wrong.setUnderlineColor(QColor(colors.bad))
        for match in OPEN.finditer(text):
            self.setFormat(match.start(), match.end() - match.start(), wrong)
