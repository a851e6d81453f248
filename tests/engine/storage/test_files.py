"""The one writer of whole files, with a failure at each of its steps, and names that are free."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from engine.errors import OutputError
from engine.storage import files
from engine.storage.files import output_error, save_file, telling, write_file, write_new
from engine.storage.names import free_name, numbered

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs links and permissions of POSIX")
NEW = b"new" * 1000
Writer = Callable[[Path], object]
WRITERS: dict[str, Writer] = {
    "replace": lambda path: write_file(path, [NEW]),
    "follow": lambda path: write_file(path, [NEW], follow=True),
    "private": lambda path: write_file(path, [NEW], private=True),
    "not durable": lambda path: write_file(path, [NEW], durable=False),
    "save": lambda path: save_file(path, [NEW]),
    "new": lambda path: write_new([path], [NEW]),
    "numbered": lambda path: write_new(numbered(path), [NEW]),
}
REPLACING = [name for name in WRITERS if name not in ("new", "numbered")]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(params=WRITERS)
def writer(request: pytest.FixtureRequest) -> Writer:
    return WRITERS[request.param]


@pytest.mark.parametrize("step", ["open", "write", "sync", "name"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_failure_at_any_step_leaves_what_was_there(
    writer: Writer, step: str, old: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.bin"
    if old is not None:
        path.write_bytes(old)
    fail_at(step, monkeypatch)
    if step == "sync" and writer is WRITERS["not durable"]:
        writer(path)
        old = NEW
    else:
        with pytest.raises((OSError, OutputError), match=r"Input/output error|exists"):
            writer(path)
    assert content(tmp_path) == ({} if old is None else {"x.bin": old})


def fail_at(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    if step == "open":
        monkeypatch.setattr(files, "create_exclusive", fail)
    elif step == "write":
        monkeypatch.setattr(files, "write_all", fail)
    elif step == "sync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(os, "link", fail)
        monkeypatch.setattr(os, "replace", fail)


@pytest.mark.parametrize("error", [RuntimeError("stop"), KeyboardInterrupt(), OSError(5, "gone")])
def test_parts_that_fail_leave_nothing(error: BaseException, tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise error

    for write in (write_file, lambda path, data: write_new([path], data)):
        with pytest.raises(type(error)):
            write(tmp_path / "x", parts())
    assert content(tmp_path) == {}


@POSIX
@pytest.mark.parametrize("name", WRITERS)
def test_file_and_folder_reach_the_disk_in_this_order(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    sync, replace, link = os.fsync, os.replace, os.link

    def synced(descriptor: int) -> None:
        told.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        sync(descriptor)

    def named(move: Callable) -> Callable:
        return lambda *paths: (told.append("name"), move(*paths))[1]

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", named(replace))
    monkeypatch.setattr(os, "link", named(link))
    WRITERS[name](tmp_path / "x")
    assert told == (["name"] if name == "not durable" else ["file", "name", "folder"])


@pytest.mark.parametrize("name", REPLACING)
def test_replacing(name: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    WRITERS[name](tmp_path / "x")
    assert content(tmp_path) == {"x": NEW}


@POSIX
@pytest.mark.parametrize(("mode", "private"), [(0o640, False), (0o600, False), (0o644, True)])
def test_permissions_of_a_replaced_file_stay(mode: int, private: bool, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(mode)
    write_file(tmp_path / "x", [NEW], private=private)
    kept = stat.S_IMODE((tmp_path / "x").stat().st_mode)
    assert kept == (mode & 0o700 if private else mode)


@POSIX
def test_a_private_file_is_never_readable_by_others(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        (path,) = tmp_path.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        yield NEW

    write_file(tmp_path / "x", parts(), private=True)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600


@POSIX
def test_links_are_followed_only_where_asked(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_file(link, [b"one"], follow=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"one"
    write_file(link, [b"two"])
    assert not link.is_symlink()
    assert (link.read_bytes(), real.read_bytes()) == (b"two", b"one")


@POSIX
def test_pipes_are_written_in_place_only_where_asked(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, [b"ab", b"c"], follow=True)
        assert os.read(reader, 10) == b"abc"
        assert stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(reader)
    write_file(pipe, [NEW])
    assert content(tmp_path) == {"pipe": NEW}


@pytest.mark.parametrize("links", [True, False], ids=["links", "no links"])
def test_a_new_file_takes_the_first_free_name(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: fail_with(errno.EPERM))
    (tmp_path / "x.wav").write_bytes(b"mine")
    (tmp_path / "x (2).wav").mkdir()
    assert write_new(numbered(tmp_path / "x.wav"), [NEW]) == tmp_path / "x (3).wav"
    with pytest.raises(FileExistsError):
        write_new([tmp_path / "x.wav", tmp_path / "x (2).wav"], [NEW])
    assert (tmp_path / "x.wav").read_bytes() == b"mine"
    assert len(list(tmp_path.iterdir())) == 3


def fail_with(number: int) -> None:
    raise OSError(number, os.strerror(number))


def test_impossible_names_and_places(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    places = (tmp_path / "none" / "x", tmp_path / "file" / "x", tmp_path / ("n" * 300))
    for place in (*places, Path("a\0b"), Path("\ud800")):
        with pytest.raises((OSError, OutputError)):
            writer(place)
    assert content(tmp_path) == {"file": b"x"}


@pytest.mark.parametrize("name", REPLACING)
def test_a_folder_is_not_replaced(name: str, tmp_path: Path) -> None:
    with pytest.raises((IsADirectoryError, OutputError), match=r"(?i)is a (folder|directory)"):
        WRITERS[name](tmp_path)


@pytest.mark.parametrize(
    "number",
    [
        errno.ENOSPC, errno.EFBIG, errno.EACCES, errno.EROFS, errno.ENOENT, errno.EISDIR,
        errno.ENAMETOOLONG, errno.EEXIST, errno.EINVAL, errno.EIO,
    ],
)  # fmt: skip
def test_every_reason_has_a_next_step_and_the_caller_adds_to_it(number: int) -> None:
    with pytest.raises(OutputError) as caught, telling("{0} of mine", "It is kept."):
        fail_with(number)
    assert "{0} of mine" in caught.value.detail
    assert caught.value.advice.endswith(". It is kept.")
    plain = output_error("x", OSError(number, "{odd}"))
    assert plain.advice
    assert "kept" not in plain.advice


def test_free_names(tmp_path: Path) -> None:
    path = tmp_path / "a.b.wav"
    assert free_name(path) == path
    path.touch()
    assert free_name(path).name == "a.b (2).wav"
    (tmp_path / "a.b (2).wav").mkdir()
    assert free_name(path).name == "a.b (3).wav"
    assert [name.name for name in islice(numbered(path, "-{}"), 3)] == [
        "a.b.wav", "a.b-2.wav", "a.b-3.wav",
    ]  # fmt: skip


@POSIX
def test_a_link_that_leads_nowhere_is_not_free(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "none")
    assert free_name(tmp_path / "a").name == "a (2)"
