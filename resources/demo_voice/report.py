"""Judging what was trained, and the voices that ship with it (steps ``voices``, ``report``)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.audio.files import AudioClip
from engine.engine import Engine
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling, SynthesisRequest
from engine.voices import VoiceProfile
from resources.demo_voice.judge import Judge, Verdict, unseen_sentences
from resources.demo_voice.robot import BANDS, FRAME, Track, render
from resources.demo_voice.sizes import CODEBOOK_SIZE
from resources.demo_voice.speak import RATE, SPEAKERS, speak_all
from resources.demo_voice.synthesis_basis import GAIN
from resources.demo_voice.table import CodeTable
from resources.demo_voice.tokens import sounds_of
from resources.demo_voice.units import frames_of, load_units, noise_of

SEED = 7
SAMPLING = Sampling(seed=SEED)

REFERENCES = {
    "robot-clara": (
        0,
        "The morning train was late again, so we walked all the way to the next town.",
    ),
    "robot-martin": (
        1,
        "The old man was very quiet today, and he drank his tea alone in the kitchen.",
    ),
}
"""Shipped voices: name, speaker, and what is said in the reference."""

SPECIMEN = "Good evening, and welcome to the old house by the river."
LOWEST_PITCH, HIGHEST_PITCH = 60.0, 400.0
WINDOW = 2 * FRAME

TARGETS = Path(__file__).with_name("targets.npz")
"""Levels of what the robot says of the fifty sentences; the step ``report`` makes it anew."""

LEVEL_STEP, LOWEST_LEVEL = 0.1, -10.0


def pitch_of(samples: np.ndarray, rate: int = RATE) -> float:
    """Median pitch in Hz of the voiced parts, by autocorrelation; 0 where nothing is voiced.

    Of the lags that repeat the sound nearly as well as the best one the shortest counts: a
    robot repeats itself after several periods too.
    """
    found = []
    low, high = int(rate / HIGHEST_PITCH), int(rate / LOWEST_PITCH)
    loud = 0.1 * float(np.square(samples).mean())
    for at in range(0, len(samples) - WINDOW, WINDOW // 4):
        x = samples[at : at + WINDOW].astype(np.float64)
        if np.square(x).mean() < loud:
            continue
        power = np.abs(np.fft.rfft(x - x.mean(), 2 * WINDOW)) ** 2
        same = np.fft.irfft(power)[: high + 2]
        same = same / same[0] / (1 - np.arange(high + 2) / WINDOW)
        best = same[low : high + 1].max()
        if best > 0.6:
            near = np.flatnonzero(same[low : high + 1] > 0.9 * best) + low
            lag = int(near[0])
            while same[lag + 1] > same[lag] and lag < high:
                lag += 1
            found.append(rate / (lag + _summit(same[lag - 1 : lag + 2])))
    return float(np.median(found)) if found else 0.0


def _summit(three: np.ndarray) -> float:
    """Where the parabola through three values is highest, from the middle one."""
    bend = three[0] - 2 * three[1] + three[2]
    return float(0.5 * (three[0] - three[2]) / bend) if bend < 0 else 0.0


def references_of(table: CodeTable, tokenizer: Tokenizer) -> dict[str, VoiceProfile]:
    """The shipped voices: a sentence and its right codes."""
    return {
        name: VoiceProfile(
            text, table.speak(sounds_of(tokenizer.encode_user(text)), number), RATE, CODEBOOK_SIZE
        )
        for name, (number, text) in REFERENCES.items()
    }


def make_voices(work: Path, folder: Path) -> list[Path]:
    """Write one ``.s2voice`` for each shipped voice."""
    table = CodeTable.load(work / "table.npz")
    tokenizer = Tokenizer.load(work / "tokenizer.json", trusted=True)
    written = []
    for name, profile in references_of(table, tokenizer).items():
        written.append(folder / f"{name}.s2voice")
        profile.save(written[-1])
    return written


def write_targets(work: Path, path: Path) -> None:
    """Store the robot's levels of the unseen sentences, so that tests need no work folder."""
    tokenizer = Tokenizer.load(work / "tokenizer.json", trusted=True)
    sounds = [sounds_of(tokenizer.encode_user(text)) for text in unseen_sentences()]
    levels = [
        np.concatenate([units.track(s).level for s in sounds])
        for units in load_units(work / "units.npz")
    ]
    packed = []
    for level in levels:
        steps = np.round((level - LOWEST_LEVEL) / LEVEL_STEP)
        assert steps.min() >= 0
        assert steps.max() <= 255
        # Differences in time pack better; as bytes they wrap around, and so does their sum.
        packed.append(
            np.diff(steps.astype(np.uint8), axis=0, prepend=np.zeros((1, BANDS), np.uint8))
        )
    np.savez_compressed(path, *packed)


def load_targets(tokenizer: Tokenizer, number: int) -> list[np.ndarray]:
    """What a speaker's robot sounds like when it says the unseen sentences: the codec's target."""
    with np.load(TARGETS) as data:
        steps = np.cumsum(data[f"arr_{number}"], axis=0, dtype=np.uint8)
    level = steps.astype(np.float32) * LEVEL_STEP + LOWEST_LEVEL
    made = []
    for text in unseen_sentences():
        frames = frames_of(sounds_of(tokenizer.encode_user(text)))
        noise = np.concatenate([noise_of(frame) for frame in frames])
        track = Track(level[: len(noise)], noise)
        level = level[len(noise) :]
        made.append(render(track, SPEAKERS[number].pulses, GAIN))
    assert len(level) == 0, "the tokenizer has other sounds than the file"
    return made


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


def judge_all(work: Path, engine: Engine, judge: Judge, count: int = 50) -> list[Row]:
    """Word errors at every stage from flite's own speech to the voice through the engine."""
    texts = unseen_sentences()[:count]
    tokenizer = Tokenizer.load(work / "tokenizer.json", trusted=True)
    sounds = [sounds_of(tokenizer.encode_user(text)) for text in texts]
    table = CodeTable.load(work / "table.npz")
    voices = list(references_of(table, tokenizer).values())
    rows = []

    def add(name: str, make: Callable[[int], np.ndarray]) -> None:
        start = time.perf_counter()
        made = [make(i) for i in range(len(texts))]
        took = time.perf_counter() - start
        verdict = judge.verdict(texts, made, RATE)
        rows.append(Row(name, verdict, took, sum(map(len, made)) / RATE))
        print(f"{name}: {100 * verdict.word_error:.1f} %", flush=True)

    for number, (speaker, units) in enumerate(
        zip(SPEAKERS, load_units(work / "units.npz"), strict=True)
    ):
        spoken = speak_all([(speaker.name, text) for text in texts])
        robots = [render(units.track(s), speaker.pulses, GAIN) for s in sounds]
        codes = [table.speak(s, number) for s in sounds]
        add(f"flite {speaker.name}", lambda i, s=spoken: s[i].pcm)  # type: ignore[misc]
        add(f"robot {speaker.name}", lambda i, r=robots: r[i])  # type: ignore[misc]
        add(f"codes decoded {speaker.name}", lambda i, c=codes: engine.decode(c[i]))  # type: ignore[misc]
        add(f"encoded and decoded {speaker.name}", lambda i, r=robots: round_trip(engine, r[i]))  # type: ignore[misc]
        add(
            f"demo voice as {speaker.name}",
            lambda i, v=voices[number]: speak_with(engine, texts[i], (v,)),  # type: ignore[misc]
        )
    add("demo voice", lambda i: speak_with(engine, texts[i]))
    return rows


def round_trip(engine: Engine, sound: np.ndarray) -> np.ndarray:
    """Through the engine's own encoder and decoder; shorter than the input by less than a frame."""
    profile = engine.encode_reference(AudioClip(sound[:, None], RATE), "reference")
    return engine.decode(profile.codes)[: len(sound) // FRAME * FRAME]


def text_of(rows: list[Row], samples: int = 50) -> str:
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
