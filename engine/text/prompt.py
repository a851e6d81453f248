"""The prompt: what the model reads before it speaks (spec 02, section 3).

A prompt is an int32 matrix ``(num_codebooks + 1, columns)``. Row 0 is the token stream. In a
code column row 0 is ``semantic_begin + code 0`` and row ``1 + i`` is code ``i``; in a text
column rows 1 and up are 0. Messages are built from typed parts, text or codes, in the order
system (transcripts, then codes), earlier turns, the text to speak, open assistant header.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import ContextError, ReferenceAudioError, RequestError
from engine.text.tags import has_speaker_tag, is_speakable, speaker_tag, spoken_text
from engine.text.tokenizer import Tokenizer

_SYSTEM = "<|im_start|>system\n"
_USER = "<|im_start|>user\n"
_ASSISTANT = "<|im_start|>assistant\n<|voice|>"
_END = "<|im_end|>\n"
_TASK = "convert the provided text to speech"
_TASK_CLONE = "convert the provided text to speech reference to the following:\n\nText:\n"
_SPEECH = "\n\nSpeech:\n"


@dataclass(frozen=True, slots=True, eq=False)
class PromptReference:
    """A recording whose voice is to be cloned.

    Attributes:
        transcript: what is said in it; may hold speaker tags.
        codes: int32 ``(codebooks, frames)``.
    """

    transcript: str
    codes: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class PromptTurn:
    """An earlier request of the same conversation and what was generated for it.

    Attributes:
        text: what was to be said.
        codes: int32 ``(codebooks, frames)`` as generated.
    """

    text: str
    codes: np.ndarray


@dataclass(frozen=True, slots=True)
class _Template:
    """Trusted text of ours; control tokens in it are meant."""

    text: str


@dataclass(frozen=True, slots=True)
class _UserText:
    """Text of the user; control tokens in it are just text."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class _Codes:
    """Checked codes, int32 ``(codebooks, frames)``."""

    codes: np.ndarray


_Part = _Template | _UserText | _Codes


def build_prompt(
    tokenizer: Tokenizer,
    text: str,
    *,
    num_codebooks: int,
    codebook_size: int,
    semantic_begin: int,
    references: Sequence[PromptReference] = (),
    history: Sequence[PromptTurn] = (),
    context_length: int | None = None,
) -> np.ndarray:
    """The prompt matrix for speaking ``text``, int32 ``(num_codebooks + 1, columns)``.

    The text is taken as it is, with everything in front of a first speaker tag. Reference
    ``i`` whose transcript has no speaker tag becomes speaker ``i``.

    Args:
        codebook_size: every code must be below it.
        semantic_begin: id of the first semantic token.
        references: voices to clone, in the order of their speaker numbers.
        history: earlier turns, oldest first.
        context_length: columns that the model's context holds; ``None`` does not check.

    Raises:
        RequestError: no text, or codes of a wrong shape or out of range.
        ReferenceAudioError: a reference without transcript or without codes.
        ContextError: the prompt leaves no column free in the context.
    """
    if not is_speakable(text):
        raise RequestError("text.empty_say")
    for reference in references:
        _check_codes(reference.codes, num_codebooks, codebook_size)
    parts = _system_parts(references)
    for number, turn in enumerate(history, start=1):
        parts += _turn_parts(number, turn, num_codebooks, codebook_size)
    parts += [_Template(_USER), _UserText(text), _Template(_END), _Template(_ASSISTANT)]
    matrix = _assemble(tokenizer, parts, num_codebooks, semantic_begin)
    columns = matrix.shape[1]
    if context_length is not None and columns >= context_length:
        raise ContextError("text.too_long", columns=columns, context_length=context_length)
    return matrix


def _turn_parts(
    number: int, turn: PromptTurn, num_codebooks: int, codebook_size: int
) -> list[_Part]:
    """An earlier turn: what was asked, and the codes that answered."""
    if not is_speakable(turn.text):
        raise RequestError("text.turn_empty", number=number)
    codes = _check_codes(turn.codes, num_codebooks, codebook_size)
    asked: list[_Part] = [_Template(_USER), _UserText(turn.text), _Template(_END)]
    return [*asked, _Template(_ASSISTANT), _Codes(codes), _Template(_END)]


def prefix_columns(tokenizer: Tokenizer, references: Sequence[PromptReference] = ()) -> int:
    """Number of leading prompt columns that depend on the references only.

    That is the system message. The keys and values of these columns can be kept and used again
    for any other text in the same voice. Raises ReferenceAudioError as :func:`build_prompt`.
    """
    columns = 0
    for part in _system_parts(references):
        if isinstance(part, _Codes):
            columns += part.codes.shape[1]
        else:
            columns += len(_encode(tokenizer, part))
    return columns


def _system_parts(references: Sequence[PromptReference]) -> list[_Part]:
    if not references:
        return [_Template(_SYSTEM), _Template(_TASK), _Template(_END)]
    transcripts: list[str] = []
    blocks: list[np.ndarray] = []
    for index, reference in enumerate(references):
        which = f" (reference {index + 1} of {len(references)})" if len(references) > 1 else ""
        if not is_speakable(reference.transcript):
            raise ReferenceAudioError("reference.transcript_missing", which=which)
        codes = np.asarray(reference.codes, dtype=np.int32)
        if codes.shape[1] == 0:
            raise ReferenceAudioError("reference.audio_missing", which=which)
        tag = "" if has_speaker_tag(reference.transcript) else speaker_tag(index)
        transcripts.append(tag + reference.transcript)
        blocks.append(codes)
    return [
        _Template(_SYSTEM),
        _Template(_TASK_CLONE),
        _UserText("\n".join(transcripts)),
        _Template(_SPEECH),
        _Codes(np.concatenate(blocks, axis=1)),
        _Template(_END),
    ]


def _check_codes(codes: np.ndarray, num_codebooks: int, codebook_size: int) -> np.ndarray:
    codes = np.asarray(codes)
    if codes.ndim != 2:
        raise RequestError("reference.code_axes", axes=codes.ndim)
    if codes.shape[0] != num_codebooks:
        raise RequestError("reference.codebooks", num_codebooks=num_codebooks, found=codes.shape[0])
    if not np.issubdtype(codes.dtype, np.integer):
        raise RequestError("reference.code_type", dtype=codes.dtype)
    wrong = np.argwhere((codes < 0) | (codes >= codebook_size))
    if len(wrong):
        row, frame = wrong[0]
        raise RequestError(
            "reference.code_range",
            code=codes[row, frame],
            row=row,
            frame=frame,
            last=codebook_size - 1,
        )
    return codes.astype(np.int32)


def _encode(tokenizer: Tokenizer, part: _Template | _UserText) -> list[int]:
    if isinstance(part, _Template):
        return tokenizer.encode(part.text)
    return tokenizer.encode_user(spoken_text(part.text))


def _assemble(
    tokenizer: Tokenizer, parts: Iterable[_Part], num_codebooks: int, semantic_begin: int
) -> np.ndarray:
    """Parts one after the other; each text is encoded by itself, so no merge crosses a border."""
    blocks: list[np.ndarray] = []
    for part in parts:
        if isinstance(part, _Codes):
            block = np.concatenate([part.codes[:1] + np.int32(semantic_begin), part.codes])
        else:
            ids = _encode(tokenizer, part)
            block = np.zeros((num_codebooks + 1, len(ids)), dtype=np.int32)
            block[0] = ids
        blocks.append(block)
    return np.ascontiguousarray(np.concatenate(blocks, axis=1), dtype=np.int32)
