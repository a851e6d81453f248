"""Colours tags and speaker marks in the script, so that a slip in one is seen."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from app.core.theme import Theme

SPEAKER = re.compile(r"<\|speaker:\d+\|>")
TAG = re.compile(r"\[[^\[\]\n]{0,200}\]")
OPEN = re.compile(r"\[(?![^\[\]\n]{0,200}\])")
CLOSED = re.compile(r"(?<![^\[\]\n])\]")
WRONG = re.compile(
    r"<\|(?!speaker:\d+\|>)[^<>|\s]{1,64}\|>|<\s*\|?\s*(?!\|?speaker:\d+\|>)[Ss]peaker[^<>\n]{0,24}>?"
)
LONGEST_LINE = 20_000


class ScriptHighlighter(QSyntaxHighlighter):
    """Speakers, tags, brackets that are not closed, and tokens that are none.

    A line of tens of thousands of characters stays plain: colours must not cost the editor
    its answer.
    """

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        if len(text) > LONGEST_LINE or not ("[" in text or "<" in text or "]" in text):
            return
        colors = self._theme.colors
        for pattern, color in ((TAG, colors.tag), (SPEAKER, colors.warn)):
            for match in pattern.finditer(text):
                self.setFormat(match.start(), match.end() - match.start(), QColor(color))
        wrong = QTextCharFormat()
        wrong.setForeground(QColor(colors.bad))
        wrong.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        wrong.setUnderlineColor(QColor(colors.bad))
        for pattern in (OPEN, WRONG):
            for match in pattern.finditer(text):
                self.setFormat(match.start(), match.end() - match.start(), wrong)
