"""Typed errors of the engine: a code and its parameters; the sentences are in ``sentences.toml``.

Every error that a user can meet derives from :class:`EngineError`. ``str(error)`` is one
line fit for a terminal or a toast; ``title``, ``detail`` and ``advice`` serve a dialog. All
are :class:`Message`, English text that still knows its code, so that a window can translate it.
"""

from __future__ import annotations

from functools import cache
from numbers import Real
from pathlib import Path
from typing import Any


@cache
def catalogue() -> dict[str, str]:
    """Code, ``subject.what``, to the template of its sentence; read at the first use.

    The next step that belongs to a code is at ``subject.what.advice``.
    """
    import tomllib

    text = (Path(__file__).parent / "sentences.toml").read_text(encoding="utf-8")
    found = {}
    for subject, entries in tomllib.loads(text).items():
        for what, entry in entries.items():
            detail, *advice = [entry] if isinstance(entry, str) else entry
            found[f"{subject}.{what}"] = detail
            found.update({f"{subject}.{what}.advice": each for each in advice})
    return found


class Message(str):
    """A sentence of the catalogue in English; text that is no code stands for itself.

    Attributes:
        code: its place in the catalogue.
        params: what its placeholders stand for; other messages among them.
        source: the template, empty where the catalogue has none.
    """

    code: str
    params: dict[str, Any]
    source: str

    def __new__(cls, code: str, /, **params: object) -> Message:
        if isinstance(code, Message):
            return code
        source, kept = catalogue().get(code, ""), _plain(params)
        made = super().__new__(cls, " ".join((source.format_map(kept) or code).split()))
        made.code, made.params, made.source = code, kept, source
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (self.code,), self.params


def _plain(params: dict[str, object]) -> dict[str, Any]:
    """Text and numbers as they are, all else as its text, which can be pickled."""
    return {k: v if isinstance(v, str | Real) else str(v) for k, v in params.items()}


class EngineError(Exception):
    """Base of all errors of the engine.

    Args:
        code: a code of the catalogue, or a message that says what failed.
        advice: code of another next step than the one that belongs to ``code``.
        params: what the placeholders of the two stand for.
    """

    _next_step = ""
    """Code of the advice where neither the caller nor the catalogue has one."""

    def __init__(self, code: str, /, advice: str = "", **params: object) -> None:
        if isinstance(code, Message):
            params = code.params
            code = code.code
        super().__init__(code)
        self.code, self.params, self._advice = code, _plain(params), advice

    @property
    def title(self) -> Message:
        """What failed, three to five words, the same for every error of the class."""
        names = (f"title.{kind.__name__}" for kind in type(self).__mro__)
        return Message(next(name for name in names if name in catalogue()))

    @property
    def detail(self) -> Message:
        """Why, one sentence, with the value that was met."""
        return Message(self.code, **self.params)

    @property
    def advice(self) -> Message:
        """The user's next step; empty when there is none."""
        own = f"{self.code}.advice"
        code = self._advice or (own if own in catalogue() else self._next_step)
        return Message(code, **self.params)

    def __str__(self) -> str:
        if not self.advice:
            return self.detail
        stop = "" if self.detail.endswith((".", "!", "?")) else "."
        return f"{self.detail}{stop} {self.advice}"


class ModelFileError(EngineError):
    """The GGUF file cannot be used (spec 01, section 6)."""


class TokenizerError(EngineError):
    """tokenizer.json is missing, damaged, or does not fit the model (spec 02, section 1)."""


class VoiceError(EngineError):
    """A voice profile or its id cannot be used (spec 05)."""


class ReferenceAudioError(EngineError):
    """Reference audio or its transcript cannot be used (spec 06, section 6)."""


class RequestError(EngineError, ValueError):
    """A request holds a value out of its range, or text with nothing to speak."""


class ContextError(EngineError):
    """The prompt leaves no room in the model's context (spec 03, section 5)."""


class GenerationError(EngineError):
    """The dual-AR model or the codec failed while it worked."""


class DeviceError(EngineError):
    """The requested backend is absent or out of memory (spec 06, section 2)."""


class OutputError(EngineError):
    """A result cannot be written; what was made is still in memory."""


class CancelledError(EngineError):
    """The user stopped the job; raised only where no partial result exists."""

    def __init__(self, code: str = "job.stopped", /, advice: str = "", **params: object) -> None:
        super().__init__(code, advice, **params)


class BusyError(EngineError):
    """The engine already runs a job; it runs one at a time (spec 06, section 1)."""

    def __init__(self, code: str = "job.busy", /, advice: str = "", **params: object) -> None:
        super().__init__(code, advice, **params)
