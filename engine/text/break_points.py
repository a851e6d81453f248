"""Where a sentence that is too long is best broken, within a limit (spec 06, section 8)."""

from __future__ import annotations

import re
import unicodedata

from engine.text.graphemes import is_boundary
from engine.text.sentences import is_cjk, is_short_form

_NO_BREAK = frozenset("\u00a0\u2007\u202f\u2060\ufeff")
_CLAUSE = frozenset(",;:")
_CJK_CLAUSE = frozenset("，、；：､")
# Must not begin a segment: closing marks, and marks that belong to the word in front.
_NOT_FIRST = frozenset("，、；：。！？）」』】》〉・ー…—～,.;:!?)]}”’»%°'")
_OPENING = frozenset("(\\[{“‘«「『【（《〈$€£#@")
_DIGIT_GROUP = re.compile(r"[0-9]{3}(?![0-9])")


class BreakFinder:
    """Finds cuts in one text.

    Args:
        text: the whole text.
        tags: spans that stay whole, ascending (:func:`engine.text.tags.tag_spans`).
    """

    def __init__(self, text: str, tags: list[tuple[int, int]]) -> None:
        self._text = text
        self._tags = tags
        self._tag = 0
        # A style belongs to the words behind it, so a segment shall not end with one.
        self._styles = frozenset(end for start, end in tags if text[start] == "[")

    def next_cut(self, start: int, end: int, limit: int) -> int:
        """Where the segment that begins at ``start`` ends, at most ``end``.

        The segment without the blanks around it has at most ``limit`` characters, unless one tag
        or one character with its marks is longer. Calls must come with ascending ``start``.

        In this order: behind the last clause mark of the second half; at the last blank of
        the second half; at any last place between words; at a no-break space or inside a
        spaced number; inside a word that is longer than the limit.
        """
        text = self._text
        first = start
        while first < end and text[first].isspace():
            first += 1
        last = end
        while last > first and text[last - 1].isspace():
            last -= 1
        if last - first <= limit:
            return end
        stop = first + limit
        inside = self._inside_tags(first, stop)
        half = first + (limit + 1) // 2
        best = self._best(first, half, stop, inside)
        if best is None:
            best = self._forced(first, stop, end, inside)
        cut = best
        while best < end and (
            text[best].isspace() or (best > cut and not is_boundary(text, best, first))
        ):
            best += 1
        return best

    def _inside_tags(self, first: int, stop: int) -> list[tuple[int, int]]:
        """Tags that touch ``first..stop``."""
        tags = self._tags
        while self._tag < len(tags) and tags[self._tag][1] <= first:
            self._tag += 1
        index = self._tag
        while index < len(tags) and tags[index][0] < stop:
            index += 1
        return tags[self._tag : index]

    def _best(self, first: int, half: int, stop: int, inside: list[tuple[int, int]]) -> int | None:
        """The best cut in ``first + 1..stop`` that divides no word."""
        blank = word = weak = None
        tag = len(inside) - 1
        for cut in range(stop, first, -1):
            while tag >= 0 and inside[tag][0] >= cut:
                tag -= 1
            if tag >= 0 and cut < inside[tag][1]:
                continue
            if cut >= half and self._behind_clause(cut, first):
                return cut
            kind = self._blank_kind(cut, first)
            if kind == "weak":
                weak = weak or cut
            elif kind == "blank" and blank is None:
                blank = cut
            if word is None and (kind == "blank" or self._between_words(cut, first)):
                word = cut
            if cut < half and word is not None:
                break
        if blank is not None and blank >= half:
            return blank
        return word if word is not None else weak

    def _behind_clause(self, cut: int, first: int) -> bool:
        before, after = self._text[cut - 1], self._text[cut]
        if before in _CJK_CLAUSE:
            return after not in _NOT_FIRST and is_boundary(self._text, cut, first)
        return before in _CLAUSE and (after.isspace() or is_cjk(after))

    def _blank_kind(self, cut: int, first: int) -> str:
        """``blank`` for the end of a word, ``weak`` for one that should stay together, or empty."""
        text = self._text
        if text[cut - 1].isspace():
            return ""
        if text[cut].isspace():
            weak = text[cut] in _NO_BREAK or cut in self._styles or self._divides(cut, first)
            return "weak" if weak else "blank"
        return "blank" if text.startswith("<|speaker:", cut) else ""

    def _between_words(self, cut: int, first: int) -> bool:
        """Whether the script has no blank between the words that meet at ``cut``."""
        before, after = self._text[cut - 1], self._text[cut]
        if after in _NOT_FIRST or before in _OPENING:
            return False
        loose = not after.isspace() and (_is_loose(before) or _is_loose(after))
        return loose and is_boundary(self._text, cut, first)

    def _divides(self, cut: int, first: int) -> bool:
        """Whether the blank at ``cut`` lies inside a number or behind an abbreviation."""
        text = self._text
        if text[cut - 1] == ".":
            return is_short_form(text, first, cut - 1, text[cut + 1 : cut + 2])
        return text[cut - 1].isdigit() and bool(_DIGIT_GROUP.match(text, cut + 1))

    def _forced(self, first: int, stop: int, end: int, inside: list[tuple[int, int]]) -> int:
        """A cut through a word or number longer than the limit, or behind a long tag."""
        tag = len(inside) - 1
        for cut in range(stop, first, -1):
            while tag >= 0 and inside[tag][0] >= cut:
                tag -= 1
            if (tag < 0 or cut >= inside[tag][1]) and is_boundary(self._text, cut, first):
                return cut
        # One tag, or one character with its marks, fills the limit: go on to its end.
        cut = max(stop + 1, inside[-1][1]) if inside else stop + 1
        while cut < end and not is_boundary(self._text, cut, first):
            cut += 1
        return min(cut, end)


def _is_loose(char: str) -> bool:
    """Whether a cut beside ``char`` divides no word: CJK and emoji."""
    return is_cjk(char) or (char > "\u2000" and unicodedata.category(char) == "So")
