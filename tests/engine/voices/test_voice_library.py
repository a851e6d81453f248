"""The folder of voices, ids, names made from text, and path against id (spec 05, section 5)."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from error_kit import refused
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import OutputError, VoiceError
from engine.voices import (
    VoiceLibrary,
    VoiceProfile,
    resolve_voice,
    safe_name,
    unique_name,
    valid_id,
)

BAD_IDS = [
    "",
    " ",
    "x" * 256,
    "../x",
    "a/b",
    "a\\b",
    "C:\\x",
    "C:x",
    "a..b",
    "..",
    ".hidden",
    "name.",
    "name ",
    " name",
    "CON",
    "con",
    "nul.txt",
    "Aux .x",
    "COM1",
    "lpt9.s2voice",
    "a\0b",
    "a\nb",
    "a\tb",
    "a*b",
    'a"b',
    "a\u200bb",
    "\u3164",
    "\u0301a",
    "\ud800",
]
GOOD_IDS = [
    "a",
    "Bob 2",
    "x" * 255,
    "my-voice_1.take",
    "Élan",
    "E\u0301lan",
    "声",
    "नमस्ते",
    "console",
    "COM",
    "COM10",
]


def profile(transcript: str = "hi", frames: int = 2) -> VoiceProfile:
    return VoiceProfile(transcript, np.zeros((10, frames), int), 44100, 4096)


@pytest.fixture
def library(tmp_path: Path) -> VoiceLibrary:
    return VoiceLibrary(tmp_path / "voices")


@pytest.mark.parametrize("name", BAD_IDS)
def test_bad_ids_never_reach_the_file_system(name: str, library: VoiceLibrary) -> None:
    library.save("ok", profile())
    assert not valid_id(name)
    for attempt in (
        lambda: library.save(name, profile()),
        lambda: library.load(name),
        lambda: library.remove(name),
        lambda: library.path(name),
        lambda: library.rename("ok", name),
    ):
        with refused("voice.bad_name", VoiceError):
            attempt()
    assert library.ids() == ["ok"]
    assert [path.name for path in library.directory.parent.iterdir()] == ["voices"]


@pytest.mark.parametrize("name", GOOD_IDS)
def test_good_ids(name: str) -> None:
    assert valid_id(name)


def test_id_too_long_for_a_file_name_is_refused_in_words(library: VoiceLibrary) -> None:
    for name in ("x" * 255, "声" * 100):
        with refused("voice.long_name", VoiceError):
            library.save(name, profile())
    assert not library.directory.exists()


def test_only_saving_makes_the_folder(library: VoiceLibrary) -> None:
    assert library.ids() == []
    assert library.list() == []
    assert library.remove("bob") is False
    with refused("voice.unopened", VoiceError):
        library.load("bob")
    assert not library.directory.exists()
    library.save("bob", profile())
    assert library.load("bob") == profile()


def test_list_takes_only_voice_files(library: VoiceLibrary) -> None:
    library.save("b", profile())
    library.save("a", profile())
    (library.directory / "c.txt").write_bytes(b"")
    (library.directory / "d.S2VOICE").write_bytes(b"")
    (library.directory / "sub.s2voice").mkdir()
    for name in ("._a.s2voice", ".DS_Store", "~$b.s2voice", "Thumbs.db", "e.s2voice.part"):
        (library.directory / name).write_bytes(b"")
    assert library.ids() == ["a", "b", "d"]
    assert [entry.id for entry in library.list()] == ["a", "b", "d"]


@pytest.mark.parametrize(
    ("name", "asked"),
    [("BOB.S2VOICE", "bob"), ("Anna.s2voice", "ANNA"), ("Jose\u0301.s2voice", "JOS\u00c9"),
     ("stra\u00dfe.s2Voice", "STRASSE"), ("bob.s2voice", "bob")],
)  # fmt: skip
def test_a_voice_is_found_under_any_spelling(library: VoiceLibrary, name: str, asked: str) -> None:
    library.directory.mkdir(exist_ok=True)
    (library.directory / name).write_bytes(profile("found").to_bytes())
    assert library.load(asked).transcript == "found"
    assert library.find(asked).name == name


def test_two_spellings_of_one_name_are_told_apart_or_refused(library: VoiceLibrary) -> None:
    library.directory.mkdir(exist_ok=True)
    for name in ("Bob", "bOB"):
        (library.directory / f"{name}.s2voice").write_bytes(profile(name).to_bytes())
    assert library.load("Bob").transcript == "Bob"
    with pytest.raises(VoiceError, match="several voices"):
        library.load("bob")


def test_entries_tell_what_the_files_are(library: VoiceLibrary) -> None:
    library.save("good", profile("one\n two " + "x" * 200, frames=431))
    (library.directory / "bad.s2voice").write_bytes(b"nonsense" * 9)
    extra = profile(" ").to_bytes() + b"123"
    (library.directory / "odd.s2voice").write_bytes(extra)
    (library.directory / "a&b.s2voice").write_bytes(profile().to_bytes())
    named, bad, good, odd = library.list()
    assert bad.error == "invalid voice profile magic"
    assert "invalid voice name" in named.error
    assert (good.error, good.frames, good.num_codebooks) == ("", 431, 10)
    assert good.seconds == pytest.approx(431 * 2048 / 44100)
    assert good.preview.startswith("one two xx")
    assert len(good.preview) == 80
    assert good.size == good.path.stat().st_size
    assert good.mtime == good.path.stat().st_mtime
    assert len(odd.warnings) == 2
    assert library.ids() == ["bad", "good", "odd"]


def test_a_missing_permission_does_not_end_the_listing(
    library: VoiceLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.save("a", profile())
    library.save("b", profile())
    real_open = os.open

    def guarded(path: Path, flags: int, mode: int = 0o777) -> int:
        if Path(path).name == "a.s2voice":
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, mode)

    monkeypatch.setattr(os, "open", guarded)
    first, second = library.list()
    assert "cannot open voice profile" in first.error
    assert second.error == ""


def test_overwrite_is_a_choice(library: VoiceLibrary) -> None:
    library.save("bob", profile("one"))
    library.save("bob", profile("two"))
    with refused("voice.exists", OutputError, name="bob"):
        library.save("bob", profile("three"), overwrite=False)
    assert library.load("bob").transcript == "two"
    library.save("eve", profile("new"), overwrite=False)
    assert sorted(path.name for path in library.directory.iterdir()) == [
        "bob.s2voice",
        "eve.s2voice",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [("Bob", "bob"), ("Élan", unicodedata.normalize("NFD", "Élan")), ("ÉLAN", "e\u0301lan")],
)
def test_names_that_look_alike_are_kept_apart(
    first: str, second: str, library: VoiceLibrary
) -> None:
    library.save(first, profile("first"))
    library.save("other", profile())
    with pytest.raises(VoiceError, match=f"differs from the existing {first}"):
        library.save(second, profile("second"))
    with refused("voice.similar_name", VoiceError):
        library.rename("other", second)
    library.rename(first, second)  # its own name, spelt in another way
    assert library.load(second).transcript == "first"
    assert set(library.ids()) == {second, "other"}


def test_rename(library: VoiceLibrary) -> None:
    library.save("a", profile("A"))
    library.save("b", profile("B"))
    assert library.rename("a", "c") == library.path("c")
    assert library.ids() == ["b", "c"]
    with refused("voice.exists", OutputError, name="b"):
        library.rename("c", "b")
    with refused("voice.absent", VoiceError) as caught:
        library.rename("a", "d")
    assert "Voices here: b, c." in caught.value.advice
    library.rename("b", "b")
    assert library.load("b").transcript == "B"
    assert library.load("c").transcript == "A"


def test_remove(library: VoiceLibrary) -> None:
    library.save("a", profile())
    assert library.remove("a") is True
    assert library.remove("a") is False
    assert library.ids() == []


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_links_do_not_lead_outside(library: VoiceLibrary, tmp_path: Path) -> None:
    library.save("inside", profile())
    outside = tmp_path / "outside.s2voice"
    profile().save(outside)
    (library.directory / "out.s2voice").symlink_to(outside)
    (library.directory / "loop.s2voice").symlink_to(library.directory / "loop.s2voice")
    (library.directory / "alias.s2voice").symlink_to(library.directory / "inside.s2voice")
    for attempt in (library.load, library.remove, library.path):
        with refused("voice.outside", VoiceError):
            attempt("out")
    assert outside.exists()
    assert library.load("alias") == profile()
    errors = {entry.id: entry.error for entry in library.list()}
    assert "outside the voice directory" in errors["out"]
    assert errors["alias"] == ""


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    library = VoiceLibrary(tmp_path / "link")
    library.save("a", profile())
    assert library.load("a") == profile()


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with refused("voice.not_saved", OutputError, name="a"):
        VoiceLibrary(tmp_path / "file" / "voices").save("a", profile())


@pytest.mark.parametrize(
    ("value", "directory", "expected"),
    [
        ("", None, (None, None)),
        ("", "d", (Path("d"), None)),
        ("bob", None, (None, "bob")),
        ("bob", "d", (Path("d"), "bob")),
        ("bob.s2voice", None, (None, "bob")),
        ("bob.s2voice", "d", (Path("d"), "bob")),
        ("x/y/bob.s2voice", "d", (Path("x/y"), "bob")),
        ("/x/bob.s2voice", "d", (Path("/x"), "bob")),
        ("./bob.s2voice", "d", (Path(), "bob")),
        ("x/bob", "d", (Path("d"), "x/bob")),
        ("bob.S2VOICE", "d", (Path("d"), "bob")),
        (".s2voice", "d", (Path("d"), ".s2voice")),
        ("a.b.s2voice", "", (None, "a.b")),
    ],
)
def test_resolve_voice(
    value: str, directory: str | None, expected: tuple[Path | None, str | None]
) -> None:
    assert resolve_voice(value, directory) == expected


class TestNamesFromText:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Hello there, world!", "Hello there world"),
            ('a/b\\c:d*e?f"g<h>i|j\nk', "a b c d e f g h i j k"),
            ("", "untitled"),
            ("...", "untitled"),
            ("\u200b", "untitled"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("name.", "name"),
            ("../../etc/passwd", "etc passwd"),
            ("e\u0301lan", "élan"),
            ("字" * 400, "字" * 40),
        ],
    )
    def test_safe_name(self, text: str, expected: str) -> None:
        assert safe_name(text) == expected

    @given(st.text(max_size=300), st.integers(1, 255))
    def test_result_is_always_a_short_valid_id(self, text: str, limit: int) -> None:
        name = safe_name(text, limit)
        assert valid_id(name)
        assert len(name.encode()) <= 201
        assert name == "untitled" or len(name) <= limit + 1

    def test_marks_stay_with_their_letter(self) -> None:
        name = safe_name("नि" * 30, 5)
        assert name == "निनि"

    def test_unique_name(self) -> None:
        assert unique_name("Bob", ["Eve"]) == "Bob"
        assert unique_name("Bob", ["bob"]) == "Bob 2"
        assert unique_name("Bob", ["bob", "BOB 2", "x"]) == "Bob 3"
        assert unique_name("Élan", ["e\u0301lan"]) == "Élan 2"
        assert len(unique_name("x" * 255, ["x" * 255])) <= 255


def test_a_voice_of_another_sample_rate_is_as_long_as_its_frames(tmp_path: Path) -> None:
    codes = np.zeros((2, 100), np.int32)
    VoiceLibrary(tmp_path).save("half", VoiceProfile("Said.", codes, 22050, 1024))
    (entry,) = VoiceLibrary(tmp_path).list()
    assert entry.seconds == pytest.approx(100 * 1024 / 22050)
    (known,) = VoiceLibrary(tmp_path, samples_per_frame=512).list()
    assert known.seconds == pytest.approx(100 * 512 / 22050)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that fails to read")
def test_a_disk_that_fails_is_a_sentence() -> None:
    with pytest.raises(VoiceError, match="cannot be read"):
        VoiceProfile.load("/proc/self/mem")


@pytest.mark.parametrize("name", ["X.S2VOICE", "Anna.s2voice"])
def test_every_operation_finds_the_same_file(library: VoiceLibrary, name: str) -> None:
    library.directory.mkdir(exist_ok=True)
    (library.directory / name).write_bytes(profile("old").to_bytes())
    stem = Path(name).stem
    library.save(stem, profile("new"))
    assert [path.name for path in library.directory.iterdir()] == [name]
    assert library.load(stem.lower()).transcript == "new"
    assert library.rename(stem.lower(), "other").name == "other.s2voice"
    assert library.ids() == ["other"]
    assert library.rename("OTHER", "Other").name == "Other.s2voice"
    assert library.remove("oTHER")
    assert library.ids() == []
