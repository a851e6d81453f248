"""The client against this program's own server, and the command line against both."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from remote_kit import PIECE, PIECES, Faults, faking
from server_kit import Idle, Paced, kit_voice, serving

from engine.audio.clip import AudioClip
from engine.audio.wav import to_pcm16
from engine.cancel import CancelToken
from engine.cli import main
from engine.engine import Engine
from engine.errors import BusyError, VoiceError
from engine.remote import Recording, RemoteEngine, RemoteOptions, RemoteRequest
from engine.remote.errors import ServerBusyError, ServerFailedError, ServerLacksError
from engine.server.server import LocalServer
from engine.types import AudioChunk, Sampling, Summary, SynthesisRequest
from engine.voices import VoiceProfile

FOUR = Sampling(max_new_tokens=4, min_tokens_before_end=4, seed=3)


@pytest.fixture(scope="module")
def server(
    tiny_engine: Engine, tmp_path_factory: pytest.TempPathFactory, golden_file: Any
) -> Iterator[LocalServer]:
    root = tmp_path_factory.mktemp("voices")
    kit_voice(golden_file, root)
    with serving(tiny_engine, voice_dir=root) as server:
        yield server


@pytest.fixture
def remote(server: LocalServer) -> RemoteEngine:
    return RemoteEngine.connect(RemoteOptions(server.url))


def samples_of(events: Any) -> np.ndarray:
    return np.concatenate([e.samples for e in events if isinstance(e, AudioChunk)])


def test_what_it_is_and_can(remote: RemoteEngine, tiny_engine: Engine) -> None:
    can = remote.capabilities
    assert (can.kind, can.model, can.voices) == ("studio", "tiny-f32", ("default", "hope"))
    assert can.cloning
    assert can.seed
    assert can.streaming
    assert remote.info.sample_rate == tiny_engine.info.sample_rate
    assert (remote.info.device, remote.info.num_codebooks) == ("remote", 0)
    assert remote.info.capabilities is can
    assert remote.info.host == remote.options.host


def test_a_model_of_this_computer_can_all_that_no_server_can(
    remote: RemoteEngine, tiny_engine: Engine
) -> None:
    here, there = tiny_engine.info, remote.info
    assert (here.host, here.capabilities.codes, there.capabilities.codes) == ("", True, False)
    assert here.capabilities.sampling >= there.capabilities.sampling


@pytest.mark.parametrize("voice", ["", "hope"])
def test_it_says_what_the_engine_says(
    remote: RemoteEngine, tiny_engine: Engine, golden_file: Any, voice: str
) -> None:
    references = ()
    if voice:
        references = (VoiceProfile.load(golden_file("voice-tiny-f32.s2voice")),)
    here = samples_of(tiny_engine.synthesize(SynthesisRequest("Hello.", references, FOUR)))
    events = list(remote.synthesize(RemoteRequest("Hello.", sampling=FOUR, voice=voice)))
    np.testing.assert_array_equal(to_pcm16(samples_of(events)), to_pcm16(here))
    summary = events[-1]
    assert isinstance(summary, Summary)
    assert (summary.seed, summary.finish_reason, summary.metrics.frames) == (3, "length", 4)
    assert "limit" in summary.warnings[0]


def test_a_recording_is_cloned_there(
    remote: RemoteEngine, tiny_engine: Engine, golden_file: Any
) -> None:
    samples, rate = soundfile.read(golden_file("ref-mono-44k1.flac"), dtype="float32")
    clip = AudioClip.from_array(samples, rate)
    voice = tiny_engine.encode_reference(clip, "What is said.")
    here = samples_of(tiny_engine.synthesize(SynthesisRequest("Hello.", (voice,), FOUR)))
    said = Recording.of(clip, "What is said.")
    events = list(remote.synthesize(RemoteRequest("Hello.", sampling=FOUR, recording=said)))
    there = samples_of(events)
    assert len(there) == len(here)
    # 16-bit samples on the way may turn a code over; the beginning is the same voice.
    assert np.corrcoef(there[:2048], here[:2048])[0, 1] > 0.9


def test_a_seed_of_the_server_is_told(remote: RemoteEngine) -> None:
    free = Sampling(max_new_tokens=2, min_tokens_before_end=2)
    events = list(remote.synthesize(RemoteRequest("Hello.", sampling=free)))
    again = Sampling(max_new_tokens=2, min_tokens_before_end=2, seed=events[-1].seed)
    twice = list(remote.synthesize(RemoteRequest("Hello.", sampling=again)))
    np.testing.assert_array_equal(samples_of(events), samples_of(twice))


def test_a_library_voice_needs_a_codec_here(
    remote: RemoteEngine, tiny_engine: Engine, golden_file: Any
) -> None:
    voice = VoiceProfile.load(golden_file("voice-tiny-f32.s2voice"))
    request = SynthesisRequest("Hello.", (voice,), FOUR)
    with pytest.raises(VoiceError, match="codes"):
        list(remote.synthesize(request))
    with pytest.raises(ServerLacksError):
        remote.decode(voice.codes)
    with pytest.raises(ServerLacksError):
        remote.encode_reference("x.wav", "words")
    remote.local = tiny_engine
    recording = remote.sound_of(voice, CancelToken())
    assert recording.transcript == voice.transcript
    assert len(recording.samples) == voice.frames * tiny_engine.info.samples_per_frame
    assert remote.sound_of(voice, CancelToken()) is recording
    assert len(samples_of(remote.synthesize(request))) == 4 * 2048


def test_a_voice_that_it_does_not_list_is_refused(remote: RemoteEngine) -> None:
    with pytest.raises(VoiceError, match="nobody"):
        list(remote.synthesize(RemoteRequest("Hello.", voice="nobody")))


def test_a_busy_server(tiny_engine: Engine, tmp_path: Path) -> None:
    paced = Paced(tiny_engine)
    with serving(paced, voice_dir=tmp_path) as server:
        one, two = (RemoteEngine.connect(RemoteOptions(server.url)) for _ in range(2))
        cancel = CancelToken()
        first = one.synthesize(SynthesisRequest("Hello.", sampling=FOUR), cancel)
        worker = threading.Thread(target=lambda: list(first))
        worker.start()
        assert paced.begun.wait(20)
        with pytest.raises(ServerBusyError) as caught:
            list(two.synthesize(SynthesisRequest("Hello.", sampling=FOUR)))
        assert isinstance(caught.value, BusyError)
        assert caught.value.retry_after == 1
        cancel.cancel()
        worker.join(20)


def test_a_cancel_frees_the_server_within_a_second(tiny_engine: Engine, tmp_path: Path) -> None:
    paced, idle, cancel = Paced(tiny_engine), Idle(), CancelToken()
    long = Sampling(max_new_tokens=200, min_tokens_before_end=200, seed=1)
    with serving(paced, idle, voice_dir=tmp_path) as server:
        remote = RemoteEngine.connect(RemoteOptions(server.url))
        paced.let(3)
        events = []
        for event in remote.synthesize(SynthesisRequest("Hello.", sampling=long), cancel):
            events.append(event)
            if isinstance(event, AudioChunk):
                cancel.cancel()
                begun = time.monotonic()
        assert idle.wait(5)
        assert time.monotonic() - begun < 1
    assert events[-1].finish_reason == "cancelled"
    assert len(samples_of(events)) >= 2048


def test_a_fault_in_the_middle_keeps_what_came(tiny_engine: Engine, tmp_path: Path) -> None:
    paced = Paced(tiny_engine, fail_at=3)
    paced.let(99)
    nine = Sampling(max_new_tokens=9, min_tokens_before_end=9, seed=1)
    heard = 0
    with serving(paced, voice_dir=tmp_path) as server:
        remote = RemoteEngine.connect(RemoteOptions(server.url))
        with pytest.raises(ServerFailedError):  # noqa: PT012 (what came before counts)
            for event in remote.synthesize(SynthesisRequest("Hello.", sampling=nine)):
                heard += len(event.samples) if isinstance(event, AudioChunk) else 0
    assert heard >= 2048


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run ``s2 synth``; returns code, stdout and stderr."""

    def call(*given: object) -> tuple[int, str, str]:
        code = main(["synth", *map(str, given)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_the_command_line_speaks_through_it(run: Any, server: LocalServer, tmp_path: Path) -> None:
    out, metrics = tmp_path / "a.wav", tmp_path / "m.json"
    code, stdout, stderr = run("--text", "Hello.", "--remote", server.url, "--voice", "hope",
                               "--seed", 3, "--max-tokens", 4, "--min-tokens-before-end", 4,
                               "-o", out, "--json-metrics", metrics)  # fmt: skip
    assert code == 0, stderr
    assert "S2 Voice Studio" in stderr
    assert "4 frames, seed 3, length" in stdout
    assert soundfile.info(out).frames == 4 * 2048
    assert '"frames": 4' in metrics.read_text()
    stream = tmp_path / "b.wav"
    code, _, stderr = run("--text", "Hello.", "--remote", server.url, "--stream-file", "-o", stream,
                          "--max-tokens", 4, "--min-tokens-before-end", 4)  # fmt: skip
    assert code == 0, stderr
    assert soundfile.info(stream).subtype == "PCM_16"


def test_the_command_line_sends_a_recording(run: Any, golden_file: Any, tmp_path: Path) -> None:
    clip = golden_file("ref-mono-44k1.flac")
    with faking("sglang") as fake:
        code, stdout, stderr = run("--text", "Hi.", "--remote", fake.url, "--prompt-audio", clip,
                                   "--prompt-text", "Words.", "-o", tmp_path / "a.wav")  # fmt: skip
    assert code == 0, stderr
    assert fake.requests[0]["references"][0]["text"] == "Words."
    assert "seed" not in stdout


def test_the_command_line_sends_a_saved_voice(
    run: Any, models: Any, golden_file: Any, tmp_path: Path
) -> None:
    voice = golden_file("voice-tiny-f32.s2voice")
    with faking("fish") as fake:
        code, _, stderr = run("--text", "Hi.", "--remote", fake.url, "--voice", voice, "-m",
                              models.path("tiny-f32"), "-t", models.tokenizer, "--threads", 1,
                              "-o", tmp_path / "a.wav")  # fmt: skip
    assert code == 0, stderr
    sent = fake.requests[0]["references"][0]
    assert sent["text"] == VoiceProfile.load(voice).transcript
    assert sent["audio"][:4] == b"RIFF"


@pytest.mark.parametrize(
    ("kind", "flags", "words"),
    [
        ("vllm", ["--seed", "1"], "takes no --seed"),
        ("vllm", ["--temp", "0.5"], "takes no --temperature"),
        ("openai", ["--max-tokens", "9"], "takes no --max-tokens"),
        ("fish", ["--top-k", "9"], "takes no --top-k"),
        ("fish", ["--dump-codes", "x.npy"], "--dump-codes cannot be used"),
        ("fish", ["--segment-history"], "--segment-history cannot be used"),
        ("fish", ["--decode-mode", "windowed"], "--decode-mode cannot be used"),
        ("fish", ["--api-key-env", "S2_NO_SUCH_KEY"], "S2_NO_SUCH_KEY is not set"),
        ("fish", ["--remote-kind", "elsewhere"], "invalid choice"),
        ("fish", ["--server"], "exclude each other"),
    ],
)
def test_the_command_line_refuses_what_is_not_there(
    run: Any, tmp_path: Path, kind: str, flags: list[str], words: str
) -> None:
    with faking(kind) as fake:
        code, _, stderr = run(
            "--text", "Hi.", "--remote", fake.url, *flags, "-o", tmp_path / "a.wav"
        )
    assert code == 2
    assert words in stderr
    assert not fake.requests
    assert not (tmp_path / "a.wav").exists()


def test_the_command_line_knows_the_voices(run: Any, tmp_path: Path) -> None:
    with faking("fish") as fake:
        code, _, stderr = run("--text", "Hi.", "--remote", fake.url, "--voice", "carol", "-o",
                              tmp_path / "a.wav")  # fmt: skip
    assert code == 1
    assert "alice, bob" in stderr


def test_the_key_comes_from_the_environment(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("S2_TEST_KEY", "sk-abc")
    with faking("vllm", key="sk-abc") as fake:
        code, stdout, stderr = run("--text", "Hi.", "--remote", fake.url, "--api-key-env",
                                   "S2_TEST_KEY", "-o", tmp_path / "a.wav")  # fmt: skip
    assert code == 0, stderr
    assert "sk-abc" not in stdout + stderr


@pytest.mark.parametrize("streamed", [False, True])
def test_a_broken_stream_keeps_the_file(run: Any, tmp_path: Path, streamed: bool) -> None:
    out = tmp_path / "a.wav"
    flags = ["--stream-file"] if streamed else []
    with faking("vllm", faults=Faults(cut_after=3)) as fake:
        code, stdout, stderr = run("--text", "Hi.", "--remote", fake.url, "-o", out, *flags)
    assert code == 1
    assert "broke the connection off" in stderr
    assert "cancelled" in stdout
    assert soundfile.info(out).frames == 3 * PIECE
    assert PIECES > 3
