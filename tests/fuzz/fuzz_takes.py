"""The archive of takes: damaged stories, sounds and codes, and links and pipes in their place."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path

from export_kit import a_provenance, speech
from fuzz_mutate import dump_json, mutate_bytes, mutate_json
from fuzz_target import Case, Content, attempt

from engine.errors import EngineError
from engine.takes.archive import RemovedTake, SavedTake, TakeArchive
from engine.takes.files import CODES_FILE, META_FILE, SOUND_FILE

_GOOD, _BAD = "20260101-000000-000000-00000000", "20260102-000000-000000-00000001"
_LINK, _SOON = "20260103-000000-000000-00000002", "20260104-000000-000000-00000003"
_PARTS = (META_FILE, SOUND_FILE, CODES_FILE)


class TakesTarget:
    """One take is damaged, another is sound and must stay so."""

    name = "takes"
    errors: tuple[type[Exception], ...] = (EngineError,)

    def prepare(self, home: Path) -> None:
        archive = TakeArchive(home / "made")
        when = datetime.datetime(2026, 1, 1)
        take = SavedTake(a_provenance(), speech(0.2), 44100, when, "Anna", "A title", True)
        entry = archive.add(take).entry
        folder = home / "made" / entry.id
        self._parts = {name: (folder / name).read_bytes() for name in _PARTS}
        self._tree = json.loads(self._parts[META_FILE])
        self._outside = home / "outside"
        self._outside.mkdir()
        for name, data in self._parts.items():
            (self._outside / name).write_bytes(data)

    def make(self, rng: random.Random) -> Case:
        bad: dict[str, Content] = dict(self._parts)
        for name in rng.sample(_PARTS, rng.choice((1, 1, 2))):
            bad[name] = self._damaged(rng, name)
        files: dict[str, Content] = {f"takes/{_GOOD}/{n}": d for n, d in self._parts.items()}
        files |= {f"takes/{_BAD}/{name}": content for name, content in bad.items()}
        match rng.randrange(12):
            case 0:
                files[f"takes/{_LINK}"] = self._outside
            case 1:
                files["takes/.trash"] = self._outside.parent
            case 2:
                files[f"takes/.trash/{_SOON}/{META_FILE}"] = self._parts[META_FILE]
            case 3:
                files["takes/.new-abc"] = rng.choice((self._outside, "folder", b""))
            case 4:
                files[f"takes/{_SOON}"] = rng.choice((b"", "pipe", "folder"))
        kept = {name for name in files if _GOOD not in name}
        return Case(files, plan=rng.choice((1, 10_000, 1 << 40)), may_change=frozenset(kept))

    def _damaged(self, rng: random.Random, name: str) -> Content:
        kind = rng.randrange(20)
        if kind == 0:
            return "pipe"
        if kind == 1:
            return self._outside / name
        if kind == 2:
            return "folder"
        if name == META_FILE and kind < 13:
            return dump_json(rng, mutate_json(rng, self._tree))
        fields = range(8, 30) if name == SOUND_FILE else range(6, 80)
        return mutate_bytes(rng, self._parts[name], (self._parts[SOUND_FILE],), tuple(fields))

    def read(self, folder: Path, case: Case) -> str:
        archive = TakeArchive(folder / "takes", max_bytes=1 << 40)
        archive.tidy()
        listed = {entry.id: entry for entry in archive.list()}
        assert not listed[_GOOD].error
        archive.used_bytes()
        loaded = attempt(lambda: archive.load(_BAD))
        attempt(lambda: archive.load(_LINK))
        for name in (_BAD, _LINK, "../x", ""):
            attempt(lambda name=name: archive.rename(name, "A new title"))
            attempt(lambda name=name: archive.star(name, False))
        if attempt(lambda: archive.remove(_BAD)):
            attempt(lambda: archive.undo(RemovedTake(_BAD)))
        archive.max_bytes = case.plan
        archive.would_remove(1000)
        archive.prune(keep=(_GOOD,))
        archive.purge()
        assert archive.load(_GOOD).title == "A title"
        for name, data in self._parts.items():
            assert (self._outside / name).read_bytes() == data, f"{name} outside was changed"
        return "loaded" if loaded else "refused" if listed[_BAD].error else "listed only"
