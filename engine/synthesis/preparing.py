"""What a synthesis works with, and what it makes of a request before the first frame."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.codec.codec import codes_in_range
from engine.errors import Message, RequestError
from engine.synthesis.findings import request_warnings
from engine.text.prompt import PromptReference, PromptTurn, build_prompt, prefix_columns
from engine.text.pronunciations import pronounce
from engine.text.speech_plan import SpeechPlan, plan_speech
from engine.text.tags import is_speakable
from engine.types import SynthesisRequest

if TYPE_CHECKING:
    from engine.codec.fallback import CodecHost
    from engine.lm.cache import PrefixCache
    from engine.lm.dual_ar import DualAR
    from engine.text.tokenizer import Tokenizer

LONG_PASS_FRAMES = 1024
RECOMMENDED_REFERENCE_S = (5.0, 30.0)


@dataclass(frozen=True, slots=True)
class EngineParts:
    """The parts that a synthesis works with.

    Attributes:
        overlap: decode on a thread beside generation; ``None`` decides by device.
    """

    tokenizer: Tokenizer
    model: DualAR
    codec: CodecHost
    prefixes: PrefixCache | None = None
    overlap: bool | None = None

    @property
    def decodes_in_thread(self) -> bool:
        """Whether the codec works on a thread of its own.

        It does where it computes on another device than the model. On one device both would
        only take turns at the same cores, and what is heard first would come later.
        """
        if self.overlap is not None:
            return self.overlap
        return self.codec.device != self.model.fast.device

    def close(self) -> None:
        """End the threads of the model and of the prefixes, and let go of what they hold."""
        if self.prefixes is not None:
            self.prefixes.close()
        self.model.close()


@dataclass(frozen=True, slots=True)
class SegmentPrompt:
    """A part of the text that is spoken as one utterance, as the model reads it.

    Attributes:
        prompt: int32 ``(codebooks + 1, columns)``.
        prefix: columns of its beginning that depend on the voices only.
        spoken: int32 ``(codebooks, frames)``, the frames that it ends with.
    """

    text: str
    prompt: np.ndarray
    prefix: int
    spoken: np.ndarray


def draw_seed() -> int:
    """A fresh seed, short enough to be read out and typed again."""
    return secrets.randbelow(2**32)


def check_references(parts: EngineParts, request: SynthesisRequest) -> list[str]:
    """Check every voice against the model; return warnings (spec 05, section 4)."""
    config = parts.codec.config
    warnings = request_warnings(request)
    for profile in request.references:
        profile.check_model(
            num_codebooks=parts.model.config.num_codebooks,
            codebook_size=parts.model.config.codebook_size,
            sample_rate=config.sample_rate,
            semantic_size=config.semantic_size,
            residual_size=config.residual_size,
        )
        seconds = profile.frames * config.samples_per_frame / config.sample_rate
        low, high = RECOMMENDED_REFERENCE_S
        if not low <= seconds <= high:
            warnings.append(Message("reference.length", seconds=seconds, low=low, high=high))
    if request.sampling.max_new_tokens > LONG_PASS_FRAMES:
        warnings.append(Message("text.long_pass", frames=LONG_PASS_FRAMES))
    return warnings


def split_text(request: SynthesisRequest, limit: int = 0) -> SpeechPlan:
    """The pieces to speak, in order, and the pauses of exact length around them.

    Args:
        limit: most characters that the model speaks in one go, whatever the request says; 0 is
            no limit.

    Raises:
        RequestError: nothing to speak, or a pause that is too long.
    """
    if not is_speakable(request.text):
        raise RequestError("text.empty")
    options = request.segmentation
    longest = options.max_chars
    if limit and not 0 < longest <= limit:
        longest = limit
    cut = options.sentences or bool(limit and len(request.text) > limit)
    plan = plan_speech(request.text, sentences=cut, max_chars=longest)
    if not plan.segments:
        raise RequestError("text.nothing")
    return plan


def make_prompt(
    parts: EngineParts, request: SynthesisRequest, text: str, history: tuple[PromptTurn, ...] = ()
) -> SegmentPrompt:
    """Build the prompt matrix of one segment (spec 02, section 3)."""
    config = parts.model.config
    text = pronounce(text, request.pronunciations)
    references = tuple(
        PromptReference(transcript=p.transcript, codes=p.codes) for p in request.references
    )
    prompt = build_prompt(
        parts.tokenizer,
        text,
        num_codebooks=config.num_codebooks,
        codebook_size=config.codebook_size,
        semantic_begin=config.semantic_begin,
        references=references,
        history=history,
        context_length=config.context_length,
    )
    spoken = spoken_codes(parts, request)
    if spoken.shape[1]:
        columns = np.concatenate((spoken[:1] + config.semantic_begin, spoken))
        prompt = np.concatenate((prompt, columns), axis=1)
    return SegmentPrompt(text, prompt, prefix_columns(parts.tokenizer, references), spoken)


def spoken_codes(parts: EngineParts, request: SynthesisRequest) -> np.ndarray:
    """The frames that a take begins with, int32 ``(codebooks, frames)``; mostly none.

    Raises:
        RequestError: they are no codes of this model.
    """
    config = parts.model.config
    if request.prefix_codes is None:
        return np.empty((config.num_codebooks, 0), np.int32)
    return codes_in_range(request.prefix_codes, config.num_codebooks, config.codebook_size)


def check_prefix(request: SynthesisRequest, pieces: int) -> None:
    """Refuse codes to begin with where a text is not spoken in one go.

    Raises:
        RequestError: it is not clear which piece they belong to.
    """
    if request.prefix_codes is not None and (pieces > 1 or request.resume is not None):
        raise RequestError("text.prefix_pieces", count=pieces)
