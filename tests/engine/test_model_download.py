"""The download matrix: whatever servers and networks do, the file is right or not there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hub_kit import QUICK, Fault, Server, known, noise, serving, unknown, wishes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.models.errors import (
    AccessError,
    DamagedFileError,
    DownloadError,
    InUseError,
    MissingFileError,
    OfflineError,
)
from engine.models.events import Phase, Transfer
from engine.models.fetch import fetch
from engine.models.lock import FileLock
from engine.models.part import journal_path, kept_bytes, lock_path, part_path

CONTENT = noise(50_000)
NAME = "voice.bin"
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    with serving() as hub, serving() as storage:
        yield hub, storage


@pytest.fixture
def hub(servers: tuple[Server, Server]) -> Server:
    servers[0].reset()
    servers[0].put(NAME, CONTENT)
    return servers[0]


@pytest.fixture
def storage(servers: tuple[Server, Server]) -> Server:
    servers[1].reset()
    servers[1].put(NAME, CONTENT)
    return servers[1]


def check_done(folder: Path, content: bytes = CONTENT) -> None:
    """The file is whole and nothing else of it lies about."""
    target = folder / NAME
    assert target.read_bytes() == content
    assert not part_path(target).exists()
    assert not journal_path(target).exists()


def leave_part(hub: Server, folder: Path, size: int, etag: str = '"first"') -> None:
    """An earlier try that the server ended after ``size`` bytes."""
    hub.etags[NAME] = etag
    hub.faults.extend([Fault(cut=size), *[Fault(status=503)] * QUICK.tries])
    with pytest.raises(DownloadError):
        fetch(unknown(NAME), folder, wishes(hub))
    hub.faults.clear()
    hub.seen.clear()
    assert kept_bytes(folder / NAME) == size


def test_plain_download(hub: Server, tmp_path: Path) -> None:
    told: list[Transfer] = []
    done = fetch(known(NAME, CONTENT), tmp_path / "new", wishes(hub), on_transfer=told.append)
    check_done(tmp_path / "new")
    assert done.checked
    assert done.fresh
    assert [t.phase for t in told][0] is Phase.CONNECTING
    assert told[-1] == Transfer(NAME, Phase.DONE, len(CONTENT), len(CONTENT))
    assert hub.seen[0].path == f"/someone/voices/resolve/{known(NAME, b'').revision}/{NAME}"
    assert hub.seen[0].headers["accept-encoding"] == "identity"


def test_a_file_that_is_there_is_not_fetched_again(hub: Server, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(CONTENT)
    done = fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert (done.checked, done.fresh) == (True, False)
    assert not hub.seen


def test_range_resume(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_001)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    assert hub.seen[0].start == 20_001
    check_done(tmp_path)


def test_server_that_ignores_ranges(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    hub.always = Fault(ignore_range=True)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_server_that_ignores_ranges_and_cuts_ends_after_some_tries(
    hub: Server, tmp_path: Path
) -> None:
    hub.always = Fault(ignore_range=True, cut=30_000)
    with pytest.raises(DownloadError, match="cut"):
        fetch(unknown(NAME), tmp_path, wishes(hub))
    assert len(hub.seen) <= QUICK.tries + 2


def test_connection_cut_many_times(hub: Server, tmp_path: Path) -> None:
    hub.faults.extend(Fault(cut=n) for n in (1, 4096, 0, 7000, 0, 0, 123, 20_000))
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    check_done(tmp_path)
    starts = [seen.start for seen in hub.seen]
    assert starts == sorted(starts)
    assert starts[-1] == 1 + 4096 + 7000 + 123 + 20_000


@pytest.mark.parametrize("make", [known, unknown], ids=["known", "unknown"])
def test_announced_length_too_long(hub: Server, tmp_path: Path, make: object) -> None:
    file = known(NAME, CONTENT) if make is known else unknown(NAME)
    hub.faults.append(Fault(length=len(CONTENT) + 999))
    fetch(file, tmp_path, wishes(hub))
    check_done(tmp_path)


def test_announced_length_too_short(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(length=12_345))
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert hub.seen[1].start == 12_345


def test_length_that_contradicts_the_catalogue_costs_nothing(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    other = noise(30_000, 2)
    hub.always = Fault(body=other, ignore_range=True)
    with pytest.raises(DownloadError, match="announces 30000 bytes in place of 50000"):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert kept_bytes(tmp_path / NAME) == 20_000


@pytest.mark.parametrize("through", ["hub", "storage"])
def test_wrong_hash(hub: Server, storage: Server, tmp_path: Path, through: str) -> None:
    wrong = noise(len(CONTENT), 3)
    if through == "storage":
        hub.storage = storage
    server = storage if through == "storage" else hub
    server.files[NAME] = wrong
    file = known(NAME, CONTENT) if through == "hub" else unknown(NAME)
    with pytest.raises(DamagedFileError, match="SHA-256"):
        fetch(file, tmp_path, wishes(hub))
    assert not [p for p in tmp_path.iterdir() if not p.name.startswith(".")]
    server.files[NAME] = CONTENT
    fetch(file, tmp_path, wishes(hub))
    check_done(tmp_path)


def test_hub_that_has_another_file_is_refused_before_the_first_byte(
    hub: Server, storage: Server, tmp_path: Path
) -> None:
    hub.storage = storage
    hub.files[NAME] = noise(len(CONTENT), 4)
    with pytest.raises(DamagedFileError, match="not the one that is known"):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert storage.sent == 0 or not (tmp_path / NAME).exists()


def test_file_changed_between_tries(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    newer = noise(60_000, 5)
    hub.put(NAME, newer, '"second"')
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path, newer)


def test_file_changed_between_tries_behind_the_hub(
    hub: Server, storage: Server, tmp_path: Path
) -> None:
    hub.storage = storage
    storage.faults.extend([Fault(cut=20_000), *[Fault(status=503)] * QUICK.tries])
    with pytest.raises(DownloadError):
        fetch(unknown(NAME), tmp_path, wishes(hub))
    storage.faults.clear()
    newer = noise(len(CONTENT), 6)
    hub.put(NAME, newer)
    storage.put(NAME, newer)
    done = fetch(unknown(NAME), tmp_path, wishes(hub))
    assert done.checked
    check_done(tmp_path, newer)


def test_missing_file(hub: Server, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="has no other.bin"):
        fetch(replace(known(NAME, CONTENT), name="other.bin"), tmp_path, wishes(hub))
    assert len(hub.seen) == 2  # the pinned revision, then the newest
    assert hub.seen[1].path.endswith("/resolve/main/other.bin")
    assert not [p for p in tmp_path.iterdir() if not p.name.startswith(".")]


def test_rewritten_history_falls_back_to_the_newest(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(status=404))
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert "/resolve/main/" in hub.seen[1].path


@pytest.mark.parametrize("status", [401, 403])
def test_gated_file(hub: Server, tmp_path: Path, status: int) -> None:
    hub.always = Fault(status=status)
    with pytest.raises(AccessError) as caught:
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert "token" in caught.value.advice
    assert len(hub.seen) == 1


def test_too_many_requests_waits_as_told(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(status=429, headers={"Retry-After": "1"}))
    told: list[Transfer] = []
    began = time.monotonic()
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub), on_transfer=told.append)
    assert time.monotonic() - began >= 1
    waiting = [t for t in told if t.phase is Phase.WAITING]
    assert waiting[0].wait_s == 1
    assert "429" in waiting[0].reason
    check_done(tmp_path)


def test_too_long_a_wait_is_told_instead(hub: Server, tmp_path: Path) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    hub.always = Fault(status=429, headers={"Retry-After": when})
    with pytest.raises(DownloadError, match="in 1[12]. minutes"):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))


def test_server_faults_then_fine(hub: Server, tmp_path: Path) -> None:
    hub.faults.extend(Fault(status=s) for s in (500, 502, 503))
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_server_faults_without_end(hub: Server, tmp_path: Path) -> None:
    hub.always = Fault(status=500)
    with pytest.raises(DownloadError, match="status 500"):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert len(hub.seen) == QUICK.tries


def test_stalled_connection(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(stall=10_000))
    patience = replace(QUICK, stall_s=0.3)
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub, policy=patience))
    check_done(tmp_path)
    assert hub.seen[1].start == 10_000


def test_redirect_to_the_storage_keeps_the_token_at_home(
    hub: Server, storage: Server, tmp_path: Path
) -> None:
    hub.storage = storage
    storage.faults.append(Fault(cut=9_000))
    done = fetch(unknown(NAME), tmp_path, wishes(hub, "hf_secret"))
    assert done.checked  # by the hash in the hub's own headers
    check_done(tmp_path)
    assert {seen.headers.get("authorization") for seen in hub.seen} == {"Bearer hf_secret"}
    assert len(storage.seen) == 2
    for seen in storage.seen:
        assert "hf_secret" not in str(seen)
    assert storage.seen[1].start == 9_000


def test_expired_address_of_the_storage_is_asked_for_again(
    hub: Server, storage: Server, tmp_path: Path
) -> None:
    hub.storage = storage
    storage.faults.extend([Fault(cut=9_000), Fault(status=403)])
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert len(hub.seen) == 3


def test_redirects_in_a_circle(hub: Server, tmp_path: Path) -> None:
    hub.redirect_to = hub.url
    with pytest.raises(DownloadError, match="circle"):
        fetch(unknown(NAME), tmp_path, wishes(hub))


@pytest.mark.parametrize(
    "where", ["", "ftp://example.org/x", "http://:99999/x", "file:///etc/passwd"]
)
def test_redirect_to_nowhere(hub: Server, tmp_path: Path, where: str) -> None:
    hub.always = Fault(status=302, headers={"Location": where})
    with pytest.raises(DownloadError, match="nowhere"):
        fetch(unknown(NAME), tmp_path, wishes(hub))


def test_sign_in_page_of_a_network(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    hub.always = Fault(page=True)
    with pytest.raises(DownloadError, match="web page"):
        fetch(unknown(NAME), tmp_path, wishes(hub))
    assert kept_bytes(tmp_path / NAME) == 20_000


def test_another_piece_than_asked_for(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    hub.faults.append(Fault(shift=-500))
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_packed_answer_is_refused(hub: Server, tmp_path: Path) -> None:
    hub.always = Fault(headers={"Content-Encoding": "gzip"})
    with pytest.raises(DownloadError, match="packs"):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))


def test_nobody_listens(hub: Server, tmp_path: Path) -> None:
    with serving() as other:
        gone = wishes(other)
    with pytest.raises(DownloadError, match="no connection"):
        fetch(known(NAME, CONTENT), tmp_path, gone)


def test_offline_mode_asks_nobody(hub: Server, tmp_path: Path) -> None:
    with pytest.raises(OfflineError):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub, offline=True))
    assert not hub.seen
    assert not list(tmp_path.iterdir())


def test_part_that_was_damaged_on_the_disk(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 40_000)
    part = part_path(tmp_path / NAME)
    data = bytearray(part.read_bytes())
    data[30_000] ^= 1
    part.write_bytes(data)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    assert 0 < hub.seen[0].start <= 30_000  # back to a mark before the damage
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
    shorter = CONTENT[:10_000]
    hub.put(NAME, shorter, '"second"')
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path, shorter)


def test_whole_part_without_its_name(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, len(CONTENT) - 1)
    (part_path(tmp_path / NAME)).write_bytes(CONTENT)
    fetch(unknown(NAME), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_file_of_the_user_with_the_same_name_is_kept(hub: Server, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"mine")
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert (tmp_path / "voice.old.bin").read_bytes() == b"mine"
    fetch(unknown(NAME), tmp_path, wishes(hub), may_replace=True)
    assert sorted(p.name for p in tmp_path.iterdir() if not p.name.startswith(".")) == [
        "voice.bin",
        "voice.old.bin",
    ]


def test_two_at_once_in_one_process(hub: Server, tmp_path: Path) -> None:
    with FileLock(lock_path(tmp_path / NAME), NAME), pytest.raises(InUseError):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
    assert not hub.seen


def test_stop_takes_effect_while_the_server_is_silent(hub: Server, tmp_path: Path) -> None:
    hub.always = Fault(stall=10_000)
    cancel, when = CancelToken(), []

    def watch(transfer: Transfer) -> None:
        if transfer.done and not cancel.cancelled:
            when.append(time.monotonic())
            cancel.cancel()

    with pytest.raises(CancelledError):
        fetch(known(NAME, CONTENT), tmp_path, wishes(hub), cancel, watch)
    assert time.monotonic() - when[0] < 0.5
    hub.always = None
    kept = kept_bytes(tmp_path / NAME)
    assert kept > 0
    hub.seen.clear()
    fetch(known(NAME, CONTENT), tmp_path, wishes(hub))
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
    mark=st.integers(1, 5000),
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
