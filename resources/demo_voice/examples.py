"""Training examples for the language model, laid out by the engine's own prompt builder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from engine.text.prompt import PromptReference, build_prompt
from engine.text.tokenizer import Tokenizer
from resources.demo_voice.sizes import CODEBOOK_SIZE, CODEBOOKS
from resources.demo_voice.tokens import Speller

SPELL_SHARE = 0.08
"""Share of the known words that are spelled in letters, so that letters get a sound."""

SECOND_SPEAKER_SHARE = 0.35
"""Share of the examples of speaker 1, who always has a reference."""

REFERENCE_SHARE = 0.25
"""Share of speaker 0's examples that have one; without a reference the voice is speaker 0's."""

SHORT, PLAIN = 32, 44
"""Frames of a short reference, and of an utterance of the plain phase."""

LONG_REFERENCE_SHARE = 0.1
BUCKETS = 16


class LearningTokenizer(Tokenizer):
    """The model's tokenizer, leaving some of the known words of a user's text as letters."""

    rng: np.random.Generator
    speller: Speller
    share: float
    fixed: dict[str, list[int]]

    @classmethod
    def open(cls, work: Path, seed: int, share: float = SPELL_SHARE) -> LearningTokenizer:
        """Read tokenizer.json and lexicon.json; the random choice depends on the seed only."""
        made = cls.load(work / "tokenizer.json")
        assert isinstance(made, LearningTokenizer)
        made.rng, made.share, made.fixed = np.random.default_rng(seed), share, {}
        made.speller = Speller(json.loads((work / "lexicon.json").read_text()))
        return made

    def encode(self, text: str) -> list[int]:
        if text not in self.fixed:
            self.fixed[text] = super().encode(text)
        return self.fixed[text]

    def encode_user(self, text: str) -> list[int]:
        return self.speller.encode(text, lambda: self.rng.random() < self.share)


@dataclass(frozen=True, slots=True, eq=False)
class Utterance:
    """A text, who speaks it, and its codes int16 ``(codebooks, frames)``."""

    text: str
    speaker: int
    codes: np.ndarray


def load_utterances(work: Path) -> list[Utterance]:
    """All utterances that have codes by now."""
    texts = json.loads((work / "texts.json").read_text())
    found = []
    for path in sorted(work.glob("codes_???.npz")):
        with np.load(path) as data:
            codes, at = data["codes"], data["offsets"]
            for i, (text, speaker) in enumerate(zip(data["text"], data["speaker"], strict=True)):
                part = codes[:, at[i] : at[i + 1]]
                found.append(Utterance(texts[int(text)], int(speaker), part))
    return found


class ExampleSource:
    """Batches of columns, about half of them with a reference."""

    def __init__(self, work: Path, seed: int) -> None:
        self.work = work
        self.tokenizer = LearningTokenizer.open(work, seed)
        self.rng = np.random.default_rng(seed + 1)
        self.files = 0
        self.reload()

    def reload(self) -> None:
        """Take in what has been prepared since."""
        files = len(list(self.work.glob("codes_???.npz")))
        if files == self.files:
            return
        self.files = files
        self.utterances = load_utterances(self.work)
        self.of = [[u for u in self.utterances if u.speaker == s] for s in (0, 1)]
        self.short = [[u for u in own if u.codes.shape[1] <= SHORT] for own in self.of]
        self.plain = [u for u in self.of[0] if u.codes.shape[1] <= PLAIN]

    def _draw(self, pool: list[Utterance]) -> Utterance:
        return pool[self.rng.integers(len(pool))]

    def example(self, plain: bool = False) -> np.ndarray:
        """Columns ``(codebooks + 1, T)``: prompt, codes, end token.

        ``plain`` asks for a short text of speaker 0 without a reference.
        """
        speaker = int(not plain and self.rng.random() < SECOND_SPEAKER_SHARE)
        target = self._draw(self.plain if plain else self.of[speaker])
        references = []
        if not plain and (speaker == 1 or self.rng.random() < REFERENCE_SHARE):
            long = self.rng.random() < LONG_REFERENCE_SHARE
            reference = self._draw((self.of if long else self.short)[speaker])
            references.append(PromptReference(reference.text, reference.codes.astype(np.int32)))
        prompt = build_prompt(
            self.tokenizer,
            target.text,
            num_codebooks=CODEBOOKS,
            codebook_size=CODEBOOK_SIZE,
            semantic_begin=self.tokenizer.semantic_begin,
            references=references,
        )
        codes = target.codes.astype(np.int32)
        spoken = np.concatenate([codes[:1] + self.tokenizer.semantic_begin, codes])
        end = np.zeros((CODEBOOKS + 1, 1), np.int32)
        end[0] = self.tokenizer.im_end
        return np.concatenate([prompt, spoken, end], 1)

    def batches(self, size: int, plain: bool = False) -> list[Tensor]:
        """``BUCKETS`` batches ``(size, codebooks + 1, T)`` of similar lengths, shuffled.

        Padding is the end token, behind everything that is learned.
        """
        made = sorted(
            (self.example(plain) for _ in range(size * BUCKETS)), key=lambda e: e.shape[1]
        )
        result = []
        for start in range(0, len(made), size):
            group = made[start : start + size]
            batch = np.zeros((size, CODEBOOKS + 1, max(e.shape[1] for e in group)), np.int64)
            batch[:, 0] = -1
            for row, columns in zip(batch, group, strict=True):
                row[:, : columns.shape[1]] = columns
            result.append(torch.from_numpy(batch))
        order = self.rng.permutation(len(result))
        return [result[i] for i in order]
