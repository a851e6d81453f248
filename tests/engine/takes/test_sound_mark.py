"""A file that was edited keeps its tags; its own sound counts, and that is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from export_kit import KINDS, RATE, a_provenance, speech

from engine.audio.encode import ExportFormat
from engine.audio.files import read_audio
from engine.takes.export import export_take
from engine.takes.provenance import Provenance, read_provenance
from engine.takes.sound_mark import is_same_sound, sound_mark
from engine.types import PostProcessing

Edit = Callable[[np.ndarray], np.ndarray]
EDITS: dict[str, Edit] = {
    "cut to half": lambda s: s[: len(s) // 2],
    "cut at the start": lambda s: s[len(s) // 4 :],
    "a bit shorter": lambda s: s[: -RATE // 10],
    "louder": lambda s: np.clip(s * 2, -1, 1),
    "quieter": lambda s: s * 0.7,
    "another sound": lambda s: np.roll(s, len(s) // 3)[::-1].copy(),
    "silence": np.zeros_like,
    "faded out": lambda s: (s * np.linspace(1, 0, len(s))).astype(np.float32),
    "longer": lambda s: np.concatenate([s, s]),
    "a hole": lambda s: np.where((np.arange(len(s)) // (len(s) // 5)) == 2, 0, s).astype(s.dtype),
}


def story(path: Path) -> Provenance:
    found = read_provenance(path)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_is_its_own_sound(tmp_path: Path, kind: ExportFormat) -> None:
    path = export_take(tmp_path / "t", speech(), RATE, kind, provenance=a_provenance()).path
    clip = read_audio(path)
    found = story(path)
    assert bool(found.sound) == (kind is not ExportFormat.OPUS)
    assert found.of_this_sound(clip.samples[:, 0], clip.rate) is found


@pytest.mark.parametrize("kind", [ExportFormat.WAV_16, ExportFormat.FLAC_24, ExportFormat.VORBIS])
@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_is_found_and_the_recipe_let_go(
    tmp_path: Path, edit: str, kind: ExportFormat
) -> None:
    path = export_take(tmp_path / "t", speech(), RATE, kind, provenance=a_provenance()).path
    found, clip = story(path), read_audio(path)
    assert found.codes is not None
    kept = found.of_this_sound(EDITS[edit](clip.samples[:, 0]), clip.rate)
    assert (kept.codes, kept.segments) == (None, ())
    assert "was changed since" in kept.warnings[-1]
    assert (kept.text, kept.seed) == (found.text, found.seed)


def test_a_file_without_a_mark_is_judged_by_its_length() -> None:
    made = replace(
        a_provenance(),
        post=PostProcessing(),
        segments=((0, 0), (3, 41221)),
        sample_rate=44100,
    )
    assert made.codes is not None
    long = np.zeros(44100 * 60, np.float32)
    assert made.of_this_sound(long, 44100) is made
    assert made.of_this_sound(long[:30487], 44100).segments == ()


@pytest.mark.parametrize("mark", ["", "nonsense", "12:", "x:AAAA", "100:####"])
def test_a_mark_that_is_none_accuses_nobody(mark: str) -> None:
    assert is_same_sound(mark, speech(), RATE)


@pytest.mark.parametrize("count", [0, 1, 100, RATE])
def test_the_shortest_sounds_have_marks(count: int) -> None:
    samples = speech()[:count]
    assert is_same_sound(sound_mark(samples, RATE), samples, RATE)


def test_an_hour_has_a_short_mark() -> None:
    samples = np.tile(speech(), 3600 * RATE // len(speech()))
    mark = sound_mark(samples, RATE)
    assert len(mark) < 3000
    assert is_same_sound(mark, samples, RATE)
    assert not is_same_sound(mark, samples[: len(samples) // 2], RATE)
