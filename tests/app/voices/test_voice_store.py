"""Voices on disk with their sidecars, and the watch over their folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from voice_kit import kept_voice

from app.core.file_dialogs import to_trash
from app.voices.folder_watcher import FolderWatcher
from app.voices.store import VoiceStore
from engine.errors import EngineError, OutputError, VoiceError
from engine.voices import VoiceLibrary, VoiceProfile, load_clips, read_sidecar
from engine.voices.notes import VoiceNotes

NOTES = VoiceNotes(notes="Für Élan", language="de", consent="Anna, 2026", source_name="a.wav")


def profile(text: str = "A text.", frames: int = 4) -> VoiceProfile:
    return VoiceProfile(text, np.zeros((10, frames), np.int32), 44100, 4096)


@pytest.fixture
def store(tmp_path: Path) -> VoiceStore:
    bin_ = tmp_path / "trash"
    bin_.mkdir()

    def trash(path: Path) -> Path:
        return path.replace(bin_ / path.name)

    return VoiceStore(VoiceLibrary(tmp_path / "voices"), trash)


def test_the_profile_stays_as_the_peer_writes_it(store: VoiceStore) -> None:
    store.save("Anna", profile(), NOTES)
    assert store.library.path("Anna").read_bytes() == profile().to_bytes()
    assert store.read_notes("Anna") == NOTES
    plain = json.loads(store.sidecar("Anna").read_text(encoding="utf-8"))
    assert plain["notes"] == "Für Élan"


def test_nothing_is_overwritten_unasked(store: VoiceStore) -> None:
    store.save("Anna", profile("First."), NOTES)
    with pytest.raises(OutputError, match="exists"):
        store.save("Anna", profile("Second."), VoiceNotes())
    assert store.library.load("Anna").transcript == "First."
    assert store.read_notes("Anna") == NOTES
    with pytest.raises(VoiceError, match="letter case"):
        store.save("anna", profile("Second."), VoiceNotes())
    assert store.like("ANNA") == "Anna"
    assert store.like("Berta") == ""
    assert store.free_name("Anna") == "Anna 2"


def test_the_sidecar_goes_where_the_voice_goes(store: VoiceStore) -> None:
    store.save("Anna", profile(), NOTES)
    store.rename("Anna", "Berta")
    assert store.read_notes("Berta") == NOTES
    assert not store.sidecar("Anna").exists()
    assert store.import_file(store.library.path("Berta")) == "Berta 2"
    assert store.read_notes("Berta 2") == NOTES
    gone = store.trash("Berta")
    assert not store.sidecar("Berta").exists()
    assert store.library.ids() == ["Berta 2"]
    store.restore(gone)
    assert store.read_notes("Berta") == NOTES
    assert store.library.load("Berta") == profile()


def test_a_rename_that_fails_changes_nothing(
    store: VoiceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save("Anna", profile(), NOTES)
    store.save("Berta", profile("Other."), VoiceNotes())
    with pytest.raises(EngineError):
        store.rename("Anna", "Berta")
    assert store.library.load("Berta").transcript == "Other."

    def refuse(*_: Any) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(os, "rename", refuse)
    with pytest.raises(OutputError, match="in use"):
        store.rename("Anna", "Clara")
    monkeypatch.undo()
    assert store.library.ids() == ["Anna", "Berta"]
    assert store.read_notes("Anna") == NOTES


def test_taking_back_never_replaces(store: VoiceStore) -> None:
    store.save("Anna", profile("First."), NOTES)
    gone = store.trash("Anna")
    store.save("Anna", profile("Second."), VoiceNotes())
    with pytest.raises(OutputError, match="taken"):
        store.restore(gone)
    assert store.library.load("Anna").transcript == "Second."
    store.trash("Anna")
    for _, place in gone.files:
        place.unlink(missing_ok=True)
    with pytest.raises(OutputError, match="not in the trash"):
        store.restore(gone)


def test_without_a_trash_nothing_is_deleted(tmp_path: Path) -> None:
    store = VoiceStore(VoiceLibrary(tmp_path), lambda path: None)
    store.save("Anna", profile(), NOTES)
    with pytest.raises(OutputError, match="trash"):
        store.trash("Anna")
    assert store.library.load("Anna") == profile()
    with pytest.raises(VoiceError):
        store.trash("Nobody")


def test_the_systems_trash_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one, in a home of its own."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    store = VoiceStore(VoiceLibrary(tmp_path / "voices"), to_trash)
    store.save("Anna", profile(), NOTES)
    try:
        gone = store.trash("Anna")
    except OutputError:
        pytest.skip("this system has no trash for the folder of the tests")
    assert store.library.ids() == []
    assert all(place.exists() for _, place in gone.files)
    store.restore(gone)
    assert store.library.load("Anna") == profile()
    assert store.read_notes("Anna") == NOTES
    assert not any(place.exists() for _, place in gone.files)


def test_export_and_import_carry_the_notes(store: VoiceStore, tmp_path: Path) -> None:
    store.save("Anna", profile(), NOTES)
    out = tmp_path / "out" / "Anna.s2voice"
    out.parent.mkdir()
    store.export(store.library.path("Anna"), out)
    assert out.read_bytes() == profile().to_bytes()
    assert store.import_file(out) == "Anna 2"
    assert store.read_notes("Anna 2") == NOTES
    (tmp_path / "bad.s2voice").write_bytes(b"S2VOICE\0 cut")
    with pytest.raises(VoiceError):
        store.import_file(tmp_path / "bad.s2voice")
    assert store.library.ids() == ["Anna", "Anna 2"]


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff\xfe", b"[" * 100_000, b'{"notes": 5}'])
def test_a_damaged_sidecar_hides_nothing_and_is_kept(store: VoiceStore, data: bytes) -> None:
    store.save("Anna", profile(), NOTES)
    store.sidecar("Anna").write_bytes(data)
    assert store.read_notes("Anna") == VoiceNotes()
    store.write_notes("Anna", NOTES)
    assert store.read_notes("Anna") == NOTES
    kept = list(Path(store.library.directory).glob("*.damaged*.json"))
    assert bool(kept) is (not data.startswith(b'{"'))


def test_what_a_newer_version_wrote_stays(store: VoiceStore) -> None:
    store.save("Anna", profile(), NOTES)
    plain = json.loads(store.sidecar("Anna").read_text(encoding="utf-8"))
    store.sidecar("Anna").write_text(json.dumps({**plain, "pitch": [1, 2]}), encoding="utf-8")
    store.write_notes("Anna", store.read_notes("Anna"))
    assert json.loads(store.sidecar("Anna").read_text(encoding="utf-8"))["pitch"] == [1, 2]


def test_absent_notes_are_empty(tmp_path: Path) -> None:
    assert read_sidecar(tmp_path / "nothing.json") == VoiceNotes()


def test_the_watch_tells_once_of_a_burst(qtbot: QtBot, tmp_path: Path) -> None:
    watch = FolderWatcher(tmp_path)
    told: list[int] = []
    watch.changed.connect(lambda: told.append(1))
    with qtbot.waitSignal(watch.changed, timeout=10_000):
        for number in range(20):
            (tmp_path / f"{number}.s2voice").write_bytes(b"")
    assert told == [1]


def test_the_watch_waits_for_a_folder_that_is_not_there(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "voices"
    watch = FolderWatcher(folder)
    with qtbot.waitSignal(watch.changed, timeout=10_000):
        folder.mkdir(parents=True)
    qtbot.waitUntil(lambda: watch.folders == [str(folder)], timeout=10_000)
    with qtbot.waitSignal(watch.changed, timeout=10_000):
        (folder / "x.s2voice").write_bytes(b"")


def test_what_lies_beside_a_voice_goes_to_the_systems_trash_and_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    library, anna = kept_voice(tmp_path / "voices", "Anna: kitchen?")
    store = VoiceStore(library, to_trash)
    try:
        gone = store.trash(anna)
    except OutputError:
        pytest.skip("this system has no trash for the folder of the tests")
    assert list((tmp_path / "voices").iterdir()) == []
    assert len(gone.files) == 3
    store.restore(gone)
    assert library.name_of(library.path(anna)) == "Anna: kitchen?"
    assert load_clips(library.companions(anna))
