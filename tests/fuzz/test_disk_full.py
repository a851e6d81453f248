"""A disk without room: a sentence with the reason, nothing lost, and it works again afterwards."""

from __future__ import annotations

import base64
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import soundfile
from export_kit import a_provenance, speech
from fuzz_http import SPEECH, FormTarget, Server
from PySide6.QtWidgets import QApplication

from app.core import settings as keys
from app.core.text_files import write_text
from app.voices.store import VoiceStore
from engine.audio.sinks import WavFileSink
from engine.audio.wav import encode_wav
from engine.errors import OutputError
from engine.kernels.jit import KernelLibrary
from engine.kernels.quantise import build_quantise
from engine.takes.archive import SavedTake, TakeArchive
from engine.takes.export import ExportFormat, export_take
from engine.voices import VoiceLibrary, VoiceProfile
from engine.voices.notes import VoiceNotes

SIZE = 1 << 20
RATE = 44100

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(sys.platform != "linux", reason="needs a mounted tmpfs"),
]


class Disk:
    """A small disk that can be filled to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, leave: int = 0) -> None:
        """Take all room but ``leave`` bytes, in whole pages."""
        with open(self._ballast, "ab", buffering=0) as file:
            try:
                while file.write(b"\0" * 4096):
                    pass
            except OSError:
                pass
            file.truncate(max(0, file.tell() - leave))

    def free(self) -> None:
        """Give the room back."""
        self._ballast.unlink()

    def files(self) -> list[str]:
        """Everything else that is on it."""
        return sorted(
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.is_file() and path != self._ballast
        )


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=30)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.decode().strip()}")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, timeout=30)


def refused(work: Callable[[], object]) -> OutputError:
    """The error of something that needs room."""
    with pytest.raises(OutputError) as caught:
        work()
    said = str(caught.value).lower()
    assert "room" in said or "space" in said, said
    return caught.value


def a_profile(frames: int, code: int = 1) -> VoiceProfile:
    return VoiceProfile("Hello.", np.full((10, frames), code, np.int32), RATE, 4096)


def write_until_it_fails(sink: WavFileSink, block: np.ndarray) -> None:
    for _ in range(100):
        sink.write(block)


@pytest.mark.parametrize("leave", [0, 4096, 16384])
def test_voices(disk: Disk, leave: int) -> None:
    store = VoiceStore(VoiceLibrary(disk.folder / "voices"))
    store.save("anna", a_profile(500), VoiceNotes(notes="first"))
    before = disk.files()
    disk.fill(leave)
    refused(lambda: store.save("anna", a_profile(600, 2), VoiceNotes(), overwrite=True))
    refused(lambda: store.save("bert", a_profile(600, 2), VoiceNotes()))
    refused(lambda: store.write_notes("anna", VoiceNotes(notes="x" * 100_000)))
    assert disk.files() == before
    assert store.library.load("anna") == a_profile(500)
    assert store.read_notes("anna").notes == "first"
    store.rename("anna", "clara")
    disk.free()
    store.save("clara", a_profile(600, 2), VoiceNotes(notes="second"), overwrite=True)
    assert store.library.load("clara") == a_profile(600, 2)


def test_settings(qapp: QApplication, disk: Disk) -> None:
    path = disk.folder / "config" / "studio.json"
    settings = keys.Settings(path)
    settings.set(keys.SCRIPT, "first")
    settings.sync()
    before = path.read_bytes()
    disk.fill()
    said: list[OutputError] = []
    settings.failed.connect(said.append)
    settings.set(keys.SCRIPT, "x" * 50_000)
    settings.sync()
    settings.sync()
    assert len(said) == 1, "said once"
    assert "room" in said[0].detail
    assert path.read_bytes() == before
    assert settings.get(keys.SCRIPT) == "x" * 50_000, "the window works on"
    assert disk.files() == ["config/studio.json"]
    disk.free()
    settings.sync()
    assert keys.Settings(path).get(keys.SCRIPT) == "x" * 50_000


def test_first_settings(qapp: QApplication, disk: Disk) -> None:
    disk.fill()
    path = disk.folder / "studio.json"
    settings = keys.Settings(path)
    settings.set(keys.TOP_K, 7)
    settings.sync()
    again = keys.Settings(path)
    assert again.notice == ""
    assert again.get(keys.TOP_K) == keys.TOP_K.default
    disk.free()
    settings.sync()
    assert keys.Settings(path).get(keys.TOP_K) == 7


@pytest.mark.parametrize("leave", [0, 8192, 65536])
def test_takes(disk: Disk, leave: int) -> None:
    archive = TakeArchive(disk.folder / "takes")
    take = SavedTake(a_provenance(), speech(1.0), RATE, title="first")
    kept = archive.add(take).entry
    before = disk.files()
    disk.fill(leave)
    refused(lambda: archive.add(SavedTake(a_provenance(), speech(2.0), RATE)))
    refused(lambda: archive.rename(kept.id, "x" * 100_000))
    assert disk.files() == before
    loaded = archive.load(kept.id)
    assert loaded.title == "first"
    assert len(loaded.samples) == len(take.samples)
    archive.undo(archive.remove(kept.id))
    archive.tidy()
    assert disk.files() == before
    disk.free()
    assert archive.rename(kept.id, "second").title == "second"


@pytest.mark.parametrize("kind", list(ExportFormat))
def test_exports(disk: Disk, kind: ExportFormat) -> None:
    sound = speech(3.0)
    disk.fill(leave=8192)
    for _ in range(2):
        refused(
            lambda: export_take(disk.folder / "take", sound, RATE, kind, provenance=a_provenance())
        )
        assert disk.files() == []
    disk.free()
    written = export_take(disk.folder / "take", sound, RATE, kind, provenance=a_provenance())
    assert soundfile.info(written.path).frames > 0


def test_texts(disk: Disk) -> None:
    path = disk.folder / "script.txt"
    write_text(path, "first")
    disk.fill()
    refused(lambda: write_text(path, "x" * 10_000))
    assert path.read_text(encoding="utf-8") == "first"
    assert disk.files() == ["script.txt"]


def test_sound_written_while_it_is_made(disk: Disk) -> None:
    sink = WavFileSink(disk.folder / "live.wav")
    sink.start(RATE)
    block = speech(0.1)
    sink.write(block)
    disk.fill(leave=5 * 4096)
    with pytest.raises(OutputError, match="room"):
        write_until_it_fails(sink, block)
    sink.abort()
    info = soundfile.info(disk.folder / "live.wav")
    assert info.frames % len(block) == 0
    assert info.frames >= len(block)
    assert (disk.folder / "live.wav").stat().st_size == 44 + 2 * info.frames


def test_recordings_sent_to_the_server(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a client sends is spooled to the folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    clip = encode_wav(speech(1.0, 16000), 16000)
    parts = [("text", b"Hi."), ("reference_text", b"Hello."), ("reference", clip)]
    form = FormTarget().form(random.Random(1), parts)
    body = json.dumps({**SPEECH, "ref_audio": base64.b64encode(clip).decode()}).encode()
    kind = [(b"content-type", b"multipart/form-data; boundary=cut")]
    with closing(Server(tmp_path)) as server:
        for leave in (0, 4096):
            disk.fill(leave)
            for path, data, headers in (("/generate", form, kind), ("/v1/audio/speech", body, [])):
                status, answer = server.ask("POST", path, [data], headers)
                assert status == 507, answer
                assert b"no room" in answer
            assert disk.files() == []
            server.idle()
            disk.free()
        assert server.ask("POST", "/generate", [form], kind)[0] == 200
        assert disk.files() == []


def test_compiled_kernels(disk: Disk) -> None:
    disk.fill()
    library = KernelLibrary("generic", disk.folder / "kernels")
    assert library.address("quantise", "quantise", build_quantise)
    assert (library.compiled, disk.files()) == (1, [])
    disk.free()
    again = KernelLibrary("generic", disk.folder / "kernels")
    assert again.address("quantise", "quantise", build_quantise)
    assert again.compiled == 1
    assert len(disk.files()) == 1
