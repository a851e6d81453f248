"""The sound server of the tests says why it did not start."""

from __future__ import annotations

from pathlib import Path

import pytest
import sound_server
from sound_server import SoundServer, missing


@pytest.mark.parametrize(
    ("server", "asked", "named"),
    [
        (
            "echo no such module >&2; exit 3",
            "exit 1",
            r"ended with 3 as it started: no such module",
        ),
        (
            "echo slow >&2; exec sleep 60",
            "echo refused >&2; exit 1",
            r"pactl: refused; server: slow",
        ),
        ("exec sleep 60", "exec sleep 60", r"pactl: no answer; server: nothing"),
    ],
    ids=["ended", "refuses", "hangs"],
)
def test_a_server_that_does_not_start_is_named(
    server: str, asked: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, script in (("pulseaudio", server), ("pactl", asked)):
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(sound_server, "START_S", 1.0)
    monkeypatch.setattr(sound_server, "LOCK", tmp_path / "lock")
    with pytest.raises(RuntimeError, match=named):
        SoundServer(tmp_path / "pulse")


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_folder_too_long_for_a_socket_is_no_hindrance(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25)
    folder.mkdir()
    server = SoundServer(folder / "pulse")
    server.close()
    assert not server.folder.is_relative_to(tmp_path)
