"""How well a known text fits a sound, by the recogniser's own probabilities (child side).

A recogniser mishears: on clear speech every twentieth word is another one. So a word is not judged
by what was heard alone: the text that was to be said is laid over the sound, and each word of it
gets the probability that it is said there. What was really said scores near one even where
something else was heard; what was lost or changed scores near zero. A word that takes long is
tried twice in a row, since recognisers drop repetitions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

RATE = 16_000
WINDOW_S = 25.0
"""The recogniser looks at 30 s; a part of the text is laid over what fits into that."""
EDGE_S = 0.3
LONG_WORD_S = 0.2
LETTER_S = 0.055
"""A word that takes :data:`LONG_WORD_S` longer than its letters may be said twice."""
MOST_TRIED = 12


class Fit(NamedTuple):
    """Place in seconds, and probability, of one word of the text."""

    start: float
    end: float
    probability: float


class Scorer:
    """One sound and the recogniser that listens to it.

    Args:
        model: a ``faster_whisper.WhisperModel``.
        pcm: float32 ``(n,)`` at :data:`RATE`.
    """

    def __init__(self, model: Any, pcm: np.ndarray, language: str) -> None:
        from faster_whisper.tokenizer import Tokenizer  # type: ignore[import-untyped]

        self._model, self._pcm = model, pcm
        self._tokenizer = Tokenizer(
            model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language=language
        )

    def score(
        self, words: Sequence[str], heard: Sequence[tuple[float, float, str]]
    ) -> tuple[list[Fit], list[tuple[int, float]]]:
        """A fit for each word, and for some the probability that they are said twice.

        Args:
            heard: start, end and letters of what was heard, to tell which words lie where.
        """
        fits: list[Fit] = []
        doubled: list[tuple[int, float]] = []
        for first, last, start, end in windows(words, heard, len(self._pcm) / RATE):
            part = list(words[first:last])
            sound = self._encoded(start, end)
            found = self._lay(part, sound, end - start)
            fits += [Fit(f.start + start, f.end + start, f.probability) for f in found]
            for index in _suspects(part, found):
                twice = [*part[: index + 1], *part[index:]]
                again = self._lay(twice, sound, end - start)[index + 1]
                doubled.append((first + index, again.probability))
        return fits, doubled

    def _encoded(self, start: float, end: float) -> Any:
        from faster_whisper.audio import pad_or_trim  # type: ignore[import-untyped]

        part = self._pcm[int(start * RATE) : int(end * RATE)]
        return self._model.encode(pad_or_trim(self._model.feature_extractor(part)))

    def _lay(self, words: list[str], sound: Any, seconds: float) -> list[Fit]:
        text = " " + _joined(words)
        tokens = [t for t in self._tokenizer.encode(text) if t < self._tokenizer.eot]
        frames = max(1, int(seconds * 100))
        (laid,) = self._model.find_alignment(self._tokenizer, [tokens], sound, frames)
        return _by_word(words, laid)


def windows(
    words: Sequence[str], heard: Sequence[tuple[float, float, str]], seconds: float
) -> Iterator[tuple[int, int, float, float]]:
    """First and last word, start and end in seconds, of parts that end in the longest pauses.

    A part lasts :data:`WINDOW_S` at most, where words that were heard as they stand allow it.
    """
    pairs = _matching(words, [text for _, _, text in heard])
    first, start = 0, 0.0
    while seconds - start > WINDOW_S:
        best, longest = None, -1.0
        for (word, near), (_, after) in pairwise(pairs):
            ends, begins = heard[near][1], heard[after][0]
            if word < first or after != near + 1 or ends - start < WINDOW_S / 2:
                continue
            if ends + EDGE_S - start > WINDOW_S:
                break
            if begins - ends > longest:
                best, longest = (word, (ends + begins) / 2), begins - ends
        if best is None:
            break
        yield first, best[0] + 1, start, min(seconds, best[1] + EDGE_S)
        first, start = best[0] + 1, max(0.0, best[1] - EDGE_S)
    yield first, len(words), start, min(seconds, start + 30.0)


def _matching(words: Sequence[str], heard: Sequence[str]) -> list[tuple[int, int]]:
    from rapidfuzz.distance import Levenshtein

    pairs = []
    for block in Levenshtein.opcodes(words, heard):
        if block.tag == "equal":
            pairs += [
                (block.src_start + step, block.dest_start + step)
                for step in range(block.src_end - block.src_start)
            ]
    return pairs


def _joined(words: Sequence[str]) -> str:
    """With blanks, except between characters of scripts that have none."""
    text = ""
    for word in words:
        wide = unicodedata.east_asian_width(word[0]) in "WF"
        text += word if wide or not text else f" {word}"
    return text


def _by_word(words: Sequence[str], laid: Sequence[dict[str, Any]]) -> list[Fit]:
    """What was laid, which is cut into words by the recogniser's rules, for each of ``words``.

    A word gets the least probability of what covers its letters.
    """
    spans, place = [], 0
    for each in laid:
        size = len("".join(c for c in str(each["word"]) if not c.isspace()))
        spans.append((place, place + size, each))
        place += size
    fits, place, at = [], 0, 0
    for word in words:
        end = place + len(word)
        while at < len(spans) - 1 and spans[at][1] <= place:
            at += 1
        covering = []
        for left, right, each in spans[at:]:
            if left >= end:
                break
            if right > place:
                covering.append(each)
        covering = covering or [spans[at][2]] if spans else covering
        fits.append(
            Fit(
                float(covering[0]["start"]),
                float(covering[-1]["end"]),
                min(float(each["probability"]) for each in covering),
            )
            if covering
            else Fit(0.0, 0.0, 0.0)
        )
        place = end
    return fits


def _suspects(words: Sequence[str], fits: Sequence[Fit]) -> list[int]:
    """Words that may be said twice: those that take long, and those before them."""
    excess = [
        fit.end - fit.start - LETTER_S * len(word) for word, fit in zip(words, fits, strict=True)
    ]
    long = sorted(range(1, len(words)), key=lambda index: -excess[index])
    chosen = {index for index in long[: MOST_TRIED // 2] if excess[index] > LONG_WORD_S}
    return sorted(chosen | {index - 1 for index in chosen})
