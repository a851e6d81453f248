"""A recording in memory, as it came from a file or a microphone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import ReferenceAudioError


@dataclass(frozen=True, slots=True, eq=False)
class AudioClip:
    """Samples of all channels at the rate of their source.

    Attributes:
        samples: float32 ``(n, channels)``, finite, nominally in -1..1.
        rate: samples a second of one channel, in Hz.
        name: what to call the clip in a message, mostly a file name.
        kind: container and coding, such as ``WAV PCM_16``; empty for a recording.
        warnings: sentences about damage or cuts met while reading.
        source_seconds: length of the whole source; more than ``seconds`` if it was cut.
    """

    samples: np.ndarray
    rate: int
    name: str = ""
    kind: str = ""
    warnings: tuple[str, ...] = ()
    source_seconds: float = 0.0

    @property
    def channels(self) -> int:
        return int(self.samples.shape[1])

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate

    @classmethod
    def from_array(cls, samples: np.ndarray, rate: int, name: str = "recording") -> AudioClip:
        """Wrap samples ``(n,)`` or ``(n, channels)``, for example from a microphone.

        Integers are taken as full scale of their type. Raises
        :class:`ReferenceAudioError` for other shapes, no channel, a rate below 1, or values
        that are not finite.
        """
        array = np.asarray(samples)
        if array.ndim == 1:
            array = array[:, None]
        if array.ndim != 2 or array.shape[1] == 0 or rate < 1:
            raise ReferenceAudioError(
                "audio.no_audio", name=name, shape=np.shape(samples), rate=rate
            )
        if array.dtype.kind == "i":
            array = array / float(-np.iinfo(array.dtype).min)
        array = np.ascontiguousarray(array, dtype=np.float32)
        require_finite(array, rate, name)
        return cls(array, int(rate), name, source_seconds=len(array) / rate)


def require_finite(samples: np.ndarray, rate: int, name: str, offset: int = 0) -> None:
    """Raise :class:`ReferenceAudioError` naming the time of the first NaN or infinity.

    ``samples`` is ``(n, channels)``; ``offset`` is the number of samples before it.
    """
    finite = np.isfinite(samples)
    if finite.all():
        return
    at = (offset + int(np.argmin(finite.all(axis=1)))) / rate
    raise ReferenceAudioError("audio.not_numbers", name=name, at=at)
