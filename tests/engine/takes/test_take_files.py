"""The archive of takes: kept whole, bounded, undoable, safe against damage and full disks."""

from __future__ import annotations

import datetime
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from error_kit import refused
from export_kit import RATE, a_provenance, speech

from engine.errors import OutputError
from engine.takes.archive import RemovedTake, SavedTake, TakeArchive, TakeEntry, TakeError
from engine.types import Metrics

NOON = datetime.datetime(2024, 5, 6, 12, 0, 0, 123456)
ROOT = Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"


def a_take(number: int = 0, seconds: float = 0.2, *, starred: bool = False) -> SavedTake:
    return SavedTake(
        replace(a_provenance(), seed=number, text=f"Take {number} \u4f60 \ud800"),
        speech(seconds), RATE, NOON + datetime.timedelta(minutes=number),
        "\u00c9lan", starred=starred, metrics=Metrics(frames=20, total_rtf=1.5, seed=number),
    )  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> TakeArchive:
    return TakeArchive(tmp_path / "takes")


def seeds(entries: list[TakeEntry]) -> list[int]:
    return [e.provenance.seed if e.provenance else -1 for e in entries]


def test_an_empty_archive_touches_nothing(archive: TakeArchive) -> None:
    assert archive.list() == []
    assert archive.used_bytes() == 0
    assert archive.would_remove(1 << 40) == []
    archive.tidy()
    assert not archive.folder.exists()


def test_a_take_comes_back_whole(archive: TakeArchive) -> None:
    given = a_take(3)
    entry = archive.add(given).entry
    again = TakeArchive(archive.folder)
    assert again.list() == [entry]
    back = again.load(entry.id)
    assert back.provenance == given.provenance
    assert back.provenance.codes is not None
    assert np.abs(back.samples - given.samples).max() <= 2**-23
    assert not back.samples.flags.writeable
    assert (back.rate, back.made, back.voice, back.title, back.starred, back.metrics) == (
        given.rate, given.made, given.voice, given.title, given.starred, given.metrics,
    )  # fmt: skip
    assert entry.seconds == pytest.approx(0.2)
    assert entry.frames == 20
    assert entry.size == sum(f.stat().st_size for f in (archive.folder / entry.id).iterdir())
    assert entry.size <= archive.estimate_bytes(len(given.samples), 20)


def test_a_take_without_codes_is_kept_too(archive: TakeArchive) -> None:
    given = replace(a_take(), provenance=replace(a_provenance(), codes=None))
    assert archive.load(archive.add(given).entry.id).provenance == given.provenance


def test_the_newest_is_first_and_same_moments_do_not_collide(archive: TakeArchive) -> None:
    for number in (2, 0, 1, 1, 1):
        archive.add(a_take(number))
    assert seeds(archive.list()) == [2, 1, 1, 1, 0]


def test_star_and_title_last(archive: TakeArchive) -> None:
    entry = archive.add(a_take()).entry
    before = archive.load(entry.id)
    assert archive.star(entry.id).starred
    assert archive.rename(entry.id, "The good one \u2603").title == "The good one \u2603"
    found = TakeArchive(archive.folder).list()[0]
    assert (found.starred, found.title) == (True, "The good one \u2603")
    after = archive.load(entry.id)
    assert after.provenance == before.provenance
    assert np.array_equal(after.samples, before.samples)
    assert not archive.star(entry.id, False).starred
    with refused("take.absent", TakeError):
        archive.star(entry.id.replace("2024", "2023"))


def test_remove_can_be_undone_until_purged(archive: TakeArchive) -> None:
    entry = archive.add(a_take(1)).entry
    other = archive.add(a_take(2)).entry
    removed = archive.remove(entry.id)
    assert archive.list() == [other]
    assert archive.used_bytes() == entry.size + other.size
    assert archive.undo(removed) == entry
    assert archive.list() == [other, entry]
    assert archive.load(entry.id).provenance.seed == 1
    again = archive.remove(entry.id)
    archive.purge([again])
    assert archive.used_bytes() == other.size
    with refused("take.not_in_trash", TakeError):
        archive.undo(again)
    with refused("take.absent", TakeError):
        archive.remove(entry.id)


def test_the_oldest_unstarred_go_first_and_are_named_before(archive: TakeArchive) -> None:
    size = archive.add(a_take(0, starred=True)).entry.size
    for number in (1, 2, 3):
        archive.add(a_take(number))
    archive.max_bytes = 4 * size + size // 2
    assert archive.would_remove() == []
    plan = archive.would_remove(size)
    assert seeds(plan) == [1]
    assert seeds(archive.would_remove(3 * size)) == [1, 2, 3]
    assert len(archive.list()) == 4
    added = archive.add(a_take(4))
    assert list(added.removed) == plan
    assert seeds(archive.list()) == [4, 3, 2, 0]
    assert archive.used_bytes() <= archive.max_bytes


def test_the_new_take_stays_even_when_nothing_fits(archive: TakeArchive) -> None:
    archive.add(a_take(0, starred=True))
    archive.add(a_take(1))
    archive.max_bytes = 10
    added = archive.add(replace(a_take(2), made=NOON - datetime.timedelta(days=1)))
    assert seeds(list(added.removed)) == [1]
    assert seeds(archive.list()) == [0, 2]


def test_the_trash_goes_before_any_take(archive: TakeArchive) -> None:
    first = archive.add(a_take(0)).entry
    archive.add(a_take(1))
    removed = archive.remove(first.id)
    archive.max_bytes = 2 * first.size + first.size // 2
    assert archive.add(a_take(2)).removed == ()
    assert seeds(archive.list()) == [2, 1]
    with pytest.raises(TakeError):
        archive.undo(removed)


DAMAGES: list[Callable[[Path], object]] = [
    lambda f: (f / "take.json").unlink(),
    lambda f: (f / "sound.flac").unlink(),
    lambda f: (f / "take.json").write_bytes(b""),
    lambda f: (f / "take.json").write_bytes(b"\xff\xfe\0"),
    lambda f: (f / "take.json").write_text("[]"),
    lambda f: (f / "take.json").write_text('{"archive":1}'),
    lambda f: (f / "take.json").write_text("[" * 200_000),
    lambda f: (f / "take.json").write_bytes(b" " * (5 << 20)),
    lambda f: edit(f, lambda plain: plain.update(samples=0)),
    lambda f: edit(f, lambda plain: plain.update(rate=10**12)),
    lambda f: edit(f, lambda plain: plain.update(made="yesterday")),
    lambda f: edit(f, lambda plain: plain.update(take=None)),
    lambda f: edit(f, lambda plain: plain["take"].update(s2take=7)),
    lambda f: edit(f, lambda plain: plain["metrics"].update(frames="many")),
]


def edit(folder: Path, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg]
    path = folder / "take.json"
    plain = json.loads(path.read_text())
    change(plain)
    path.write_text(json.dumps(plain))


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_take_says_so_and_hides_no_other(
    archive: TakeArchive, damage: Callable[[Path], object]
) -> None:
    bad = archive.add(a_take(1)).entry
    good = archive.add(a_take(2)).entry
    damage(archive.folder / bad.id)
    listed = archive.list()
    assert listed[0] == good
    assert listed[1].id == bad.id
    assert listed[1].error
    with pytest.raises(TakeError):
        archive.load(bad.id)
    assert archive.load(good.id).provenance.seed == 2
    archive.max_bytes = 1
    assert bad.id not in [entry.id for entry in archive.would_remove()]
    archive.remove(bad.id)
    assert archive.list() == [good]


def cut(path: Path, keep: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(keep * len(data))])


@pytest.mark.parametrize("name", ["sound.flac", "codes.npy"])
@pytest.mark.parametrize("keep", [0.0, 0.05, 0.5, 0.98])
def test_cut_sound_or_codes_are_a_typed_error(archive: TakeArchive, name: str, keep: float) -> None:
    entry = archive.add(a_take(1)).entry
    cut(archive.folder / entry.id / name, keep)
    with pytest.raises(TakeError):
        archive.load(entry.id)


def test_links_and_foreign_names_are_left_alone(archive: TakeArchive, tmp_path: Path) -> None:
    entry = archive.add(a_take(1)).entry
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "take.json").write_text("{}")
    link = archive.folder / entry.id.replace("2024", "2025")
    link.symlink_to(outside)
    (archive.folder / "notes").mkdir()
    (archive.folder / "a.txt").write_text("mine")
    assert [e.id for e in archive.list()] == [link.name, entry.id]
    assert archive.list()[0].error
    with pytest.raises(TakeError):
        archive.remove(link.name)
    for bad in ("..", "../outside", "", "notes", entry.id + "/..", entry.id + "\n"):
        with pytest.raises(TakeError):
            archive.load(bad)
        with pytest.raises(TakeError):
            archive.undo(RemovedTake(bad))
        with pytest.raises(TakeError):
            archive.purge([RemovedTake(bad)])
    archive.max_bytes = 1
    archive.prune()
    archive.tidy()
    assert (outside / "take.json").exists()
    assert (archive.folder / "notes").is_dir()
    assert (archive.folder / "a.txt").exists()


def test_a_full_disk_keeps_the_take_in_memory_and_leaves_nothing(archive: TakeArchive) -> None:
    old = archive.add(a_take(1, 0.02)).entry
    given = a_take(2, 0.5)
    before = given.samples.copy()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
    try:
        with refused("output.no_room", OutputError):
            archive.add(given)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert archive.list() == [old]
    assert [p.name for p in archive.folder.iterdir()] == [old.id]
    assert np.array_equal(given.samples, before)
    assert archive.add(given).entry.error == ""


def test_no_sound_is_refused(archive: TakeArchive) -> None:
    with refused("sound.none_yet", OutputError):
        archive.add(replace(a_take(), samples=np.zeros(0, np.float32)))
    assert archive.list() == []


def test_a_file_in_place_of_the_folder_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "takes").write_text("in the way")
    with pytest.raises(OutputError):
        TakeArchive(tmp_path / "takes").add(a_take())


KEEP_ADDING = """
import sys
sys.path[:0] = sys.argv[2:]
from test_take_files import TakeArchive, a_take
archive, number = TakeArchive(sys.argv[1]), 0
while True:
    archive.add(a_take(number, 0.05))
    print(number, flush=True)
    number += 1
"""


def test_a_killed_program_leaves_only_whole_takes(archive: TakeArchive) -> None:
    rng = random.Random(1)
    done = 0
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", KEEP_ADDING, str(archive.folder), str(SUPPORT),
             str(Path(__file__).parent)],
            stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip
        assert child.stdout is not None
        for _ in range(rng.randint(1, 5)):
            assert child.stdout.readline()
            done += 1
        time.sleep(rng.uniform(0, 0.01))  # the kill shall hit any point of the next write
        child.send_signal(signal.SIGKILL)
        child.communicate()
    entries = archive.list()
    assert len(entries) >= done
    for entry in entries:
        assert entry.error == ""
        archive.load(entry.id)
    for path in archive.folder.glob(".new-*"):
        os.utime(path, (0, 0))
    archive.tidy()
    assert sorted(p.name for p in archive.folder.iterdir()) == sorted(e.id for e in entries)


def test_tidy_spares_what_another_program_is_writing(archive: TakeArchive) -> None:
    archive.add(a_take())
    busy = archive.folder / ".new-0123456789abcdef"
    busy.mkdir()
    archive.tidy()
    assert busy.is_dir()
    os.utime(busy, (0, 0))
    archive.tidy()
    assert not busy.exists()


def test_a_program_killed_while_old_takes_go_leaves_no_half_take(
    archive: TakeArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        archive.add(a_take(number))

    def killed(folder: Path, ignore_errors: bool = False) -> None:
        (Path(folder) / "sound.flac").unlink(missing_ok=True)
        raise KeyboardInterrupt

    archive.max_bytes = 1
    monkeypatch.setattr(shutil, "rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        archive.prune()
    monkeypatch.undo()
    assert [entry.error for entry in archive.list()] == [""] * 2
