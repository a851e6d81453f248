"""``s2 voices``: names, clips, bundles, and voices that outlive a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from voice_kit import LARGE, SMALL, clip_of, kept_voice

from engine.cli import main
from engine.storage import demo_model
from engine.voices import Codec, VoiceLibrary, VoiceProfile
from engine.voices.clips import pack_clip

WORDS = "The morning train was late, so we waited by the river."
NAME = "Grandpa's reading voice: kitchen?"


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command in the folder of voices; returns (code, stdout, stderr)."""

    def call(*given: object) -> tuple[int, str, str]:
        code = main([*(str(g) for g in given), "--voice-dir", str(tmp_path / "voices")])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@pytest.fixture
def model(models: Any) -> list[str]:
    return ["-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer), "--threads", "1"]


def demo() -> list[str]:
    path = demo_model()
    assert path is not None
    return ["-m", str(path), "--threads", "1"]


def test_a_voice_keeps_its_clip_and_speaks_with_another_model(
    run: Any, model: list[str], golden_file: Any, tmp_path: Path
) -> None:
    clip = golden_file("ref-mono-44k1.flac")
    save = ["synth", "--text", "Hi.", "--max-tokens", "4", "--voice", NAME, "--save-voice",
            "--prompt-audio", clip, "--prompt-text", WORDS, "-o", tmp_path / "a.wav"]  # fmt: skip
    code, _, told = run(*save, *model)
    assert code == 0, told
    assert "--consent says who allowed it" in told
    assert run(*save, *model, "--consent", "Grandpa, 1 May")[0] == 0
    library = VoiceLibrary(tmp_path / "voices")
    (voice,) = library.list()
    assert (voice.name, voice.notes.consent) == (NAME, "Grandpa, 1 May")
    before = library.load(NAME)

    speak = ["synth", "--text", "Hi.", "--max-tokens", "4", "--voice", NAME.upper(),
             "-o", tmp_path / "b.wav"]  # fmt: skip
    code, _, told = run(*speak, *demo())
    assert code == 1
    assert f"s2 voices remake {NAME.upper()}" in told
    code, out, told = run("voices", "remake", *demo())
    assert (code, "made anew" in out) == (0, True), told
    assert run(*speak, *demo())[0] == 0
    assert run(*speak, *model)[0] == 0
    assert library.load(NAME) == before
    assert "All voices fit" in run("voices", "remake", *demo())[1]
    shown = run("voices", "show", NAME)[1]
    assert f"name: {NAME}" in shown
    assert "also made for: 2x" in shown


def test_encode_keeps_the_clip_beside_its_file(
    run: Any, model: list[str], golden_file: Any, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "voices" / "new.s2voice"
    out.parent.mkdir()
    clip = golden_file("ref-mono-44k1.flac")
    words = ["encode", "-pa", clip, "-pt", WORDS, "-o", out, "--consent", "me", *model]
    assert main([str(word) for word in words]) == 0
    capsys.readouterr()
    codec = VoiceProfile.load(out).codec
    notes = VoiceLibrary(out.parent).companions("new").notes()
    assert [note.text for note in notes.clips] == [WORDS]
    assert notes.consent == "me"
    assert codec != Codec(2, 64, 8000)


def test_clips_come_and_go(
    run: Any, model: list[str], golden_file: Any, tmp_path: Path, capsys: Any
) -> None:
    out = tmp_path / "voices" / "new.s2voice"
    out.parent.mkdir()
    clip = golden_file("ref-mono-44k1.flac")
    assert main([str(w) for w in ["encode", "-pa", clip, "-pt", WORDS, "-o", out, *model]]) == 0
    capsys.readouterr()
    once = VoiceProfile.load(out)
    code, said, told = run("voices", "add-clip", "new", "-pa", clip, "-pt", "Again.", *model)
    assert (code, "2 clips" in said) == (0, True), told
    twice = VoiceProfile.load(out)
    assert twice.transcript == f"{WORDS}\nAgain."
    np.testing.assert_array_equal(twice.codes, np.tile(once.codes, 2))
    assert "clip 2: 3.0 s, ref-mono-44k1.flac: Again." in run("voices", "show", "new")[1]
    assert run("voices", "drop-clip", "new", "3", *model)[0] == 1
    assert run("voices", "drop-clip", "new", "2", *model)[0] == 0
    assert VoiceProfile.load(out) == once
    assert run("voices", "drop-clip", "new", "1", *model)[0] == 1


def test_what_cannot_be_made_anew_is_named(run: Any, model: list[str], tmp_path: Path) -> None:
    library, broken = kept_voice(tmp_path / "voices", "Broken", codec=SMALL)
    kept_voice(tmp_path / "voices", "Other", clips=((clip_of(1, 4), "Other."),))
    path = library.companions(broken).folder / "clip-1.flac"
    path.write_bytes(pack_clip(clip_of(1.0, 9), "x", "y")[1])
    library.save("Old", library.load("Other"))
    code, out, told = run("voices", "remake", *model)
    assert code == 1
    assert "Broken: the file of the clip" in told
    assert "Old: nothing was kept" in told
    assert out.startswith("Other: made anew")
    assert run("voices", "remake", "Other", *model)[0] == 0


def test_names_are_any_text(run: Any, tmp_path: Path) -> None:
    kept_voice(tmp_path / "voices", "Anna")
    assert run("voices", "rename", "anna", NAME)[1] == f"anna is now {NAME}\n"
    listed = run("voices", "list")[1]
    assert listed == f"{NAME} (Grandpa s reading voice kitchen): 0.9 s, Every word.\n"
    code, _, told = run("voices", "show", "What? Nobody")
    assert code == 1
    assert NAME in told, "the names that are there"
    assert "file" not in told
    assert run("voices", "remove", NAME)[0] == 0
    assert list((tmp_path / "voices").iterdir()) == []


def test_a_voice_is_handed_on_in_one_file(run: Any, tmp_path: Path) -> None:
    library, _ = kept_voice(tmp_path / "voices", NAME, codec=LARGE)
    before = library.load(NAME)
    bundle = tmp_path / "grandpa.s2vbundle"
    assert run("voices", "export", NAME, bundle)[0] == 0
    assert run("voices", "export", NAME, tmp_path / "x.zip")[0] == 1
    assert run("voices", "remove", NAME)[0] == 0
    assert run("voices", "import", bundle)[1] == f"added {NAME}\n"
    assert library.load(NAME) == before
    assert library.companions(NAME).notes().clips
    assert run("voices", "import", library.find(NAME))[1] == f"added {NAME} 2\n"
    assert library.companions(f"{NAME} 2").notes().clips
    bundle.write_bytes(bundle.read_bytes()[:-30])
    assert run("voices", "import", bundle)[0] == 1


def test_encode_compares_the_words_where_it_can(
    model: list[str], golden_file: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    from engine import transcription

    asked: list[list[str]] = []

    def hear(*_: Any, words: list[str]) -> transcription.Heard:
        asked.append(words)
        return transcription.Heard(transcription.Transcript("", "en", 1.0))

    monkeypatch.setattr(transcription, "transcribe", hear, raising=False)
    clip = golden_file("ref-mono-44k1.flac")
    words = ["encode", "-pa", clip, "-pt", WORDS, "-o", tmp_path / "v.s2voice", *model]
    assert main([*map(str, words), "--transcriber", str(tmp_path)]) == 0
    assert asked[0][:3] == ["the", "morning", "train"]
    assert "red: Words that differ" in capsys.readouterr().err
