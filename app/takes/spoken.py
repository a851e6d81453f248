"""Which part of its text a take speaks at a moment."""

from __future__ import annotations

from bisect import bisect_right

from app.takes.store import Segment, TakeStore
from engine.text import estimate_seconds, find_piece, is_speakable, split_segments


class SpokenText:
    """Sentences of a text and where they begin in the sound.

    Where a segment begins is known; within one, sentences share its time by their length.
    """

    def __init__(self, text: str, store: TakeStore) -> None:
        self._text, self._store = text, store
        self._known: tuple[int, int, bool] | None = None
        self._spans: list[tuple[int, int]] = []
        self._starts: list[int] = []

    def at(self, sample: int) -> tuple[int, int] | None:
        """First and end character of the sentence that is heard there."""
        self._update()
        index = bisect_right(self._starts, sample) - 1
        return self._spans[index] if index >= 0 else None

    def sample_of(self, position: int) -> int | None:
        """Where the sentence at a character begins; ``None`` while it has not been spoken."""
        self._update()
        for (_, end), start in zip(self._spans, self._starts, strict=True):
            if position < end:
                return start if start < self._store.length else None
        return None

    def _update(self) -> None:
        """Again when there are more segments; the end of the last one is a guess meanwhile."""
        store = self._store
        segments = store.segments()
        now = len(segments), 0 if store.complete else store.length // store.rate, store.complete
        if now == self._known:
            return
        self._known, self._spans, self._starts = now, [], []
        texts = [segment.text for segment in segments]
        if not all(texts):  # a file does not tell what its segments say
            segments, texts = segments[:1], [self._text]
        at = 0
        for index, (segment, text) in enumerate(zip(segments, texts, strict=True)):
            start, end = find_piece(self._text, text.strip(), at)
            if end == start:
                continue
            self._add(start, end, segment.start, self._stop(segments, index, text))
            at = end

    def _stop(self, segments: list[Segment], index: int, text: str) -> int:
        """Where the sound of a segment ends."""
        store = self._store
        if index + 1 < len(segments):
            return segments[index + 1].start
        if store.complete:
            return store.length
        guess = segments[index].start + int(estimate_seconds(text) * store.rate)
        return max(store.length, guess)

    def _add(self, start: int, end: int, first: int, stop: int) -> None:
        """The sentences from one character to another, over the samples of their segment."""
        sentences = [
            (start + s.start, start + s.end, estimate_seconds(s.speech))
            for s in split_segments(self._text[start:end])
            if is_speakable(s.speech)
        ]
        whole, done = max(sum(length for *_, length in sentences), 1e-6), 0.0
        for begin, stop_at, length in sentences:
            self._spans.append((begin, stop_at))
            self._starts.append(first + int((stop - first) * done / whole))
            done += length
