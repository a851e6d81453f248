"""What is found out about a clip or a text reaches the command line, the server and the package."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from server_kit import client_of, form, kit_voice, serving, short
from wav_kit import RATE, chunk, fmt, pcm, riff, speech

from engine.audio.files import read_audio
from engine.cli import main
from engine.engine import Engine
from engine.errors import ReferenceAudioError
from engine.remote import RemoteEngine, RemoteOptions, RemoteRequest
from engine.remote.request import Recording
from engine.synthesis.findings import request_warnings
from engine.types import Sampling, Summary, SynthesisRequest
from engine.voices import VoiceProfile

FEW = Sampling(max_new_tokens=2, seed=1)


def wav(samples: np.ndarray, promised: int | None = None, channels: int = 1) -> bytes:
    return riff(fmt(channels=channels), chunk(b"data", pcm(samples), promised))


def _lonely(channels: int) -> bytes:
    """A voice in one channel, another one in the next."""
    many = np.zeros((RATE * 3, channels), np.float32)
    many[:, 0], many[:, 1] = speech(3.0), speech(3.0, seed=9)
    return wav(many.reshape(-1), channels=channels)


CLIPS: dict[str, tuple[Callable[[], bytes], str]] = {
    "cut": (lambda: wav(speech(3.0), promised=RATE * 2 * 9), "damaged or was cut"),
    "long": (lambda: wav(speech(61.0)), "only the first 60"),
    "clipped": (lambda: wav(np.clip(speech(3.0, level=2.0), -1, 1)), "clipped"),
    "quiet": (lambda: wav(speech(3.0, level=0.003)), "very quiet"),
    "quiet on an offset": (lambda: wav(speech(3.0, level=0.003) + 0.2), "very quiet"),
    "short": (lambda: wav(speech(0.8)), "only 0.80 s long"),
    "channels": (lambda: _lonely(4), "dB weaker"),
}


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("clips")

    def made(name: str) -> Path:
        path = folder / f"{name}.wav"
        if not path.exists():
            path.write_bytes(CLIPS[name][0]())
        return path

    return made


@pytest.mark.parametrize("name", [name for name in CLIPS if name != "long"])
def test_a_clips_findings_reach_every_client(
    tiny_engine: Engine,
    models: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    clip: Callable[[str], Path],
    name: str,
) -> None:
    path, words = clip(name), CLIPS[name][1]
    voice = tiny_engine.encode_reference(path, "Some words.")
    assert any(words in warning for warning in voice.warnings)
    summary = tiny_engine.render(SynthesisRequest("Hi.", (voice,), FEW)).summary
    assert set(voice.warnings) <= set(summary.warnings)
    model = ["-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer), "--threads", "1"]
    given = ["--prompt-audio", str(path), "--prompt-text", "Some words."]
    said = ["--text", "Hi.", "--max-tokens", "2", "-o", str(tmp_path / "a.wav")]
    assert main(["synth", *model, *given, *said]) == 0
    assert words in capsys.readouterr().err
    assert main(["encode", *model, *given, "-o", str(tmp_path / "v.s2voice")]) == 0
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_a_long_clip_is_told_where_it_is_cut(
    tiny_engine: Engine, clip: Callable[[str], Path]
) -> None:
    voice = tiny_engine.encode_reference(read_audio(clip("long")), "Some words.")
    assert any("only the first 60" in warning for warning in voice.warnings)


@pytest.mark.parametrize("live", [False, True])
def test_the_server_tells_them_in_a_header(
    tiny_engine: Engine, golden_file: Any, tmp_path: Path, clip: Callable[[str], Path], live: bool
) -> None:
    kit_voice(golden_file, tmp_path)
    data = clip("clipped").read_bytes()
    with serving(tiny_engine, voice_dir=tmp_path) as server, client_of(server) as client:
        params = short(2, stream=live)
        fields = form("Hi <speaker:0>.", params=params, reference=data, reference_text="Words.")
        told = json.loads(client.post("/generate", **fields).headers["x-warnings"])
        assert any("clipped" in warning for warning in told)
        assert any("<speaker:0>" in warning for warning in told)
        answer = client.post("/generate", **form("Hi.", params=params))
        assert "clipped" not in answer.headers.get("x-warnings", "")
        body = {"model": "m", "input": "Hi <speaker:0>.", "voice": "default", "seed": 1,
                "stream_format": "sse", "max_new_tokens": 2}  # fmt: skip
        events = client.post("/v1/audio/speech", json=body).text
        assert "<speaker:0>" in events.splitlines()[-2]
        engine = RemoteEngine.connect(RemoteOptions(server.url))
        asked = RemoteRequest(
            "Hi.", sampling=FEW, recording=Recording.of(read_audio(clip("clipped")), "Words.")
        )
        (summary,) = [e for e in engine.synthesize(asked) if isinstance(e, Summary)]
        assert any("clipped" in warning for warning in summary.warnings)


def muted(*, level: float, hiss: float = 0.0, seconds: float = 3.0) -> np.ndarray:
    rng = np.random.default_rng(4)
    return (level + hiss * rng.standard_normal(round(seconds * RATE))).astype(np.float32)


@pytest.mark.parametrize("level", [0.0, 0.3, -0.3, 0.9, 1e-3])
@pytest.mark.parametrize("hiss", [0.0, 1e-6])
def test_a_line_without_sound_is_refused_at_any_offset(
    tiny_engine: Engine, tmp_path: Path, level: float, hiss: float
) -> None:
    (tmp_path / "a.wav").write_bytes(wav(muted(level=level, hiss=hiss)))
    with pytest.raises(ReferenceAudioError) as caught:
        tiny_engine.encode_reference(tmp_path / "a.wav", "Some words.")
    assert any(word in caught.value.detail for word in ("silent", "offset"))


VOICE = VoiceProfile("Words.", np.zeros((10, 30), np.int32), 44100, 64)
OTHER = VoiceProfile("<|speaker:3|>Words.", np.zeros((10, 30), np.int32), 44100, 64)


@pytest.mark.parametrize(
    ("text", "voices", "found"),
    [
        ("Hi.", (VOICE,), []),
        ("<|speaker:0|>Hi.", (VOICE,), []),
        ("<|speaker:99|>Hi.", (VOICE,), ["<|speaker:99|> has no voice"]),
        ("<|speaker:1|>Hi.", (VOICE, VOICE), []),
        ("<|speaker:3|>Hi.", (VOICE, OTHER), []),
        ("<|speaker:1|>Hi.", (VOICE, OTHER), ["<|speaker:1|> has no voice"]),
        ("<|speaker:7|>Hi.", (), []),
        ("<speaker:0>Hi.", (), ["<speaker:0> is no speaker tag"]),
        ("<|Speaker:0|>Hi.", (VOICE,), ["<|Speaker:0|> is no speaker tag"]),
        ("<|speaker 0|>Hi.", (VOICE,), ["is no speaker tag"]),
        ("<| speaker:0 |>Hi.", (VOICE,), ["is no speaker tag"]),
        ("A speaker: 0 < 1.", (VOICE,), []),
        ("<b>bold</b>", (VOICE,), []),
    ],
)
def test_speakers_that_nobody_is(
    text: str, voices: tuple[VoiceProfile, ...], found: list[str]
) -> None:
    warnings = request_warnings(SynthesisRequest(text, voices))
    assert len(warnings) == len(found)
    for warning, words in zip(warnings, found, strict=True):
        assert words in warning
