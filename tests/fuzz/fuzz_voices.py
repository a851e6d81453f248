"""Voice files with their notes, and the names that voices and files get."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

from fuzz_mutate import TEXT_TRAPS, dump_json, mutate_bytes, mutate_json
from fuzz_target import Case, Content, attempt

from app.voices.store import VoiceStore
from engine.errors import EngineError
from engine.takes.export import export_name
from engine.voices import (
    VoiceLibrary,
    VoiceProfile,
    read_sidecar,
    resolve_voice,
    safe_name,
    unique_name,
    valid_id,
)

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "voice-tiny-f32.s2voice"
_FIELDS = tuple(range(8, 44, 4))
_NOTES = {
    "notes": "From the radio.", "language": "en", "consent": "given", "source_name": "clip.wav",
    "source_sha256": "ab" * 32, "source_seconds": 9.5, "made": "2026-11-30T02:00:00+01:00",
    "version": 1, "from_a_newer_version": {"list": [1, 2]},
}  # fmt: skip


class VoiceTarget:
    """A damaged voice, its notes, and links and pipes in their place, in a library and a store."""

    name = "voice"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        self._good = GOLDEN.read_bytes()
        self._outside = home / "outside.json"
        self._outside.write_text(json.dumps(_NOTES), encoding="utf-8")
        self._outside_bytes = self._outside.read_bytes()

    def make(self, rng: random.Random) -> Case:
        voice: Content = mutate_bytes(rng, self._good, (), _FIELDS)
        if rng.random() < 0.3:
            voice = self._good
        notes: Content = dump_json(rng, mutate_json(rng, _NOTES))
        if rng.random() < 0.2:
            notes = mutate_bytes(rng, json.dumps(_NOTES).encode())
        match rng.randrange(40):
            case 0:
                voice = "pipe"
            case 1:
                notes = "pipe"
            case 2:
                voice = self._outside
            case 3:
                notes = self._outside
            case 4:
                notes = "folder"
            case 5:
                voice = "folder"
        room = rng.choice((0, 0, 0, 1 << 20, 1 << 30)) if isinstance(voice, bytes) and voice else 0
        files = {"v/anna.s2voice": voice, "v/anna.json": notes, "v/bert.s2voice": self._good}
        return Case(files, may_change=frozenset(files), room=room if rng.random() < 0.1 else 0)

    def read(self, folder: Path, case: Case) -> str:
        library = VoiceLibrary(folder / "v")
        assert "bert" in library.ids()
        listed = {entry.id: entry.error for entry in library.list()}
        assert listed["bert"] == ""
        store = VoiceStore(library, trash=lambda path: None)
        before = self._bytes_of(folder / "v" / "anna.s2voice")
        try:
            profile = library.load("anna")
        except EngineError:
            outcome = "refused"
            attempt(lambda: store.import_file(folder / "v" / "anna.s2voice"))
        else:
            outcome = "listed as bad" if listed.get("anna") else "loaded"
            self._use(store, profile)
        self._notes(store)
        assert self._bytes_of(folder / "v" / "anna.s2voice") == before
        assert self._outside.read_bytes() == self._outside_bytes, "a file outside was changed"
        assert library.load("bert") == VoiceProfile.load(GOLDEN)
        return outcome

    def _use(self, store: VoiceStore, profile: VoiceProfile) -> None:
        attempt(lambda: profile.check_model(10, 64, 44100, 64, 32))
        assert 0 <= profile.codes.min() <= profile.codes.max() < profile.codebook_size
        again = attempt(lambda: VoiceProfile.from_bytes(profile.to_bytes()))
        assert again is None or again == profile
        copy = attempt(lambda: store.import_file(store.library.path("anna")))
        if copy is not None:
            attempt(lambda: store.rename(copy, "clara"))

    def _notes(self, store: VoiceStore) -> None:
        notes = attempt(lambda: store.read_notes("anna"))
        if notes is None:
            return
        attempt(lambda: store.write_notes("anna", notes))
        read_sidecar(store.library.directory / "anna.json")

    @staticmethod
    def _bytes_of(path: Path) -> bytes:
        return path.read_bytes() if path.is_file() and path.stat().st_size < 1 << 24 else b""


class NamesTarget:
    """Names from anywhere: what is accepted stays in its folder and means one file."""

    name = "names"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        self._profile = VoiceProfile.load(GOLDEN)

    def make(self, rng: random.Random) -> Case:
        names = []
        for _ in range(6):
            parts = [rng.choice(TEXT_TRAPS) for _ in range(rng.choice((1, 1, 2, 3)))]
            if rng.random() < 0.6:
                points = (rng.randrange(0x20, 0x250), rng.randrange(0x110000), 0x300, 0x2E, 0x41)
                parts.append("".join(chr(rng.choice(points)) for _ in range(rng.randrange(1, 12))))
            name = rng.choice(("", "a", "Anna")) + "".join(parts)
            names.append(rng.choice((name, name.swapcase(), name[::-1], name + ".s2voice")))
        return Case({"secret.s2voice": GOLDEN.read_bytes()}, plan=names)

    def read(self, folder: Path, case: Case) -> str:
        library = VoiceLibrary(folder / "v")
        kept: dict[str, VoiceProfile] = {}
        for name in case.plan:
            self._resolve(library, name)
            made = safe_name(name)
            assert valid_id(made), ascii(made)
            unique = unique_name(made, kept)
            assert unique not in kept
            assert valid_id(unique)
            exported = export_name(text=name, voice=name[::-1], model=name)
            assert os.sep not in exported
            assert len(exported.encode("utf-8")) < 200
            for wish in (name, unique):
                try:
                    path = library.save(wish, self._profile, overwrite=False)
                except EngineError:
                    continue
                assert path.parent == library.directory
                assert wish not in kept, "one name, two voices"
                kept[wish] = self._profile
        assert library.ids() == sorted(kept, key=os.fsencode)
        for wish in list(kept):
            assert library.load(wish) == self._profile
            assert library.remove(wish)
        assert library.ids() == []
        return f"kept {min(len(kept), 3)}"

    @staticmethod
    def _resolve(library: VoiceLibrary, name: str) -> None:
        _, voice_id = resolve_voice(name, library.directory)
        for work in (library.path, library.load):
            attempt(lambda work=work: work(voice_id or ""))  # type: ignore[misc]
