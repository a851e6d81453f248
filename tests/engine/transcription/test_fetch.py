"""The transcriber's model: what is known of it, and fetching it from a hub of this machine."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from hub_kit import PROXIES, Fault, Server, known, noise, serving, wishes

from engine.cancel import CancelToken
from engine.errors import CancelledError
from engine.hub import OfflineError, Transfer
from engine.hub.events import DamagedFileError, DownloadError
from engine.transcription import RECOGNISER, Recogniser, fetch_recogniser, find_model

FILES = {
    "config.json": b"{}", "vocabulary.txt": b"a\nb\n", "tokenizer.json": b'{"a": 1}',
    "model.bin": noise(60_000),
}  # fmt: skip


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Server:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with serving() as server:
        for name, content in FILES.items():
            server.put(name, content)
        yield server  # type: ignore[misc]


@pytest.fixture
def small() -> Recogniser:
    return replace(RECOGNISER, files=tuple(known(name, data) for name, data in FILES.items()))


def test_what_is_known_of_it_is_sound() -> None:
    assert [file.name for file in RECOGNISER.files][-1] == "model.bin"
    assert {"config.json", "tokenizer.json", "model.bin"} <= {f.name for f in RECOGNISER.files}
    for file in RECOGNISER.files:
        assert len(file.sha256) == 64
        assert file.exact
        assert len(file.revision) == 40
    assert 140e6 < RECOGNISER.size < 150e6
    assert RECOGNISER.license.name == "MIT License"


def test_all_of_it_is_fetched_and_checked(hub: Server, small: Recogniser, tmp_path: Path) -> None:
    seen: list[Transfer] = []
    folder = fetch_recogniser(tmp_path, wishes(hub), on_share=seen.append, recogniser=small)
    assert find_model(folder) == folder
    assert {
        path.name: path.read_bytes() for path in folder.iterdir() if path.name in FILES
    } == FILES
    assert {each.total for each in seen} == {small.size}
    shares = [each.done for each in seen]
    assert shares == sorted(shares)
    assert shares[-1] == small.size
    asked = len(hub.seen)
    fetch_recogniser(tmp_path, wishes(hub), recogniser=small)
    assert len(hub.seen) == asked, "what is there and right is not fetched again"


def test_another_content_than_was_published_is_refused(
    hub: Server, small: Recogniser, tmp_path: Path
) -> None:
    hub.put("model.bin", noise(60_000, seed=2))
    with pytest.raises(DamagedFileError):
        fetch_recogniser(tmp_path, wishes(hub), recogniser=small)
    assert not (tmp_path / small.folder / "model.bin").exists()


def test_offline_and_stopped(hub: Server, small: Recogniser, tmp_path: Path) -> None:
    with pytest.raises(OfflineError):
        fetch_recogniser(tmp_path, wishes(hub, offline=True), recogniser=small)
    assert hub.seen == []
    cancel = CancelToken()

    def stop() -> None:
        hub.wait_sent(20_000)
        cancel.cancel()

    hub.faults.extend([Fault(), Fault(), Fault(), Fault(stall=30_000)])
    threading.Thread(target=stop).start()
    with pytest.raises(CancelledError):
        fetch_recogniser(tmp_path, wishes(hub), cancel, recogniser=small)
    assert not (tmp_path / small.folder / "model.bin").exists()
    fetch_recogniser(tmp_path, wishes(hub), recogniser=small)


def test_a_line_that_breaks_is_gone_on_with(hub: Server, small: Recogniser, tmp_path: Path) -> None:
    hub.faults.extend([Fault(), Fault(), Fault(), Fault(cut=30_000)])
    fetch_recogniser(tmp_path, wishes(hub), recogniser=small)
    assert hub.seen[-1].start > 0
    hub.always = Fault(status=404)
    with pytest.raises(DownloadError):
        fetch_recogniser(tmp_path / "other", wishes(hub), recogniser=small)
