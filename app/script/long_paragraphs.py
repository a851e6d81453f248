"""Very long paragraphs in a plain text document, without the wait.

Qt lays a paragraph out as a whole whenever a character of it changes: a paste of 200,000
characters without a line end, and every key after it, costs a quarter of a second. So such a
paragraph lies in the document as several. Where it goes on, a character that is never seen
stands before the line end, and reading and copying leave out both. The mark is a character, and
no property of the paragraph, because Undo, Enter and deleting then treat it rightly by themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from PySide6.QtGui import QTextCursor, QTextDocument

from app.script.analysis import TextMap

LONGEST = 4_000
LOOK_BACK = 400
MARK = "\f"  # never drawn, and no font is searched for it; from outside it is a line end
SEAM = f"{MARK}\n"
_BLOCK_END = "\u2029"
_AS_IN_PLAIN_TEXT = str.maketrans({"\u2028": "\n", "\u2029": "\n", "\u00a0": " "})


def insert(cursor: QTextCursor, text: str) -> None:
    """Put ``text`` in place of the selection, as one step of Undo."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace(_BLOCK_END, "\n")
    lines = text.replace(MARK, "\n").split("\n")
    there = _beside(cursor) if len(lines) == 1 else _before(cursor)
    lines = [_sewn(line, 0 if n else there) for n, line in enumerate(lines)]
    cursor.insertText("\n".join(lines))


def _before(cursor: QTextCursor) -> int:
    """Characters of the block in front of the selection, or of the cursor."""
    start = cursor.selectionStart()
    return start - cursor.document().findBlock(start).position()


def _beside(cursor: QTextCursor) -> int:
    """Those, and what stays behind the selection."""
    end = cursor.selectionEnd()
    block = cursor.document().findBlock(end)
    return _before(cursor) + block.position() + block.length() - 1 - end


def _sewn(line: str, there: int) -> str:
    """A line in parts, for a place that holds ``there`` characters already."""
    parts, start = [], 0
    while len(line) - start + there > LONGEST:
        end = start + max(0, LONGEST - there)
        # After a blank near by, so that neither a word nor a tag is torn.
        blank = line.rfind(" ", max(start, end - LOOK_BACK), end)
        end = blank + 1 if blank >= 0 else end
        parts.append(line[start:end])
        start, there = end, 0
    return SEAM.join([*parts, line[start:]])


def unsewn(text: str) -> str:
    """The text of a document, or of a selection in it, as it was typed or pasted."""
    text = text.translate(_AS_IN_PLAIN_TEXT)
    return text.replace(SEAM, "").replace(MARK, "")


class Places:
    """Turns positions in the text, in code points, into those of Qt's documents.

    Args:
        raw: the document's text, with the marks.
    """

    def __init__(self, raw: str) -> None:
        self._map = TextMap(raw)
        starts, lengths, at = [], [], raw.find(MARK)
        while at >= 0:
            starts.append(at)
            lengths.append(2 if raw.startswith(SEAM, at) else 1)
            at = raw.find(MARK, at + 1)
        self._before = [0, *accumulate(lengths)]
        self._starts = [at - left for at, left in zip(starts, self._before, strict=False)]

    def to_qt(self, position: int) -> int:
        """The document's position of a code point of the text; after a seam, not before."""
        return self._map.to_qt(position + self._before[bisect_right(self._starts, position)])


def delete_at_seam(cursor: QTextCursor, back: bool) -> bool:
    """Backspace or Delete at a seam: a character goes, not only what nobody sees.

    ``False`` elsewhere.
    """
    if cursor.hasSelection():
        return False
    document = cursor.document()
    start = end = cursor.position()
    while _hidden(document, start - 1):
        start -= 1
    while _hidden(document, end):
        end += 1
    if start == end:
        return False
    cursor.beginEditBlock()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    if back:
        cursor.deletePreviousChar()
    else:
        cursor.deleteChar()
    cursor.endEditBlock()
    return True


def _hidden(document: QTextDocument, at: int) -> bool:
    """Whether the character there belongs to a seam."""
    if at < 0 or at >= document.characterCount():
        return False
    character = document.characterAt(at)
    ends = character == _BLOCK_END and at > 0 and document.characterAt(at - 1) == MARK
    return character == MARK or ends
