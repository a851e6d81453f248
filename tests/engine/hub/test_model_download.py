"""The download matrix: whatever servers and networks do, the file is right or not there."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
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
    serving,
    unknown,
    wishes,
)

from engine.hub.address import Hub
from engine.hub.events import (
    AccessError,
    DamagedFileError,
    DownloadError,
    MissingFileError,
    OfflineError,
    Phase,
    Transfer,
)
from engine.hub.fetch import fetch
from engine.hub.partial_file import kept_bytes, part_path


def test_plain_download(hub: Server, tmp_path: Path) -> None:
    told: list[Transfer] = []
    done = fetch(known(NAME, VOICE), tmp_path / "new", wishes(hub), on_transfer=told.append)
    check_done(tmp_path / "new")
    assert done.checked
    assert done.fresh
    assert told[0].phase is Phase.CONNECTING
    assert told[-1] == Transfer(NAME, Phase.DONE, len(VOICE), len(VOICE))
    assert hub.seen[0].path == f"/someone/voices/resolve/{known(NAME, b'').revision}/{NAME}"
    assert hub.seen[0].headers["accept-encoding"] == "identity"


def test_a_file_that_is_there_is_not_fetched_again(hub: Server, tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(VOICE)
    done = fetch(known(NAME, VOICE), tmp_path, wishes(hub))
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
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)
    starts = [seen.start for seen in hub.seen]
    assert starts == sorted(starts)
    assert starts[-1] == 1 + 4096 + 7000 + 123 + 20_000


@pytest.mark.parametrize("make", [known, unknown], ids=["known", "unknown"])
def test_announced_length_too_long(hub: Server, tmp_path: Path, make: object) -> None:
    file = known(NAME, VOICE) if make is known else unknown(NAME)
    hub.faults.append(Fault(length=len(VOICE) + 999))
    fetch(file, tmp_path, wishes(hub))
    check_done(tmp_path)


def test_announced_length_too_short(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(length=12_345))
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert hub.seen[1].start == 12_345


def test_length_that_contradicts_the_catalogue_costs_nothing(hub: Server, tmp_path: Path) -> None:
    leave_part(hub, tmp_path, 20_000)
    other = noise(30_000, 2)
    hub.always = Fault(body=other, ignore_range=True)
    with pytest.raises(DownloadError, match="announces 30000 bytes in place of 50000"):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert kept_bytes(tmp_path / NAME) == 20_000


@pytest.mark.parametrize("through", ["hub", "storage"])
def test_wrong_hash(hub: Server, storage: Server, tmp_path: Path, through: str) -> None:
    wrong = noise(len(VOICE), 3)
    if through == "storage":
        hub.storage = storage
    server = storage if through == "storage" else hub
    server.files[NAME] = wrong
    file = known(NAME, VOICE) if through == "hub" else unknown(NAME)
    with pytest.raises(DamagedFileError, match="SHA-256"):
        fetch(file, tmp_path, wishes(hub))
    assert not [p for p in tmp_path.iterdir() if not p.name.startswith(".")]
    server.files[NAME] = VOICE
    fetch(file, tmp_path, wishes(hub))
    check_done(tmp_path)


def test_hub_that_has_another_file_is_refused_before_the_first_byte(
    hub: Server, storage: Server, tmp_path: Path
) -> None:
    hub.storage = storage
    hub.files[NAME] = noise(len(VOICE), 4)
    with pytest.raises(DamagedFileError, match="not the one that is known"):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
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
    newer = noise(len(VOICE), 6)
    hub.put(NAME, newer)
    storage.put(NAME, newer)
    done = fetch(unknown(NAME), tmp_path, wishes(hub))
    assert done.checked
    check_done(tmp_path, newer)


def test_missing_file(hub: Server, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"has no other\.bin"):
        fetch(replace(known(NAME, VOICE), name="other.bin"), tmp_path, wishes(hub))
    assert len(hub.seen) == 2  # the pinned revision, then the newest
    assert hub.seen[1].path.endswith("/resolve/main/other.bin")
    assert not [p for p in tmp_path.iterdir() if not p.name.startswith(".")]


def test_rewritten_history_falls_back_to_the_newest(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(status=404))
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)
    assert "/resolve/main/" in hub.seen[1].path


@pytest.mark.parametrize("status", [401, 403])
def test_gated_file(hub: Server, tmp_path: Path, status: int) -> None:
    hub.always = Fault(status=status)
    with pytest.raises(AccessError) as caught:
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert "token" in caught.value.advice
    assert len(hub.seen) == 1


def test_too_many_requests_waits_as_told(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(status=429, headers={"Retry-After": "1"}))
    told: list[Transfer] = []
    began = time.monotonic()
    fetch(known(NAME, VOICE), tmp_path, wishes(hub), on_transfer=told.append)
    assert time.monotonic() - began >= 1
    waiting = [t for t in told if t.phase is Phase.WAITING]
    assert waiting[0].wait_s == 1
    assert "429" in waiting[0].reason
    check_done(tmp_path)


def test_too_long_a_wait_is_told_instead(hub: Server, tmp_path: Path) -> None:
    when = format_datetime(datetime.now(UTC) + timedelta(hours=2), usegmt=True)
    hub.always = Fault(status=429, headers={"Retry-After": when})
    with pytest.raises(DownloadError, match=r"in 1[12]\d minutes"):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))


def test_server_faults_then_fine(hub: Server, tmp_path: Path) -> None:
    hub.faults.extend(Fault(status=s) for s in (500, 502, 503))
    fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    check_done(tmp_path)


def test_server_faults_without_end(hub: Server, tmp_path: Path) -> None:
    hub.always = Fault(status=500)
    with pytest.raises(DownloadError, match="status 500"):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
    assert len(hub.seen) == QUICK.tries


def test_stalled_connection(hub: Server, tmp_path: Path) -> None:
    hub.faults.append(Fault(stall=10_000))
    patience = replace(QUICK, stall_s=0.3)
    fetch(known(NAME, VOICE), tmp_path, wishes(hub, policy=patience))
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


def test_addresses_that_no_client_takes(hub: Server, tmp_path: Path) -> None:
    there = wishes(hub, hub=Hub("http://xn--\u00fc.example"))
    with pytest.raises(DownloadError, match="cannot be used"):
        fetch(unknown(NAME), tmp_path, there)
    hub.always = Fault(status=302, headers={"Location": "http://xn--\u00fc.example/x"})
    with pytest.raises(DownloadError):
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
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))


def test_nobody_listens(hub: Server, tmp_path: Path) -> None:
    with serving() as other:
        gone = wishes(other)
    with pytest.raises(DownloadError, match="no connection"):
        fetch(known(NAME, VOICE), tmp_path, gone)


def test_offline_mode_asks_nobody(hub: Server, tmp_path: Path) -> None:
    with pytest.raises(OfflineError):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub, offline=True))
    assert not hub.seen
    assert not list(tmp_path.iterdir())


def test_a_server_that_never_ends(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.hub.transfer.MOST_EXTRA", 10_000)
    with pytest.raises(DamagedFileError, match="sends more than"):
        fetch(unknown(NAME), tmp_path, wishes(hub))
    hub.always = Fault(length=-1)
    with pytest.raises(DamagedFileError, match="sends more than"):
        fetch(unknown(NAME), tmp_path, wishes(hub))
    assert not part_path(tmp_path / NAME).exists()


@pytest.mark.parametrize(
    ("name", "value"), [("ALL_PROXY", "nothing://x"), ("SSL_CERT_FILE", "/nowhere/ca.pem")]
)
def test_network_settings_of_the_machine_that_are_none(
    hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(DownloadError, match="network settings"):
        fetch(known(NAME, VOICE), tmp_path, wishes(hub))
