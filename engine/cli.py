"""The command line: ``s2 COMMAND`` or ``python -m engine COMMAND``.

Progress and messages go to stderr, results to stdout. Exit codes: 0 done, 1 failed or
stopped, 2 wrong arguments. The peer's spelling without a command works as ``synth``.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from engine.commands import bench, check, models, serve, tools, voices
from engine.commands.args import Parser, UsageError
from engine.commands.console import Console, engine_log
from engine.errors import EngineError
from engine.machine.threads import sleep_when_idle

COMMANDS = (
    "synth",
    "serve",
    "encode",
    "decode",
    "info",
    "voices",
    "models",
    "check",
    "make-random-model",
    "bench",
)


def build_parser() -> argparse.ArgumentParser:
    """The whole parser."""
    from engine import __version__
    from engine.commands import synth

    parser = Parser(prog="s2", description="Text-to-speech with Fish Audio S2 Pro models.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    synth.add_parser(commands)
    serve.add_server(commands.choices["synth"], switch=True)
    serve.add_parser(commands)
    tools.add_parsers(commands)
    voices.add_parser(commands)
    models.add_parser(commands)
    check.add_parser(commands)
    bench.add_parser(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for a user's mistake."""
    sleep_when_idle()
    given = list(sys.argv[1:] if argv is None else argv)
    parser = build_parser()
    if not given:
        parser.print_help(sys.stderr)
        return 1
    if given[0] not in COMMANDS and given[0] not in ("-h", "--help", "--version"):
        given = as_peer(given)
    console = Console()
    try:
        args = parser.parse_args(given)
        console = Console(args.log_level)
        with engine_log(console):
            return dispatch(args, console)
    except UsageError as error:
        console.error(str(error))
        return 2
    except EngineError as error:
        console.error(str(error))
        return 1
    except KeyboardInterrupt:
        console.error("stopped")
        return 1
    except MemoryError:
        console.error("out of memory. Close other programs or use a smaller model file.")
        return 1
    except BrokenPipeError:
        _silence_stdout()
        return 1


def as_peer(given: list[str]) -> list[str]:
    """Read a command line without a command as the peer's: it always speaks."""
    if not given[0].startswith("-"):
        names = ", ".join(COMMANDS)
        Console().error(f"unknown command {given[0]!r}. Commands: {names}")
        raise SystemExit(2)
    return ["synth", *given]


def dispatch(args: argparse.Namespace, console: Console) -> int:
    """Run the chosen command."""
    if args.command is None:
        raise UsageError("cli.no_command")
    if args.command == "synth":
        if args.list_voices:
            return voices.list_ids(args, console)
        if args.delete_voice:
            return voices.remove_voice(args, args.delete_voice, console)
        if args.server:
            return serve.run(args, console)
    return int(args.run(args, console))


def _silence_stdout() -> None:
    """Keep Python from complaining at exit about a reader that went away."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
