"""The built folder on a bare machine. The variable ``S2_PACKAGED`` names the folder.

Build it with ``python -m resources.packaging --no-archive`` first.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from packaged_kit import LIMIT_S, ROOT, Room, Screen, wait_until
from sound_server import SoundServer, missing

BUILT = os.environ.get("S2_PACKAGED", "")
PICTURES = ROOT / "artifacts" / "packaged"
CALM_S = 10
STEPS = [
    "libraries", "modules", "data", "sound files", "model", "voice", "speech", "playback",
    "export", "transcription", "server", "window",
]  # fmt: skip

pytestmark = [
    pytest.mark.packaged,
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("packaged"),
    pytest.mark.skipif(not BUILT, reason="S2_PACKAGED names no built folder"),
    pytest.mark.skipif(sys.platform != "linux", reason="the bare machine is made of Linux parts"),
]


@pytest.fixture(scope="module")
def room() -> Iterator[Room]:
    made = Room(Path(BUILT).resolve())
    yield made
    assert made.processes() == [], "a process of the program outlived its test"
    made.close()


@pytest.fixture
def screen(room: Room, tmp_path: Path) -> Iterator[Screen]:
    shown = Screen(tmp_path)
    room.display = shown.name
    yield shown
    room.display = ""
    shown.close()


@pytest.fixture
def sound(room: Room) -> Iterator[SoundServer]:
    if missing():
        pytest.skip(missing())
    server = SoundServer(room.base / "sound", anyone=True)
    # Everybody may knock: the program runs as another user than the server.
    for folder in (server.folder, server.folder / "pulse"):
        folder.chmod(0o755)
    (server.folder / "pulse" / "native").chmod(0o777)
    room.sound = server.environment["PULSE_SERVER"]
    yield server
    room.sound = ""
    server.close()


@pytest.fixture(scope="module")
def model(room: Room) -> Path:
    """A stand-in model made by the built command line itself."""
    path = room.temp / "модель.gguf"
    tokenizer = path.with_name("tokenizer.json")
    done = room.run(
        "s2", "make-random-model", str(path), "--size", "tiny", "--tokenizer", str(tokenizer)
    )
    assert done.returncode == 0, done.stderr
    return path


def steps_of(report: Path) -> dict[str, dict]:
    return {step["name"]: step for step in json.loads(report.read_text("utf-8"))["steps"]}


def test_the_selftest_passes_with_window_and_sound(
    room: Room, screen: Screen, sound: SoundServer
) -> None:
    """No Python, no source tree, a folder it cannot write, names beyond ASCII."""
    report = room.temp / "report.json"
    heard = sound.record()
    process = room.start("s2studio", "--selftest", "--json", str(report))
    counts = []
    while process.poll() is None:
        counts.append(len(room.processes()))
        time.sleep(0.1)
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    print(out)
    steps = steps_of(report)
    assert list(steps) == STEPS
    assert {step["state"] for name, step in steps.items() if name != "transcription"} == {"ok"}
    assert np.abs(heard.finish()).max() > 0.001
    assert max(counts) <= 2, "one program, and one child while it transcribes"
    told = json.loads(report.read_text("utf-8"))
    assert told["frozen"] is True
    assert told["ok"] is True


def test_a_broken_installation_names_the_step(room: Room) -> None:
    if not room.sealed:
        pytest.skip("files cannot be hidden: the room is not sealed here")
    hidden = room.folder / "_internal" / "resources" / "i18n"
    report = room.temp / "broken.json"
    done = room.run(
        "s2studio", "--selftest", "--only", "data", "--json", str(report), hide=(hidden,)
    )
    assert done.returncode == 1
    assert "selftest failed: data" in done.stderr
    assert json.loads(report.read_text("utf-8"))["failed"] == ["data"]


def test_portaudio_comes_from_the_folder_or_is_done_without(room: Room, screen: Screen) -> None:
    if not room.sealed:
        pytest.skip("files cannot be hidden: the room is not sealed here")
    system = tuple(
        path.resolve()
        for name in ("libportaudio.so.2", "libasound.so.2", "libjack.so.0")
        for path in Path("/usr/lib").glob(f"*/{name}")
    )
    only = ("--selftest", "--only", "libraries", "--only", "playback")
    done = room.run("s2studio", *only, hide=system)
    assert done.returncode == 0, done.stderr
    assert "PortAudio V19" in done.stdout
    done = room.run("s2studio", *only, hide=(*system, room.folder / "_internal" / "sound"))
    assert done.returncode == 0, done.stderr
    assert "PortAudio not found" in done.stdout
    assert "skipped playback" in done.stdout


def test_it_speaks_with_all_streams_closed(room: Room, model: Path, tmp_path: Path) -> None:
    output = room.temp / "closed.wav"
    for program, arguments in (
        ("s2", ("synth", "-m", str(model), "--text", "Hi.", "--max-tokens", "20", "-o",
                str(output))),
        ("s2studio", ("--smoke", "--model", str(model))),
    ):  # fmt: skip
        command = room.command(program, *arguments)
        done = subprocess.run(
            ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "closed", *command], cwd="/", timeout=LIMIT_S,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, program
    assert soundfile.info(output).frames > 0


def test_a_cache_that_cannot_be_written_only_costs_time(room: Room, model: Path) -> None:
    home = room.temp / "read-only"
    home.mkdir()
    home.chmod(0o555)
    output = room.temp / "cacheless.wav"
    done = room.run(
        "s2", "synth", "-m", str(model), "--text", "Hi.", "--max-tokens", "20", "-o", str(output),
        HOME=str(home),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    assert soundfile.info(output).frames > 0
    if room.sealed:
        assert list(home.iterdir()) == []


def test_the_command_line_measures_in_a_child_of_its_own(room: Room, model: Path) -> None:
    """A frozen program that started itself as a Python would speak, or start itself again."""
    done = room.run("s2", "bench", "load", str(model), "--repeats", "1")
    assert done.returncode == 0, done.stderr
    assert "first frame" in done.stdout


def test_without_a_display_it_says_so(room: Room) -> None:
    done = room.run("s2studio")
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_window_opens_once_and_is_one_process(room: Room, screen: Screen, model: Path) -> None:
    started = time.monotonic()
    first = room.start("s2studio", "--model", str(model))
    try:
        assert wait_until(lambda: screen.filled() > 0.5, 60), "no window"
        print(f"window after {time.monotonic() - started:.1f} s")
        end = time.monotonic() + CALM_S
        while time.monotonic() < end:
            assert len(room.processes()) == 1
            time.sleep(0.2)
        screen.save(PICTURES / "window.png")
        other = room.temp / "text.txt"
        other.write_text("The harbour is quiet tonight.", encoding="utf-8")
        second = room.run("s2studio", str(other))
        assert second.returncode == 0, second.stderr
        assert "open already" in second.stdout
        assert len(room.processes()) == 1
        before = screen.picture()
        wait_until(lambda: not np.array_equal(screen.picture(), before), 5)
        screen.save(PICTURES / "second-start.png")
    finally:
        for number in room.processes():
            os.kill(number, signal.SIGTERM)
        out, err = first.communicate(timeout=30)
    assert first.returncode == 0, out + err
    assert "Traceback" not in err
