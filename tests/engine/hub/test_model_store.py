"""The model folder: states, license, fetching with the tokenizer, checking, removing, the CLI."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_kit import QUICK, REPO, Fault, Server, known, unknown
from hub_kit import wishes as quick_wishes

from engine import cli
from engine.cancel import CancelToken
from engine.errors import CancelledError, OutputError, RequestError
from engine.hub import address as hub
from engine.hub import catalogue
from engine.hub.address import DownloadOptions
from engine.hub.catalogue import FISH_LICENSE, REPOSITORY, VARIANTS, Variant, find_variant
from engine.hub.events import DamagedFileError, LicenseError, Meter, OfflineError, Transfer
from engine.hub.local import Entry, Place, Presence, cache_folder
from engine.hub.partial_file import part_path
from engine.hub.replies import bare_etag, content_range
from engine.hub.store import ModelStore

ROOT = Path(__file__).resolve().parents[3]


def wishes(server: Server, **more: Any) -> DownloadOptions:
    """Without the many marks of the tests of going on."""
    return quick_wishes(server, policy=replace(QUICK, mark_bytes=1 << 20), **more)


@pytest.fixture
def small(hub: Server, models: Any) -> Variant:
    """A tiny but true model with its tokenizer, on the hub of this machine."""
    model, tokenizer = models.path("tiny-q8_0").read_bytes(), models.tokenizer.read_bytes()
    hub.put("tiny.gguf", model)
    hub.put("tokenizer.json", tokenizer)
    return replace(
        VARIANTS[0],
        id="tiny",
        file=known("tiny.gguf", model),
        companions=(known("tokenizer.json", tokenizer),),
    )


@pytest.fixture
def store(small: Variant, tmp_path: Path) -> ModelStore:
    made = ModelStore(tmp_path / "models", tmp_path / "cache", (small, *VARIANTS))
    made.accept(small.license)
    return made


def test_the_catalogue_is_sound() -> None:
    assert [v.id for v in VARIANTS] == ["q4_k_m", "q5_k_m", "q6_k", "q8_0", "f16", "q3_k", "q2_k"]
    assert [v.id for v in VARIANTS if v.advised] == ["q4_k_m"]
    for variant in VARIANTS:
        for file in (variant.file, *variant.companions):
            assert not file.sha256 or (len(file.sha256) == 64 and int(file.sha256, 16))
            # What is pinned by hash is pinned by revision too; the rest is the newest.
            assert (file.revision == catalogue.PINNED) == bool(file.sha256)
            assert file.exact == bool(file.sha256)
        assert "tokenizer.json" in [file.name for file in variant.companions]
        needs = variant.needs
        assert needs.on_cpu() > variant.file.size
        assert 8e9 < needs.dense < 8.5e9


@pytest.mark.parametrize("name", ["q4_k_m", "Q4_K_M", "q4-k-m", "s2-pro-q4_k_m.gguf"])
def test_a_variant_has_many_names(name: str) -> None:
    assert find_variant(name) is VARIANTS[0]


def test_license_comes_before_everything(small: Variant, tmp_path: Path, hub: Server) -> None:
    store = ModelStore(tmp_path, tmp_path, (small,))
    with pytest.raises(LicenseError):
        store.download(small, wishes(hub))
    assert not hub.seen
    assert not list(tmp_path.iterdir())
    store.accept(small.license)
    assert ModelStore(tmp_path).accepted(small.license)
    assert not store.accepted(replace(small.license, id="a newer wording"))


def test_download_brings_the_tokenizer_first(
    store: ModelStore, small: Variant, hub: Server
) -> None:
    told: list[Transfer] = []
    path = store.download(small, wishes(hub), on_transfer=told.append)
    assert path == store.folder / "tiny.gguf"
    assert (store.folder / "tokenizer.json").is_file()
    assert [seen.path.rsplit("/", 1)[1] for seen in hub.seen] == ["tokenizer.json", "tiny.gguf"]
    assert store.entry(small).presence is Presence.VERIFIED
    hub.seen.clear()
    store.download(small, wishes(hub))
    assert not hub.seen


def test_offline_names_the_variant(store: ModelStore, small: Variant, hub: Server) -> None:
    with pytest.raises(OfflineError, match="offline mode is on"):
        store.download(small, wishes(hub, offline=True))


def test_states_of_a_file(store: ModelStore, small: Variant, hub: Server) -> None:
    assert store.entry(small).presence is Presence.ABSENT
    cancel = CancelToken()

    def stop(transfer: Transfer) -> None:
        if transfer.file == "tiny.gguf" and transfer.done:
            cancel.cancel()

    hub.faults.extend([Fault(), Fault(stall=20_000)])
    with pytest.raises(CancelledError):
        store.download(small, wishes(hub), cancel, stop)
    begun = store.entry(small)
    assert begun.presence is Presence.PARTIAL
    assert 0 < begun.done < begun.size
    store.discard(small)
    assert store.entry(small).presence is Presence.ABSENT
    assert not part_path(begun.path).exists()
    path = store.download(small, wishes(hub))
    status = path.stat()
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))
    assert store.entry(small).presence is Presence.PRESENT  # changed, so not known any more
    assert store.verify(store.entry(small)).presence is Presence.DAMAGED
    assert store.entry(small).presence is Presence.DAMAGED
    store.download(small, wishes(hub))
    assert store.entry(small).presence is Presence.VERIFIED
    assert not list(store.folder.glob("*.old.gguf"))  # ours, so it was replaced
    path.write_bytes(b"GGUF")
    assert store.entry(small).presence is Presence.DAMAGED  # the size alone tells


def test_cut_model_without_any_hash_is_found_by_its_header(
    store: ModelStore, small: Variant, hub: Server
) -> None:
    loose = replace(small, file=unknown("tiny.gguf"))
    hub.faults.extend([Fault(), Fault(length=50_000)])
    with pytest.raises(DamagedFileError, match="cannot be used"):
        store.download(loose, wishes(hub))
    assert not (store.folder / "tiny.gguf").exists()
    path = store.download(loose, wishes(hub))
    entry = store.entry(loose)
    assert entry.presence is Presence.PRESENT  # there and sound, but no one told a hash
    assert store.verify(entry).presence is Presence.PRESENT
    assert path.is_file()


def test_own_files_recent_files_and_the_cache(store: ModelStore, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "mine.gguf"
    own = store.folder / "own.gguf"
    snapshot = store.cache / f"models--{REPOSITORY.replace('/', '--')}/snapshots/abc"  # type: ignore[operator]
    for path in (other, own, snapshot / "s2-pro-f16.gguf", snapshot / "s2-pro-q4_k_m.gguf"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"GGUF")
    whole = find_variant("q8_0")
    assert whole is not None
    recent = tmp_path / "elsewhere" / whole.file.name
    recent.touch()
    os.truncate(recent, whole.file.size)
    found = store.entries([other, recent, tmp_path / "gone.gguf", tmp_path / "x.txt", own])
    by_name = {entry.path.name: entry for entry in found}
    assert by_name["s2-pro-f16.gguf"].place is Place.CACHE
    assert by_name["s2-pro-q4_k_m.gguf"].presence is Presence.ABSENT  # of another size
    assert by_name[whole.file.name].place is Place.RECENT
    assert by_name[whole.file.name].variant is whole
    assert by_name["mine.gguf"].place is Place.RECENT
    assert by_name["own.gguf"].usable
    assert [entry.variant is None for entry in found] == [False] * 8 + [True] * 2
    assert "gone.gguf" not in by_name


def test_a_name_that_is_no_unicode_can_be_checked(store: ModelStore) -> None:
    store.folder.mkdir(exist_ok=True)
    path = Path(os.fsdecode(os.fsencode(store.folder) + b"/\xff.gguf"))
    try:
        path.write_bytes(b"GGUF")
    except OSError:
        pytest.skip("this file system takes no such name")
    (entry,) = [each for each in store.entries() if each.path == path]
    assert store.verify(entry).presence is Presence.PRESENT
    assert store._ledger.noted(path.name) is not None


def test_removing_stays_in_the_folder(store: ModelStore, small: Variant, hub: Server) -> None:
    path = store.download(small, wishes(hub))
    outside = replace(store.entry(small), path=store.folder.parent / "tiny.gguf")
    with pytest.raises(OutputError, match="not in the model folder"):
        store.remove(outside)
    trashed: list[Path] = []

    def trash(file: Path) -> None:
        trashed.append(file)
        file.unlink()

    store.remove(store.entry(small), trash)
    assert trashed == [path]
    assert store.entry(small).presence is Presence.ABSENT

    def fail(file: Path) -> None:
        raise PermissionError(13, "in use")

    store.download(small, wishes(hub))
    with pytest.raises(OutputError, match="in use"):
        store.remove(store.entry(small), fail)


def test_a_folder_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    entries = ModelStore(tmp_path / "file", tmp_path / "file").entries()
    assert {entry.presence for entry in entries} == {Presence.ABSENT}


@pytest.mark.parametrize(
    "text",
    ["ftp://x", "hf-mirror.com", "https://", "https://user:pw@x", "https://x?y", "http://a b"],
)
def test_bad_addresses_are_refused(text: str) -> None:
    with pytest.raises(RequestError, match="not the address"):
        hub.check_address(text)


def test_the_token_stays_with_the_hub() -> None:
    assert hub.choose_hub("", "", {}).endpoint == "https://huggingface.co"
    assert hub.choose_hub("", "", {"HF_TOKEN": "secret"}).token == "secret"
    assert hub.choose_hub("https://mirror.example/", "mine", {"HF_TOKEN": "secret"}).token == ""
    both = {"HF_TOKEN": "secret", "HF_ENDPOINT": "https://mirror.example"}
    assert hub.choose_hub("", "", both) == hub.Hub("https://mirror.example", "secret")
    assert hub.choose_hub("https://other.example", "", both).token == ""
    assert "secret" not in repr(hub.choose_hub("", "secret", {}))
    for bad in ("t\u00f6ken", "two words", "two\nlines"):
        with pytest.raises(RequestError, match="token"):
            hub.choose_hub("", bad, {})
        assert hub.choose_hub("https://mirror.example", bad, {}).token == ""
    plain = hub.Hub("http://mirror.example", "secret")
    assert not plain.may_know_token("http://mirror.example/x")
    assert hub.Hub("http://127.0.0.1:8", "s").may_know_token("http://127.0.0.1:8/x")
    assert not hub.Hub("https://a.example", "s").may_know_token("https://a.example:444/x")
    assert not hub.Hub("https://a.example", "s").may_know_token("https://b.example/x")


def test_cache_folder_follows_the_hubs_own_rules() -> None:
    assert cache_folder({"HF_HUB_CACHE": "/a"}) == Path("/a")
    assert cache_folder({"HF_HOME": "/b"}) == Path("/b/hub")
    assert cache_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/huggingface/hub")


def test_headers_are_read_as_they_come() -> None:
    assert content_range("bytes 5-9/10") == (5, 10)
    assert content_range("bytes */10") == (-1, 10)
    assert content_range("bytes 5-9/*") == (5, -1)
    assert content_range("junk") == (-1, -1)
    assert bare_etag('W/"x"') == ""
    assert bare_etag('"x"') == "x"


def test_speed_and_time_left_are_of_the_last_seconds() -> None:
    now = 0.0
    meter = Meter(lambda: now, window_s=4)
    assert meter.add(0) == 0
    for second in range(1, 11):
        now = float(second)
        speed = meter.add(1000 * second)
    assert speed == pytest.approx(1000)
    now = 20.0
    assert meter.add(10_000) < 1000
    assert meter.add(0) == 0  # started over
    transfer = Transfer("x", phase=None, done=500, total=1500, speed=100)  # type: ignore[arg-type]
    assert transfer.left_s == 10
    assert replace(transfer, total=0).left_s is None


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = cli.main(["models", *args])
    out = capsys.readouterr()
    return code, out.out, out.err


def test_the_command_line(
    small: Variant, hub: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr("engine.commands.models.VARIANTS", (small,))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    folder = ("--models-dir", str(tmp_path / "m"))
    code, out, _ = run(capsys, "list", *folder)
    assert code == 0
    assert "not here" in out
    code, out, err = run(capsys, "download", "tiny", *folder)
    assert (code, out) == (1, "")
    assert FISH_LICENSE.page in err
    assert "commercial" in err.lower()
    assert not hub.seen
    code, out, err = run(capsys, "path", "tiny", *folder)
    assert code == 1
    assert "s2 models download tiny" in err
    code, out, err = run(
        capsys, "download", "tiny", "--accept-license", "--mirror", hub.url, *folder
    )
    assert code == 0, err
    assert out.strip() == str(tmp_path / "m" / "tiny.gguf")
    assert run(capsys, "path", "tiny", *folder)[1] == out
    code, out, _ = run(capsys, "verify", *folder)
    assert code == 0
    assert "tiny.gguf: good" in out
    (tmp_path / "m" / "tiny.gguf").write_bytes(b"GGUF")
    code, out, err = run(capsys, "verify", "tiny", *folder)
    assert code == 1
    assert "damaged" in out
    code, _, err = run(capsys, "download", "huge", *folder)
    assert code == 2
    assert "Known: tiny" in err
    assert run(capsys, "download", "tiny", "--mirror", "nowhere", *folder)[0] == 1


def test_entry_titles() -> None:
    own = Entry(None, Path("a/b.gguf"), Presence.PRESENT, 1, 1)
    assert own.title == "b"
    assert REPO != REPOSITORY


@pytest.mark.parametrize("module", ["app.application", "engine.cli", "engine.hub.store"])
def test_no_network_library_is_loaded_before_a_download(module: str) -> None:
    code = f"import sys, {module}; sys.exit('httpx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0
