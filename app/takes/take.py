"""One take: what was asked, what came of it, and the figures while it is made."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field, replace

from app.takes.store import TakeStore
from engine.takes.provenance import Provenance
from engine.text.split import split_sentences
from engine.types import AudioChunk, FrameCodes, ModelInfo, Summary, SynthesisRequest


@dataclass(slots=True, eq=False)
class Take:
    """A take of this run, or one that was kept before.

    Attributes:
        number: counts up in one run of the studio; 0 for one that was kept.
        voice: shown name of the voice, empty for none.
        summary: set when the engine ended it.
        started: monotonic clock at the start of the job; 0 before.
        first_sound_s: seconds from there to the first sample.
        elapsed_s: seconds of work so far.
        info: the model that made it; ``None`` when only the story tells.
        voice_ids: names in the library, in the order of ``request.references``.
        title: given by the user; empty for none.
        entry_id: name in the archive; empty while it is not there.
        loaded: ``store`` holds its sound; a kept take gets it when it is looked at.
        kept_seconds: length as the archive tells, while it is not loaded.
        story: of a take that was kept or brought back, without codes.
    """

    number: int
    request: SynthesisRequest
    voice: str
    seed: int
    store: TakeStore
    made: datetime.datetime = field(default_factory=datetime.datetime.now)
    summary: Summary | None = None
    started: float = 0.0
    first_sound_s: float | None = None
    elapsed_s: float = 0.0
    info: ModelInfo | None = None
    voice_ids: tuple[str, ...] = ()
    title: str = ""
    starred: bool = False
    entry_id: str = ""
    loaded: bool = True
    kept_seconds: float = 0.0
    provenance: Provenance | None = None
    _generating_since: float | None = None

    def begin(self, now: float) -> None:
        """The engine begins to work on it."""
        self.started = now

    def note(self, event: object, now: float) -> None:
        """Take times from an event of the engine."""
        self.elapsed_s = now - self.started
        if isinstance(event, FrameCodes) and self._generating_since is None:
            self._generating_since = now
        if isinstance(event, AudioChunk) and self.first_sound_s is None:
            self.first_sound_s = now - self.started

    def finish(self, summary: Summary | None) -> None:
        """The engine is done; its own figures replace those measured from outside."""
        self.summary = summary
        if summary is not None and summary.metrics.ttfa_ms > 0:
            self.first_sound_s = summary.metrics.ttfa_ms / 1000
        self.store.finish()

    def unload(self) -> None:
        """Let go of the sound; the archive has it."""
        self.kept_seconds = self.store.seconds
        if self.summary is not None:
            self.summary = replace(self.summary, codes=self.summary.codes[:, :0].copy())
        self.store = TakeStore(self.store.format)
        self.loaded = False

    @property
    def seconds(self) -> float:
        """Length of its sound."""
        return self.store.seconds if self.loaded else self.kept_seconds

    @property
    def cut(self) -> bool:
        """It was cut at the limit of frames."""
        return self.summary is not None and self.summary.finish_reason == "length"

    @property
    def pieces(self) -> list[str]:
        """Texts of the pieces that it was spoken in; empty for a take in one go."""
        options = self.request.segmentation
        if not options.sentences:
            return []
        return split_sentences(self.request.text, options.max_chars)

    @property
    def rtf(self) -> float | None:
        """Real-time factor: seconds of work for a second of sound; ``None`` without sound."""
        if self.summary is not None and self.summary.metrics.total_rtf > 0:
            return self.summary.metrics.total_rtf
        seconds = self.store.seconds
        return self.elapsed_s / seconds if seconds > 0 and self.elapsed_s > 0 else None
