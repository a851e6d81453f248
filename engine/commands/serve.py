"""``s2 serve``: the engine for other programs, over HTTP on this machine."""

from __future__ import annotations

import argparse
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.args import UsageError
from engine.commands.console import Console
from engine.commands.loading import load, stop_on_interrupt
from engine.commands.voice_source import DEFAULT_VOICE_DIR
from engine.errors import VoiceError
from engine.net.rules import is_loopback
from engine.storage.shipped import shipped_voices
from engine.voices import VoiceLibrary, resolve_voice

if TYPE_CHECKING:
    from engine.engine import Engine
    from engine.server.options import ServerOptions

WAKE_S = 0.5
_ONE_SOUND = (
    ("takes", 1), ("lines", None), ("check", False), ("best", False), ("prefix_codes", None),
    ("speed", 1.0), ("dump_codes", None), ("dump_prompt", None), ("json_metrics", None),
    ("play", False),
)  # fmt: skip


def add_parser(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="speak for other programs over HTTP",
        description="Serve POST /generate, OpenAI's POST /v1/audio/speech and a page to try "
        "them. The other options are the defaults of a request.",
    )
    add_server(parser)
    arguments.add_model(parser)
    arguments.add_voice(parser)
    arguments.add_sampling(parser)
    arguments.add_streaming(parser)
    arguments.add_shaping(parser)
    arguments.add_log(parser)
    parser.set_defaults(run=run)


def add_server(parser: argparse.ArgumentParser, *, switch: bool = False) -> None:
    """Where to listen; with ``switch`` also the peer's ``--server``."""
    group = parser.add_argument_group("server")
    if switch:
        group.add_argument("--server", action="store_true", help="serve instead of speaking")
    group.add_argument(
        "-H", "--host", default="127.0.0.1", metavar="ADDRESS",
        help="address to listen on (default 127.0.0.1: this machine only)",
    )  # fmt: skip
    group.add_argument(
        "-P", "--port", type=int, default=3030, metavar="N", help="default 3030; 0: a free one"
    )
    group.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME",
        help="host name that clients may use besides addresses and localhost (repeatable)",
    )  # fmt: skip
    group.add_argument(
        "--allow-origin", action="append", default=[], metavar="URL",
        help="web page that may call from a browser, such as http://localhost:8000 (repeatable)",
    )  # fmt: skip


def _refuse_one_sound(args: argparse.Namespace) -> None:
    """Options of ``synth`` that ask for something that a server does not do for them."""
    for name, default in _ONE_SOUND:
        if getattr(args, name, default) != default:
            raise UsageError("cli.not_served", flag=f"--{name.replace('_', '-')}")


def run(args: argparse.Namespace, console: Console) -> int:
    """Serve until interrupted; returns the exit code."""
    if getattr(args, "remote", None):
        raise UsageError("cli.server_or_remote")
    _refuse_one_sound(args)
    options = options_of(args)
    from engine.server.server import LocalServer, check_libraries

    check_libraries()
    if args.prompt_audio:
        console.warn("--prompt-audio is not used by a server; send it with each request")
    cancel = CancelToken()
    with stop_on_interrupt(cancel):
        engine = load(args, console, cancel)
    with engine:
        prepare(engine, cancel, console)
        server = LocalServer(engine, options)
        with until_signalled() as wait:
            server.start()
            try:
                console.result(f"serving {engine.info.name} at {server.url}")
                if not is_loopback(args.host):
                    console.warn("everyone on the network can use this server")
                console.info("Press Ctrl+C to stop.")
                wait()
                console.info("stopping")
            finally:
                server.stop()
    return 0


def prepare(engine: Engine, cancel: CancelToken, console: Console) -> None:
    """Compile and touch what the first request would wait for, who then could not be stopped."""
    with stop_on_interrupt(cancel):
        for step in engine.warm_up((), cancel):
            console.progress(step)
    console.done()
    cancel.raise_if_cancelled()


def options_of(args: argparse.Namespace) -> ServerOptions:
    """The arguments as the server's options.

    Raises:
        VoiceError: the default voice does not exist.
    """
    from engine.server.options import ServerOptions

    root = Path(args.voice_dir) if args.voice_dir else DEFAULT_VOICE_DIR
    more = [] if args.voice_dir else _shipped()
    voice = ""
    if args.voice:
        folder, name = resolve_voice(args.voice, root)
        voice = name or ""
        if folder is not None and folder != root:
            more.insert(0, folder)
        if not any(os.path.isfile(VoiceLibrary(each).find(voice)) for each in (root, *more)):
            raise VoiceError("cli.voice_absent_at", voice=args.voice, root=root)
    return ServerOptions(
        host=args.host,
        port=args.port,
        voice_dir=root,
        more_voice_dirs=tuple(more),
        voice=voice,
        sampling=arguments.sampling_of(args),
        stream=arguments.stream_of(args),
        segmentation=arguments.segmentation_of(args),
        post=arguments.post_of(args),
        pronunciations=arguments.pronunciations_of(args),
        allowed_hosts=tuple(args.allow_host),
        allowed_origins=tuple(args.allow_origin),
    )


def _shipped() -> list[Path]:
    try:
        return [shipped_voices()]
    except FileNotFoundError:
        return []


@contextmanager
def until_signalled() -> Iterator[Any]:
    """Gives a function that waits for Ctrl+C or a polite request to end."""
    stopped = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopped.set()

    def wait() -> None:
        while not stopped.wait(WAKE_S):  # short waits: on Windows a long one hides Ctrl+C
            pass

    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, stop)
    except ValueError:  # not in the main thread
        pass
    try:
        yield wait
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
