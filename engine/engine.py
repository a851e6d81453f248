"""The engine: one model, one job at a time (spec 06; the spec's Pipeline).

Command line, server, window and tests are all clients of :class:`Engine`.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.audio.post import postprocess
from engine.audio.reference import ReferenceAudio, load_reference
from engine.cancel import CancelToken
from engine.codec.codec import codes_in_range
from engine.errors import BusyError, EngineError, GenerationError, ReferenceAudioError
from engine.machine.devices import first_line, is_out_of_memory, out_of_memory, release_memory
from engine.synthesis.emitters import FILE_STRIDE
from engine.synthesis.preparing import EngineParts, make_prompt, split_text
from engine.synthesis.synthesis import Synthesis
from engine.text.split import is_speakable
from engine.types import (
    VOICE_CACHE_MB,
    Arithmetic,
    AudioChunk,
    CodecPolicy,
    Event,
    ModelInfo,
    Progress,
    Sampling,
    StreamOptions,
    Summary,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

if TYPE_CHECKING:
    from engine.audio.files import AudioClip
    from engine.gguf.reader import GGUFFile

OnProgress = Callable[[Progress], None]
REMEMBERED_REFERENCES = 8
WARM_TEXT = "Hello."
WARM_FRAMES = 6
SEGMENTS_AT_ONCE = 8
"""Of a text that is spoken into a file: more share each read, and hold more memory."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A finished take: samples float32 ``(n,)`` after post-processing, and its summary."""

    samples: np.ndarray
    sample_rate: int
    summary: Summary


class Engine:
    """A loaded model, ready to speak.

    Make one with :meth:`load`; use it as a context manager or call :meth:`close`.

    Attributes:
        warnings: sentences for the user that came up while loading.
    """

    def __init__(
        self,
        parts: EngineParts,
        info: ModelInfo,
        file: GGUFFile | None = None,
        warnings: tuple[str, ...] = (),
    ) -> None:
        self._info = info
        self.warnings = warnings
        self._parts: EngineParts | None = parts
        self._file = file
        self._busy = threading.Lock()
        self._encoded: OrderedDict[str, np.ndarray] = OrderedDict()

    @property
    def info(self) -> ModelInfo:
        """What the model is and where it runs; follows the codec when it had to move."""
        parts = self._parts
        if parts is not None and parts.codec.trouble:
            device, reason = str(parts.codec.device), parts.codec.trouble
            return replace(self._info, codec_device=device, codec_reason=reason)
        return self._info

    @classmethod
    def load(
        cls,
        model: str | Path,
        tokenizer: str | Path | None = None,
        *,
        device: str = "cpu",
        gpu_layers: int = -1,
        threads: int = 0,
        codec_policy: CodecPolicy = "auto",
        arithmetic: Arithmetic = "exact",
        voice_cache_mb: int = VOICE_CACHE_MB,
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> Engine:
        """Open a GGUF and its tokenizer (spec 06, section 1).

        Args:
            model: the GGUF file.
            tokenizer: tokenizer.json; ``None`` looks beside the model, in the folder above
                and in the current folder.
            device: backend of the dual-AR model; never replaced silently.
            gpu_layers: Slow-AR layers on the accelerator; -1 is as many as fit.
            threads: CPU threads; 0 is the number of physical cores.
            codec_policy: where the codec runs.
            arithmetic: how the CPU reads prompts: ``fast`` rounds activations to 8 bits.
            voice_cache_mb: how much of what was computed of voices is kept on disk, so that the
                next start need not compute it again; 0 is nothing.
            progress: gets a :class:`Progress` after each step.

        Raises:
            ModelFileError, TokenizerError, DeviceError: nothing stays loaded.
            CancelledError: ``cancel`` was set between two steps.
        """
        from engine.loading import LoadOptions, load

        options = LoadOptions(device, gpu_layers, threads, codec_policy, arithmetic, voice_cache_mb)
        words = None if tokenizer is None else Path(tokenizer)
        loaded = load(Path(model), words, options, progress, cancel or CancelToken())
        return cls(loaded.parts, loaded.info, loaded.file, loaded.warnings)

    def synthesize(
        self,
        request: SynthesisRequest,
        cancel: CancelToken | None = None,
        segments_at_once: int = 1,
    ) -> Iterator[Event]:
        """Speak ``request``; a generator of events that ends with a :class:`Summary`.

        Audio chunks are raw: ``request.post`` is for finished takes, see :meth:`render`.
        Closing the generator, or setting ``cancel``, stops within one frame; a set flag
        ends with a summary whose finish reason is ``cancelled``.

        Args:
            segments_at_once: pieces of a long text that are made in the same passes on the CPU,
                for a sound that is not waited for: the first one comes later, all of it sooner.
                Codes and samples are the same.

        Raises:
            BusyError: another job runs.
            RequestError, VoiceError, ContextError, GenerationError, DeviceError
        """
        parts = self._ready()
        with self._exclusive(), self._translate("speaking"):
            yield from Synthesis(parts, request, cancel or CancelToken()).run(segments_at_once)

    def synthesize_many(
        self,
        requests: Sequence[SynthesisRequest],
        cancels: Sequence[CancelToken] | None = None,
    ) -> Iterator[tuple[int, Event | EngineError]]:
        """Speak many requests at once; yields ``(place of the request, event)``.

        The events of one request are those of :meth:`synthesize`, equal to the last bit; those of
        different requests come in any order. On the CPU all that speak share each read of the
        model, as many as memory has room for; the others wait for their turn. The same prompt is
        read once. On an accelerator they are spoken one after the other.

        Args:
            cancels: one for each request, to stop it alone. Closing the generator stops all.

        An error of one request comes in place of its :class:`Summary`, and the others go on.

        Raises:
            BusyError: another job runs.
            DeviceError, GenerationError: a shared pass failed, and so all that wait for it.
            ValueError: not as many ``cancels`` as requests.
        """
        from engine.synthesis.batch import Batch

        parts = self._ready()
        tokens = [CancelToken() for _ in requests] if cancels is None else list(cancels)
        if len(tokens) != len(requests):
            raise ValueError(f"{len(tokens)} cancel tokens for {len(requests)} requests")
        with self._exclusive(), self._translate("speaking"):
            yield from Batch(parts, requests, tokens).run()

    def warm_up(
        self, voices: tuple[VoiceProfile, ...] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Do once, without a sound, what the first synthesis would begin with: compile, and
        read the ``voices`` that it will speak with. Yields :class:`Progress` only."""
        sampling, stream = Sampling(max_new_tokens=WARM_FRAMES, seed=0), StreamOptions(stride=4)
        request = SynthesisRequest(WARM_TEXT, voices, sampling, stream)
        for event in self.synthesize(request, cancel):
            if isinstance(event, Progress):
                yield event

    def render(
        self,
        request: SynthesisRequest,
        cancel: CancelToken | None = None,
        on_event: Callable[[Event], None] | None = None,
    ) -> Rendering:
        """Speak ``request`` to the end and apply its post-processing.

        ``on_event`` sees every event on the way, as :meth:`synthesize` yields them.
        """
        if request.stream.stride == 0 and not request.stream.low_latency:
            request = replace(request, stream=replace(request.stream, stride=FILE_STRIDE))
        chunks: list[np.ndarray] = []
        summary: Summary | None = None
        for event in self.synthesize(request, cancel, SEGMENTS_AT_ONCE):
            if isinstance(event, AudioChunk):
                chunks.append(event.samples)
            elif isinstance(event, Summary):
                summary = event
            if on_event is not None:
                on_event(event)
        assert summary is not None
        samples = np.concatenate(chunks) if chunks else np.empty(0, np.float32)
        rate = self.info.sample_rate
        return Rendering(postprocess(samples, rate, request.post), rate, summary)

    def prompt(self, request: SynthesisRequest) -> np.ndarray:
        """The prompt matrix int32 ``(codebooks + 1, columns)`` of the first segment."""
        parts = self._ready()
        first = split_text(request, parts.model.config.text_limit).texts[0]
        return make_prompt(parts, request, first).prompt

    def encode_reference(
        self,
        audio: str | Path | AudioClip,
        transcript: str,
        *,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> VoiceProfile:
        """Turn a recording and what is said in it into a voice (spec 04, 05).

        The same samples are encoded once: the last few results are kept by content. What makes
        the recording a worse reference stands in the voice's ``warnings``.

        Raises:
            ReferenceAudioError: unreadable or unusable audio, or a blank transcript.
            CancelledError: ``cancel`` was set.
        """
        parts = self._ready()
        if not is_speakable(transcript):
            raise ReferenceAudioError("reference.no_transcript")
        reference = load_reference(audio, parts.codec.config.sample_rate)
        with self._exclusive(), self._translate("encoding the reference"):
            codes = self._encode(parts, reference, cancel or CancelToken(), on_progress)
        return VoiceProfile(
            transcript=transcript.strip(),
            codes=codes,
            sample_rate=parts.codec.config.sample_rate,
            codebook_size=parts.model.config.codebook_size,
            warnings=reference.warnings,
        )

    def decode(
        self,
        codes: np.ndarray,
        *,
        cancel: CancelToken | None = None,
        on_progress: OnProgress | None = None,
    ) -> np.ndarray:
        """Decode codes int ``(codebooks, frames)`` to float32 samples: what the model hears.

        Codes that a model may draw and the codec does not have become its last one.

        Raises:
            RequestError: codes of another shape or type, or that no model draws.
        """
        parts = self._ready()
        config = parts.model.config
        codes = codes_in_range(codes, config.num_codebooks, config.codebook_size)

        def report(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(Progress("decode", done, total, "frames"))

        with self._exclusive(), self._translate("decoding"):
            return parts.codec.decode(codes, cancel=cancel, on_progress=report)

    def close(self) -> None:
        """Let go of the model. A running job must have ended before.

        Raises:
            BusyError: a job still runs.
        """
        with self._exclusive():
            if self._parts is not None:
                self._parts.close()
            self._parts = None
            for device in {self._info.device, self._info.codec_device}:
                release_memory(device)
            self._encoded.clear()
            if self._file is not None:
                self._file.close()
                self._file = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ready(self) -> EngineParts:
        if self._parts is None:
            raise EngineError("engine.closed")
        return self._parts

    def _encode(
        self,
        parts: EngineParts,
        reference: ReferenceAudio,
        cancel: CancelToken,
        on_progress: OnProgress | None,
    ) -> np.ndarray:
        key = hashlib.sha256(np.ascontiguousarray(reference.samples).data).hexdigest()
        if (known := self._encoded.get(key)) is not None:
            self._encoded.move_to_end(key)
            return known

        def report(done: int, total: int) -> None:
            if on_progress is not None:
                on_progress(Progress("encode", done, total, "frames"))

        codes = parts.codec.encode(reference.samples, cancel=cancel, on_progress=report)
        codes.setflags(write=False)
        self._encoded[key] = codes
        while len(self._encoded) > REMEMBERED_REFERENCES:
            self._encoded.popitem(last=False)
        return codes

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        if not self._busy.acquire(blocking=False):
            raise BusyError()
        try:
            yield
        finally:
            self._busy.release()

    @contextmanager
    def _translate(self, doing: str) -> Iterator[None]:
        """Turn what libraries throw into errors that name the user's next step."""
        try:
            yield
        except EngineError:
            raise
        except (RuntimeError, MemoryError) as error:
            if is_out_of_memory(error):
                raise out_of_memory(self.info.device, doing) from error
            device = self._info.device
            advice = "" if device == "cpu" else "advice.fewer_layers"
            where = "" if device == "cpu" else f" on {device}"
            raise GenerationError(
                "engine.failed", advice=advice, doing=doing, where=where, reason=first_line(error)
            ) from error
