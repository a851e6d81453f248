"""Voices handed on in one file; and files that only look like it."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from error_kit import refused
from voice_kit import LARGE, Encoder, clip_of, kept_voice

from engine.errors import EngineError, VoiceError
from engine.voices import VoiceLibrary, VoiceNotes
from engine.voices.bundle import export_bundle, import_bundle, read_bundle
from engine.voices.remake import load_clips, remake

PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 20


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    notes = VoiceNotes(
        notes="Für Élan", language="de", consent="Anna, 1 May", tags=("family",), star=True
    )
    clips = ((clip_of(1.0, 1), "One."), (clip_of(1.0, 2), "Two."))
    library, anna = kept_voice(tmp_path / "from", "Anna: kitchen?", clips=clips, notes=notes)
    beside = library.companions(anna)
    beside.set_picture(PNG, beside.notes())
    remake(library, anna, Encoder(LARGE))
    path = tmp_path / "anna.s2vbundle"
    export_bundle(library, anna, path)
    return path


def test_all_of_a_voice_comes_back(bundle: Path, tmp_path: Path) -> None:
    there, here = VoiceLibrary(tmp_path / "from"), VoiceLibrary(tmp_path / "to")
    new = import_bundle(here, bundle)
    (old,) = there.ids()
    assert here.load(new) == there.load(old)
    assert here.load(new, LARGE) == there.load(old, LARGE)
    before, after = there.companions(old), here.companions(new)
    assert after.notes() == before.notes()
    assert after.picture(after.notes()) == PNG
    assert [text for _, text in load_clips(after)] == ["One.", "Two."]
    assert here.list()[0].name == "Anna: kitchen?"
    again = import_bundle(here, bundle)
    assert here.name_of(here.path(again)) == "Anna: kitchen? 2"
    assert load_clips(here.companions(again))


def test_the_same_voice_gives_the_same_bytes(bundle: Path, tmp_path: Path) -> None:
    library = VoiceLibrary(tmp_path / "from")
    export_bundle(library, library.ids()[0], tmp_path / "again.s2vbundle")
    assert (tmp_path / "again.s2vbundle").read_bytes() == bundle.read_bytes()


def test_a_voice_without_anything_beside_it_can_be_handed_on(tmp_path: Path) -> None:
    library = VoiceLibrary(tmp_path / "from")
    library.save("Old", Encoder(LARGE)(clip_of(), "Words."))
    export_bundle(library, "Old", tmp_path / "old.s2vbundle")
    here = VoiceLibrary(tmp_path / "to")
    assert import_bundle(here, tmp_path / "old.s2vbundle") == "Old"
    assert here.load("Old") == library.load("Old")


def _rewrite(path: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    with zipfile.ZipFile(path) as pack:
        members = {name: pack.read(name) for name in pack.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in members.items():
            pack.writestr(name, data)


def _list(found: dict[str, bytes], /, **changes: object) -> None:
    plain = json.loads(found["bundle.json"])
    plain.update(changes)
    found["bundle.json"] = json.dumps(plain).encode()


def _refused(path: Path, tmp_path: Path, code: str) -> None:
    library = VoiceLibrary(tmp_path / "to")
    with refused(code, VoiceError):
        import_bundle(library, path)
    assert not (tmp_path / "to").exists()
    assert not list(tmp_path.rglob("*passwd*"))


@pytest.mark.parametrize(
    "name",
    ["../passwd", "/etc/passwd", "..\\passwd", "C:\\passwd", "voice.s2voice/", "clip-1.flac.exe",
     "others/../../passwd", "Voice.s2voice", "clip-x.flac", "others/1x1-1.s2voice/passwd"],
)  # fmt: skip
def test_names_that_lead_elsewhere(name: str, bundle: Path, tmp_path: Path) -> None:
    _rewrite(bundle, lambda members: members.update({name: b"x"}))
    _refused(bundle, tmp_path, "bundle.members")


def test_a_bomb_is_not_unpacked(bundle: Path, tmp_path: Path) -> None:
    _rewrite(bundle, lambda members: members.update({"picture.jpg": bytes(80 << 20)}))
    _refused(bundle, tmp_path, "bundle.too_large")


def test_a_long_list_of_members_is_not_read(bundle: Path, tmp_path: Path) -> None:
    _rewrite(bundle, lambda members: members.update({f"clip-{n}.flac": b"" for n in range(3000)}))
    _refused(bundle, tmp_path, "bundle.members")


def test_a_member_twice(bundle: Path, tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(bundle, "a") as pack:
        pack.writestr("voice.s2voice", b"another")
    _refused(bundle, tmp_path, "bundle.members")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda m: m.update({"clip-1.flac": m["clip-2.flac"]}), "bundle.changed"),
        (lambda m: m.pop("clip-1.flac"), "bundle.changed"),
        (lambda m: m.pop("bundle.json"), "bundle.no_list"),
        (lambda m: m.update({"bundle.json": b"[1]"}), "bundle.no_list"),
        (lambda m: m.update({"bundle.json": b"{" * 900}), "bundle.no_list"),
        (lambda m: _list(m, bundle=2), "bundle.version"),
        (lambda m: _list(m, members={}), "bundle.changed"),
        (lambda m: _list(m, voice=None), "bundle.no_list"),
        (lambda m: _list(m, voice={}), "bundle.changed"),
        (lambda m: m.pop("voice.s2voice"), "bundle.changed"),
    ],
    ids=["another clip", "a clip less", "no list", "no object", "nested", "newer", "no hashes",
         "no notes", "notes of nothing", "no voice"],
)  # fmt: skip
def test_what_it_says_is_not_what_it_holds(
    change: Callable[[dict[str, bytes]], object], code: str, bundle: Path, tmp_path: Path
) -> None:
    _rewrite(bundle, change)
    _refused(bundle, tmp_path, code)


def test_a_damaged_voice_inside_an_honest_list(bundle: Path, tmp_path: Path) -> None:
    import hashlib

    def change(members: dict[str, bytes]) -> None:
        members["voice.s2voice"] = members["voice.s2voice"][:50]
        hashes = {n: hashlib.sha256(d).hexdigest() for n, d in members.items()}
        hashes.pop("bundle.json")
        _list(members, members=hashes)

    _rewrite(bundle, change)
    _refused(bundle, tmp_path, "profile.truncated")


def test_a_clip_that_is_another_sound_takes_the_voice_back(bundle: Path, tmp_path: Path) -> None:
    import hashlib

    def change(members: dict[str, bytes]) -> None:
        members["clip-1.flac"] = members["clip-2.flac"]
        hashes = {n: hashlib.sha256(d).hexdigest() for n, d in members.items()}
        hashes.pop("bundle.json")
        _list(members, members=hashes)

    _rewrite(bundle, change)
    library = VoiceLibrary(tmp_path / "to")
    with refused("voice.clip_changed", VoiceError):
        import_bundle(library, bundle)
    assert list((tmp_path / "to").iterdir()) == []


def test_files_that_are_no_bundle(tmp_path: Path, bundle: Path) -> None:
    data = bundle.read_bytes()
    huge = data[:-10] + struct.pack("<IIH", 1 << 30, 0, 0)
    comment = data[:-2] + b"\x03\0abc"
    for number, content in enumerate((b"", b"PK", data[:-4], data[200:], huge, comment)):
        path = tmp_path / f"{number}.s2vbundle"
        path.write_bytes(content)
        with pytest.raises(VoiceError):
            read_bundle(path)
    with refused("voice.unopened", VoiceError):
        read_bundle(tmp_path / "nothing.s2vbundle")


def test_an_encrypted_member(bundle: Path, tmp_path: Path) -> None:
    data = bytearray(bundle.read_bytes())
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = data.find(mark)
        data[place + at] |= 1
    bundle.write_bytes(bytes(data))
    _refused(bundle, tmp_path, "bundle.no_zip")


def test_a_changed_byte_is_an_error_of_ours_or_nothing(bundle: Path, tmp_path: Path) -> None:
    data = bundle.read_bytes()
    draw = random.Random(5)
    path = tmp_path / "fuzz.s2vbundle"
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        path.write_bytes(bytes(changed[: draw.randint(1, len(changed))]) if draw.random() < 0.2
                         else bytes(changed))  # fmt: skip
        try:
            found = read_bundle(path)
        except EngineError:
            continue
        assert found.profile.frames == 40


def test_bombs_of_overlapping_members_are_bounded(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for number in range(14):
            pack.writestr(f"clip-{number}.flac", bytes(20 << 20))
    path = tmp_path / "bomb.s2vbundle"
    path.write_bytes(out.getvalue())
    with refused("bundle.too_large", VoiceError):
        read_bundle(path)
