"""``s2 bench``: timings and counts of this machine, as a table and as JSON."""

from __future__ import annotations

import argparse
from typing import Any

from engine.commands import args as arguments
from engine.commands.console import Console
from engine.errors import RequestError

_KINDS = {
    "ar": "time a frame, and prompt columns a second",
    "codec": "time to decode and to encode",
    "load": "time to the first prefill, and memory, in fresh processes",
    "all": "ar, codec and load",
}


def add_parser(commands: Any) -> None:
    bench = commands.add_parser("bench", help="measure the engine on this machine")
    kinds = bench.add_subparsers(dest="kind", required=True, metavar="KIND")
    streaming = kinds.add_parser("streaming", help="exact against windowed decoding")
    streaming.add_argument("model", metavar="MODEL")
    _add_json(streaming)
    _add_whole(streaming, "--threads", 0)
    _add_whole(streaming, "--frames", 64, "frames in one timing (default 64)")
    arguments.add_log(streaming)
    streaming.set_defaults(run=run_streaming)
    soak = kinds.add_parser("soak", help="take after take: memory, underruns, sameness")
    _add_files(soak)
    soak.add_argument("--seconds", type=float, default=600.0, metavar="N", help="default 600")
    _add_whole(soak, "--frames", 64, "frames in one take (default 64)")
    _add_json(soak)
    _add_whole(soak, "--threads", 0)
    arguments.add_log(soak)
    soak.set_defaults(run=run_soak)
    batch = kinds.add_parser("batch", help="many takes of one line against one take")
    _add_files(batch)
    _add_json(batch)
    _add_whole(batch, "--threads", 0)
    _add_whole(batch, "--frames", 8, "frames in one take (default 8)")
    _add_whole(batch, "--repeats", 3, "timings of each company (default 3)")
    arguments.add_log(batch)
    batch.set_defaults(run=run_batch)
    start = kinds.add_parser("start", help="from the start of a process to its first sound")
    _add_files(start)
    start.add_argument("--voice", metavar="ID", help="id of a saved voice, or a .s2voice file")
    _add_json(start)
    _add_whole(start, "--repeats", 3, "starts of each kind (default 3)")
    arguments.add_log(start)
    start.set_defaults(run=run_start)
    for kind, title in _KINDS.items():
        _add_speed(kinds, kind, title)


def _add_speed(kinds: Any, kind: str, title: str) -> None:
    parser = kinds.add_parser(kind, help=title)
    _add_files(parser)
    _add_json(parser)
    parser.add_argument("--compare", metavar="OLD.json", help="also print ratios to an earlier run")
    _add_whole(parser, "--threads", 0)
    _add_whole(parser, "--frames", 10, "frames in one timing (default 10)")
    _add_whole(parser, "--repeats", 3, "timings of each kind (default 3)")
    arguments.add_log(parser)
    parser.set_defaults(run=run_speed)


def _add_files(parser: Any) -> None:
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("-t", "--tokenizer", metavar="PATH", help="default: beside the model")


def _add_json(parser: Any) -> None:
    parser.add_argument("--json", metavar="F.json", help="also write the figures")


def _add_whole(parser: Any, flag: str, default: int, text: str | None = None) -> None:
    parser.add_argument(flag, type=int, default=default, metavar="N", help=text)


def run_batch(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import batch
    from engine.engine import Engine

    if args.frames < 1 or args.repeats < 1:
        raise RequestError("bench.counts")
    with Engine.load(args.model, args.tokenizer, threads=args.threads) as engine:
        figures = batch.run_batch(engine, args.frames, args.repeats)
    return _show(batch.as_table(figures), figures, args, console)


def run_start(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import start

    if args.repeats < 1:
        raise RequestError("bench.counts")
    options = [] if args.tokenizer is None else ["-t", args.tokenizer]
    options += [] if args.voice is None else ["--voice", args.voice]
    figures = start.run_start(args.model, options, args.repeats)
    return _show(start.as_table(figures), figures, args, console)


def _show(table: str, figures: dict[str, Any], args: argparse.Namespace, console: Console) -> int:
    from engine.bench import report

    console.result(table)
    if args.json:
        report.write_json(args.json, figures)
        console.info(f"wrote {args.json}")
    return 0


def run_speed(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import compare, report, speed

    if args.frames < 1 or args.repeats < 1:
        raise RequestError("bench.counts")
    before = compare.read_figures(args.compare) if args.compare else None
    figures = speed.run_speed(
        args.kind,
        args.model,
        args.tokenizer,
        threads=args.threads,
        frames=args.frames,
        repeats=args.repeats,
    )
    console.result(speed.as_table(figures))
    if before is not None:
        console.result(report.table(compare.compare(before, figures), compare.HEADER))
    if args.json:
        report.write_json(args.json, figures)
        console.info(f"wrote {args.json}")
    return 0


def run_streaming(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import streaming
    from engine.codec.codec import AudioCodec
    from engine.gguf.reader import GGUFFile
    from engine.machine.threads import apply_threads

    apply_threads(args.threads)
    with GGUFFile.open(args.model) as file:
        codec = AudioCodec.from_gguf(file)
        figures = streaming.run_streaming(codec, args.frames)
    return _show(streaming.as_table(figures), figures, args, console)


def run_soak(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import report, soak
    from engine.engine import Engine

    with Engine.load(args.model, args.tokenizer, threads=args.threads) as engine:
        figures = soak.run_soak(engine, args.seconds, args.frames)
    console.result(soak.as_table(figures))
    if args.json:
        report.write_json(args.json, figures)
    found = soak.verdict(figures)
    for sentence in found:
        console.error(sentence)
    return 1 if found else 0
