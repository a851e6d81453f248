"""Takes as files: writing them with their provenance inside, and reading them back."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.takes.provenance import provenance_of
from app.takes.take import Take
from engine.audio import ExportFormat
from engine.errors import EngineError, OutputError
from engine.takes import (
    TEMPLATE,
    Exported,
    Provenance,
    TakeArchive,
    export_name,
    export_take,
    read_provenance,
)

AUDIO_ENDINGS = (".wav", ".flac", ".mp3", ".ogg", ".opus")
_TIME_IN_NAME = re.compile(r"(20\d{6})-(\d{6})")


@dataclass(frozen=True, slots=True, eq=False)
class FoundTake:
    """A take that a sound file brought back.

    Attributes:
        samples: the file's own sound, float32 ``(n,)``, at the rate of the model.
        made: when the file was made.
    """

    provenance: Provenance
    samples: np.ndarray
    made: datetime.datetime


def take_name(
    text: str, voice: str, seed: int, when: datetime.datetime, template: str = TEMPLATE
) -> str:
    """A file name without ending, safe on every system, made from the template."""
    return export_name(template, text=text, voice=voice, seed=seed, when=when)


def name_of(take: Take, template: str = TEMPLATE) -> str:
    """The name that ``take`` gets from a template.

    Raises:
        OutputError: the template holds an unknown field.
    """
    origin, model = take.origin, ""
    if origin.info is not None:
        model = origin.info.name
    elif origin.provenance is not None:
        model = origin.provenance.model
    return export_name(
        template, text=take.title or origin.request.text, voice=origin.voice, seed=origin.seed,
        model=model, when=origin.made,
    )  # fmt: skip


def write_take(take: Take, path: Path, kind: ExportFormat) -> Exported:
    """Write the samples so far as a new file with its provenance; nothing is replaced.

    Raises:
        OutputError: it could not be written; the take is still in memory.
    """
    if take.store.length == 0:
        raise OutputError("sound.none_yet")
    rate = take.store.format.sample_rate
    return export_take(path, take.store.samples, rate, kind, provenance=provenance_of(take))


@dataclass(frozen=True, slots=True)
class WrittenTakes:
    """What became of several takes.

    Attributes:
        files: those that were written.
        troubles: one sentence for each that could not be.
    """

    files: tuple[Exported, ...]
    troubles: tuple[EngineError, ...]


def write_takes(
    takes: Sequence[Take], archive: TakeArchive, folder: Path, template: str, kind: ExportFormat
) -> WrittenTakes:
    """Write each take as a new file, named from the template; one that fails stops no other.

    A take whose sound is not in memory is read from ``archive`` for it.
    """
    files, troubles = [], []
    for take in takes:
        path = folder / f"{name_of(take, template)}{kind.suffix}"
        try:
            if take.loaded:
                files.append(write_take(take, path, kind))
            else:
                saved = archive.load(take.entry_id)
                files.append(
                    export_take(path, saved.samples, saved.rate, kind, provenance=saved.provenance)
                )
        except EngineError as error:
            troubles.append(error)
    return WrittenTakes(tuple(files), tuple(troubles))


def read_take(path: Path) -> FoundTake | None:
    """What a sound file brings back; ``None`` when it is no take of this program.

    Raises:
        ProvenanceError: it is one, but damaged.
        ReferenceAudioError: its sound cannot be read.
    """
    from engine.audio import downmix, read_audio, resample

    provenance = read_provenance(path)
    if provenance is None:
        return None
    clip = read_audio(path)
    samples = downmix(clip.samples).samples
    if provenance.sample_rate > 0 and clip.rate != provenance.sample_rate:
        samples = resample(samples, clip.rate, provenance.sample_rate)
    samples = np.ascontiguousarray(samples, np.float32)
    samples.flags.writeable = False
    rate = provenance.sample_rate or clip.rate
    return FoundTake(provenance.of_this_sound(samples, rate), samples, _made(path))


def _made(path: Path) -> datetime.datetime:
    """From the name, where it tells, else from the file."""
    found = _TIME_IN_NAME.search(path.name)
    try:
        if found is not None:
            return datetime.datetime.strptime("".join(found.groups()), "%Y%m%d%H%M%S")
        return datetime.datetime.fromtimestamp(path.stat().st_mtime)
    except (OSError, ValueError, OverflowError):
        return datetime.datetime.now()
