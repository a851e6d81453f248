"""What counts as a tag and what counts as speech in the text that users type (spec 02, section 4).

Nothing here changes a text: inline style tags such as ``[whisper]`` are plain text for the
model. These helpers only tell the splitter, the prompt builder and the window what they see.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

SPEAKER_TAG = re.compile(r"<\|speaker:([0-9]+)\|>")
"""A complete speaker tag; group 1 is the number."""
SPEAKER_LIKE = re.compile(r"<\s*\|?\s*speakers?\b[^<>\n]{0,24}>?", re.IGNORECASE)
"""What was meant as one, right or wrong."""

CONTROL_LIKE = re.compile(r"<\|[^<>|\s]{1,64}\|>")
"""Anything of the shape ``<|...|>``, a tag of the tokenizer or not."""

MAX_STYLE_TAG = 200
"""Longest ``[...]``, in characters, that is seen as one style tag."""

# Letters and symbols by category that nobody can see or hear; the categories for white space,
# control and format characters are handled by category.
_DRIVING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_UNSEEN = {
    **dict.fromkeys((0xAD, 0x34F, 0x61C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF)),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2061, 0x2070), *range(0xFFF9, 0xFFFC))),
    0x2010: "-",
    0x2011: "-",
    0xA0: " ",
    0x2007: " ",
    0x202F: " ",
}
"""Soft hyphens, marks of direction and width; hyphens and blanks that do not break."""
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_BLANK_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Cs", "Zs", "Zl", "Zp"})
_SYMBOLS = frozenset({"So", "Sc", "Sm", "Co"})
_VARIATION = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")

_BRACKET_EVENT = re.compile(r"[\[\]]|\n[^\S\n]*\n")


def speaker_tag(number: int) -> str:
    """The tag that makes the following text speaker ``number``'s, counted from 0."""
    return f"<|speaker:{number}|>"


def find_piece(text: str, speech: str, at: int = 0) -> tuple[int, int]:
    """Where in ``text``, from ``at`` on, a piece stands whose speech may carry a speaker tag from
    further ahead; ``(at, at)`` when it is not there."""
    tag = SPEAKER_TAG.match(speech)
    for wanted in (speech, speech[tag.end() :].strip() if tag else ""):
        start = text.find(wanted, at) if wanted else -1
        if start >= 0:
            return start, start + len(wanted)
    return at, at


def has_speaker_tag(text: str) -> bool:
    """Whether ``text`` holds a complete speaker tag; ``<|speaker:`` alone does not count."""
    return SPEAKER_TAG.search(text) is not None


def harmless(text: str) -> str:
    """``text`` for a terminal or a log: what would drive it, or turn letters around, is escaped.

    Names and transcripts come from strangers' files. Line ends and tabs stay.
    """
    return _DRIVING.sub(lambda found: ascii(found.group())[1:-1], text)


def spoken_text(text: str) -> str:
    """``text`` as a model shall read it: without marks that nobody sees, and that break words.

    PDF files and e-books are full of them. Joiners stay, which change letters and emoji.
    """
    return text.translate(_UNSEEN)


def is_visible(char: str) -> bool:
    """Whether a character leaves ink: no white space, control, format or filler character."""
    return (
        unicodedata.category(char) not in _BLANK_CATEGORIES
        and char not in _INVISIBLE
        and not _VARIATION.match(char)
    )


def is_speakable(text: str) -> bool:
    """Whether ``text`` holds anything besides white space, invisible characters, speaker tags.

    False for the empty text, blanks, newlines, zero-width spaces and byte order marks in any
    mixture. Punctuation and style tags count as visible; see :func:`has_words`.
    """
    return any(is_visible(char) for char in SPEAKER_TAG.sub("", text))


def has_words(text: str) -> bool:
    """Whether ``text`` holds something that is pronounced: a letter, a digit or a symbol.

    False for punctuation alone, for tags alone (``[pause]``), and wherever
    :func:`is_speakable` is false. A model makes noise from such a text.
    """
    position = 0
    for start, end in tag_spans(text):
        if _any_word(text, position, start):
            return True
        position = end
    return _any_word(text, position, len(text))


def _any_word(text: str, start: int, end: int) -> bool:
    return any(_is_word_char(text[index]) for index in range(start, end))


def _is_word_char(char: str) -> bool:
    if char in _INVISIBLE:
        return False
    # Of the ASCII symbols only these are read out; the others decorate (``~~~``, ``***``).
    return char.isalnum() or (
        unicodedata.category(char) in _SYMBOLS and (char > "\x7f" or char in "$+=")
    )


def tag_spans(text: str) -> list[tuple[int, int]]:
    """Spans ``(start, end)`` of all tags, ascending, without overlap.

    A tag is ``<|...|>`` without blanks inside, or ``[...]`` of at most
    :data:`MAX_STYLE_TAG` characters without a paragraph break inside; nested brackets belong
    to the outermost pair that is short enough, and a bracket without partner is plain text.
    The time is linear in the length of the text.
    """
    spans = [match.span() for match in CONTROL_LIKE.finditer(text)]
    spans.extend(_bracket_spans(text))
    spans.sort()
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _bracket_spans(text: str) -> Iterator[tuple[int, int]]:
    opened: list[int] = []
    for match in _BRACKET_EVENT.finditer(text):
        event = match.group()
        if event == "[":
            opened.append(match.start())
        elif event == "]":
            if opened:
                start = opened.pop()
                if match.end() - start <= MAX_STYLE_TAG:
                    yield start, match.end()
        else:
            opened.clear()
