"""Jobs of the engine thread, and how they end, as plain data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import numpy as np

from engine.audio import AudioClip
from engine.cancel import CancelToken
from engine.errors import EngineError
from engine.remote import RemoteOptions
from engine.synthesis import EngineLike
from engine.types import VOICE_CACHE_MB, Arithmetic, CodecPolicy, Progress, SynthesisRequest
from engine.voices import VoiceProfile

Sink = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """What to load and where it shall run."""

    model: Path
    tokenizer: Path | None = None
    device: str = "cpu"
    codec_policy: CodecPolicy = "auto"
    gpu_layers: int = -1
    threads: int = 0
    arithmetic: Arithmetic = "exact"
    voice_cache_mb: int = VOICE_CACHE_MB


Loader = Callable[[LoadOptions, Callable[[Progress], None], CancelToken], EngineLike]
Connector = Callable[[RemoteOptions, EngineLike | None, CancelToken], EngineLike]


@dataclass(frozen=True, slots=True)
class LoadJob:
    """Open a model in place of the one that is loaded."""

    options: LoadOptions


@dataclass(frozen=True, slots=True)
class ConnectJob:
    """Ask a server what it can, and speak through it from then on.

    The model of this computer stays loaded: it makes sound of the codes of voices.
    """

    options: RemoteOptions


@dataclass(frozen=True, slots=True)
class DisconnectJob:
    """Speak with the model of this computer again."""


@dataclass(frozen=True, slots=True)
class SynthesisJob:
    """Speak a request."""

    request: SynthesisRequest


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Speak several requests together; what happens comes as :class:`Part`."""

    requests: tuple[SynthesisRequest, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Something that happened to one request of several.

    Attributes:
        event: of the engine; its :class:`~engine.errors.EngineError` ends this request alone.
    """

    index: int
    event: object


@dataclass(frozen=True, slots=True)
class WarmJob:
    """Do without a sound what a first take would begin with; nobody sees it unless they wait.

    Attributes:
        voices: those that the take will speak with, read in advance.
    """

    voices: tuple[VoiceProfile, ...] = ()


@dataclass(frozen=True, slots=True)
class ServeJob:
    """Speak a request of another program; nothing of it is shown as a take."""

    request: SynthesisRequest


@dataclass(frozen=True, slots=True)
class DecodeJob:
    """Turn codes into sound: how a voice's own codes sound to the model."""

    codes: np.ndarray


@dataclass(frozen=True, slots=True)
class EncodeJob:
    """Make a voice of a recording and its transcript."""

    audio: Path | AudioClip
    transcript: str


@dataclass(frozen=True, slots=True)
class VoiceJob:
    """Make a voice of one or several clips, each with its transcript, as the model allows."""

    clips: tuple[tuple[AudioClip, str], ...]


Work = (
    LoadJob | ConnectJob | DisconnectJob | WarmJob
    | SynthesisJob | BatchJob | ServeJob | DecodeJob | EncodeJob | VoiceJob
)  # fmt: skip
OPENING = (LoadJob, ConnectJob, DisconnectJob)
"""Jobs that change what speaks; they need no engine before."""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work with its number and its own stop flag; what crosses the threads.

    Attributes:
        sink: takes the events of a synthesis and the :class:`Outcome` in the engine's thread;
            the window hears of progress and end only.
    """

    id: int
    work: Work
    cancel: CancelToken = field(default_factory=CancelToken)
    sink: Sink | None = None


class Ending(Enum):
    """How a job ended."""

    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The terminal message of a job, sent exactly once, after its last event.

    Attributes:
        value: ``ModelInfo`` of what speaks after one of :data:`OPENING`, ``Summary`` of a
            synthesis, samples of a decode, ``VoiceProfile`` of an encode; ``None`` unless
            something came out.
        error: why it failed.
        engine_loaded: a model is loaded after this job.
    """

    job_id: int
    ending: Ending
    value: object = None
    error: EngineError | None = None
    engine_loaded: bool = False
