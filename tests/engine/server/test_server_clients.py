"""The server as programs of others meet it: curl, the openai package, and our command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import soundfile
from server_kit import Paced, kit_voice, read_sound, serving, serving_hope

from engine.cli import build_parser, main
from engine.commands.serve import options_of
from engine.engine import Engine
from engine.errors import EngineError
from engine.server.documents import page as front_page
from engine.server.options import ServerOptions
from engine.server.server import LocalServer, ServerError, listen
from engine.types import Sampling

CURL = shutil.which("curl")


@pytest.fixture(scope="module")
def server(
    tiny_engine: Engine, tmp_path_factory: pytest.TempPathFactory, golden_file: Any
) -> Iterator[LocalServer]:
    sampling, root = (
        Sampling(max_new_tokens=4, min_tokens_before_end=4),
        tmp_path_factory.mktemp("voices"),
    )
    with serving_hope(tiny_engine, root, golden_file, sampling) as server:
        yield server


def curl(*arguments: object) -> subprocess.CompletedProcess[bytes]:
    assert CURL is not None
    words = [str(argument) for argument in arguments]
    return subprocess.run(
        [CURL, "-sS", "--noproxy", "*", "--max-time", "60", *words], capture_output=True
    )


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_curl(server: LocalServer, tmp_path: Path, golden_file: Any) -> None:
    out = tmp_path / "out.wav"
    done = curl("-f", "-F", "text=Hello.", "-F", 'params={"seed": 3}', "-o", out,
                f"{server.url}/generate")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert soundfile.info(out).frames == 4 * 2048
    clip = golden_file("ref-mono-44k1.flac")
    done = curl("-f", "-N", "-F", "text=Hello.", "-F", f"reference=@{clip}", "-F",
                "reference_text=What is said.", "-F", 'params={"stream":true,"chunked":true}',
                "-o", out, f"{server.url}/generate")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert soundfile.info(out).frames == 4 * 2048
    done = curl("-f", "--json", '{"input": "Hi.", "voice": "hope"}', "-o", tmp_path / "a.mp3",
                f"{server.url}/v1/audio/speech")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert soundfile.info(tmp_path / "a.mp3").format == "MP3"


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_curl_reads_why_it_was_refused(server: LocalServer, tmp_path: Path) -> None:
    large = tmp_path / "large.wav"
    with large.open("wb") as file:
        file.truncate(55 * 2**20)
    done = curl("-F", "text=Hi.", "-F", f"reference=@{large}", "-w", "%{http_code}",
                f"{server.url}/generate")  # fmt: skip
    assert done.stdout.endswith(b"413"), (done.stdout, done.stderr)
    done = curl("-F", "reference=x", "-w", "%{http_code}", f"{server.url}/generate")
    assert done.stdout == b'{"error":"No text field in multipart form"}400'


@pytest.mark.skipif(CURL is None, reason="curl is not installed")
def test_curl_tells_a_broken_stream(tiny_engine: Engine, tmp_path: Path) -> None:
    paced = Paced(tiny_engine, fail_at=3)
    paced.let(99)
    params = 'params={"stream": true, "chunked": true, "low_latency": true, "max_new_tokens": 9}'
    with serving(paced, voice_dir=tmp_path) as server:
        done = curl("-F", "text=Hi.", "-F", params, "-o", tmp_path / "x.wav",
                    f"{server.url}/generate")  # fmt: skip
    assert done.returncode == 18, done.stderr  # a partial file
    assert (tmp_path / "x.wav").stat().st_size > 44


@pytest.fixture
def openai_client(server: LocalServer) -> Iterator[Any]:
    openai = pytest.importorskip("openai")
    with openai.OpenAI(
        base_url=f"{server.url}/v1",
        api_key="none",
        max_retries=0,
        http_client=openai.DefaultHttpxClient(trust_env=False),
    ) as client:
        yield client


def test_openai_speaks(openai_client: Any, tmp_path: Path) -> None:
    answer = openai_client.audio.speech.create(
        model="tts-1", voice="hope", input="Hello.", response_format="flac",
        extra_body={"seed": 3, "temperature": 0.7},
    )  # fmt: skip
    samples, info = read_sound(answer.read())
    assert (info.format, len(samples)) == ("FLAC", 4 * 2048)
    with openai_client.audio.speech.with_streaming_response.create(
        model="tts-1", voice="default", input="Hello.", response_format="wav"
    ) as answer:
        answer.stream_to_file(tmp_path / "out.wav")
    assert soundfile.info(tmp_path / "out.wav").frames == 4 * 2048


def test_openai_reads_events(openai_client: Any) -> None:
    with openai_client.audio.speech.with_streaming_response.create(
        model="tts-1", voice="default", input="Hi.", response_format="pcm", stream_format="sse"
    ) as answer:
        lines = [line for line in answer.iter_lines() if line.startswith("data: ")]
    assert '"speech.audio.done"' in lines[-1]


def test_openai_understands_errors(openai_client: Any, tiny_engine: Engine) -> None:
    import openai

    with pytest.raises(openai.NotFoundError, match="There is no voice 'alloy'") as caught:
        openai_client.audio.speech.create(model="tts-1", voice="alloy", input="Hi.")
    assert caught.value.code == "voice_not_found"
    with pytest.raises(openai.BadRequestError, match="speed") as refused:
        openai_client.audio.speech.create(model="tts-1", voice="hope", input="Hi.", speed=2.0)
    assert refused.value.param == "speed"
    with tiny_engine._exclusive(), pytest.raises(openai.InternalServerError, match="Server busy"):
        openai_client.audio.speech.create(model="tts-1", voice="hope", input="Hi.")


def test_openai_lists(openai_client: Any) -> None:
    assert [model.id for model in openai_client.models.list()] == ["tiny-f32"]
    assert openai_client.models.retrieve("tiny-f32").owned_by == "s2-voice-studio"


BROWSER = """
// What the page needs of a browser, with a loudspeaker that counts.
const boxes = {};
let played = 0, rate = 0, gap = 0, ended = 0;
globalThis.document = {getElementById: id => boxes[id] ??= {
  id, value: id === "text" ? "Hello." : "", names: [], listeners: {},
  add(option) { this.names.push(option.value); },
  addEventListener(kind, act) { this.listeners[kind] = act; }}};
globalThis.Option = class { constructor(text, value) { this.value = value; } };
globalThis.AudioContext = class {
  currentTime = 0;
  createBuffer(channels, length, given) {
    rate = given;
    return {duration: length / given, length, copyToChannel() {}};
  }
  createBufferSource() {
    return {connect() {}, start(at) {
      if (ended) gap += at - ended;
      ended = at + this.buffer.duration;
      played += this.buffer.length;
    }};
  }
  close() {}
};
const real = globalThis.fetch;
globalThis.fetch = (path, options) => real(process.argv[2] + path, options);
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the page's script")
def test_the_page_plays_the_stream(server: LocalServer, tmp_path: Path) -> None:
    script = front_page().split("<script>")[1].split("</script>")[0]
    report = """
        boxes.speak.listeners.click().then(() => setTimeout(() => console.log(JSON.stringify(
            [played, rate, Math.round(1000 * gap), boxes.state.textContent, boxes.voice.names]))));
    """
    page = tmp_path / "page.js"
    page.write_text(BROWSER + script + report, encoding="utf-8")
    done = subprocess.run(
        ["node", str(page), server.url], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    played, rate, gap, state, voices = json.loads(done.stdout)
    assert (played, rate, gap) == (4459, 24000, 0)  # 4 frames, without a hole between pieces
    assert state == "0.2 s of sound, done."
    assert voices == ["default", "hope"]


def test_start_and_stop(tiny_engine: Engine) -> None:
    before = set(threading.enumerate())
    server = LocalServer(tiny_engine, ServerOptions(port=0))
    server.stop()
    assert (server.url, server.running, server.busy) == ("", False, False)
    for _ in range(2):
        server.start()
        assert httpx.get(f"{server.url}/health", trust_env=False).status_code == 200
        with pytest.raises(ServerError, match="runs already"):
            server.start()
        server.stop()
        assert (server.url, server.running) == ("", False)
    assert set(threading.enumerate()) <= before


def test_a_taken_port_is_told(tiny_engine: Engine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"cannot listen on 127.0.0.1 port {port}"):
            LocalServer(tiny_engine, ServerOptions(port=port)).start()
    for host, port in (("no such host", 0), ("127.0.0.1", 70000), ("192.0.2.1", 0)):
        with pytest.raises(ServerError):
            listen(host, port)


@pytest.mark.skipif(not socket.has_ipv6, reason="no IPv6 here")
def test_ipv6(tiny_engine: Engine) -> None:
    try:
        listen("::1", 0).close()
    except ServerError:
        pytest.skip("no IPv6 loopback here")
    with LocalServer(tiny_engine, ServerOptions(host="::1", port=0)) as server:
        assert httpx.get(f"{server.url}/health", trust_env=False).status_code == 200


@pytest.mark.parametrize("words", [["serve"], ["synth", "--server"]])
def test_both_spellings_give_the_same_options(words: list[str], tmp_path: Path) -> None:
    given = [*words, "-H", "::1", "-P", "0", "--voice-dir", str(tmp_path), "--temp", "0.5",
             "--top-k", "3", "--stream-decode-stride", "2", "--allow-host", "a", "--allow-origin",
             "http://b", "--seed", "4"]  # fmt: skip
    options = options_of(build_parser().parse_args(given))
    assert (options.host, options.port, options.voice_dir) == ("::1", 0, tmp_path)
    assert options.sampling == Sampling(temperature=0.5, top_k=3, seed=4)
    assert options.stream.stride == 2
    assert options.allowed_hosts == ("a",)
    assert options.allowed_origins == ("http://b",)


def test_defaults_are_the_peers() -> None:
    options = options_of(build_parser().parse_args(["serve"]))
    assert (options.host, options.port) == ("127.0.0.1", 3030)
    assert options.sampling == Sampling()


def test_the_default_voice_must_exist(tmp_path: Path, golden_file: Any) -> None:
    path = kit_voice(golden_file, tmp_path / "elsewhere")
    words = ["serve", "--voice-dir", str(tmp_path / "voices"), "--voice"]
    options = options_of(build_parser().parse_args([*words, str(path)]))
    assert options.voice == "hope"
    assert options.more_voice_dirs == (path.parent,)
    with pytest.raises(EngineError, match="there is no voice 'nobody'"):
        options_of(build_parser().parse_args([*words, "nobody"]))


def test_a_missing_model_ends_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "-m", "nothing-here.gguf", "-P", "0"]) == 1
    assert "nothing-here.gguf" in capsys.readouterr().err


@pytest.mark.real
@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
def test_the_command_serves_until_it_is_asked_to_end(models: Any, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "engine", "--server", "-m", str(models.path("tiny-f32")),
               "-P", "0", "--threads", "1", "--voice-dir", str(tmp_path)]  # fmt: skip
    root = Path(__file__).resolve().parents[3]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=root
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = line.split(" at ")[1].strip()
        assert httpx.get(f"{url}/health", trust_env=False).json() == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert "stopping" in errors
    assert "Traceback" not in errors
