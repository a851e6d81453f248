"""Plain data that crosses the engine's border: requests in, events out.

Requests and options are frozen and checked when they are made, with sentences a person can
read. Events come from :meth:`engine.engine.Engine.synthesize` in the order of time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from engine.errors import RequestError

if TYPE_CHECKING:
    from engine.voices import VoiceProfile

DecodeMode = Literal["exact", "windowed"]
CodecPolicy = Literal["auto", "follow", "cpu"]
Arithmetic = Literal["exact", "fast"]
VOICE_CACHE_MB = 1000
FinishReason = Literal["end", "length", "cancelled"]
Stage = Literal["load", "encode", "prefill", "generate", "decode"]

MAX_SEED = 2**64 - 1
# How a seed becomes random numbers; 1 drew them one after the other, 2 counts them by place.
NUMBERS_VERSION = 2
SAMPLING = ("temperature", "top_p", "top_k", "max_new_tokens", "min_tokens_before_end", "seed")


def _require(condition: bool, code: str, **params: Any) -> None:
    if not condition:
        raise RequestError(code, **params)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn (spec 03, section 4).

    Attributes:
        temperature: 0 is greedy, below 2.
        top_p: above 0, at most 1; tested on the distribution without temperature.
        top_k: 0 means no limit.
        max_new_tokens: frame budget, at least 1.
        min_tokens_before_end: frames before the end token may be drawn.
        seed: ``None`` draws a fresh seed, which is reported in the metrics.
    """

    temperature: float = 0.8
    top_p: float = 0.8
    top_k: int = 30
    max_new_tokens: int = 1024
    min_tokens_before_end: int = 0
    seed: int | None = None

    def __post_init__(self) -> None:
        t, p = self.temperature, self.top_p
        _require(math.isfinite(t) and 0 <= t < 2, "sampling.temperature", temperature=t)
        _require(math.isfinite(p) and 0 < p <= 1, "sampling.top_p", top_p=p)
        _require(self.top_k >= 0, "sampling.top_k", top_k=self.top_k)
        _require(
            self.max_new_tokens >= 1, "sampling.max_tokens", max_new_tokens=self.max_new_tokens
        )
        _require(
            self.min_tokens_before_end >= 0,
            "sampling.min_tokens",
            min_tokens_before_end=self.min_tokens_before_end,
        )
        _require(self.seed is None or 0 <= self.seed <= MAX_SEED, "sampling.seed", seed=self.seed)


@dataclass(frozen=True, slots=True)
class StreamOptions:
    """How codes become sound while they are generated (spec 06, section 4).

    Attributes:
        decode_mode: ``exact`` keeps the codec's state and decodes each frame once;
            ``windowed`` re-decodes a window as the peer does.
        stride: frames per decode after the first one; 0 chooses for the sink.
        holdback: newest frames not emitted yet; ``None`` is 0 when exact and the context
            when windowed.
        context: frames of history decoded again, windowed only; ``None`` is automatic.
        low_latency: stride 1 and holdback 0 where they are not given.
    """

    decode_mode: DecodeMode = "exact"
    stride: int = 0
    holdback: int | None = None
    context: int | None = None
    low_latency: bool = False

    def __post_init__(self) -> None:
        _require(
            self.decode_mode in ("exact", "windowed"), "stream.mode", decode_mode=self.decode_mode
        )
        _require(self.stride >= 0, "stream.automatic_stride", stride=self.stride)
        _require(
            self.holdback is None or self.holdback >= 0, "stream.holdback", holdback=self.holdback
        )
        _require(self.context is None or self.context >= 0, "stream.context", context=self.context)


@dataclass(frozen=True, slots=True)
class PostProcessing:
    """What is done to a finished take, in this order (spec 06, section 7); all off."""

    trim_silence: bool = False
    dynamic_normalize: bool = False
    normalize: bool = False

    @property
    def any(self) -> bool:
        return self.trim_silence or self.dynamic_normalize or self.normalize


@dataclass(frozen=True, slots=True)
class Segmentation:
    """How a long text is cut into pieces that are spoken one by one (spec 06, section 8).

    Attributes:
        sentences: speak sentence by sentence.
        pause_ms: silence between two pieces.
        max_chars: longest piece in characters; 0 is no limit.
        history: keep the piece before in the prompt, so that the prosody goes on.
    """

    sentences: bool = False
    pause_ms: int = 180
    max_chars: int = 0
    history: bool = False

    def __post_init__(self) -> None:
        _require(0 <= self.pause_ms <= 60000, "stream.pause", pause_ms=self.pause_ms)
        _require(self.max_chars >= 0, "text.max_chars", max_chars=self.max_chars)


@dataclass(frozen=True, slots=True, eq=False)
class Resume:
    """Going on with a long text of which a part was spoken before; gives the rest of the take
    that the whole would have been.

    Attributes:
        piece: the first one to speak, from 0.
        codes: int ``(codebooks, frames)`` of the piece before it; counts with
            :attr:`Segmentation.history` only, which cannot do without.
    """

    piece: int
    codes: np.ndarray | None = None

    def __post_init__(self) -> None:
        _require(self.piece >= 0, "text.no_piece", piece=self.piece + 1)


@dataclass(frozen=True, slots=True)
class SynthesisRequest:
    """One synthesis: what to say, in whose voice, and how.

    Attributes:
        text: what the user typed; must hold something besides white space.
        references: voices to clone, in the order of their speaker numbers; empty for none.
        sampling, stream, post, segmentation: see their classes.
        pronunciations: words that are spoken otherwise than written
            (:mod:`engine.text.pronunciations`).
        resume: where to go on; ``None`` begins with the first piece.
        prefix_codes: int ``(codebooks, frames)`` that were spoken already: the take begins with
            them, sample for sample, and speech goes on behind. With the seed of the take that
            they are from, all of it is that take again. ``max_new_tokens`` counts new frames.
            For a text that is spoken in one piece. Not compared.
    """

    text: str
    references: tuple[VoiceProfile, ...] = ()
    sampling: Sampling = field(default_factory=Sampling)
    stream: StreamOptions = field(default_factory=StreamOptions)
    post: PostProcessing = field(default_factory=PostProcessing)
    segmentation: Segmentation = field(default_factory=Segmentation)
    resume: Resume | None = None
    pronunciations: tuple[tuple[str, str], ...] = ()
    prefix_codes: np.ndarray | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Progress:
    """A step of a stage is done: ``done`` of ``total`` (0 when unknown), in ``unit``."""

    stage: Stage
    done: int
    total: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class SegmentStart:
    """A piece of the text begins at output sample ``start``."""

    index: int
    total: int
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class FrameCodes:
    """One generated frame.

    Attributes:
        index: number of the frame in the whole synthesis, from 0.
        codes: int32 ``(codebooks,)``, read-only; row 0 is the semantic code.
        segment: piece of the text that it belongs to.
    """

    index: int
    codes: np.ndarray
    segment: int = 0


@dataclass(frozen=True, slots=True)
class AudioChunk:
    """Final samples, never sent again.

    Attributes:
        start: index of the first sample in the whole output.
        samples: float32 ``(n,)`` in -1..1, read-only.
        sample_rate: in Hz.
        held_frames: frames decoded or waiting that a holdback still keeps back.
    """

    start: int
    samples: np.ndarray
    sample_rate: int
    held_frames: int = 0


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures of one synthesis (spec 06, section 9); times in milliseconds.

    Real-time factors are processing time by audio time: smaller is faster.

    Attributes:
        open_draws: draws in which the model left more than one code to chance; 0 says that no seed
            and no temperature could have changed the take, -1 that nobody counted.
    """

    frames: int = 0
    audio_s: float = 0.0
    sample_rate: int = 0
    ref_encode_ms: float = 0.0
    kv_init_ms: float = 0.0
    prefill_ms: float = 0.0
    generate_ms: float = 0.0
    decode_ms: float = 0.0
    decode_wall_ms: float = 0.0
    decode_batches: int = 0
    ar_only_ms: float = 0.0
    total_ms: float = 0.0
    ttfa_ms: float = 0.0
    gen_avg: float = 0.0
    total_avg: float = 0.0
    decode_avg: float = 0.0
    ar_avg: float = 0.0
    gen_rtf: float = 0.0
    total_rtf: float = 0.0
    max_rss_mb: float = 0.0
    seed: int = 0
    finish_reason: FinishReason = "end"
    clamped_codes: int = 0
    prompt_columns: int = 0
    prefill_columns: int = 0
    fast_passes: int = 0
    codec_frames_decoded: int = 0
    frames_emitted: int = 0
    segments: int = 1
    open_draws: int = -1

    def as_dict(self) -> dict[str, Any]:
        """Plain dictionary, ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Summary:
    """The last event of a synthesis that did not fail.

    Attributes:
        codes: int32 ``(codebooks, frames)`` of everything that was generated, read-only.
        finish_reason: ``end``, ``length`` (budget or context used up) or ``cancelled``.
        seed: the seed that was used, given or drawn.
        warnings: sentences for the user.
    """

    codes: np.ndarray
    finish_reason: FinishReason
    seed: int
    metrics: Metrics
    warnings: tuple[str, ...] = ()


Event = Progress | SegmentStart | FrameCodes | AudioChunk | Summary
EventStream = Iterator[Event]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a model can do where it runs; without arguments all that one on this computer can.

    Attributes:
        codes: it takes and hands out codes.
        cloning: it speaks with the voice of a recording and its transcript.
        streaming: sound comes while it is made.
        sampling: names of :data:`SAMPLING` that count.
        voices: names of its own voices, as a server lists them.
        title, model: what kind of server it is, for people, and the name that requests to it
            carry, if any; both empty on this computer.
    """

    codes: bool = True
    cloning: bool = True
    streaming: bool = True
    sampling: frozenset[str] = field(default_factory=lambda: frozenset(SAMPLING))
    voices: tuple[str, ...] = ()
    title: str = ""
    model: str = ""

    @property
    def seed(self) -> bool:
        """The same seed gives the same speech, as far as a server keeps to it."""
        return "seed" in self.sampling


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What a model is that is loaded, inspected or served elsewhere, for display.

    One elsewhere has no codes, so no codebooks.

    Attributes:
        memory_bytes: estimate of what a synthesis of the default budget needs on a CPU.
        device: where the model computes; with ``gpu_layers`` fewer than all of its layers, the
            others compute on the CPU.
        codec_device, codec_reason: where the codec decodes, and why there.
        types: quantisation type name to number of AR tensors.
        capabilities: what it can do.
        host: host and port of the server that runs it; empty on this computer.
        arithmetic: how prompts are read.
    """

    path: str
    name: str
    file_bytes: int
    sample_rate: int
    samples_per_frame: int
    num_codebooks: int
    semantic_size: int
    residual_size: int
    context_length: int
    ar_parameters: int
    codec_parameters: int
    types: dict[str, int]
    memory_bytes: int
    codebook_size: int
    codec_window: int
    device: str = "cpu"
    codec_device: str = "cpu"
    codec_reason: str = ""
    gpu_layers: int = 0
    capabilities: Capabilities = field(default_factory=Capabilities)
    host: str = ""
    arithmetic: Arithmetic = "exact"

    @property
    def frame_rate(self) -> float:
        """Codec frames a second."""
        return self.sample_rate / self.samples_per_frame
