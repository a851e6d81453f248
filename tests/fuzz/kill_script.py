"""Saves without an end, to be killed at any moment; says ``begun`` when it has saved once.

Each saver writes contents that can be told from each other and checked as a whole.
"""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

HERE = Path(__file__).resolve().parent
for _place in (HERE.parents[1], HERE.parent / "support", HERE):
    sys.path.insert(0, str(_place))

import numpy as np  # noqa: E402
from export_kit import a_provenance, speech  # noqa: E402
from PySide6.QtCore import QCoreApplication  # noqa: E402

from app.core import settings as keys  # noqa: E402
from app.voices.store import VoiceStore  # noqa: E402
from engine.storage.files import write_file  # noqa: E402
from engine.takes.archive import SavedTake, TakeArchive  # noqa: E402
from engine.takes.export import ExportFormat, export_take  # noqa: E402
from engine.voices import VoiceLibrary, VoiceProfile  # noqa: E402
from engine.voices.notes import VoiceNotes  # noqa: E402

VOICE_FRAMES = 200
TAKE_SECONDS = 1.0
FILLER = "x" * 20_000


def save_voices(folder: Path) -> Iterator[None]:
    """One voice and its notes over and over, each time with other codes."""
    store = VoiceStore(VoiceLibrary(folder / "voices"))
    for number in count():
        codes = np.full((10, VOICE_FRAMES), number % 1000, np.int32)
        notes = VoiceNotes(notes=f"{number % 1000} {FILLER}")
        profile = VoiceProfile(f"take {number % 1000}", codes, 44100, 4096)
        store.save("anna", profile, notes, overwrite=True)
        yield


def save_settings(folder: Path) -> Iterator[None]:
    """Two settings that belong together."""
    _app = QCoreApplication([])
    settings = keys.Settings(folder / "config" / "studio.json")
    for number in count():
        settings.set(keys.SCRIPT, f"{number} {FILLER}")
        settings.set(keys.RECENT_MODELS, [str(number), FILLER])
        settings.sync()
        yield


def save_takes(folder: Path) -> Iterator[None]:
    """New takes; the newest one is renamed, starred, removed and brought back."""
    archive = TakeArchive(folder / "takes", max_bytes=3 << 20)
    provenance, sound = a_provenance(), speech(TAKE_SECONDS)
    for number in count():
        when = datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=number)
        take = SavedTake(replace(provenance, text=f"number {number}"), sound, 44100, when)
        entry = archive.add(take).entry
        archive.rename(entry.id, f"title {number} {FILLER}")
        archive.star(entry.id, number % 2 == 0)
        archive.undo(archive.remove(entry.id))
        archive.star(entry.id, False)
        yield


def save_exports(folder: Path) -> Iterator[None]:
    """Files of two kinds beside each other."""
    (folder / "out").mkdir(exist_ok=True)
    provenance, sound = a_provenance(), speech(TAKE_SECONDS)
    for number in count():
        kind = (ExportFormat.WAV_16, ExportFormat.FLAC_16)[number % 2]
        export_take(folder / "out" / "take", sound, 44100, kind, provenance=provenance)
        yield


def save_kernels(folder: Path) -> Iterator[None]:
    """Files as the cache of compiled kernels has them."""
    (folder / "kernels").mkdir(exist_ok=True)
    for number in count():
        path = folder / "kernels" / f"kernel-{number % 5}.bin"
        write_file(path, [bytes([number % 251]) * 200_000], durable=False)
        yield


SAVERS: dict[str, Callable[[Path], Iterator[None]]] = {
    "voices": save_voices,
    "settings": save_settings,
    "takes": save_takes,
    "exports": save_exports,
    "kernels": save_kernels,
}


def say(line: object) -> None:
    """In one write: parent and child share the pipe, and ``print`` may write in pieces."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def main(what: str, folder: Path) -> None:
    """For each line of input, start a saver and say its number, and how it ended."""
    for _ in sys.stdin:
        child = os.fork()  # everything is imported by now: a start takes no time
        if child == 0:
            for number, _saved in enumerate(SAVERS[what](folder)):
                if number == 0:
                    say("begun")
        say(child)
        _, status = os.waitpid(child, 0)
        say(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
