"""Judging what was trained, and the voices that ship with it (steps ``voices``, ``report``)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.audio.files import AudioClip
from engine.engine import Engine
from engine.types import Sampling, SynthesisRequest
from engine.voices import VoiceProfile
from resources.demo_voice.codes import encode_tracks, load_fixed
from resources.demo_voice.judge import Judge, Verdict, unseen_sentences
from resources.demo_voice.robot import FRAME, align, analyse, render
from resources.demo_voice.sizes import CODEBOOK_SIZE
from resources.demo_voice.speak import RATE, SPEAKERS, Speaker, Spoken, speak_all
from resources.demo_voice.synthesis_basis import GAIN

SEED = 7
SAMPLING = Sampling(temperature=0.3, top_p=0.8, top_k=30, seed=SEED)

REFERENCES = {
    "robot-clara": (0, "The morning train was late again."),
    "robot-martin": (1, "The old man was very quiet today."),
}
"""Shipped voices: name, speaker, and what is said in the reference."""

SPECIMEN = "Good evening, and welcome to the old house by the river."


def robot_of(spoken: Spoken, speaker: Speaker) -> np.ndarray:
    """The sound that the codec is to reproduce."""
    return render(align(spoken, analyse(spoken)), speaker.pulses, GAIN)


def pitch_of(samples: np.ndarray, rate: int = RATE) -> float:
    """Median pitch in Hz of the voiced parts."""
    import pyworld  # type: ignore[import-untyped]

    x = np.ascontiguousarray(samples, np.float64)
    f0, at = pyworld.dio(x, rate, f0_floor=60, f0_ceil=400)
    f0 = pyworld.stonemask(x, f0, at, rate)
    return float(np.median(f0[f0 > 0])) if (f0 > 0).any() else 0.0


def make_voices(work: Path, folder: Path) -> list[Path]:
    """Write one ``.s2voice`` for each shipped voice, from the tracks of a short sentence.

    The codes are those that a perfect encoder would find in the robot's sound.
    """
    model, space = load_fixed(work)
    written = []
    for name, (number, text) in REFERENCES.items():
        spoken = speak_all([(SPEAKERS[number].name, text)])[0]
        track = align(spoken, analyse(spoken))
        codes = encode_tracks(model.quantizer, space, track.level, track.noise, number)
        profile = VoiceProfile(text, codes.astype(np.int32), RATE, CODEBOOK_SIZE)
        path = folder / f"{name}.s2voice"
        profile.save(path)
        written.append(path)
    return written


@dataclass(frozen=True)
class Row:
    """One line of the report."""

    name: str
    verdict: Verdict
    seconds: float
    audio_seconds: float


def speak_with(engine: Engine, text: str, voices: tuple[VoiceProfile, ...] = ()) -> np.ndarray:
    """The demo voice's sound for a text, with the report's seed."""
    request = SynthesisRequest(text=text, references=voices, sampling=SAMPLING)
    return engine.render(request).samples


def judge_all(engine: Engine, judge: Judge, count: int = 50) -> list[Row]:
    """Word errors of source speech, robot, codec round trip, and the voice through the engine."""
    texts = unseen_sentences()[:count]
    rows = []

    def add(name: str, make: Callable[[int], np.ndarray]) -> None:
        start = time.perf_counter()
        sounds = [make(i) for i in range(len(texts))]
        took = time.perf_counter() - start
        verdict = judge.verdict(texts, sounds, RATE)
        rows.append(Row(name, verdict, took, sum(map(len, sounds)) / RATE))

    for speaker in SPEAKERS:
        spoken = speak_all([(speaker.name, text) for text in texts])
        robots = [robot_of(s, speaker) for s in spoken]
        add(f"flite {speaker.name}", lambda i, s=spoken: s[i].pcm)  # type: ignore[misc]
        add(f"robot {speaker.name}", lambda i, r=robots: r[i])  # type: ignore[misc]
        add(f"codec {speaker.name}", lambda i, r=robots: round_trip(engine, r[i]))  # type: ignore[misc]
    add("demo voice", lambda i: speak_with(engine, texts[i]))
    return rows


def round_trip(engine: Engine, sound: np.ndarray) -> np.ndarray:
    """Through the engine's own encoder and decoder; shorter than the input by less than a frame."""
    profile = engine.encode_reference(AudioClip(sound[:, None], RATE), "reference")
    return engine.decode(profile.codes)[: len(sound) // FRAME * FRAME]


def text_of(rows: list[Row], samples: int = 8) -> str:
    """The report as Markdown."""
    lines = ["| speech | word errors | audio s | work s |", "|---|---|---|---|"]
    for row in rows:
        lines.append(
            f"| {row.name} | {100 * row.verdict.word_error:.1f} % | {row.audio_seconds:.0f} "
            f"| {row.seconds:.1f} |"
        )
    last = rows[-1].verdict
    lines.append("")
    for wanted, heard in list(zip(last.expected, last.heard, strict=True))[:samples]:
        lines.append(f"- {wanted} -> {heard}")
    return "\n".join(lines) + "\n"
