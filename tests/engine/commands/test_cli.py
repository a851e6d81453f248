"""The command line: every spelling, exit codes, one-line errors, files that add up."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile

from engine.cli import build_parser, main
from engine.commands.args import device_of, sampling_of, stream_of
from engine.errors import EngineError
from engine.voices import VoiceProfile

WORDS = "The morning train was late, so we waited by the river."


@pytest.fixture
def run(models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command with the model's arguments filled in; returns (code, stdout, stderr)."""

    def call(*given: object, model: str | None = "tiny-f32") -> tuple[int, str, str]:
        words = [str(g) for g in given]
        if model is not None:
            words[1:1] = ["-m", str(models.path(model)), "-t", str(models.tokenizer)]
        code = main([*words, "--threads", "1"] if model is not None else words)
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


@pytest.mark.parametrize("model", ["tiny-f32", "tiny-f16-projin", "tiny-q8_0", "tiny-kquant"])
def test_synth_with_a_reference_writes_whole_frames(
    run: Any, golden_file: Any, tmp_path: Path, model: str
) -> None:
    out, codes, prompt = tmp_path / "a.wav", tmp_path / "c.npy", tmp_path / "p.npy"
    figures = tmp_path / "m.json"
    clip = golden_file("ref-mono-44k1.flac")
    arguments = ["synth", "--text", "Good evening.", "--prompt-audio", clip, "--prompt-text", WORDS,
                 "--seed", 3, "--max-tokens", 10, "--dump-codes", codes, "--dump-prompt", prompt,
                 "--json-metrics", figures]  # fmt: skip
    code, stdout, stderr = run(*arguments, "-o", out, model=model)
    assert code == 0, stderr
    assert str(out) in stdout
    samples, rate = soundfile.read(out, dtype="float32")
    dumped = np.load(codes)
    assert dumped.dtype == np.int32
    assert len(samples) == 2048 * dumped.shape[1]
    assert rate == 44100
    assert soundfile.info(out).subtype == "FLOAT"
    data = json.loads(figures.read_text(encoding="utf-8"))
    assert data["frames"] == dumped.shape[1]
    assert data["seed"] == 3
    assert data["finish_reason"] in ("end", "length")
    for key in ("prompt_columns", "prefill_columns", "fast_passes", "codec_frames_decoded",
                "ttfa_ms", "decode_batches", "total_rtf", "max_rss_mb"):  # fmt: skip
        assert key in data
    assert np.load(prompt).shape == (dumped.shape[0] + 1, data["prompt_columns"])
    again = tmp_path / "b.wav"
    assert run(*arguments, "-o", again, model=model)[0] == 0
    assert out.read_bytes() == again.read_bytes()


def test_save_a_voice_use_it_hear_it(run: Any, golden_file: Any, tmp_path: Path) -> None:
    clip, voices = golden_file("ref-mono-44k1.flac"), tmp_path / "voices"
    code, _, stderr = run(
        "synth", "--text", "Hi.", "--max-tokens", 4, "--prompt-audio", clip, "--prompt-text", WORDS,
        "--voice", "hope", "--voice-dir", voices, "--save-voice", "-o", tmp_path / "a.wav",
    )  # fmt: skip
    assert code == 0, stderr
    kit = Path(golden_file("voice-tiny-f32.s2voice")).read_bytes()
    ours, theirs = VoiceProfile.load(voices / "hope.s2voice"), VoiceProfile.from_bytes(kit)
    assert ours.transcript == theirs.transcript
    # The last frame alone may differ: we pad to whole frames, the peer to its hop.
    np.testing.assert_array_equal(ours.codes[:, :-1], theirs.codes[:, :-1])
    listed = run("voices", "list", "--voice-dir", voices, model=None)
    assert listed[0] == 0
    assert "hope: 3.0 s" in listed[1]
    for voice in ("hope", voices / "hope.s2voice"):
        out = tmp_path / "b.wav"
        code, _, stderr = run("synth", "--text", "Hi.", "--max-tokens", 4, "--seed", 1,
                              "--voice", voice, "--voice-dir", voices, "-o", out)  # fmt: skip
        assert code == 0, stderr
    code, _, _ = run("decode", "--voice", "hope", "--voice-dir", voices, "-o", tmp_path / "d.wav")
    assert code == 0
    assert len(soundfile.read(tmp_path / "d.wav")[0]) == 65 * 2048
    assert run("voices", "rename", "hope", "faith", "--voice-dir", voices, model=None)[0] == 0
    assert run("voices", "show", "faith", "--voice-dir", voices, model=None)[1].count(WORDS) == 1
    assert run("voices", "remove", "faith", "--voice-dir", voices, model=None)[0] == 0
    assert run("voices", "remove", "faith", "--voice-dir", voices, model=None)[0] == 1


def test_encode_writes_a_voice(run: Any, golden_file: Any, tmp_path: Path) -> None:
    out = tmp_path / "new.s2voice"
    clip = golden_file("ref-mono-44k1.flac")
    code, stdout, stderr = run("encode", "--prompt-audio", clip, "--prompt-text", WORDS, "-o", out)
    assert code == 0, stderr
    assert "65 frames" in stdout
    assert VoiceProfile.load(out).transcript == WORDS


def test_info_needs_no_tokenizer(run: Any, models: Any) -> None:
    code, stdout, _ = run("info", models.path("tiny-kquant"), model=None)
    assert code == 0
    for words in ("44100 Hz, 2048 samples a frame", "Q4_K", "Q6_K", "codebooks: 10"):
        assert words in stdout


def test_without_a_model_the_demo_voice_speaks(
    run: Any, models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("engine.commands.args.demo_model", lambda: models.path("tiny-q8_0"))
    code, stdout, stderr = run("synth", "--text", "Hi.", "--max-tokens", 3, model=None)
    assert code == 0, stderr
    assert "out.wav" in stdout
    monkeypatch.setattr("engine.commands.args.demo_model", lambda: None)
    code, _, stderr = run("synth", "--text", "Hi.", model=None)
    assert code == 1
    assert "model.gguf" in stderr


def test_peer_spellings_mean_the_same(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, stderr = run("-m", "no.gguf", "-text", "Hi.", "-max-tokens", "3", "-temp", "0.5",
                          "-top-p", "0.9", "-top-k", "7", "-o", "peer.wav", model=None)  # fmt: skip
    assert code == 1
    assert "no.gguf" in stderr
    args = build_parser().parse_args(
        ["synth", "-text", "x", "-temp", "0.5", "-top-p", "0.9", "-top-k", "7", "-max-tokens", "9",
         "-threads", "3", "-ngl", "5", "-c", "1", "-pa", "a.wav", "-pt", "words"]
    )  # fmt: skip
    sampling = sampling_of(args)
    assert (sampling.temperature, sampling.top_p, sampling.top_k) == (0.5, 0.9, 7)
    assert sampling.max_new_tokens == 9
    assert (args.threads, args.gpu_layers, device_of(args)) == (3, 5, "cuda:1")
    assert (args.prompt_audio, args.prompt_text) == ("a.wav", "words")


def test_defaults_are_the_peers() -> None:
    args = build_parser().parse_args(["synth"])
    sampling, stream = sampling_of(args), stream_of(args)
    assert (sampling.temperature, sampling.top_p, sampling.top_k) == (0.8, 0.8, 30)
    assert (sampling.max_new_tokens, sampling.min_tokens_before_end, sampling.seed) == (
        1024,
        0,
        None,
    )
    assert (args.model, args.output, args.codec_policy) == ("model.gguf", "out.wav", "auto")
    assert (stream.decode_mode, stream.stride, stream.holdback) == ("exact", 0, None)
    assert (args.sentence_pause_ms, args.segment_max_chars) == (180, 0)
    assert device_of(args) == "cpu"


def test_vulkan_is_refused() -> None:
    args = build_parser().parse_args(["synth", "-v", "0"])
    with pytest.raises(EngineError, match="Vulkan is not supported"):
        device_of(args)


def test_list_voices_before_any_model(run: Any, tmp_path: Path, golden_file: Any) -> None:
    empty = run("synth", "--list-voices", "--voice-dir", tmp_path / "none", model=None)
    assert empty[:2] == (0, "No saved voice profiles found.\n")
    kit = Path(golden_file("voice-tiny-f32.s2voice")).read_bytes()
    for name in ("b.s2voice", "a.s2voice", "c.txt"):
        (tmp_path / name).write_bytes(kit)
    listed = run("--list-voices", "--voice-dir", tmp_path, model=None)
    assert listed[:2] == (0, "Saved voice profiles:\n  a\n  b\n")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["synth", "--seed", "x"], 2, "not a whole number"),
        (["synth", "--nonsense"], 2, "--nonsense"),
        (["synth", "--temp"], 2, "expected one argument"),
        (["synth", "--codec-cpu", "--codec-auto"], 2, "not allowed with"),
        (["frobnicate"], 2, "unknown command"),
        (["voices"], 2, "ACTION"),
        (["synth", "--temp", "3"], 1, "temperature must be from 0 to below 2"),
        (["synth", "--top-p", "0"], 1, "top-p"),
        (["synth", "--save-voice"], 1, "--save-voice requires --voice <id>"),
        (["synth", "--save-voice", "--voice", "x"], 1, "requires both --prompt-audio"),
        (["synth", "--prompt-audio", "x.wav"], 1, "without prompt text"),
        (["synth", "--prompt-text", "x"], 1, "without prompt audio"),
        (["synth", "-o", "no/such/folder/a.wav"], 1, "does not exist"),
        (["synth", "-o", "-"], 1, "--stream-file"),
        (["synth", "-m", "missing.gguf"], 1, "missing.gguf"),
        (["info", "missing.gguf"], 1, "missing.gguf"),
    ],
)
def test_mistakes_get_one_line(
    run: Any, arguments: list[str], code: int, words: str, monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    try:
        got, stdout, stderr = run(*arguments, model=None)
    except SystemExit as stop:
        got, stdout, stderr = int(stop.code or 0), "", words
    assert got == code
    assert words in stderr
    assert not stdout
    assert "Traceback" not in stderr
    assert len(stderr.splitlines()) <= 1
    assert not list(tmp_path.glob("*.wav"))


def test_no_arguments_show_the_usage(run: Any) -> None:
    code, stdout, stderr = run(model=None)
    assert code == 1
    assert "COMMAND" in stderr
    assert not stdout


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_empty_text(run: Any, tmp_path: Path, text: str) -> None:
    code, _, stderr = run("synth", "--text", text, "-o", tmp_path / "a.wav")
    assert code == 1
    assert "text is empty" in stderr
    assert not (tmp_path / "a.wav").exists()


def test_text_longer_than_the_context(run: Any, tmp_path: Path) -> None:
    code, _, stderr = run("synth", "--text", "word " * 2000, "-o", tmp_path / "a.wav")
    assert code == 1
    assert "columns" in stderr


def test_unreadable_reference_is_an_error(run: Any, tmp_path: Path) -> None:
    clip = tmp_path / "clip.wav"
    clip.write_text("this is no sound", encoding="utf-8")
    code, _, stderr = run("synth", "--text", "x", "--prompt-audio", clip, "--prompt-text", "words",
                          "-o", tmp_path / "a.wav")  # fmt: skip
    assert code == 1
    assert "clip.wav" in stderr
    assert not (tmp_path / "a.wav").exists()


def test_unknown_voice_names_the_known_ones(run: Any, tmp_path: Path) -> None:
    code, _, stderr = run("synth", "--text", "x", "--voice", "ghost", "--voice-dir", tmp_path,
                          "-o", tmp_path / "a.wav")  # fmt: skip
    assert code == 1
    assert "ghost" in stderr
    assert "none" in stderr


def test_stream_file_equals_the_finished_take(run: Any, tmp_path: Path) -> None:
    same = ["synth", "--text", "Good evening.", "--seed", 5, "--max-tokens", 12]
    assert run(*same, "-o", tmp_path / "whole.wav", "--pcm16")[0] == 0
    assert run(*same, "--stream-file", "-o", tmp_path / "live.wav")[0] == 0
    assert run(*same, "--stream-file", "--low-latency", "-o", tmp_path / "low.pcm")[0] == 0
    whole = soundfile.read(tmp_path / "whole.wav", dtype="int16")[0]
    live = soundfile.read(tmp_path / "live.wav", dtype="int16")[0]
    low = np.frombuffer((tmp_path / "low.pcm").read_bytes(), "<i2")
    assert len(whole) == len(live) == len(low)
    assert np.abs(whole.astype(int) - live).max() <= 1
    assert np.abs(whole.astype(int) - low).max() <= 1


@pytest.mark.real
def test_as_a_program_with_an_ascii_console(models: Any, tmp_path: Path) -> None:
    out = tmp_path / "Загрузки é.wav"
    done = subprocess.run(
        [sys.executable, "-m", "engine", "synth", "-m", str(models.path("tiny-f32")),
         "-t", str(models.tokenizer), "--max-tokens", "3",
         "--text", "Family 👨‍👩‍👧 at 12:00\u202fAM", "-o", str(out)],
        capture_output=True, cwd=Path(__file__).parents[3],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0",
             "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert out.exists()
    assert b"Traceback" not in done.stderr
