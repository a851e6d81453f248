"""What is kept beside a voice: clips, notes, picture, profiles for other codecs; and that what is
stored about them is held against what they are."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from error_kit import refused
from hypothesis import given
from hypothesis import strategies as st
from voice_kit import LARGE, RATE, SMALL, Encoder, clip_of, kept_voice

from engine.audio.clip import AudioClip
from engine.audio.reference import load_reference
from engine.errors import OutputError, VoiceError
from engine.voices import (
    Codec,
    Companions,
    VoiceLibrary,
    VoiceNotes,
    VoiceProfile,
    kept_clip,
    name_key,
    shown_name,
    valid_id,
)
from engine.voices.clips import pack_clip, unpack_clip
from engine.voices.notes import MAX_CLIPS, MAX_NAME
from engine.voices.remake import load_clips, make_voice, most_seconds, plan_remake, remake

PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 20


@pytest.mark.parametrize(
    "samples",
    [
        np.random.default_rng(1).normal(0, 0.2, 12000).astype(np.float32),
        (np.random.default_rng(2).integers(-(2**15), 2**15, 12000) / 2**15).astype(np.float32),
        np.random.default_rng(3).normal(0, 0.7, (12000, 2)).astype(np.float32),
        np.array([1.0, -1.0, 0.5] * 4000, np.float32),
        np.random.default_rng(4).normal(0, 900, 12000).astype(np.float32),
    ],
    ids=["float", "16 bit", "two channels, too loud", "full scale", "not scaled"],
)
def test_a_kept_clip_loses_nothing(samples: np.ndarray, tmp_path: Path) -> None:
    clip = kept_clip(AudioClip.from_array(samples, RATE, "take one"))
    note, data = pack_clip(clip, "clip-1.flac", " Every word. ", "en")
    path = tmp_path / note.file
    path.write_bytes(data)
    again = unpack_clip(path, note)
    assert np.array_equal(again.samples, clip.samples)
    assert np.array_equal(kept_clip(again).samples, clip.samples)
    heard = load_reference(again, RATE).samples
    assert np.array_equal(heard, load_reference(clip, RATE).samples)
    assert (note.text, note.language, note.name) == ("Every word.", "en", "take one")


def test_ten_seconds_take_some_hundred_kilobytes() -> None:
    t = np.arange(10 * 44100) / 44100
    sound = np.sin(2 * np.pi * 180 * t) * np.clip(np.sin(2 * np.pi * 2 * t), 0, 1) * 0.3
    whole = np.rint(sound * 2**15).astype(np.int16)
    _, data = pack_clip(kept_clip(AudioClip.from_array(whole, 44100)), "clip-1.flac", "x")
    assert len(data) < 500_000


def test_the_profile_is_the_peers_and_the_rest_lies_beside_it(tmp_path: Path) -> None:
    library, anna = kept_voice(tmp_path, notes=VoiceNotes(consent="Anna, 1 May"))
    beside = library.companions(anna)
    profile = VoiceProfile.load(beside.profile)
    assert beside.profile.read_bytes() == profile.to_bytes()
    notes = beside.notes()
    assert notes.consent == "Anna, 1 May"
    (clip, text), *more = load_clips(beside)
    assert text == "Every word."
    assert not more
    assert make_voice(Encoder(SMALL), [(clip, text)]) == profile


def test_a_voice_survives_another_codec_and_the_way_back(tmp_path: Path) -> None:
    library, anna = kept_voice(tmp_path)
    before = library.load(anna)
    plan = plan_remake(library, LARGE)
    assert [each.id for each in plan.ready] == [anna]
    made = remake(library, anna, Encoder(LARGE))
    assert made.codec == LARGE
    assert not plan_remake(library, LARGE).ready
    assert library.load(anna, LARGE) == made
    assert library.load(anna, SMALL) == library.load(anna) == before
    assert set(library.list()[0].codecs) == {SMALL, LARGE}
    third = Codec(4, 32, 16000)
    assert library.load(anna, third) == before


def test_a_voice_without_a_clip_says_so(tmp_path: Path) -> None:
    library = VoiceLibrary(tmp_path)
    library.keep("Old", Encoder(SMALL)(clip_of(), "Words."))
    assert [each.id for each in plan_remake(library, LARGE).lost] == ["Old"]
    with refused("voice.no_clip", VoiceError):
        remake(library, "Old", Encoder(LARGE))


def test_several_clips_are_one_voice_in_their_order(tmp_path: Path) -> None:
    clips = tuple((clip_of(1.0, seed), f"Text {seed}.") for seed in (3, 1, 2))
    library, anna = kept_voice(tmp_path, clips=clips)
    profile = library.load(anna)
    assert profile.transcript == "Text 3.\nText 1.\nText 2."
    assert profile.frames == 60
    assert [text for _, text in load_clips(library.companions(anna))] == [t for _, t in clips]


def test_of_too_many_clips_the_best_are_used_and_that_is_told() -> None:
    bad = clip_of(2.0, 1, level=3e-5)
    clips = [(bad, "Bad."), (clip_of(2.0, 2), "Two."), (clip_of(2.0, 3), "Three.")]
    encoder = Encoder(SMALL)
    made = make_voice(encoder, clips, limit_s=4.5)
    assert made.transcript == "Two.\nThree."
    assert made.warnings[0].code == "voice.clips_left"
    assert not make_voice(encoder, clips).warnings
    assert make_voice(encoder, clips, limit_s=0.1).frames == 40
    assert most_seconds(32768) == 60
    assert most_seconds(800) == pytest.approx(9.3, abs=0.1)
    assert most_seconds(0) == 60


def test_other_clips_take_the_place_of_the_old_ones(tmp_path: Path) -> None:
    library, anna = kept_voice(tmp_path)
    remake(library, anna, Encoder(LARGE))
    beside = library.companions(anna)
    kept = load_clips(beside)[0]
    clips = ((clip_of(1.0, 9), "New."), kept)
    made = make_voice(Encoder(SMALL), clips)
    library.save(anna, made)
    notes = beside.set_clips(clips, beside.notes())
    assert [note.text for note in notes.clips] == ["New.", "Every word."]
    assert [note.file for note in notes.clips] == ["clip-2.flac", "clip-1.flac"]
    assert not beside.others(), "it was made of the old clips"
    assert library.load(anna, SMALL) == make_voice(Encoder(SMALL), load_clips(beside))
    beside.set_clips(clips[:1], notes)
    assert sorted(path.name for path in beside.folder.iterdir()) == ["clip-2.flac"]


def test_what_lies_beside_a_voice_goes_where_it_goes(tmp_path: Path) -> None:
    library, anna = kept_voice(tmp_path)
    new = library.call(anna, "Grandpa's reading voice: kitchen?")
    assert valid_id(new)
    assert new == "Grandpa s reading voice kitchen"
    assert library.name_of(library.path(new)) == "Grandpa's reading voice: kitchen?"
    assert load_clips(library.companions(new))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"{new}.json", f"{new}.s2voice", f"{new}.voice",
    ]  # fmt: skip
    library.rename(new, "x")
    assert load_clips(library.companions("x"))
    assert library.remove("x")
    assert list(tmp_path.iterdir()) == []


def test_any_name_finds_its_voice(tmp_path: Path) -> None:
    library, first = kept_voice(tmp_path, "a:b")
    _, second = kept_voice(tmp_path, "a b", clips=((clip_of(1, 5), "Second."),))
    assert (first, second) == ("a b", "a b 2")
    assert library.find("a:b").stem == first
    assert library.find("A:B").stem == first
    assert library.find("a b").stem == second, "what is shown counts"
    assert library.find("a b 2").stem == second
    with refused("voice.similar_name", VoiceError):
        library.call(second, "A:B")
    with refused("voice.no_name", VoiceError):
        library.call(second, "\u200b \n")
    with refused("voice.bad_name", VoiceError):
        library.find("a?b")
    assert library.free_name("A B") == "A B 2"
    assert library.like("A B") == second
    assert library.like("é") == ""


def test_a_name_is_the_same_however_its_letters_are_composed(tmp_path: Path) -> None:
    library, elan = kept_voice(tmp_path, "E\u0301lan / 2")
    assert library.find("\u00e9LAN / 2").stem == elan
    with refused("voice.similar_name", VoiceError):
        kept_voice(tmp_path, "\u00c9LAN / 2")


@given(st.text(max_size=300))
def test_every_name_becomes_a_file(name: str) -> None:
    shown = shown_name(name)
    assert len(shown) <= MAX_NAME
    assert shown_name(shown) == shown
    assert "\n" not in shown
    assert not shown or name_key(shown)


def test_a_failed_renaming_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, anna = kept_voice(tmp_path)

    def fail(self: Companions, notes: VoiceNotes) -> None:
        raise OutputError("voice.link", name="x")

    with monkeypatch.context() as patch:
        patch.setattr(Companions, "write_notes", fail)
        with refused("voice.link", OutputError):
            library.call(anna, "Berta: 2")
    assert library.ids() == [anna]
    assert load_clips(library.companions(anna))


def _edit(path: Path, **changes: Any) -> None:
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain.update(changes)
    path.write_text(json.dumps(plain), encoding="utf-8")


class TestStoredFactsAreHeldAgainstTheContent:
    """A file beside a voice says what it is; somebody may have put another there."""

    def test_another_sound_under_a_clips_name(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        beside = library.companions(anna)
        _, data = pack_clip(clip_of(1.0, 77), "x", "y")
        (beside.folder / "clip-1.flac").write_bytes(data)
        with refused("voice.clip_changed", VoiceError):
            remake(library, anna, Encoder(LARGE))
        assert library.load(anna, LARGE).codec == SMALL

    def test_a_clip_that_is_gone(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        (library.companions(anna).folder / "clip-1.flac").unlink()
        with refused("voice.clip_gone", VoiceError):
            remake(library, anna, Encoder(LARGE))

    def test_a_clip_that_was_cut(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        path = library.companions(anna).folder / "clip-1.flac"
        path.write_bytes(path.read_bytes()[:-900])
        with refused("voice.clip_changed", VoiceError):
            remake(library, anna, Encoder(LARGE))

    def test_a_clip_that_is_no_sound(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        (library.companions(anna).folder / "clip-1.flac").write_bytes(b"fLaC" + b"\0" * 90)
        with refused("voice.clip_changed", VoiceError):
            load_clips(library.companions(anna))

    def test_another_profile_beside_the_notes_has_none_of_the_clips(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        remake(library, anna, Encoder(LARGE))
        stranger = Encoder(SMALL)(clip_of(1.0, 50), "Another speaker.")
        library.save(anna, stranger)
        assert library.companions(anna).notes().clips == ()
        assert library.load(anna, LARGE) == stranger, "not the old speaker's"
        assert [each.id for each in plan_remake(library, LARGE).lost] == [anna]

    def test_a_profile_for_another_codec_than_its_name_says(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        remake(library, anna, Encoder(LARGE))
        beside = library.companions(anna)
        (other,) = beside.others().values()
        other.rename(other.with_name("2x64-8000.s2voice"))
        assert set(beside.others()) == {LARGE}
        assert library.load(anna, LARGE).codec == LARGE

    def test_a_damaged_profile_for_another_codec_is_none(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        remake(library, anna, Encoder(LARGE))
        (other,) = library.companions(anna).others().values()
        other.write_bytes(other.read_bytes()[:60])
        assert [each.id for each in plan_remake(library, LARGE).ready] == [anna]

    def test_a_file_that_was_renamed_by_hand_is_called_like_the_file(self, tmp_path: Path) -> None:
        library, _ = kept_voice(tmp_path)
        for path in list(tmp_path.iterdir()):
            path.rename(path.with_name("Berta" + path.suffix))
        (entry,) = library.list()
        assert entry.name == "Berta"
        assert library.find("Anna").stem == "Anna", "no voice has that name"
        assert load_clips(library.companions("Berta"))

    @pytest.mark.parametrize(
        "file", ["../../etc/passwd", "/etc/passwd", "clip-1.flac/..", "clip-1.wav", ""],
    )  # fmt: skip
    def test_a_clip_that_would_lie_elsewhere(self, file: str, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        sidecar = library.companions(anna).sidecar
        plain = json.loads(sidecar.read_text(encoding="utf-8"))
        plain["clips"][0]["file"] = file
        sidecar.write_text(json.dumps(plain), encoding="utf-8")
        assert library.companions(anna).notes().clips == ()

    def test_a_link_in_place_of_clip_or_folder(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path / "voices")
        beside = library.companions(anna)
        away = tmp_path / "away"
        shutil.move(beside.folder, away)
        beside.folder.symlink_to(away)
        with refused("voice.clip_gone", VoiceError):
            load_clips(beside)
        with refused("voice.link", OutputError):
            beside.keep_other(Encoder(LARGE)(clip_of(), "x"))
        library.remove(anna)
        assert (away / "clip-1.flac").is_file()

    def test_a_picture_that_is_none(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        beside = library.companions(anna)
        notes = beside.set_picture(PNG, beside.notes())
        assert beside.picture(notes) == PNG
        (beside.folder / "picture.png").write_bytes(b"\xff\xd8\xff a photograph")
        assert beside.picture(beside.notes()) == b""
        (beside.folder / "picture.png").write_bytes(PNG + b"x" * (5 << 20))
        assert beside.picture(beside.notes()) == b""
        with refused("voice.no_picture", VoiceError):
            beside.set_picture(b"<svg/>", notes)
        assert beside.set_picture(b"", notes).picture == ""
        assert not (beside.folder / "picture.png").exists()

    def test_seconds_and_scale_that_lie(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        sidecar = library.companions(anna).sidecar
        plain = json.loads(sidecar.read_text(encoding="utf-8"))
        plain["clips"][0]["seconds"] = 9999
        sidecar.write_text(json.dumps(plain), encoding="utf-8")
        ((clip, _),) = load_clips(library.companions(anna))
        assert clip.seconds == 1.0
        plain["clips"][0]["scale"] = 1e9
        sidecar.write_text(json.dumps(plain), encoding="utf-8")
        assert library.companions(anna).notes().clips == ()

    def test_a_name_with_marks_that_turn_letters_around(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        _edit(library.companions(anna).sidecar, name="An\u202ena\nx" + "y" * 500)
        assert library.list()[0].name == "Anna", "and the file was not made of it"

    def test_fields_of_the_wrong_kind(self, tmp_path: Path) -> None:
        library, anna = kept_voice(tmp_path)
        _edit(
            library.companions(anna).sidecar,
            star="yes", tags=[1, "a", "A", "b\n"], color="#bad", picture="../x.png", consent=7,
            name=["x"],
        )  # fmt: skip
        notes = library.companions(anna).notes()
        assert (notes.star, notes.tags, notes.color, notes.picture) == (False, ("a", "b"), "", "")
        assert notes.consent == ""
        assert notes.clips


def test_more_clips_than_a_voice_can_have_are_left_out() -> None:
    one = {"file": "clip-1.flac", "text": "x", "sha256": "0" * 64, "seconds": 1}
    clips = [{**one, "file": f"clip-{n}.flac"} for n in range(40)] + [one]
    assert len(VoiceNotes.from_bytes(json.dumps({"clips": clips}).encode()).clips) == MAX_CLIPS


def test_notes_come_back_as_they_were() -> None:
    notes = VoiceNotes(name="Ä: b", tags=("x", "y"), star=True, color="teal", other={"new": 1})
    assert VoiceNotes.from_bytes(replace(notes).to_bytes()) == notes
