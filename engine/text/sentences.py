"""Where sentences end (spec 06, section 8).

A pass over the marks that can end a sentence; each is judged by the few characters around it,
so that the time is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from engine.text.graphemes import is_boundary
from engine.text.tags import tag_spans

# Unicode's sentence terminals without the three of Latin script, and the other marks that end a
# sentence in Tibetan, Greek, Sinhala and Thai: none is ever part of a number or a name.
_SURE = (
    "\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d-\u083e\u0964-\u0965"
    "\u0df4\u0e5a-\u0e5b\u0f08\u0f0d-\u0f12\u104a-\u104b\u1362\u1367-\u1368\u166e"
    "\u1735-\u1736\u17d4-\u17d5\u17da\u1803\u1809\u1944-\u1945\u1aa8-\u1aab\u1b5a-\u1b5b"
    "\u1b5e-\u1b5f\u1b7d-\u1b7f\u1c3b-\u1c3c\u1c7e-\u1c7f\u203c-\u203d\u2047-\u2049"
    "\u2cf9-\u2cfb\u2e2e\u2e3c\u2e53-\u2e54\u3002\ua4ff\ua60e-\ua60f\ua6f3\ua6f7"
    "\ua876-\ua877\ua8ce-\ua8cf\ua92f\ua9c8-\ua9c9\uaa5d-\uaa5f\uaaf0-\uaaf1\uabeb\ufe12"
    "\ufe15-\ufe16\ufe52\ufe56-\ufe57\uff01\uff1b\uff1f\uff61\u037e\U00010a56-\U00010a57"
    "\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047-\U00011048\U000110be-\U000110c1"
    "\U00011141-\U00011143\U000111c5-\U000111c6\U000111cd\U000111de-\U000111df"
    "\U00011238-\U00011239\U0001123b-\U0001123c\U000112a9\U0001144b-\U0001144c"
    "\U000115c2-\U000115c3\U000115c9-\U000115d7\U00011641-\U00011642\U0001173c-\U0001173e"
    "\U00011944\U00011946\U00011a42-\U00011a43\U00011a9b-\U00011a9c\U00011c41-\U00011c42"
    "\U00011ef7-\U00011ef8\U00011f43-\U00011f44\U00016a6e-\U00016a6f\U00016af5"
    "\U00016b37-\U00016b38\U00016b44\U00016e98\U0001bc9f\U0001da88"
)
_MAYBE = ".!?…．"
_GREEK = "(?<=[\u0370-\u03ff\u1f00-\u1fff]);"
"""The question mark as it is usually typed behind a Greek letter."""
_CLOSERS = "\"'”’»)\\]}」』】）》〉›〕〗］｝"
# Nobody sees these; they stand in files between any two characters.
_UNSEEN = "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_VARIANTS = "\ufe00-\ufe0f" + _UNSEEN
_BLANK = f"[\\s{_UNSEEN}]"
_LINE_END = "\n\r\x0b\x0c\x85\u2028\u2029"

_MARK = re.compile(
    f"(?P<line>[{_LINE_END}])"
    f"|(?P<run>(?:[{_SURE}{_MAYBE}]|{_GREEK})[{_SURE}{_MAYBE}{_VARIANTS}]*)"
    f"(?P<close>[{_CLOSERS}{_SURE}{_MAYBE}{_VARIANTS}]*)"
)
_BLANKS = re.compile(f"{_BLANK}*")
_HAS_LINE_END = re.compile(f"[{_LINE_END}]")
_SURE_MARK = re.compile(f"[{_SURE};]")
_HIDDEN = re.compile(f"[{_UNSEEN}]")
_LAST_WORD = re.compile(r"[^\W_]+(?:[.&'’-][^\W_]+)*$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_LIST_NUMBER = re.compile(r"\s*[(\[]?(?:[0-9]{1,3}|[^\W\d_]|[ivxIVX]{1,5})")
_WORD_REACH = 32


def _words(listing: str) -> frozenset[str]:
    return frozenset(listing.split())


# Always followed by more of the same sentence.
_ABBREVIATIONS = _words(
    """
    dr mr mrs ms mx prof st sr jr rev hon gen col capt cpt cmdr lt sgt gov pres sen rep mt ft
    messrs mme mlle fr sra srta dra ing dipl vs viz cf al approx ca resp incl esp
    dept est inc ltd co corp bros assn univ ave blvd rd hwy tel ext ph.d e.g i.e
    bzw usw vgl str nr evtl ggf sog bspw mio mrd hr abb
    """
)
# Abbreviations in front of a number, words elsewhere.
_BEFORE_NUMBER = _words(
    """
    no nos p pp vol vols fig figs ch sec sect art par eq ed eds vers v pt op
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)
# Abbreviations when the sentence goes on with a small letter.
_BEFORE_SMALL = _words(
    """
    etc usf sat sun mon tue tues wed thu thur thurs fri min max approx misc temp
    jan feb mar apr jun jul aug sep sept oct nov dec
    """
)


def is_cjk(char: str) -> bool:
    """Whether ``char`` belongs to a script that is written without blanks between words."""
    return (
        "\u2e80" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\uff00" <= char <= "\uff9f"
        or "\U00020000" <= char <= "\U0003ffff"
    )


def sentence_ends(text: str) -> Iterator[int]:
    """Positions behind each sentence and the blanks after it, ascending; the last is the end.

    Consecutive positions, with 0 in front, cut the text into its sentences without a gap.
    """
    none = len(text), len(text) + 1
    spans = iter(tag_spans(text))
    tag_start, tag_end = next(spans, none)
    position = start = _skip_blanks(text, 0)
    while match := _MARK.search(text, position):
        while tag_end <= match.start():
            tag_start, tag_end = next(spans, none)
        if match.start() >= tag_start:  # inside a tag
            position = tag_end
            continue
        position = _skip_blanks(text, match.end())
        if position >= len(text):
            break
        if _ends_sentence(text, start, match, position, position == tag_start) and is_boundary(
            text, position, start
        ):
            yield position
            start = position
    if text:
        yield len(text)


def is_short_form(text: str, start: int, dot: int, following: str) -> bool:
    """Whether the full stop at ``dot`` belongs to the word in front of it.

    Args:
        start: first character of the sentence.
        following: the next character that is not blank; may be empty.
    """
    if _LIST_NUMBER.fullmatch(text, start, dot):
        return True  # "1. First" is one segment, not a number alone
    reach = _HIDDEN.sub("", text[max(start, dot - _WORD_REACH) : dot])
    found = _LAST_WORD.search(unicodedata.normalize("NFC", reach))
    if found is None:
        return False
    word = found.group()
    lower = word.lower()
    if lower in _ABBREVIATIONS or _INITIALS.fullmatch(word):
        return True
    if lower in _BEFORE_NUMBER and following.isdigit():
        return True
    if lower in _BEFORE_SMALL and following.islower():
        return True
    return len(word) == 1 and word.isupper() and following.isupper()


def _skip_blanks(text: str, position: int) -> int:
    found = _BLANKS.match(text, position)
    return found.end() if found else position


def _ends_sentence(text: str, start: int, match: re.Match[str], end: int, before_tag: bool) -> bool:
    """Judge a mark of the sentence that began at ``start``; what follows begins at ``end``."""
    run, close, following = match["run"], match["close"], text[end]
    if run is not None:
        run, close = _HIDDEN.sub("", run), _HIDDEN.sub("", close)
    if run is None or _HAS_LINE_END.search(text, match.end(), end) or _SURE_MARK.search(run):
        return True
    if end == match.end() and not before_tag:
        # Without a blank the mark is part of a number or an address, unless the script that
        # follows has no blanks.
        before = text[match.start() - 1 : match.start()]
        if not is_cjk(following) or (run in ".．" and before.isdigit()):
            return False
    if following.islower() and (close or run.endswith(("..", "…"))):
        return False  # "What?" he asked - and: well ... maybe
    if run == "." and not close:
        return not is_short_form(text, start, match.start(), following)
    return True
