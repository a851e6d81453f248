"""Where a text may be cut without dividing what a reader sees as one character.

The rules of Unicode's extended grapheme clusters (a test holds them against Unicode's own file):
combining marks, signs in front of a number, joined emoji, flags, Hangul syllables in parts, CR LF.
A joiner joins more than Unicode says, flags and any letter to what follows.
"""

from __future__ import annotations

import unicodedata

_ZWJ = "\u200d"
# Extenders whose category is not one of the marks: joiners, emoji skin tones, half-width
# voicing marks, emoji tags, and two vowels of Thai and Lao that belong to the letter before.
_EXTENDERS = frozenset("\u200c\u200d\uff9e\uff9f\u0e33\u0eb3") | {
    chr(code) for code in (*range(0x1F3FB, 0x1F400), *range(0xE0020, 0xE0080))
}
# Signs that belong to the character behind them, such as the Arabic number sign.
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd"
    "\U000110cd\U000111c2\U000111c3\U0001193f\U00011941\U00011a3a\U00011d46\U00011f02"
) | {chr(code) for code in range(0x11A84, 0x11A8A)}


def is_boundary(text: str, index: int, start: int = 0) -> bool:
    """Whether ``text`` may be cut in front of ``index``.

    Args:
        start: a known boundary before ``index``; flags are counted from there.
    """
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if unicodedata.category(before) == "Cc" or unicodedata.category(after) == "Cc":
        return True
    if extends(after) or before in _PREPENDED:
        return False
    if before == _ZWJ:  # joins two emoji, or two letters of an Indic script
        apart = after < "\u0300" or unicodedata.category(after)[0] in "PZ"
        return apart or index < 2 or text[index - 2].isspace()
    if _is_flag_half(before) and _is_flag_half(after):
        run = index
        while run > start and _is_flag_half(text[run - 1]):
            run -= 1
        return (index - run) % 2 == 0
    return not _joins_hangul(before, after)


def extends(char: str) -> bool:
    """Whether ``char`` belongs to the character in front of it."""
    return char in _EXTENDERS or unicodedata.category(char)[0] == "M"


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _joins_hangul(before: str, after: str) -> bool:
    """Leading consonant, vowel and trailing consonant of one syllable."""
    syllable = "\uac00" <= before <= "\ud7a3"
    open_syllable = syllable and (ord(before) - 0xAC00) % 28 == 0
    lead = "\u1100" <= before <= "\u115f"
    vowel = "\u1160" <= before <= "\u11a7"
    tail = "\u11a8" <= before <= "\u11ff"
    if lead:
        return "\u1100" <= after <= "\u11a7" or "\uac00" <= after <= "\ud7a3"
    if vowel or open_syllable:
        return "\u1160" <= after <= "\u11ff"
    if tail or syllable:
        return "\u11a8" <= after <= "\u11ff"
    return False
