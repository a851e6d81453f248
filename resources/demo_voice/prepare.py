"""Spoken sentences, and the robot's rendering of the same (steps ``speak`` and ``robot``).

``heard_000.npz`` holds what flite said, on whole frames: ``level`` float16 ``(steps, BANDS)`` of
its utterances one after the other, ``offsets`` in steps, ``sounds`` (numbers in ``units.NAMES``)
with ``sound_offsets``, ``speaker`` and ``text`` numbers. The first files also hold what the
encoder learns from: the sound itself (``pcm``, int16, whole frames) and its tracks before they
were bent (``raw_level``, ``raw_noise``).

``shard_000.npz`` holds the same utterances as the robot says them (``level``, ``noise``), and
again ``pcm``, ``raw_level`` and ``raw_noise``.
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
from resources.demo_voice.units import NAMES, NUMBER, fit_units, load_units, save_units

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


def _make(job: Job) -> dict[str, Any] | None:
    text, speaker, sentence, folder, sound = job
    spoken = speak(SPEAKERS[speaker].name, sentence, Path(folder))
    raw = analyse(spoken)
    try:
        sounds, track = align(spoken, raw)
    except ValueError:
        return None
    made: dict[str, Any] = {"text": text, "speaker": speaker, "sounds": sounds, "track": track}
    if sound:
        frames = len(spoken.pcm) // FRAME
        made["pcm"] = (spoken.pcm[: frames * FRAME] * 32767).astype(np.int16)
        # Track step k + 1 lies at the end of codec step k.
        made["raw"] = Track(*(v[1 : frames * STEPS + 1] for v in (raw.level, raw.noise)))
    return made


def write_heard(path: Path, made: list[dict[str, Any]]) -> None:
    """Store utterances; the file appears only when it is whole."""
    half = np.float16
    arrays: dict[str, Any] = {
        "level": np.concatenate([m["track"].level for m in made]).astype(half),
        "offsets": np.cumsum([0] + [len(m["track"].level) for m in made]),
        "sounds": np.array([NUMBER[s] for m in made for s in m["sounds"]], np.int16),
        "sound_offsets": np.cumsum([0] + [len(m["sounds"]) for m in made]),
        "speaker": np.array([m["speaker"] for m in made]),
        "text": np.array([m["text"] for m in made]),
    }
    if "pcm" in made[0]:
        arrays["pcm"] = np.concatenate([m["pcm"] for m in made])
        arrays["pcm_offsets"] = np.cumsum([0] + [len(m["pcm"]) for m in made])
        arrays["raw_level"] = np.concatenate([m["raw"].level for m in made]).astype(half)
        arrays["raw_noise"] = np.concatenate([m["raw"].noise for m in made]).astype(half)
    _store(path, arrays)


def _store(path: Path, arrays: dict[str, Any]) -> None:
    part = path.with_suffix(".part.npz")
    np.savez(part, **arrays)
    part.rename(path)


def heard_utterances(data: dict[str, np.ndarray]) -> list[tuple[int, list[str], np.ndarray]]:
    """Speaker, sounds and levels float32 ``(steps, BANDS)`` of each utterance of a file."""
    at, sound_at = data["offsets"], data["sound_offsets"]
    return [
        (
            int(speaker),
            [NAMES[n] for n in data["sounds"][sound_at[i] : sound_at[i + 1]]],
            data["level"][at[i] : at[i + 1]].astype(np.float32),
        )
        for i, speaker in enumerate(data["speaker"])
    ]


def write_units(work: Path) -> None:
    """Fit the robot's units from all that was heard; write units.npz."""
    heard = [u for data in load_shards(work, name="heard") for u in heard_utterances(data)]
    save_units(
        work / "units.npz",
        [fit_units([u[1:] for u in heard if u[0] == s]) for s in range(len(SPEAKERS))],
    )


def write_shards(work: Path) -> None:
    """Let the robot say what flite said; write the shards that are missing."""
    units = load_units(work / "units.npz")
    for path in sorted(work.glob("heard_???.npz")):
        target = work / path.name.replace("heard", "shard")
        if target.exists():
            continue
        data = dict(np.load(path))
        tracks = [units[s].track(sounds) for s, sounds, _ in heard_utterances(data)]
        arrays = {
            "level": np.concatenate([t.level for t in tracks]).astype(np.float16),
            "noise": np.concatenate([t.noise for t in tracks]).astype(np.float16),
        }
        same = ("offsets", "speaker", "text", "pcm", "pcm_offsets", "raw_level", "raw_noise")
        _store(target, arrays | {key: data[key] for key in same if key in data})


def make_heard(
    work: Path, *, quoted: int, made: int, shards: int, seed: int = 1, processes: int = 2
) -> None:
    """Let flite say what is still missing."""
    order = plan(work, quoted, made, seed)
    texts = json.loads((work / "texts.json").read_text())
    with ProcessPoolExecutor(processes) as pool:
        for number in range(min(shards, -(-len(order) // SHARD))):
            path = work / f"heard_{number:03}.npz"
            if path.exists():
                continue
            jobs: list[Job] = [
                (text, speaker, texts[text], str(work), number < SHARDS_WITH_SOUND)
                for text, speaker in order[number * SHARD : (number + 1) * SHARD]
            ]
            made_now = [m for m in pool.map(_make, jobs, chunksize=8) if m is not None]
            write_heard(path, made_now)
            print(f"{path.name}: {len(made_now)} utterances", flush=True)


def load_shards(
    work: Path, count: int | None = None, name: str = "shard"
) -> list[dict[str, np.ndarray]]:
    """The files that exist, in order."""
    paths = sorted(work.glob(f"{name}_???.npz"))[:count]
    return [dict(np.load(path)) for path in paths]
