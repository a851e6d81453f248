"""A serving engine somewhere else, behind the same calls as the engine of this program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.audio.clip import AudioClip
from engine.cancel import CancelToken
from engine.errors import EngineError, RequestError, VoiceError
from engine.remote.dialects import ServerCapabilities
from engine.remote.errors import ServerLacksError
from engine.remote.info import remote_info
from engine.remote.options import RemoteOptions
from engine.remote.probe import probe
from engine.remote.request import Recording, RemoteRequest
from engine.remote.synthesis import RemoteSynthesis
from engine.synthesis.protocols import VoiceCodec
from engine.text.split import is_speakable
from engine.text.tags import SPEAKER_TAG
from engine.types import Event, Progress, Sampling, SynthesisRequest
from engine.voices import VoiceProfile


class RemoteEngine:
    """Speaks through a server. Used from one thread at a time, like the engine itself.

    Args:
        local: turns codes of voices into sound for the server, and recordings into voices;
            ``None`` when there is no model on this computer. It stays the caller's.
    """

    def __init__(
        self,
        options: RemoteOptions,
        capabilities: ServerCapabilities,
        local: VoiceCodec | None = None,
    ) -> None:
        self.options, self.capabilities, self.local = options, capabilities, local
        self.info = remote_info(capabilities, options)
        self._sounds: dict[VoiceProfile, Recording] = {}

    @classmethod
    def connect(
        cls,
        options: RemoteOptions,
        *,
        local: VoiceCodec | None = None,
        cancel: CancelToken | None = None,
    ) -> RemoteEngine:
        """Ask the server what it is and can.

        Raises:
            RemoteError: see :func:`engine.remote.probe.probe`.
            CancelledError
        """
        return cls(options, probe(options, cancel), local)

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Speak ``request`` at the server; the last event is a :class:`Summary` without codes.

        What was yielded before an error is good sound. A cancel closes the connection at once.

        Raises:
            RequestError, VoiceError: the request asks for what this server cannot do.
            RemoteError: the server cannot be reached, refuses, fails or breaks off.
        """
        token = cancel or CancelToken()
        self.check(request)
        return RemoteSynthesis(self.options, self.capabilities, request, token, self.sound_of).run()

    def synthesize_many(
        self,
        requests: Sequence[SynthesisRequest],
        cancels: Sequence[CancelToken] | None = None,
    ) -> Iterator[tuple[int, Event | EngineError]]:
        """The same as :meth:`engine.engine.Engine.synthesize_many`, one after the other."""
        tokens = [CancelToken() for _ in requests] if cancels is None else cancels
        for index, (request, token) in enumerate(zip(requests, tokens, strict=True)):
            try:
                for event in self.synthesize(request, token):
                    yield index, event
            except EngineError as error:
                yield index, error

    def check(self, request: SynthesisRequest) -> None:
        """Refuse what cannot be sent, before anything is computed or sent.

        Raises:
            RequestError, VoiceError
        """
        can, sampling = self.capabilities, request.sampling
        recording = request.recording if isinstance(request, RemoteRequest) else None
        voice = request.voice if isinstance(request, RemoteRequest) else ""
        if not is_speakable(request.text):
            raise RequestError("text.empty")
        if (request.references or recording) and not can.cloning:
            raise VoiceError("remote.no_cloning", server=can.title)
        if voice and can.voices and voice not in can.voices:
            raise VoiceError("remote.no_voice", voice=voice, known=", ".join(can.voices[:12]))
        if len(request.references) > 1 or len(set(SPEAKER_TAG.findall(request.text))) > 1:
            raise RequestError("remote.one_voice")
        if request.resume is not None:
            raise RequestError("remote.whole_text")
        if request.references and recording is None and self.local is None:
            raise VoiceError("remote.voice_codes")
        _check_ranges(sampling, can)

    def decode(
        self,
        codes: np.ndarray,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> np.ndarray:
        """Sound of codes, made on this computer.

        Raises:
            ServerLacksError: there is no model on this computer.
        """
        return self._codec().decode(codes, cancel=cancel, on_progress=on_progress)

    def encode_reference(
        self,
        audio: str | Path | AudioClip,
        transcript: str,
        *,
        cancel: CancelToken | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> VoiceProfile:
        """A voice of a recording, made on this computer.

        Raises:
            ServerLacksError: there is no model on this computer.
        """
        return self._codec().encode_reference(
            audio, transcript, cancel=cancel, on_progress=on_progress
        )

    def warm_up(
        self, voices: tuple[VoiceProfile, ...] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Nothing: a server is its own master."""
        return iter(())

    def close(self) -> None:
        """Nothing is kept open between requests."""
        self._sounds.clear()

    def sound_of(self, voice: VoiceProfile, cancel: CancelToken) -> Recording:
        """The recording of a voice, as far as its codes hold it; made once."""
        if voice not in self._sounds:
            codec = self._codec()
            info = codec.info
            voice.check_model(
                num_codebooks=info.num_codebooks,
                codebook_size=info.codebook_size,
                sample_rate=info.sample_rate,
                semantic_size=info.semantic_size,
                residual_size=info.residual_size,
            )
            samples = codec.decode(voice.codes, cancel=cancel)
            self._sounds = {voice: Recording(samples, info.sample_rate, voice.transcript)}
        return self._sounds[voice]

    def _codec(self) -> VoiceCodec:
        if self.local is None:
            raise ServerLacksError("remote.no_codes")
        return self.local


def _check_ranges(sampling: Sampling, can: ServerCapabilities) -> None:
    pairs: tuple[tuple[str, float, tuple[float, float]], ...] = (
        ("temperature", sampling.temperature, can.temperature_range),
        ("top_p", sampling.top_p, can.top_p_range),
    )
    for name, value, (low, high) in pairs:
        if name in can.sampling and not low <= value <= high:
            raise RequestError(
                "remote.value_range",
                server=can.title,
                name=name.replace("_", "-"),
                low=low,
                high=high,
                value=value,
            )
    if can.top_k_limit and "top_k" in can.sampling and sampling.top_k > can.top_k_limit:
        raise RequestError(
            "remote.top_k", server=can.title, top_k_limit=can.top_k_limit, top_k=sampling.top_k
        )
