"""Going on: after stops, kills, damage on the disk, a full disk, and beside a second process."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from filelock import FileLock
from hub_kit import (
    NAME,
    QUICK,
    VOICE,
    Fault,
    Server,
    check_done,
    known,
    leave_part,
    noise,
    unknown,
    wishes,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.cancel import CancelToken
from engine.errors import CancelledError, OutputError
from engine.hub.disk import MARGIN
from engine.hub.events import DiskFullError, InUseError, Phase, Transfer
from engine.hub.fetch import fetch
from engine.hub.partial_file import Part, journal_path, kept_bytes, lock_path, part_path

ROOT = Path(__file__).resolve().parents[3]
CHILD = """
import sys
from pathlib import Path
sys.path[:0] = [{root!r}, {tests!r}]
from hub_kit import known, wishes, noise
from dataclasses import replace
from engine.hub.fetch import fetch
from engine.hub.address import Hub
from engine.hub.address import DownloadOptions
from hub_kit import QUICK
from engine.errors import EngineError
from engine.hub.partial_file import Part
mark = Part.mark
def tell(part):
    mark(part)
    print(part.length, flush=True)
Part.mark = tell
content = noise({size}, 9)
wanted = DownloadOptions(hub=Hub({url!r}), policy=replace(QUICK, mark_bytes=64 << 10, stall_s=200))
try:
    fetch(known("big.bin", content), Path({folder!r}), wanted)
except EngineError as error:
    sys.exit(type(error).__name__)
"""


def start_child(hub: Server, folder: Path, size: int) -> subprocess.Popen[str]:
    code = CHILD.format(
        root=str(ROOT),
        tests=str(ROOT / "tests" / "support"),
        size=size,
        url=hub.url,
        folder=str(folder),
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_kill_and_go_on(hub: Server, tmp_path: Path) -> None:
    size = 600_000
    big = noise(size, 9)
    hub.put("big.bin", big)
    hub.always = Fault(stall=400_000)
    child = start_child(hub, tmp_path, size)
    try:
        assert child.stdout is not None
        assert any(int(line) >= 300_000 for line in child.stdout)  # each mark, once it is kept
    finally:
        child.send_signal(signal.SIGKILL)
        child.communicate()
    kept = kept_bytes(tmp_path / "big.bin")
    assert not (tmp_path / "big.bin").exists()
    hub.always = None
    hub.seen.clear()
    child = start_child(hub, tmp_path, size)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 0, said
    assert hub.seen[0].start == kept >= 300_000
    assert (tmp_path / "big.bin").read_bytes() == big
    assert not part_path(tmp_path / "big.bin").exists()


def test_two_processes_at_once(hub: Server, tmp_path: Path) -> None:
    size = 600_000
    big = noise(size, 9)
    hub.put("big.bin", big)
    hub.faults.append(Fault(stall=100_000))
    first = start_child(hub, tmp_path, size)
    try:
        assert hub.wait_sent(100_000)
        second = start_child(hub, tmp_path, size)
        _, said = second.communicate(timeout=60)
        assert "InUseError" in said
    finally:
        first.kill()
        first.communicate()
    third = start_child(hub, tmp_path, size)
    _, said = third.communicate(timeout=60)
    assert third.returncode == 0, said
    assert (tmp_path / "big.bin").read_bytes() == big


OFFLINE = """
import sys
touched = []
sys.addaudithook(lambda name, args: touched.append(name) if name.startswith("socket.") else None)
from engine.cli import main
code = main(["models", "download", "q4_k_m", "--offline", "--accept-license",
             "--models-dir", sys.argv[1]])
main(["models", "list", "--models-dir", sys.argv[1]])
print(code, touched)
"""


def test_offline_mode_makes_no_socket(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "1 []"
    assert "offline" in done.stderr


class Full:
    """A raw file on a disk that has room for ``room`` bytes more."""

    def __init__(self, real: object, room: int) -> None:
        self._real, self.room = real, room

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def write(self, data: memoryview) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count = self._real.write(data[: self.room])  # type: ignore[attr-defined]
        self.room -= count
        return int(count)


class Worn:
    """A raw file on a disk that cannot read what lies at ``bad``."""

    def __init__(self, real: object, bad: int) -> None:
        self._real, self.bad = real, bad

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def read(self, size: int) -> bytes:
        if self._real.tell() + size > self.bad:  # type: ignore[attr-defined]
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return bytes(self._real.read(size))  # type: ignore[attr-defined]


def test_disk_full_while_writing(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Part.__init__

    def small(self: Part, *args: object) -> None:
        made(self, *args)  # type: ignore[arg-type]
        self._file = Full(self._file, 12_345)  # type: ignore[assignment]

    with monkeypatch.context() as patch:
        patch.setattr(Part, "__init__", small)
        with pytest.raises(DiskFullError, match="disk is full") as caught:
            fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert "kept" in caught.value.advice
    assert kept_bytes(tmp_path / NAME) == 12_345
    hub.seen.clear()
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert hub.seen[0].start == 12_345
    check_done(tmp_path)


def test_disk_full_in_truth(hub: Server, tmp_path: Path) -> None:
    """On a real file system of 64 KiB, where this machine lets us make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if os.name != "posix" or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        big = noise(200_000, 9)
        hub.put(NAME, big)
        roomy = wishes(hub, free=lambda folder: 1 << 40)
        with pytest.raises(DiskFullError):
            fetch(known(NAME, big), disk, roomy)
        assert not (disk / NAME).exists()
        subprocess.run(["mount", "-o", "remount,size=1m", str(disk)], check=True)
        hub.seen.clear()
        fetch(known(NAME, big), disk, roomy)
        assert hub.seen[0].start > 0
        check_done(disk, big)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_too_little_room_is_said_before_the_first_byte(hub: Server, tmp_path: Path) -> None:
    tight = wishes(hub, free=lambda folder: MARGIN + len(VOICE) - 1)
    with pytest.raises(DiskFullError, match="are free"):
        fetch(known(NAME, VOICE), tmp_path, tight)
    assert not part_path(tmp_path / NAME).exists()


def test_part_that_was_damaged_on_the_disk(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 40_000)
    part = part_path(tmp_path / NAME)
    data = bytearray(part.read_bytes())
    data[30_000] ^= 1
    part.write_bytes(data)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    assert hub.seen[0].start == 7 * 4096  # the last mark before the damage
    check_done(tmp_path)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"version": 1}', '{"version": 9, "marks": []}', "\0\0"]
)
def test_unusable_journal_starts_over(hub: Server, tmp_path: Path, text: str) -> None:
    leave_part(hub, tmp_path, 20_000)
    journal_path(tmp_path / NAME).write_text(text)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    assert hub.seen[0].start == 0
    check_done(tmp_path)


def test_part_longer_than_the_file(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    shorter = VOICE[:10_000]
    hub.put(NAME, shorter, '"second"')
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path, shorter)


def test_whole_part_without_its_name(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, len(VOICE) - 1)
    (part_path(tmp_path / NAME)).write_bytes(VOICE)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_file_of_the_user_with_the_same_name_is_kept(hub: Server, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"mine")
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert (tmp_path / "voice.old.bin").read_bytes() == b"mine"
    fetch(unknown(NAME), tmp_path, wishes(hub), may_replace=True)
    assert sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith(".")) == [
        "voice.bin",
        "voice.old.bin",
    ]


def test_file_of_the_user_that_cannot_be_renamed_is_kept(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    (tmp_path / NAME).write_bytes(b"mine")
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OutputError):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert (tmp_path / NAME).read_bytes() == b"mine"
    assert kept_bytes(tmp_path / NAME) == len(VOICE)


def test_part_that_the_disk_cannot_read(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_part(hub, tmp_path, 40_000)
    made = Part.__init__

    def worn(self: Part, *args: object) -> None:
        made(self, *args)  # type: ignore[arg-type]
        self._file = Worn(self._file, 30_000)  # type: ignore[assignment]

    monkeypatch.setattr(Part, "__init__", worn)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    assert hub.seen[0].start == 7 * 4096  # the last mark before the damage
    check_done(tmp_path)


def test_two_at_once_in_one_process(hub: Server, tmp_path: Path) -> None:
    with FileLock(lock_path(tmp_path / NAME)), pytest.raises(InUseError):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert not hub.seen


def test_stop_takes_effect_while_the_server_is_silent(hub: Server, tmp_path: Path) -> None:
    hub.always = Fault(stall=10_000)
    cancel, when = CancelToken(), []

    def watch(transfer: Transfer) -> None:
        if transfer.done and not cancel.cancelled:
            when.append(time.monotonic())
            cancel.cancel()

    with pytest.raises(CancelledError):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub), cancel, watch)
    assert time.monotonic() - when[0] < 0.5
    hub.always = None
    kept = kept_bytes(tmp_path / NAME)
    assert kept > 0
    hub.seen.clear()
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert hub.seen[0].start == kept
    check_done(tmp_path)


cuts = st.one_of(
    st.builds(Fault, cut=st.integers(0, 9000)),
    st.builds(Fault, cut=st.integers(0, 9000), ignore_range=st.booleans()),
    st.builds(Fault, length=st.integers(1, 9000)),
    st.builds(Fault, status=st.sampled_from([500, 503, 408])),
    st.builds(Fault, shift=st.integers(-50, 50)),
)


@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    size=st.integers(1, 9000),
    faults=st.lists(cuts, max_size=8),
    mark=st.integers(100, 5000),
    sure=st.booleans(),
    stops=st.integers(0, 2),
)
def test_whatever_cuts_come_the_file_is_the_same(
    servers: tuple[Server, Server],
    tmp_path_factory: pytest.TempPathFactory,
    size: int,
    faults: list[Fault],
    mark: int,
    sure: bool,
    stops: int,
) -> None:
    hub, storage = servers
    hub.reset()
    storage.reset()
    content = noise(size, 7)
    for server in servers:
        server.put(NAME, content)
    hub.storage = None if sure else storage
    (hub if sure else storage).faults.extend(faults)
    folder = tmp_path_factory.mktemp("cuts")
    wanted = wishes(hub, policy=replace(QUICK, tries=20, first_wait_s=0.0, mark_bytes=mark))
    for _ in range(stops):
        cancel = CancelToken()
        try:
            fetch(
                known(NAME, content) if sure else unknown(NAME),
                folder,
                wanted,
                cancel,
                lambda told, c=cancel: c.cancel() if told.phase is Phase.WAITING else None,
            )
        except CancelledError:
            continue
    fetch(known(NAME, content) if sure else unknown(NAME), folder, wanted)
    check_done(folder, content)


def test_a_folder_that_knows_no_locks_is_used_without(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(self: FileLock) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(FileLock, "acquire", refuse)
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert "cannot be locked: [Errno" in caplog.text
