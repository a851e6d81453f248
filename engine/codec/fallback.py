"""The codec on the device that the policy chose, with the CPU behind it (spec 06, section 2).

Trouble of an accelerator in the codec does not end a job: the CPU takes over, for this job and
for those that follow, and the reason is said. A stream that was under way is rebuilt by
decoding its codes again from the start, since the state on a failed device cannot be trusted;
nothing that was handed out is handed out again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from engine.errors import GenerationError, Message
from engine.machine.devices import first_line

if TYPE_CHECKING:
    import torch

    from engine.cancel import CancelToken
    from engine.codec.codec import AudioCodec, OnProgress
    from engine.codec.config import CodecConfig
    from engine.codec.stream import DecoderStream

# What a device throws when it fails; wrong arguments and a cancel are none of it.
TROUBLE = (RuntimeError, MemoryError, GenerationError)
REPLAY_FRAMES = 16
T = TypeVar("T")
log = logging.getLogger(__name__)


class ExactStream(Protocol):
    """What streaming needs of a decoder's stream."""

    @property
    def frames_decoded(self) -> int: ...

    @property
    def clamped_codes(self) -> int: ...

    def push(self, codes: np.ndarray) -> np.ndarray: ...


class CodecHost:
    """An :class:`AudioCodec` that survives the loss of its accelerator.

    Attributes:
        config: dimensions.
        trouble: why the CPU took over, one sentence; empty while nothing failed.
    """

    def __init__(
        self, codec: AudioCodec, make_cpu_codec: Callable[[], AudioCodec] | None = None
    ) -> None:
        """``make_cpu_codec`` loads the replacement; ``None`` for a codec that has no other."""
        self.config: CodecConfig = codec.config
        self.trouble = ""
        self._codec = codec
        self._make_cpu_codec = make_cpu_codec

    @property
    def device(self) -> torch.device:
        """Where decoding happens now."""
        return self._codec.device

    def decode(
        self,
        codes: np.ndarray,
        *,
        chunk: int = 32,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> np.ndarray:
        """See :meth:`AudioCodec.decode`."""
        return self._run(
            lambda c: c.decode(codes, chunk=chunk, cancel=cancel, on_progress=on_progress)
        )

    def encode(
        self,
        pcm: np.ndarray,
        *,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> np.ndarray:
        """See :meth:`AudioCodec.encode`."""
        return self._run(lambda c: c.encode(pcm, cancel=cancel, on_progress=on_progress))

    def stream(self, cancel: CancelToken | None = None) -> ExactStream:
        """A new exact stream; ``cancel`` is read while a lost one is rebuilt."""
        if self._make_cpu_codec is None:
            return self._codec.stream()
        return HostStream(self, cancel)

    def new_stream(self) -> DecoderStream:
        """A stream of the codec in use, without a safety net."""
        return self._run(lambda c: c.stream())

    def fall_back(self, error: BaseException) -> bool:
        """Let the CPU take over after ``error``; false when there is nothing to fall back to."""
        if self._make_cpu_codec is None:
            return False
        lost = str(self._codec.device)
        self.trouble = Message("codec.fell_back", device=lost, reason=first_line(error))
        log.info("%s", self.trouble)
        make, self._make_cpu_codec = self._make_cpu_codec, None
        self._codec = make()
        return True

    def _run(self, work: Callable[[AudioCodec], T]) -> T:
        try:
            return work(self._codec)
        except TROUBLE as error:
            if not self.fall_back(error):
                raise
        return work(self._codec)


class HostStream:
    """A decoder stream that remembers its codes until its device has proved a failure.

    A frame's codes are some forty bytes, so a take of minutes costs less than a megabyte.
    """

    def __init__(self, host: CodecHost, cancel: CancelToken | None = None) -> None:
        self._host, self._cancel = host, cancel
        self._stream = host.new_stream()
        self._past: list[np.ndarray] = []

    @property
    def frames_decoded(self) -> int:
        """Columns whose samples were handed out."""
        return self._stream.frames_decoded

    @property
    def clamped_codes(self) -> int:
        """See :class:`DecoderStream`."""
        return self._stream.clamped_codes

    def push(self, codes: np.ndarray) -> np.ndarray:
        """See :meth:`DecoderStream.push`; continues on the CPU after a failure.

        Raises:
            CancelledError: the job was stopped while the past was decoded again.
        """
        try:
            samples = self._stream.push(codes)
        except TROUBLE as error:
            if not self._host.fall_back(error):
                raise
            self._rebuild()
            samples = self._stream.push(codes)
        self._past.append(codes)
        return samples

    def _rebuild(self) -> None:
        """Bring a stream on the CPU to where the lost one was."""
        self._stream = self._host.new_stream()
        if not self._past:
            return
        past = np.concatenate(self._past, axis=1)
        for start in range(0, past.shape[1], REPLAY_FRAMES):
            if self._cancel is not None:
                self._cancel.raise_if_cancelled()
            self._stream.push(past[:, start : start + REPLAY_FRAMES])
