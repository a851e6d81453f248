"""Putting a take's text, voices, seed and settings back into the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtGui import QAction

from app.core import settings as keys
from app.core.settings import Settings
from app.inference.controls import AUTO
from app.inference.segments import plan_segments
from app.inference.speakers import (
    all_speakers,
    dump_speakers,
    parse_speakers,
    speakers_of,
)
from app.takes.take import Take
from engine.types import SynthesisRequest


class ScriptInput(Protocol):
    """Where the text and the seed are shown."""

    @property
    def text(self) -> str:
        """All of it."""

    def set_text(self, text: str) -> None:
        """Replace it; Undo brings the old one back."""

    def show_seed(self, seed: int) -> None:
        """Put a number into the field of the seed."""

    def measure(self) -> object:
        """Look at the text again."""


class VoiceChoice(Protocol):
    """Where the voice is chosen."""

    def choose(self, key: str) -> object:
        """Choose the voice of a key; empty for none."""


class SettingsRestorer:
    """Puts back what made a take."""

    def __init__(
        self,
        script: ScriptInput,
        choice: VoiceChoice,
        pin_seed: QAction,
        settings: Settings,
        find_voice: Callable[[str], str],
    ) -> None:
        self._script, self._choice, self._pin_seed = script, choice, pin_seed
        self._settings, self._find_voice = settings, find_voice

    def __call__(self, take: Take) -> list[str]:
        """Show what made ``take``; returns the names of voices that are not there any more.

        The text can be undone like any other edit.
        """
        request, seed = take.origin.request, take.origin.seed
        if self._script.text != request.text:
            self._script.set_text(request.text)
        _put_controls(request, self._settings)
        _put_segments(request, self._settings)
        self._script.show_seed(seed)
        self._settings.set(keys.SEED, str(seed))
        self._pin_seed.setChecked(True)
        missing = self._put_voices(take)
        self._script.measure()
        return missing

    def _put_voices(self, take: Take) -> list[str]:
        names = take.origin.voice_ids
        used = all_speakers(*speakers_of(take.origin.request.text))
        numbers = used if len(used) == len(names) else tuple(range(len(names)))
        speakers = parse_speakers(self._settings.get(keys.SPEAKERS))
        missing = []
        if 0 in used and not names:
            self._choice.choose("")
        for number, name in zip(numbers, names, strict=True):
            key = self._find_voice(name)
            if not key:
                missing.append(name or "?")
            elif number == 0:
                self._choice.choose(key)
            else:
                speakers[number] = key
        self._settings.set(keys.SPEAKERS, dump_speakers(speakers))
        return missing


def _put_controls(request: SynthesisRequest, settings: Settings) -> None:
    sampling, stream = request.sampling, request.stream
    settings.set(keys.TEMPERATURE, sampling.temperature)
    settings.set(keys.TOP_P, sampling.top_p)
    settings.set(keys.TOP_K, sampling.top_k)
    settings.set(keys.MAX_FRAMES, sampling.max_new_tokens)
    settings.set(keys.DECODE_MODE, stream.decode_mode)
    settings.set(keys.LOW_LATENCY, stream.low_latency)
    if not stream.low_latency:
        settings.set(keys.STRIDE, stream.stride)
        settings.set(keys.HOLDBACK, AUTO if stream.holdback is None else stream.holdback)
    if stream.decode_mode == "windowed":
        settings.set(keys.CONTEXT, AUTO if stream.context is None else stream.context)


def _put_segments(request: SynthesisRequest, settings: Settings) -> None:
    options = request.segmentation
    if options.sentences:
        settings.set(keys.PAUSE_MS, options.pause_ms)
        settings.set(keys.CARRY_ON, options.history)
    by_itself = plan_segments(request.text, "auto").split
    if by_itself == options.sentences:
        settings.set(keys.SPLIT_MODE, "auto")
    else:
        settings.set(keys.SPLIT_MODE, "always" if options.sentences else "never")
