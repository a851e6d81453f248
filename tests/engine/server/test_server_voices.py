"""Voices over HTTP: listed, deleted, and nothing outside the voice root."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_kit import client_of, form, kit_voice, serving, short
from voice_kit import SMALL, Encoder, clip_of

from engine.engine import Engine
from engine.voices import VoiceLibrary

OUTSIDE = "voice path is outside the voice directory"


@pytest.fixture
def root(tmp_path: Path, golden_file: Any) -> Path:
    folder = tmp_path / "root"
    kit_voice(golden_file, folder)
    kit_voice(golden_file, folder / "team", "inner")
    kit_voice(golden_file, tmp_path / "outside", "secret")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "linked.s2voice").symlink_to(tmp_path / "outside" / "secret.s2voice")
    (folder / "damaged.s2voice").write_bytes(b"S2VOICE\0")
    return folder


@pytest.fixture
def client(tiny_engine: Engine, root: Path) -> Iterator[httpx.Client]:
    with serving(tiny_engine, voice_dir=root) as server, client_of(server) as client:
        yield client


@pytest.mark.parametrize(
    "fields",
    [
        {"voice": "../../etc/x.s2voice"},
        {"voice": "/etc/x.s2voice"},
        {"voice": "../outside/secret.s2voice"},
        {"voice": "link/secret.s2voice"},
        {"voice": "linked"},
        {"voice": "linked.s2voice"},
        {"voice": "secret", "voice_dir": "../outside"},
        {"voice": "secret", "voice_dir": "link"},
        {"voice": "hope", "voice_dir": "/"},
        {"voice": "hope", "params": '{"voice_dir": ".."}'},
        {"params": '{"voice": "../../etc/x.s2voice"}'},
        {"params": '{"voice": "a\\u0000b/x.s2voice"}'},
    ],
)
def test_paths_outside_are_refused(client: httpx.Client, fields: dict[str, str]) -> None:
    answer = client.post("/generate", **form(**fields))
    assert (answer.status_code, answer.text) == (400, OUTSIDE)


@pytest.mark.parametrize("voice", ["../x", "a/b", "a\\b", "..", "CON", "x" * 300, "a:b", "\ud800"])
def test_ids_that_are_none(client: httpx.Client, voice: str) -> None:
    import json

    answer = client.post("/generate", **form(params=json.dumps({"voice": voice})))
    assert answer.status_code == 400
    assert answer.text.startswith("Invalid voice id")
    answer = client.post("/v1/audio/speech", json={"input": "Hi.", "voice": {"id": "a/b"}})
    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == "voice"


def test_a_path_outside_is_never_looked_at(
    client: httpx.Client, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[str] = []

    def spy(name: str, real: Any) -> Any:
        def call(path: Any, *args: Any, **options: Any) -> Any:
            touched.append(os.fspath(path) if isinstance(path, (str, os.PathLike)) else "")
            return real(path, *args, **options)

        return call

    for name in ("stat", "lstat", "open", "readlink", "scandir"):
        monkeypatch.setattr(os, name, spy(name, getattr(os, name)))
    monkeypatch.setattr(builtins, "open", spy("open", open))
    answer = client.post("/generate", **form(voice="../../etc/x.s2voice"))
    assert answer.status_code == 400
    assert not [path for path in touched if "x.s2voice" in path or path.endswith("etc")]


@pytest.mark.parametrize(
    "fields",
    [
        {"voice": "hope"},
        {"voice": "team/inner.s2voice"},
        {"voice": "inner", "voice_dir": "team"},
        {"voice": "inner.s2voice", "params": None, "voice_dir": "team"},
        {"voice": "team/../hope.s2voice"},
    ],
)
def test_paths_inside_work(client: httpx.Client, root: Path, fields: dict[str, Any]) -> None:
    answer = client.post("/generate", **form(**{**fields, "params": short()}))
    assert answer.status_code == 200, answer.text
    absolute = form(voice=str(root / "hope.s2voice"), params=short())
    assert client.post("/generate", **absolute).status_code == 200


def test_the_listing_tells_damage_and_no_paths(client: httpx.Client, root: Path) -> None:
    answer = client.get("/voices")
    voices = {voice["id"]: voice for voice in answer.json()["voices"]}
    assert set(voices) == {"damaged", "hope", "linked"}
    assert voices["hope"]["error"] == ""
    assert voices["hope"]["seconds"] > 0
    assert voices["hope"]["transcript"]
    assert voices["damaged"]["error"] == "truncated voice profile"
    assert str(root) not in answer.text
    openai = client.get("/v1/audio/voices").json()
    assert openai["voices"] == ["default", "damaged", "hope", "linked"]
    assert [voice["id"] for voice in openai["data"]] == openai["voices"]


def test_deleting(client: httpx.Client, root: Path, tmp_path: Path) -> None:
    assert client.delete("/voices/hope").json() == {"id": "hope", "deleted": True}
    assert not (root / "hope.s2voice").exists()
    assert client.delete("/voices/hope").status_code == 404
    for name in ("..%2Foutside%2Fsecret", "team%2Finner", "linked", "%2e%2e"):
        assert client.delete(f"/voices/{name}").status_code in (400, 404), name
    assert (tmp_path / "outside" / "secret.s2voice").exists()
    assert (root / "team" / "inner.s2voice").exists()


def test_further_folders_are_read_by_id_and_not_deleted_from(
    tiny_engine: Engine, tmp_path: Path, golden_file: Any
) -> None:
    kit_voice(golden_file, tmp_path / "shipped", "demo")
    with (
        serving(
            tiny_engine, voice_dir=tmp_path / "mine", more_voice_dirs=(tmp_path / "shipped",)
        ) as server,
        client_of(server) as client,
    ):
        assert client.post("/generate", **form(voice="demo", params=short())).status_code == 200
        assert [voice["id"] for voice in client.get("/voices").json()["voices"]] == ["demo"]
        assert client.delete("/voices/demo").status_code == 404
    assert (tmp_path / "shipped" / "demo.s2voice").exists()
    assert not (tmp_path / "mine").exists()


def test_a_voice_is_found_by_the_name_that_is_shown(
    client: httpx.Client, root: Path, golden_file: Any
) -> None:
    library = VoiceLibrary(root)
    library.keep("Grandpa: kitchen?", library.load("hope"))
    listed = client.get("/voices").json()["voices"]
    assert ["Grandpa kitchen", "Grandpa: kitchen?"] in [[v["id"], v["name"]] for v in listed]
    assert client.post("/generate", **form(voice="GRANDPA: kitchen?", params=short())).is_success
    assert client.delete("/voices/Grandpa: kitchen%3F").is_success
    assert library.like("Grandpa: kitchen?") == ""


def test_a_voice_speaks_as_it_was_made_for_the_model(
    client: httpx.Client, root: Path, golden_file: Any
) -> None:
    library = VoiceLibrary(root)
    fitting = library.load("hope")
    clips = ((clip_of(1.0), fitting.transcript),)
    library.keep("Other", Encoder(SMALL)(*clips[0]), clips)
    assert client.post("/generate", **form(voice="Other", params=short())).status_code == 400
    library.companions("Other").keep_other(fitting)
    assert client.post("/generate", **form(voice="Other", params=short())).is_success
