"""The clip that a voice is made from, with what was done to it and what is said in it.

Trim, gain and channel are kept beside the clip, never worked into it, so each step can be
undone. Clip and transcript are a pair: another clip puts the text in question.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.cloning.clip_files import PreparedClip
from engine.audio import AudioClip

MIN_SECONDS = 0.5
MOST_GAIN_DB = 40.0


@dataclass(frozen=True, slots=True)
class Edits:
    """What was done to the clip.

    Attributes:
        start, end: samples that are kept.
        gain_db: applied to all channels.
        channel: the only channel that is used; ``None`` for all.
    """

    start: int = 0
    end: int = 0
    gain_db: float = 0.0
    channel: int | None = None


class _EditCommand(QUndoCommand):
    """From one state of the edits to another."""

    def __init__(self, owner: ReferenceClip, before: Edits, after: Edits, text: str) -> None:
        super().__init__(text)
        self._owner = owner
        self._before = before
        self._after = after

    def redo(self) -> None:
        self._owner.show_edits(self._after)

    def undo(self) -> None:
        self._owner.show_edits(self._before)


class ReferenceClip(QObject):
    """The current clip, or none.

    Attributes:
        source: the clip with its picture, ``None`` before there is one.
        edits: trim, gain and channel as they are now.
        undo_stack: steps of editing; emptied with each new clip.
        text: the transcript.
        questioned: the text belonged to another clip and nobody said that it fits.

    Signals:
        changed(): another clip, or none.
        edited(): trim, gain or channel moved.
        text_changed(): the transcript or its being questioned changed.
        undo_changed(): there are other steps to undo.
    """

    changed = Signal()
    edited = Signal()
    text_changed = Signal()
    undo_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.source: PreparedClip | None = None
        self.edits = Edits()
        self.undo_stack = QUndoStack(self)
        # Through this object, because a stack that is deleted still tells of its last step.
        self.undo_stack.indexChanged.connect(self._on_index)
        self.text = ""
        self.questioned = False

    @property
    def rate(self) -> int:
        """Samples a second of the clip; 1 without one."""
        return self.source.clip.rate if self.source else 1

    @property
    def length(self) -> int:
        """Samples of the whole clip."""
        return len(self.source.mono) if self.source else 0

    @property
    def seconds(self) -> float:
        """Length of what is kept."""
        return (self.edits.end - self.edits.start) / self.rate if self.source else 0.0

    def set_source(self, source: PreparedClip | None) -> None:
        """Take another clip. A text that comes with it replaces the old one."""
        self.source = source
        self.edits = Edits(0, self.length)
        self.undo_stack.clear()
        if source is None:
            self._set_text("", False)
        elif source.text:
            self._set_text(source.text, False)
        else:
            self._set_text(self.text, bool(self.text.strip()))
        self.changed.emit()

    def set_text(self, text: str) -> None:
        """The user, or a transcription, wrote the text: it is about this clip."""
        self._set_text(text, False)

    def keep_text(self) -> None:
        """The user says that the text fits the new clip."""
        self._set_text(self.text, False)

    def show_range(self, start: int, end: int) -> None:
        """Show a range while it is dragged; nothing to undo yet."""
        self.show_edits(self._within(replace(self.edits, start=start, end=end)))

    def trim(self, start: int, end: int, text: str, before: Edits | None = None) -> None:
        """Keep ``start`` to ``end``; ``before`` is the state that undo brings back."""
        after = self._within(replace(self.edits, start=start, end=end))
        self._push(before or self.edits, after, text)

    def apply_gain(self, gain_db: float, text: str) -> None:
        """Add ``gain_db`` to the gain."""
        total = max(-MOST_GAIN_DB, min(self.edits.gain_db + gain_db, MOST_GAIN_DB))
        self._push(self.edits, replace(self.edits, gain_db=total), text)

    def use_channel(self, channel: int, text: str) -> None:
        """Use one channel only."""
        self._push(self.edits, replace(self.edits, channel=channel), text)

    def show_edits(self, edits: Edits) -> None:
        """Make ``edits`` the current ones; for the undo steps."""
        if edits != self.edits:
            self.edits = edits
            self.edited.emit()

    @Slot(int)
    def _on_index(self, index: int) -> None:
        self.undo_changed.emit()

    def _push(self, before: Edits, after: Edits, text: str) -> None:
        if self.source is not None and before != after:
            self.undo_stack.push(_EditCommand(self, before, after, text))

    def _within(self, edits: Edits) -> Edits:
        """At least half a second stays, inside the clip."""
        least = min(self.length, int(MIN_SECONDS * self.rate))
        start = max(0, min(edits.start, self.length - least))
        end = max(start + least, min(edits.end, self.length))
        return replace(edits, start=start, end=end)

    def _set_text(self, text: str, questioned: bool) -> None:
        if (text, questioned) != (self.text, self.questioned):
            self.text, self.questioned = text, questioned
            self.text_changed.emit()


def used_clip(source: PreparedClip, edits: Edits) -> AudioClip:
    """The clip as the engine shall get it: trimmed, with gain, with the chosen channel."""
    samples = source.clip.samples[edits.start : edits.end]
    if edits.channel is not None and edits.channel < samples.shape[1]:
        samples = samples[:, edits.channel : edits.channel + 1]
    if edits.gain_db:
        samples = samples * np.float32(10 ** (edits.gain_db / 20))
    samples = np.ascontiguousarray(samples, np.float32)
    samples.flags.writeable = False
    return replace(source.clip, samples=samples, source_seconds=len(samples) / source.clip.rate)
