"""Typed errors of the engine: what failed, why, and what the user can do next.

Every error that a user can meet derives from :class:`EngineError`. ``str(error)`` is one
line fit for a terminal or a toast; ``title``, ``detail`` and ``advice`` serve a dialog.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of all errors of the engine.

    Attributes:
        title: what failed, three to five words, the same for every error of the class.
        detail: why, one sentence, with the value that was met.
        advice: the user's next step; empty when there is none.
    """

    title = "The engine failed"

    def __init__(self, detail: str, advice: str = "") -> None:
        self.detail = " ".join(detail.split())
        self.advice = " ".join(advice.split())
        super().__init__(self.detail)

    def __str__(self) -> str:
        if not self.advice:
            return self.detail
        stop = "" if self.detail.endswith((".", "!", "?")) else "."
        return f"{self.detail}{stop} {self.advice}"

    def __reduce__(self) -> tuple[type[EngineError], tuple[str, str]]:
        return type(self), (self.detail, self.advice)


class ModelFileError(EngineError):
    """The GGUF file cannot be used (spec 01, section 6)."""

    title = "The model cannot be opened"


class TokenizerError(EngineError):
    """tokenizer.json is missing, damaged, or does not fit the model (spec 02, section 1)."""

    title = "The tokenizer cannot be used"


class VoiceError(EngineError):
    """A voice profile or its id cannot be used (spec 05)."""

    title = "The voice cannot be used"


class ReferenceAudioError(EngineError):
    """Reference audio or its transcript cannot be used (spec 06, section 6)."""

    title = "The reference cannot be used"


class RequestError(EngineError, ValueError):
    """A request holds a value out of its range, or text with nothing to speak."""

    title = "The request cannot be spoken"


class ContextError(EngineError):
    """The prompt leaves no room in the model's context (spec 03, section 5)."""

    title = "The text is too long"


class GenerationError(EngineError):
    """The dual-AR model or the codec failed while it worked."""

    title = "Generation failed"


class DeviceError(EngineError):
    """The requested backend is absent or out of memory (spec 06, section 2)."""

    title = "The device cannot be used"


class OutputError(EngineError):
    """A result cannot be written; what was made is still in memory."""

    title = "The file cannot be written"


class CancelledError(EngineError):
    """The user stopped the job; raised only where no partial result exists."""

    title = "Stopped"

    def __init__(self, detail: str = "stopped by the user", advice: str = "") -> None:
        super().__init__(detail, advice)


class BusyError(EngineError):
    """The engine already runs a job; it runs one at a time (spec 06, section 1)."""

    title = "The engine is busy"

    def __init__(
        self,
        detail: str = "the engine is busy with another job",
        advice: str = "Wait for it or stop it first.",
    ) -> None:
        super().__init__(detail, advice)
