"""Training examples for the language model, laid out by the engine's own prompt builder.

Every text has one right rendering, so any sequence of sounds will do: whole sentences, pieces
of several sentences that are joined where a sound ends, and rows of words. None of them comes
twice, so nothing can be learned by heart but how sounds sound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.text.prompt import PromptReference, build_prompt
from engine.text.tokenizer import Tokenizer
from resources.demo_voice.codes import load_fixed
from resources.demo_voice.quantise import MARK, mark
from resources.demo_voice.sizes import CODEBOOK_SIZE, CODEBOOKS, TEXT_FRAMES
from resources.demo_voice.speak import SPEAKERS
from resources.demo_voice.table import CodeTable
from resources.demo_voice.timing import END, FRAMES, PAUSE, START
from resources.demo_voice.tokens import FILLER_ID, ids_of, sounds_of

WHOLE_SHARE, JOINED_SHARE = 0.2, 0.5
"""Shares of whole sentences and of joined pieces; the rest are rows of words."""

SECOND_SPEAKER_SHARE = 0.25
"""Share of the examples of speaker 1, who always has a reference."""

REFERENCE_SHARE = 0.12
"""Share of speaker 0's examples that have one; without a reference the voice is speaker 0's."""

PAUSE_SHARE = 0.12
PIECE = (4, 16)
REFERENCE_FRAMES = (16, 450)
"""Shortest and longest reference; short ones are more frequent."""

COLUMNS = 3300
"""Most columns of a batch, padding included."""

POOL = 96
"""Examples that are sorted by length together."""


class SoundTokenizer(Tokenizer):
    """The model's tokenizer for texts that are already sounds, with spaces between them."""

    def encode_user(self, text: str) -> list[int]:
        ids = ids_of(re.sub(r"<\|speaker:[0-9]+\|>", "", text).split())
        return ids + [FILLER_ID] * (TEXT_FRAMES - len(ids))


def write_sounds(work: Path) -> None:
    """Write sounds.json: what the tokenizer makes of every training text."""
    tokenizer = Tokenizer.load(work / "tokenizer.json", trusted=True)
    texts = json.loads((work / "texts.json").read_text())
    found = [sounds_of(tokenizer.encode_user(text)) for text in texts]
    (work / "sounds.json").write_text(json.dumps(found))


class ExampleSource:
    """Batches of columns, some of them with a reference."""

    def __init__(self, work: Path, seed: int) -> None:
        self.tokenizer = SoundTokenizer.load(work / "tokenizer.json", trusted=True)
        self.table = CodeTable.load(work / "table.npz")
        self.sentences: list[list[str]] = json.loads((work / "sounds.json").read_text())
        self.words = list(json.loads((work / "lexicon.json").read_text()).values())
        self.rng = np.random.default_rng(seed)
        quantizer = load_fixed(work)[0].quantizer
        first = next(iter(quantizer.quantizer.members()))
        with torch.no_grad():
            marks = first.decode(torch.arange(CODEBOOK_SIZE)[None])[0, :, MARK].numpy()
        self.own = [np.flatnonzero(marks * mark(s) > 0) for s in range(len(SPEAKERS))]

    def sounds(self) -> list[str]:
        """An utterance of at most :data:`TEXT_FRAMES` frames."""
        kind = self.rng.random()
        limit = int(self.rng.integers(TEXT_FRAMES // 2, TEXT_FRAMES + 1))
        if kind < WHOLE_SHARE:
            return shortened(self._sentence(), TEXT_FRAMES)
        made: list[str] = []
        while sum(FRAMES[s] for s in made) < limit:
            if kind < WHOLE_SHARE + JOINED_SHARE:
                piece = self._sentence()[1:-1]
                length = int(self.rng.integers(*PIECE))
                at = int(self.rng.integers(max(1, len(piece) - length)))
                made += piece[at : at + length]
            else:
                made += self.words[self.rng.integers(len(self.words))]
            if self.rng.random() < PAUSE_SHARE:
                made.append(PAUSE)
        return shortened([START, *made, END], limit)

    def _sentence(self) -> list[str]:
        return self.sentences[self.rng.integers(len(self.sentences))]

    def reference(self, speaker: int) -> PromptReference:
        """An utterance whose codes are partly others of the same speaker.

        Of a long one the transcript holds the beginning only, as the tokenizer cuts it.
        """
        low, high = np.log(REFERENCE_FRAMES)
        limit = int(np.exp(self.rng.uniform(low, high)))
        sounds = self.sounds()
        while len(ids_of(sounds)) < limit:
            sounds = [*sounds[:-1], PAUSE, *self.sounds()[1:]]
        sounds = shortened(sounds, limit)
        codes = self.table.speak(sounds, speaker)
        strength = self.rng.random()
        wrong = self.rng.random(codes.shape[1]) < strength
        codes[0, wrong] = self.rng.integers(CODEBOOK_SIZE, size=int(wrong.sum()))
        wrong = self.rng.random(codes.shape[1]) < strength
        codes[1, wrong] = self.rng.choice(self.own[speaker], int(wrong.sum()))
        return PromptReference(" ".join(shortened(sounds, TEXT_FRAMES)), codes)

    def example(self) -> np.ndarray:
        """Columns ``(codebooks + 1, T)``: prompt, codes, end token."""
        speaker = int(self.rng.random() < SECOND_SPEAKER_SHARE)
        with_reference = speaker == 1 or self.rng.random() < REFERENCE_SHARE
        references = [self.reference(speaker)] if with_reference else []
        return columns_of(self.tokenizer, self.table, self.sounds(), speaker, references)

    def batches(self) -> list[Tensor]:
        """Batches ``(n, codebooks + 1, T)`` of similar lengths, shuffled; row 0 pads with -1."""
        made = sorted((self.example() for _ in range(POOL)), key=lambda e: e.shape[1])
        groups: list[list[np.ndarray]] = [[]]
        for columns in made:
            if columns.shape[1] * (len(groups[-1]) + 1) > COLUMNS:
                groups.append([])
            groups[-1].append(columns)
        result = [padded(group) for group in groups if group]
        return [result[i] for i in self.rng.permutation(len(result))]


def padded(group: Sequence[np.ndarray]) -> Tensor:
    """One batch of columns; row 0 is -1 behind the end of each."""
    batch = np.zeros((len(group), CODEBOOKS + 1, max(e.shape[1] for e in group)), np.int64)
    batch[:, 0] = -1
    for row, columns in zip(batch, group, strict=True):
        row[:, : columns.shape[1]] = columns
    return torch.from_numpy(batch)


def shortened(sounds: Sequence[str], frames: int) -> list[str]:
    """As much of an utterance as fits into ``frames``, still with its end."""
    kept = list(sounds)
    while len(ids_of(kept)) > frames:
        del kept[-2]
    return kept


def columns_of(
    tokenizer: Tokenizer,
    table: CodeTable,
    sounds: Sequence[str],
    speaker: int,
    references: Sequence[PromptReference] = (),
) -> np.ndarray:
    """Prompt, codes and end token of an utterance, int32 ``(codebooks + 1, T)``."""
    begin = tokenizer.semantic_begin
    prompt = build_prompt(
        tokenizer, " ".join(sounds), num_codebooks=CODEBOOKS, codebook_size=CODEBOOK_SIZE,
        semantic_begin=begin, references=references,
    )  # fmt: skip
    codes = table.speak(sounds, speaker)
    spoken = np.concatenate([codes[:1] + begin, codes])
    end = np.zeros((CODEBOOKS + 1, 1), np.int32)
    end[0] = tokenizer.im_end
    return np.concatenate([prompt, spoken, end], 1)
