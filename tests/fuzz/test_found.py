"""What the fuzzers found, one by one."""

from __future__ import annotations

import json
import os
import shutil
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from error_kit import refused
from export_kit import a_provenance, speech
from fuzz_sound import silence
from gguf_support import gguf_bytes, text

from app.core import settings as keys
from app.core.settings_file import SettingsFile
from app.core.text_files import read_text
from app.voices.store import VoiceStore
from engine.audio.files import MAX_PART_BYTES, read_audio
from engine.errors import EngineError, ModelFileError, OutputError
from engine.gguf.reader import GGUFFile
from engine.takes.archive import SavedTake, TakeArchive, TakeError
from engine.takes.files import load_codes, load_meta
from engine.takes.provenance import read_provenance
from engine.text.tokenizer import Tokenizer
from engine.voices import VoiceLibrary, VoiceProfile, read_sidecar
from engine.voices.notes import VoiceNotes

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "voice-tiny-f32.s2voice"


def _take(folder: Path) -> None:
    load_meta(folder.parent)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("clip.wav", read_audio), ("clip.wav", read_provenance), ("text.txt", read_text),
        ("voice.json", read_sidecar), ("take.json", _take), ("voice.s2voice", VoiceProfile.load),
        ("codes.npy", lambda path: load_codes(path, 10)), ("studio.json", SettingsFile),
    ],
)  # fmt: skip
def test_a_pipe_is_never_waited_for(
    name: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / name
    os.mkfifo(path)
    ended = threading.Event()

    def work() -> None:
        try:
            read(path)
        except EngineError:
            pass
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    came_back = ended.wait(20)
    if not came_back:  # let the thread go
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    assert came_back


@pytest.mark.parametrize("element", [0, 8, 9, 12])
def test_a_hole_behind_a_huge_array(element: int, tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    entry = text("k") + struct.pack("<IIQ", 9, element, 1 << 24)
    path.write_bytes(gguf_bytes([entry]))
    os.truncate(path, 1 << 28)
    start = time.process_time()
    with refused("header.array_length", ModelFileError):
        GGUFFile.open(path)
    assert time.process_time() - start < 0.5


def test_strings_share_one_budget(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    words = b"".join(struct.pack("<Q", 9 << 20) + b"x" * (9 << 20) for _ in range(2))
    path.write_bytes(gguf_bytes([text("k") + struct.pack("<IIQ", 9, 8, 2) + words]))
    with refused("header.text_length", ModelFileError):
        GGUFFile.open(path)


def test_packed_silence_is_read_in_part(tmp_path: Path) -> None:
    path = tmp_path / "bomb.flac"
    path.write_bytes(silence(17, 8, 192_000))
    clip = read_audio(path, max_seconds=60)
    assert clip.samples.nbytes <= MAX_PART_BYTES
    assert any("spare memory" in warning for warning in clip.warnings)


@pytest.mark.parametrize("depth", [1, 1000, 50_000])
def test_nested_objects_in_the_settings(depth: int, tmp_path: Path) -> None:
    """QSettings ended the process with the deepest one."""
    path = tmp_path / "studio.json"
    value = "[" * depth + "]" * depth
    path.write_text(f'{{"model/last": {value}, "x": 1, "model/reopen": false}}', encoding="utf-8")
    settings = keys.Settings(path)
    assert settings.get(keys.LAST_MODEL) == ""
    assert settings.get(keys.REOPEN_MODEL) is (depth > 1)
    assert ("damaged" in settings.notice) is (depth > 1)
    settings.set(keys.TOP_K, 7)
    settings.sync()
    kept = path.with_suffix(".damaged.json") if depth > 1 else path
    assert value in kept.read_text(encoding="utf-8"), "what is not understood is kept"


def test_two_windows_keep_each_others_settings(tmp_path: Path) -> None:
    path = tmp_path / "studio.json"
    one, other = keys.Settings(path), keys.Settings(path)
    one.set(keys.TOP_K, 7)
    one.sync()
    other.set(keys.THEME, "dark")
    other.sync()
    both = keys.Settings(path)
    assert (both.get(keys.TOP_K), both.get(keys.THEME)) == (7, "dark")


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX permissions")
def test_keys_in_the_settings_are_for_the_owner_alone(tmp_path: Path) -> None:
    settings = keys.Settings(tmp_path / "config" / "studio.json")
    settings.set(keys.REMOTE_KEY, "secret")
    settings.sync()
    assert settings.path.stat().st_mode & 0o077 == 0
    settings.path.chmod(0o644)  # as an older version made it
    settings.set(keys.TOP_K, 7)
    settings.sync()
    assert settings.path.stat().st_mode & 0o077 == 0


def test_an_older_damaged_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "studio.json"
    for damage in (b"\xff\xfe", b"no value\n", b"x=\0"):
        path.write_bytes(damage)
        assert "damaged" in keys.Settings(path).notice
    kept = {each.read_bytes() for each in tmp_path.iterdir()}
    assert kept == {b"\xff\xfe", b"no value\n", b"x=\0"}


def test_notes_are_not_written_through_a_link(tmp_path: Path) -> None:
    library = VoiceLibrary(tmp_path / "voices")
    library.save("anna", VoiceProfile.load(GOLDEN))
    foreign = tmp_path / "foreign.json"
    foreign.write_text(json.dumps({"notes": "not yours"}), encoding="utf-8")
    (tmp_path / "voices" / "anna.json").symlink_to(foreign)
    with refused("voice.link", OutputError):
        VoiceStore(library).write_notes("anna", VoiceNotes(notes="mine"))
    assert json.loads(foreign.read_text(encoding="utf-8")) == {"notes": "not yours"}


def test_takes_are_not_changed_through_links(tmp_path: Path) -> None:
    archive = TakeArchive(tmp_path / "takes")
    entry = archive.add(SavedTake(a_provenance(), speech(0.1), 44100)).entry
    meta = tmp_path / "takes" / entry.id / "take.json"
    foreign = tmp_path / "foreign.json"
    shutil.move(meta, foreign)
    meta.symlink_to(foreign)
    before = foreign.read_bytes()
    with refused("take.file_link", TakeError):
        archive.rename(entry.id, "another")
    assert foreign.read_bytes() == before


def test_a_trash_that_leads_elsewhere_is_not_emptied(tmp_path: Path) -> None:
    elsewhere = TakeArchive(tmp_path / "elsewhere")
    kept = elsewhere.add(SavedTake(a_provenance(), speech(0.1), 44100)).entry
    archive = TakeArchive(tmp_path / "takes")
    mine = archive.add(SavedTake(a_provenance(), speech(0.1), 44100)).entry
    (tmp_path / "takes" / ".trash").symlink_to(tmp_path / "elsewhere")
    archive.tidy()
    with refused("take.trash_link", OutputError):
        archive.remove(mine.id)
    assert [entry.id for entry in elsewhere.list()] == [kept.id]
    assert [entry.id for entry in archive.list()] == [mine.id]


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    from studio_fakes import model_info

    from engine.server.options import ServerOptions
    from engine.server.replies import ApiError
    from engine.server.voices import VoiceResolver

    shelf = VoiceResolver(ServerOptions(voice_dir=tmp_path))
    for folder in ("x" * 300, "a/" * 3000):
        with pytest.raises(ApiError):
            shelf.load(shelf.locate("anna", str(tmp_path / folder)) or tmp_path, model_info())
    library = VoiceLibrary(tmp_path / ("x" * 300))
    assert library.remove("anna") is False
    assert library.ids() == []
    with pytest.raises(EngineError):
        library.load("anna")


@pytest.mark.parametrize(
    "text",
    [
        '{"source_seconds": 1' + "0" * 400 + "}", '{"source_seconds": NaN}', '{"x": Infinity}',
        '{"notes": "\\ud800"}', '{"\\udfff": 1}', '{"x": ' + "[" * 600 + "]" * 600 + "}",
    ],
)  # fmt: skip
def test_notes_that_cannot_be_written_again(text: str, tmp_path: Path) -> None:
    store = VoiceStore(VoiceLibrary(tmp_path))
    store.library.save("anna", VoiceProfile.load(GOLDEN))
    (tmp_path / "anna.json").write_text(text, encoding="utf-8")
    store.write_notes("anna", store.read_notes("anna"))
    again = VoiceNotes.from_bytes((tmp_path / "anna.json").read_bytes())
    assert again == store.read_notes("anna")


def test_dropout_and_decoders_of_a_tokenizer_mean_nothing(models: Any, tmp_path: Path) -> None:
    tree = json.loads(models.tokenizer.read_bytes())
    tree["model"]["dropout"] = 0.9
    tree["decoder"] = {"type": "Nonsense"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(tree), encoding="utf-8")
    good, odd = Tokenizer.load(models.tokenizer), Tokenizer.load(tmp_path / "tokenizer.json")
    for _ in range(3):
        assert odd.encode_user("Good evening, everyone.") == good.encode_user(
            "Good evening, everyone."
        )


@pytest.mark.parametrize("item", ["[]", "{}", "1", '"a"', "0.5"])
def test_settings_of_four_megabytes_of_small_things(item: str, tmp_path: Path) -> None:
    """Written with an indent, value by value, they cost twenty times what reading them does."""
    path = tmp_path / "s.json"
    count = (4 << 20) // (len(item) + 1) - 100
    path.write_text(f'{{"model/recent": [{",".join([item] * count)}]}}')
    start = time.thread_time()
    json.dumps(json.loads(path.read_text()))
    once, start = time.thread_time() - start, time.thread_time()
    settings = keys.Settings(path)
    settings.get(keys.RECENT_MODELS)
    settings.set(keys.TOP_K, 7)
    settings.sync()
    assert time.thread_time() - start < 10 * once + 0.3
    assert keys.Settings(path).get(keys.TOP_K) == 7
