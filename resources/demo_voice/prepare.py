"""Spoken sentences as aligned tracks, in shards that later steps can already use (step ``speak``).

A shard ``shard_000.npz`` holds ``level`` and ``noise`` float16 ``(steps, BANDS)`` of all its
utterances one after the other, ``offsets`` in steps, ``speaker`` and ``text`` numbers. The first
shards also hold what the encoder learns from: the sound itself (``pcm``, int16, whole frames)
and its tracks before alignment (``raw_level``, ``raw_noise``).
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from resources.demo_voice.robot import FRAME, STEPS, Track, align, analyse
from resources.demo_voice.sentences import training_texts
from resources.demo_voice.speak import SPEAKERS, speak

SHARD = 500
SHARDS_WITH_SOUND = 3

Job = tuple[int, int, str, str, bool]


def plan(work: Path, quoted: int, made: int, seed: int) -> list[tuple[int, int]]:
    """Write texts.json; returns ``(text, speaker)`` pairs in the order of the shards.

    Every text is spoken once, by alternating speakers, then once more by the next speaker.
    """
    file = work / "texts.json"
    if not file.exists():
        file.write_text(json.dumps(training_texts(quoted, made, seed), indent=0))
    count = len(json.loads(file.read_text()))
    return [(i, (i + turn) % len(SPEAKERS)) for turn in range(len(SPEAKERS)) for i in range(count)]


def _make(job: Job) -> dict[str, Any]:
    text, speaker, sentence, folder, sound = job
    spoken = speak(SPEAKERS[speaker].name, sentence, Path(folder))
    raw = analyse(spoken)
    track = align(spoken, raw)
    made: dict[str, Any] = {"text": text, "speaker": speaker, "track": track}
    if sound:
        frames = len(spoken.pcm) // FRAME
        made["pcm"] = (spoken.pcm[: frames * FRAME] * 32767).astype(np.int16)
        # Track step k + 1 lies at the end of codec step k.
        made["raw"] = Track(*(v[1 : frames * STEPS + 1] for v in (raw.level, raw.noise)))
    return made


def write_shard(path: Path, made: list[dict[str, Any]]) -> None:
    """Store utterances; the file appears only when it is whole."""
    half = np.float16
    arrays: dict[str, Any] = {
        "level": np.concatenate([m["track"].level for m in made]).astype(half),
        "noise": np.concatenate([m["track"].noise for m in made]).astype(half),
        "offsets": np.cumsum([0] + [len(m["track"].level) for m in made]),
        "speaker": np.array([m["speaker"] for m in made]),
        "text": np.array([m["text"] for m in made]),
    }
    if "pcm" in made[0]:
        arrays["pcm"] = np.concatenate([m["pcm"] for m in made])
        arrays["pcm_offsets"] = np.cumsum([0] + [len(m["pcm"]) for m in made])
        arrays["raw_level"] = np.concatenate([m["raw"].level for m in made]).astype(half)
        arrays["raw_noise"] = np.concatenate([m["raw"].noise for m in made]).astype(half)
    part = path.with_suffix(".part.npz")
    np.savez(part, **arrays)
    part.rename(path)


def make_shards(
    work: Path, *, quoted: int, made: int, shards: int, seed: int = 1, processes: int = 2
) -> None:
    """Make the shards that are still missing."""
    order = plan(work, quoted, made, seed)
    texts = json.loads((work / "texts.json").read_text())
    with ProcessPoolExecutor(processes) as pool:
        for number in range(min(shards, -(-len(order) // SHARD))):
            path = work / f"shard_{number:03}.npz"
            if path.exists():
                continue
            jobs: list[Job] = [
                (text, speaker, texts[text], str(work), number < SHARDS_WITH_SOUND)
                for text, speaker in order[number * SHARD : (number + 1) * SHARD]
            ]
            write_shard(path, list(pool.map(_make, jobs, chunksize=8)))
            print(f"{path.name}: {len(jobs)} utterances", flush=True)


def load_shards(work: Path, count: int | None = None) -> list[dict[str, np.ndarray]]:
    """The shards that exist, in order."""
    paths = sorted(p for p in work.glob("shard_???.npz"))[:count]
    return [dict(np.load(path)) for path in paths]
