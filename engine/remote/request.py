"""A request with what only servers understand: recordings, and voices by their names there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.audio.clip import AudioClip
from engine.audio.resample import downmix
from engine.audio.wav import encode_wav
from engine.errors import ReferenceAudioError
from engine.text.split import is_speakable
from engine.types import SynthesisRequest

MAX_SECONDS = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """A voice to clone, as a server takes it.

    Attributes:
        samples: float32 ``(n,)``, mono, read-only.
        rate: in Hz.
        transcript: what is said.
    """

    samples: np.ndarray
    rate: int
    transcript: str

    def __post_init__(self) -> None:
        if not is_speakable(self.transcript):
            raise ReferenceAudioError("reference.no_transcript")
        if len(self.samples) == 0:
            raise ReferenceAudioError("reference.empty")

    @classmethod
    def of(cls, clip: AudioClip, transcript: str) -> Recording:
        """Mono of ``clip``, at most a minute of it, as the engine takes references."""
        samples = downmix(clip.samples).samples[: int(MAX_SECONDS * clip.rate)]
        return cls(samples, clip.rate, transcript)

    def wav(self) -> bytes:
        """A WAV file of 16-bit samples."""
        return encode_wav(self.samples, self.rate, "PCM_16")


@dataclass(frozen=True, slots=True)
class RemoteRequest(SynthesisRequest):
    """A synthesis for a server.

    Attributes:
        voice: name of a voice at the server; empty for its default. It counts only without
            references and recording.
        recording: a voice to clone that has no codes; goes before ``references``.
    """

    voice: str = ""
    recording: Recording | None = None


def fields_of(request: SynthesisRequest) -> dict[str, Any]:
    """The fields that every request has, to make one for a server of them."""
    return {name: getattr(request, name) for name in SynthesisRequest.__dataclass_fields__}
