"""Killed at any moment while it saves: what is there is whole, and the next start goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import soundfile
from kill_script import FILLER, TAKE_SECONDS, save_exports, save_kernels, save_takes, save_voices
from PySide6.QtWidgets import QApplication

from app.core import settings as keys
from app.voices.store import VoiceStore
from engine.storage.files import STALE_S
from engine.takes.archive import TakeArchive
from engine.takes.provenance import read_provenance
from engine.voices import VoiceLibrary
from engine.voices.notes import VoiceNotes

SCRIPT = Path(__file__).with_name("kill_script.py")
KILLS, NIGHTLY_KILLS = 12, 200
LONGEST_S = 0.1

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform == "win32", reason="needs signals"),
]


@contextmanager
def savers(what: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that starts a saver for each line it gets."""
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT), what, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.communicate(timeout=60)


def kill_while_saving(process: subprocess.Popen[str], rng: random.Random) -> None:
    """Start a saver, let it save for a moment, and kill it without a warning."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    said = {process.stdout.readline().strip(), process.stdout.readline().strip()}
    assert "begun" in said
    (child,) = said - {"begun"}
    time.sleep(rng.uniform(0, LONGEST_S))  # the moment of the kill is the point of the test
    os.kill(int(child), signal.SIGKILL)
    assert int(process.stdout.readline()) == -signal.SIGKILL


def check_voices(folder: Path) -> None:
    store = VoiceStore(VoiceLibrary(folder / "voices"))
    assert store.library.ids() == ["anna"]
    (entry,) = store.library.list()
    assert not entry.error
    profile = store.library.load("anna")
    assert profile.transcript == f"take {profile.codes[0, 0]}"
    assert (profile.codes == profile.codes[0, 0]).all()
    notes = VoiceNotes.from_bytes(store.sidecar("anna").read_bytes()).notes
    assert notes.endswith(FILLER)
    # The notes are written after the voice; they may be one behind, never two.
    assert (int(profile.codes[0, 0]) - int(notes.split()[0])) % 1000 in (0, 1)


def check_settings(folder: Path) -> None:
    settings = keys.Settings(folder / "config" / "studio.json")
    assert settings.notice == ""
    number, filler = settings.get(keys.RECENT_MODELS)
    assert settings.get(keys.SCRIPT) == f"{number} {FILLER}"
    assert filler == FILLER
    settings.set(keys.THEME, "light" if settings.get(keys.THEME) == "dark" else "dark")
    settings.sync()


def check_takes(folder: Path) -> None:
    archive = TakeArchive(folder / "takes")
    archive.tidy()
    entries = archive.list()
    assert entries
    for entry in entries:
        assert not entry.error, entry
        take = archive.load(entry.id)
        assert len(take.samples) == round(TAKE_SECONDS * 44100)
        number = take.provenance.text.removeprefix("number ")
        assert take.title in ("", f"title {number} {FILLER}")


def check_exports(folder: Path) -> None:
    for path in (folder / "out").iterdir():
        if path.name.startswith("."):
            continue
        assert soundfile.info(path).frames == round(TAKE_SECONDS * 44100)
        provenance = read_provenance(path)
        assert provenance is not None
        assert provenance.codes is not None


def check_kernels(folder: Path) -> None:
    for path in (folder / "kernels").glob("*.bin"):
        data = path.read_bytes()
        assert data == data[:1] * 200_000


CHECKS: dict[str, Callable[[Path], None]] = {
    "voices": check_voices,
    "settings": check_settings,
    "takes": check_takes,
    "exports": check_exports,
    "kernels": check_kernels,
}


@pytest.mark.parametrize("what", CHECKS)
def test_killed_while_saving(what: str, qapp: QApplication, nightly: bool, tmp_path: Path) -> None:
    rng = random.Random(what)
    with savers(what, tmp_path) as process:
        for _ in range(NIGHTLY_KILLS if nightly else KILLS):
            kill_while_saving(process, rng)
            CHECKS[what](tmp_path)
    strangers = [
        path
        for path in tmp_path.rglob("*")
        if path.name.endswith(".tmp") and not path.name.startswith(".s2-")
    ]
    assert not strangers


@pytest.mark.parametrize(
    ("save", "place"),
    [
        (save_voices, "voices"),
        (save_takes, "takes"),
        (save_exports, "out"),
        (save_kernels, "kernels"),
    ],
)
def test_the_next_save_clears_what_a_killed_one_left(
    save: Callable, place: str, tmp_path: Path
) -> None:
    folder = tmp_path / place
    folder.mkdir()
    old, young = folder / f".s2-{'a' * 16}.tmp", folder / f".s2-{'b' * 16}.tmp"
    mine = folder / ".s2-notes.tmp"
    taken = folder / ".new-abc"
    for path in (old, young, mine):
        path.write_bytes(b"half a file")
    taken.mkdir()
    past = time.time() - STALE_S - 60
    for path in (old, mine, taken):
        os.utime(path, (past, past))
    if place == "takes":
        TakeArchive(folder).tidy()
        assert not taken.exists()
    next(save(tmp_path))
    assert not old.exists() or place == "takes"
    assert young.exists()
    assert mine.exists(), "no file of ours: its name is another one"
