"""``s2 synth --remote URL``: the same command, spoken by a server."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.args import UsageError
from engine.commands.console import Console
from engine.commands.loading import load
from engine.commands.voice_source import load_voice
from engine.errors import VoiceError
from engine.remote.dialects import KINDS
from engine.remote.errors import RemoteError
from engine.remote.options import RemoteOptions
from engine.types import AudioChunk, Event, Metrics, ModelInfo, Summary, SynthesisRequest

if TYPE_CHECKING:
    from engine.remote.dialects import ServerCapabilities
    from engine.remote.engine import RemoteEngine

# What only a model on this computer can do: the destination, its default, and its flag.
LOCAL_ONLY: tuple[tuple[str, Any, str], ...] = (
    ("dump_codes", None, "--dump-codes"),
    ("dump_prompt", None, "--dump-prompt"),
    ("prefix_codes", None, "--prefix-codes"),
    ("save_voice", False, "--save-voice"),
    ("segment_history", False, "--segment-history"),
    ("decode_mode", "exact", "--decode-mode"),
    ("stream_decode_stride", 0, "--stream-decode-stride"),
    ("stream_holdback", None, "--stream-holdback"),
    ("codec_context_frames", None, "--codec-context-frames"),
)
SAMPLING: tuple[tuple[str, Any, str, str], ...] = (
    ("seed", None, "--seed", "seed"),
    ("temperature", 0.8, "--temperature", "temperature"),
    ("top_p", 0.8, "--top-p", "top_p"),
    ("top_k", 30, "--top-k", "top_k"),
    ("max_tokens", 1024, "--max-tokens", "max_new_tokens"),
    ("min_tokens_before_end", 0, "--min-tokens-before-end", "min_tokens_before_end"),
)


def add_remote(parser: argparse.ArgumentParser) -> None:
    """Where the server is."""
    group = parser.add_argument_group("server elsewhere")
    group.add_argument(
        "--remote",
        metavar="URL",
        help="let a server speak: vLLM-Omni, SGLang-Omni, Fish Speech, an OpenAI API or s2 serve",
    )
    group.add_argument(
        "--remote-kind", choices=KINDS, default="auto", help="what it is (default: ask it)"
    )
    group.add_argument("--remote-model", default="", metavar="NAME", help="its name for the model")
    group.add_argument(
        "--api-key-env", metavar="NAME", help="environment variable that holds the server's key"
    )


def check_flags(args: argparse.Namespace) -> None:
    """Refuse what a server cannot do, before it is asked anything.

    Raises:
        UsageError: names the flag.
    """
    for name, default, flag in LOCAL_ONLY:
        if getattr(args, name) != default:
            raise UsageError("cli.not_remote", flag=flag)


def check_sampling(args: argparse.Namespace, can: ServerCapabilities) -> None:
    """Refuse sampling options that were given and that the server does not take."""
    for name, default, flag, field in SAMPLING:
        if getattr(args, name) != default and field not in can.sampling:
            raise UsageError(
                "cli.server_lacks_flag", server=can.title, flag=flag, abilities=can.describe()
            )


def connect(args: argparse.Namespace, cancel: CancelToken, console: Console) -> RemoteEngine:
    """The server that the arguments name.

    Raises:
        UsageError: the variable of the key is not set.
        RemoteError
    """
    from engine.remote.engine import RemoteEngine

    key = ""
    if args.api_key_env:
        key = os.environ.get(args.api_key_env, "").strip()
        if not key:
            raise UsageError("cli.no_variable", name=args.api_key_env)
    options = RemoteOptions(args.remote, args.remote_kind, key, args.remote_model)
    if options.key_exposed:
        console.warn("the key travels unencrypted; use an https address where the server has one")
    engine = RemoteEngine.connect(options, cancel=cancel)
    console.info(f"{options.host} is {engine.capabilities.describe()}")
    return engine


def request_of(
    args: argparse.Namespace,
    engine: RemoteEngine,
    request: SynthesisRequest,
    cancel: CancelToken,
    console: Console,
) -> SynthesisRequest:
    """``request`` with the voice that the arguments name, in the server's terms."""
    from engine.audio.files import read_audio
    from engine.remote.request import MAX_SECONDS, Recording, RemoteRequest, fields_of

    given = fields_of(request)
    if args.prompt_audio:
        clip = read_audio(args.prompt_audio, max_seconds=MAX_SECONDS)
        for warning in clip.warnings:
            console.warn(warning)
        return RemoteRequest(**given, recording=Recording.of(clip, args.prompt_text))
    if args.voice and args.voice.endswith(".s2voice"):
        return RemoteRequest(**given, recording=_recording_of(args, engine, cancel, console))
    return RemoteRequest(**given, voice=args.voice or "")


class KeptSound:
    """A server whose fault in the middle ends the take instead of losing what was heard.

    Attributes:
        error: the fault, once it is known.
    """

    def __init__(self, engine: RemoteEngine) -> None:
        self.info: ModelInfo = engine.info
        self.error: RemoteError | None = None
        self._engine = engine

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """The events of the server; behind sound that was broken off, the summary of a stop."""
        sounded = False
        try:
            for event in self._engine.synthesize(request, cancel):
                sounded = sounded or isinstance(event, AudioChunk)
                yield event
        except RemoteError as error:
            if not sounded:
                raise
            self.error = error
            from engine.remote.synthesis import NO_CODES

            yield Summary(NO_CODES, "cancelled", request.sampling.seed or 0, Metrics())


def _recording_of(
    args: argparse.Namespace, engine: RemoteEngine, cancel: CancelToken, console: Console
) -> Any:
    """A saved voice as sound, which the codec of a model on this computer makes."""
    if not os.path.isfile(arguments.model_of(args)):
        raise VoiceError("cli.voice_holds_codes")
    voice = load_voice(args.voice, args.voice_dir)
    with load(args, console, cancel) as local:
        engine.local = local
        try:
            return engine.sound_of(voice, cancel)
        finally:
            engine.local = None
