"""The steps of the self-test, in the order in which they lean on each other."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import pkgutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.core.paths import find_resource, shipped_voices
from engine.transcription import child_command, request_line

if TYPE_CHECKING:
    from engine import Engine, VoiceProfile

WORDS = "Good evening."
FRAMES = 40
RATE = 44_100
ROOT = str(Path(__file__).resolve().parents[2])
# An extra that is not installed takes the modules with it that need it.
EXTRAS = ("starlette", "uvicorn", "python_multipart", "anyio", "httpx")
SHIPPED = (("icons", "studio.svg"), ("styles", "studio.qss"), ("i18n", "s2studio_zh_CN.qm"))


class StepSkippedError(Exception):
    """The machine lacks what a step needs, and the program lives well without it."""


class Trial:
    """One self-test: what its steps share.

    Args:
        folder: where everything is written; the caller removes it.
        model, tokenizer: what to speak with; the demo voice or a stand-in without it.
        whisper: folder of a transcription model, when one is at hand.
    """

    def __init__(
        self, folder: Path, model: Path | None, tokenizer: Path | None, whisper: Path | None
    ) -> None:
        self._folder = folder
        self._model = model
        self._tokenizer = tokenizer
        self._whisper = whisper
        self._engine: Engine | None = None
        self._voice: VoiceProfile | None = None
        self._samples = np.zeros(0, np.float32)
        self._rate = RATE

    def steps(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """Name and doing of each step. torch comes before Qt, which Windows wants."""
        yield "libraries", self.libraries
        yield "modules", self.modules
        yield "data", self.data
        yield "sound files", self.sound_files
        yield "model", self.model
        yield "voice", self.voice
        yield "speech", self.speech
        yield "playback", self.playback
        yield "export", self.export
        yield "transcription", self.transcription
        yield "server", self.server
        yield "window", self.window

    def close(self) -> None:
        """Let go of the model."""
        if self._engine is not None:
            self._engine.close()

    def libraries(self) -> str:
        """Load every library and say its version."""
        torch = importlib.import_module("torch")
        import llvmlite.binding
        import platformdirs
        import psutil
        import soundfile
        import soxr
        import tokenizers
        from PySide6 import QtCore, QtGui, QtNetwork, QtSvg, QtWidgets

        version = {
            "torch": torch.__version__,
            "numpy": np.__version__,
            "LLVM": ".".join(map(str, llvmlite.binding.llvm_version_info)),
            "Qt": QtCore.qVersion(),
            "libsndfile": soundfile.__libsndfile_version__,
            "soxr": soxr.__version__,
            "tokenizers": tokenizers.__version__,
            "psutil": psutil.__version__,
            "platformdirs": platformdirs.__version__,
            "PortAudio": _portaudio(),
        }
        assert all((QtGui, QtNetwork, QtSvg, QtWidgets))
        return ", ".join(f"{name} {number}" for name, number in version.items())

    def modules(self) -> str:
        """Import all of ours, also what only a rare action needs."""
        names, absent = 0, set()
        for package in ("engine", "app"):
            home = importlib.import_module(package)
            for found in pkgutil.walk_packages(home.__path__, f"{package}."):
                if found.name.endswith(".__main__") or found.name.startswith("resources.packaging"):
                    continue
                try:
                    importlib.import_module(found.name)
                except ModuleNotFoundError as error:
                    if error.name is None or error.name.split(".")[0] not in EXTRAS:
                        raise
                    absent.add(error.name.split(".")[0])
                names += 1
        if names < 100:
            raise RuntimeError(f"only {names} modules are there")
        without = f", without {', '.join(sorted(absent))}" if absent else ""
        return f"{names} modules{without}"

    def data(self) -> str:
        """What the program reads from its own folder."""
        missing = ["/".join(parts) for parts in SHIPPED if find_resource(*parts) is None]
        if missing:
            raise FileNotFoundError(f"not shipped: {', '.join(missing)}")
        voices = shipped_voices()
        count = len(list(voices.glob("*.s2voice"))) if voices else 0
        demo = find_resource("demo_voice.gguf")
        return f"{count} voices, {'a' if demo else 'no'} demo voice"

    def sound_files(self) -> str:
        """Write a WAV and an MP3 and read them back."""
        import soundfile

        from engine.audio import read_audio

        tone = np.sin(np.arange(RATE) * (2 * np.pi * 440 / RATE)).astype(np.float32) / 2
        heard = []
        for name in ("tone.wav", "tone.mp3"):
            path = self._folder / name
            soundfile.write(path, tone, RATE)
            clip = read_audio(path)
            if abs(clip.seconds - 1) > 0.1 or not 0.4 < float(np.abs(clip.samples).max()) < 0.6:
                raise ValueError(f"{name} was not read as it was written")
            heard.append(f"{name} {clip.seconds:.2f} s")
        return ", ".join(heard)

    def model(self) -> str:
        """Load the demo voice, or a stand-in made here."""
        from engine import Engine
        from engine.random_model import make_random_model
        from engine.storage import demo_model

        model = self._model or demo_model()
        if model is None:
            model = self._folder / "stand-in.gguf"
            self._tokenizer = model.with_name("tokenizer.json")
            make_random_model(model, size="tiny", type="q8_0", tokenizer=self._tokenizer)
        self._model = model
        self._engine = Engine.load(model, self._tokenizer)
        return f"{model.name} on {self._engine.info.device}"

    def voice(self) -> str:
        """Make a voice of the MP3: the encoder, and the file of a voice."""
        from engine import VoiceProfile

        profile = self._loaded().encode_reference(self._folder / "tone.mp3", "A tone.")
        path = self._folder / "tone.s2voice"
        profile.save(path)
        self._voice = VoiceProfile.load(path)
        return f"{self._voice.frames} frames"

    def speech(self) -> str:
        """Speak a sentence, with and without the voice."""
        from engine import AudioChunk, Sampling, SynthesisRequest

        engine = self._loaded()
        for voices in ((self._voice,) if self._voice else (), ()):
            request = SynthesisRequest(WORDS, voices, Sampling(seed=7, max_new_tokens=FRAMES))
            chunks = [e for e in engine.synthesize(request) if isinstance(e, AudioChunk)]
            self._samples = np.concatenate([chunk.samples for chunk in chunks])
            self._rate = chunks[0].sample_rate
            if not np.isfinite(self._samples).all() or not self._samples.any():
                raise ValueError("the sound is empty or not finite")
        return f"{len(self._samples) / self._rate:.2f} s of sound at {self._rate} Hz"

    def playback(self) -> str:
        """Play it, where there is something to play on."""
        from app.audio.devices import AudioDevices
        from engine.audio import LiveSink

        devices = AudioDevices()
        outputs = devices.outputs()
        if not outputs:
            raise StepSkippedError(devices.problem)
        sink = LiveSink()
        sink.start(self._rate)
        sink.write(self._samples)
        sink.finish()
        return f"played on the system's default of {len(outputs) - 1} outputs"

    def export(self) -> str:
        """Write the take as every kind of file and read it back."""
        from engine.audio import read_audio
        from engine.takes import ExportFormat, export_take

        for kind in ExportFormat:
            done = export_take(self._folder / "take", self._samples, self._rate, kind)
            clip = read_audio(done.path)
            if abs(clip.seconds - len(self._samples) / self._rate) > 0.2:
                raise ValueError(f"{done.path.name} holds {clip.seconds:.2f} s")
        return ", ".join(kind.title for kind in ExportFormat)

    def transcription(self) -> str:
        """Start the child process; it must answer, and write down something with a model."""
        last = _ask_child(self._whisper or self._folder, np.zeros(16_000, np.float32))
        if last["event"] == "done":
            return "the child process listened with a model"
        wanted = "model" if find_spec("faster_whisper") else "missing"
        if self._whisper is not None or last.get("kind") != wanted:
            raise RuntimeError(str(last.get("detail", last)))
        if wanted == "missing":
            raise StepSkippedError("the extra is not inside; the child process answers")
        return "the child process answers; no model was given"

    def server(self) -> str:
        """Serve one request to ourselves, and see ourselves as a server elsewhere."""
        if any(find_spec(name) is None for name in EXTRAS[:3]):
            raise StepSkippedError("the extra is not inside")
        from engine.remote import RemoteEngine, RemoteOptions
        from engine.server import LocalServer, ServerOptions

        # Never through a proxy: the address is this machine's own.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with LocalServer(self._loaded(), ServerOptions(port=0, voice_dir=self._folder)) as server:
            with opener.open(f"{server.url}/health", timeout=30) as reply:
                health = json.load(reply)
            seen = RemoteEngine.connect(RemoteOptions(server.url)).capabilities
            body = json.dumps({"input": WORDS, "model": "s2", "response_format": "wav"})
            request = urllib.request.Request(
                f"{server.url}/v1/audio/speech",
                body.encode(),
                {"Content-Type": "application/json"},
            )
            with opener.open(request, timeout=300) as reply:
                sound = reply.read()
        if not sound.startswith(b"RIFF"):
            raise ValueError("the server's answer is no sound")
        if seen.kind != "studio":
            raise ValueError(f"the client takes the server for {seen.title}")
        return f"health {health.get('status', health)}, {len(sound)} bytes of sound"

    def window(self) -> str:
        """The window, one take, and out again."""
        from app.selftest.smoke import run_smoke

        self.close()
        self._engine = None
        assert self._model is not None
        said, hook = io.StringIO(), sys.excepthook
        try:
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = run_smoke([sys.argv[0]], self._model, self._tokenizer)
        finally:
            sys.excepthook = hook
        text = said.getvalue().strip()
        if code:
            raise RuntimeError(text)
        return text.rpartition("smoke ok: ")[2]

    def _loaded(self) -> Engine:
        if self._engine is None:
            raise RuntimeError("there is no model")
        return self._engine


def _portaudio() -> str:
    """PortAudio's version, or that it is not there; the program starts without it."""
    try:
        import sounddevice
    except OSError:
        return "not found"
    return str(sounddevice.get_portaudio_version()[1].split(",")[0].removeprefix("PortAudio "))


def _ask_child(model: Path, pcm: np.ndarray) -> dict[str, str]:
    """The last answer of a transcription child to one request."""
    path = os.pathsep.join(filter(None, [ROOT, os.environ.get("PYTHONPATH", "")]))
    process = subprocess.Popen(
        child_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    answer: dict[str, str] = {}
    with process:
        try:
            # The input stays open until it has answered: its end would end the child.
            process.stdin.write(request_line(model, pcm, threads=1))
            process.stdin.flush()
            for raw in process.stdout:
                answer = json.loads(raw)
        finally:
            process.kill()
    if not answer:
        raise RuntimeError("the child process says nothing")
    return answer
