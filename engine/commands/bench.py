"""``s2 bench``: timings and counts of this machine, as a table and as JSON."""

from __future__ import annotations

import argparse
from typing import Any

from engine.commands import args as arguments
from engine.commands.console import Console


def add_parser(commands: Any) -> None:
    bench = commands.add_parser("bench", help="measure the engine on this machine")
    kinds = bench.add_subparsers(dest="kind", required=True, metavar="KIND")
    streaming = kinds.add_parser("streaming", help="exact against windowed decoding")
    streaming.add_argument("model", metavar="MODEL")
    streaming.add_argument("--json", metavar="F.json", help="also write the figures")
    streaming.add_argument("--threads", type=int, default=0, metavar="N")
    streaming.add_argument("--frames", type=int, default=64, metavar="N",
                           help="frames in one timing (default 64)")  # fmt: skip
    arguments.add_log(streaming)
    streaming.set_defaults(run=run_streaming)
    soak = kinds.add_parser("soak", help="take after take: memory, underruns, sameness")
    soak.add_argument("model", metavar="MODEL")
    soak.add_argument("-t", "--tokenizer", metavar="PATH", help="default: beside the model")
    soak.add_argument("--seconds", type=float, default=600.0, metavar="N", help="default 600")
    soak.add_argument("--frames", type=int, default=64, metavar="N",
                      help="frames in one take (default 64)")  # fmt: skip
    soak.add_argument("--json", metavar="F.json", help="also write the figures")
    soak.add_argument("--threads", type=int, default=0, metavar="N")
    arguments.add_log(soak)
    soak.set_defaults(run=run_soak)


def run_streaming(args: argparse.Namespace, console: Console) -> int:
    from engine.bench import report, streaming
    from engine.codec.codec import AudioCodec
    from engine.gguf.reader import GGUFFile
    from engine.threads import apply_threads

    apply_threads(args.threads)
    with GGUFFile.open(args.model) as file:
        codec = AudioCodec.from_gguf(file)
        figures = streaming.run_streaming(codec, args.frames)
    console.result(streaming.as_table(figures))
    if args.json:
        report.write_json(args.json, figures)
        console.info(f"wrote {args.json}")
    return 0


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
