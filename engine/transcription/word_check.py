"""Which words of a take are lost, added, repeated or changed (pure; no recogniser needed here)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein, Opcode

from engine.transcription.heard import Heard, HeardWord
from engine.transcription.words import SpokenWord, spoken_words

Kind = Literal["lost", "added", "repeated", "changed"]

LOST = 0.02
"""A word that was not heard is lost below this probability that it is said."""
CHANGED = 0.002
CHANGED_HEARD = (0.01, 0.5)
"""Also below the first, when the other word was heard with the second and sounds different."""
ALIKE = 0.75
SOUNDS_DIFFERENT = 0.5
ADDED = 0.5
TWICE = 0.6
REPEATED_HEARD = 0.3
REPEATED = 0.02


@dataclass(frozen=True, slots=True)
class WordMark:
    """A word that differs.

    Attributes:
        start, end: where it stands in the text; equal for a word that was added there.
        heard: what was heard in its place; empty for a lost word.
        at_s, end_s: where to listen, in seconds.
    """

    kind: Kind
    start: int
    end: int
    heard: str
    at_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class WordReport:
    """The word check of one take.

    Attributes:
        marks: in the order of the text.
        words: of the text.
        times: for each word of the text its place in it, and start and end in seconds.
        language: that was listened for.
    """

    marks: tuple[WordMark, ...]
    words: int
    times: tuple[tuple[int, int, float, float], ...]
    language: str

    @property
    def errors(self) -> float:
        """Word errors in percent of the words of the text."""
        return 100 * len(self.marks) / max(1, self.words)


def check_words(text: str, heard: Heard) -> WordReport:
    """Compare what was to be said with what was heard.

    A recogniser that also scored the text (:attr:`Heard.fits`) is believed over what it heard;
    without scores every difference counts.
    """
    language = heard.transcript.language
    words = spoken_words(text, language)
    found = _Comparison(words, _heard_words(heard.transcript.words, language), heard)
    marks = sorted(found.marks(), key=lambda mark: (mark.start, mark.end))
    return WordReport(tuple(marks), len(words), tuple(found.times()), language)


@dataclass(frozen=True, slots=True)
class _Other:
    """One heard word under the rules of the text's."""

    letters: str
    word: HeardWord
    numeric: bool


def _heard_words(words: Sequence[HeardWord], language: str) -> list[_Other]:
    return [
        _Other(part.letters, word, part.numeric)
        for word in words
        for part in spoken_words(word.text, language)
    ]


class _Comparison:
    def __init__(self, words: list[SpokenWord], others: list[_Other], heard: Heard) -> None:
        self._words, self._others = words, others
        self._fits = heard.fits if len(heard.fits) == len(words) else ()
        self._doubled = dict(heard.doubled) if self._fits else {}
        self._codes = list(
            Levenshtein.opcodes([w.letters for w in words], [o.letters for o in others])
        )

    def marks(self) -> Iterator[WordMark]:
        repeated = set()
        for block in _blocks(self._codes):
            if self._is_same(block):
                continue
            for code in block:
                for mark in self._of(code):
                    if mark.kind == "repeated":
                        repeated.add(mark.start)
                    yield mark
        for index, probability in self._doubled.items():
            word = self._words[index]
            near = {self._words[i].start for i in (index - 1, index, index + 1) if self._is_word(i)}
            if probability >= REPEATED and not near & repeated:
                fit = self._fits[index]
                yield WordMark("repeated", word.start, word.end, word.letters, fit.start, fit.end)

    def times(self) -> Iterator[tuple[int, int, float, float]]:
        """Of the words whose place is known."""
        if self._fits:
            for word, fit in zip(self._words, self._fits, strict=True):
                yield word.start, word.end, fit.start, fit.end
            return
        for code in self._codes:
            if code.tag == "equal":
                for step in range(code.src_end - code.src_start):
                    word = self._words[code.src_start + step]
                    other = self._others[code.dest_start + step].word
                    yield word.start, word.end, other.start, other.end

    def _is_word(self, index: int) -> bool:
        return 0 <= index < len(self._words)

    def _is_same(self, block: list[Opcode]) -> bool:
        """Whether only the spelling differs: other blanks, digits, or nearly the same letters."""
        words = self._words[block[0].src_start : block[-1].src_end]
        others = self._others[block[0].dest_start : block[-1].dest_end]
        one, other = "".join(w.letters for w in words), "".join(o.letters for o in others)
        if one == other or any([*(w.numeric for w in words), *(o.numeric for o in others)]):
            return True
        if not self._fits or not words or not others:
            return False
        least = min(f.probability for f in self._fits[block[0].src_start : block[-1].src_end])
        return Levenshtein.normalized_similarity(one, other) >= ALIKE and least >= CHANGED

    def _of(self, code: Opcode) -> Iterator[WordMark]:
        if code.tag == "delete":
            for index in range(code.src_start, code.src_end):
                if not self._fits or self._fits[index].probability < LOST:
                    yield self._mark("lost", index, code.dest_start, "")
        elif code.tag == "insert":
            yield from self._added(code)
        elif code.tag == "replace":
            for step in range(code.src_end - code.src_start):
                index, other = code.src_start + step, self._others[code.dest_start + step]
                if self._is_changed(index, other):
                    yield self._mark("changed", index, code.dest_start + step, other.letters)

    def _is_changed(self, index: int, other: _Other) -> bool:
        if not self._fits:
            return True
        fit = self._fits[index].probability
        below, heard = CHANGED_HEARD
        different = (
            Levenshtein.normalized_similarity(self._words[index].letters, other.letters)
            < SOUNDS_DIFFERENT
        )
        return fit < CHANGED or (fit < below and other.word.probability >= heard and different)

    def _added(self, code: Opcode) -> Iterator[WordMark]:
        count = code.dest_end - code.dest_start
        said = [o.letters for o in self._others[code.dest_start : code.dest_end]]
        sure = min(o.word.probability for o in self._others[code.dest_start : code.dest_end])
        before = [w.letters for w in self._words[max(0, code.src_start - count) : code.src_start]]
        after = [w.letters for w in self._words[code.src_start : code.src_start + count]]
        twice = max(_alike(said, before), _alike(said, after))
        if twice >= TWICE and sure >= REPEATED_HEARD:
            index = code.src_start - 1 if _alike(said, before) >= twice else code.src_start
            yield self._mark("repeated", index, code.dest_start, " ".join(said))
        elif sure >= ADDED or not self._fits:
            yield self._mark("added", code.src_start, code.dest_start, " ".join(said), added=True)

    def _mark(
        self, kind: Kind, index: int, other: int, heard: str, added: bool = False
    ) -> WordMark:
        """At word ``index``, or before it when it was ``added``; ``other`` tells the time."""
        end = self._words[-1].end if self._words else 0
        word = self._words[index] if self._is_word(index) else SpokenWord("", end, end)
        place = (word.start, word.start if added else word.end)
        if self._fits and self._is_word(index) and not added:
            times = (self._fits[index].start, self._fits[index].end)
        else:
            near = [o.word for o in self._others[max(0, other - (not added)) : other + 1]]
            times = (near[0].start, near[-1].end) if near else (0.0, 0.0)
        return WordMark(kind, *place, heard, *times)


def _alike(one: Sequence[str], other: Sequence[str]) -> float:
    if not other:
        return 0.0
    return float(Levenshtein.normalized_similarity("".join(one), "".join(other)))


def _blocks(codes: Sequence[Opcode]) -> Iterator[list[Opcode]]:
    """Neighbouring differences, which may be one."""
    block: list[Opcode] = []
    for code in codes:
        if code.tag == "equal":
            if block:
                yield block
            block = []
        else:
            block.append(code)
    if block:
        yield block
