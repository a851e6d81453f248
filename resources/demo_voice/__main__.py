"""The whole recipe from one command; every step resumes or skips what is done."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]


def _text(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.examples import write_sounds
    from resources.demo_voice.lexicon import write_lexicon
    from resources.demo_voice.prepare import plan
    from resources.demo_voice.tokens import write_tokenizer

    plan(work, args.quoted, args.made, args.seed)
    if not (work / "lexicon.json").exists():
        write_lexicon(work)
    write_tokenizer(work)
    write_sounds(work)


def _speak(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.prepare import make_heard

    make_heard(
        work, quoted=args.quoted, made=args.made, shards=args.shards, seed=args.seed,
        processes=args.threads,
    )  # fmt: skip


def _robot(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.prepare import write_shards, write_units

    if not (work / "units.npz").exists():
        write_units(work)
    write_shards(work)


def _codes(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.codes import fit, write_codes

    if not (work / "table.npz").exists():
        fit(work, args.seed)
    write_codes(work)


def _latent(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.train_codec import train_latent_half

    train_latent_half(work, steps=args.latent_steps, minutes=args.minutes)


def _encoder(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.train_codec import train_encoder

    train_encoder(work, steps=args.encoder_steps, minutes=args.minutes)


def _ar(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.train_ar import train

    train(work, steps=args.ar_steps, minutes=args.minutes, seed=args.seed)


def _export(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.export import export

    export(work, args.out / "demo_voice.gguf", args.out / "tokenizer.json")


def _voices(work: Path, args: argparse.Namespace) -> None:
    from resources.demo_voice.report import make_voices

    make_voices(work, args.voices)


def _report(work: Path, args: argparse.Namespace) -> None:
    from engine.engine import Engine
    from resources.demo_voice.judge import Judge
    from resources.demo_voice.report import judge_all, text_of, write_targets

    with Engine.load(args.out / "demo_voice.gguf", threads=args.threads) as engine:
        found = text_of(judge_all(work, engine, Judge(args.threads)))
    (work / "report.md").write_text(found)
    write_targets(work, work / "targets.npz")
    print(found)


STEPS: dict[str, Callable[[Path, argparse.Namespace], None]] = {
    "text": _text,
    "speak": _speak,
    "robot": _robot,
    "codes": _codes,
    "latent": _latent,
    "encoder": _encoder,
    "ar": _ar,
    "export": _export,
    "voices": _voices,
    "report": _report,
}


def main() -> None:
    """Parse the command line and run the chosen steps in order."""
    parser = argparse.ArgumentParser(prog="demo_voice", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for all that is made")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS))
    parser.add_argument("--out", type=Path, default=ROOT / "resources")
    parser.add_argument("--voices", type=Path, default=ROOT / "voices")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600, help="most for each training")
    for name, value in (("quoted", 6000), ("made", 2500), ("shards", 15), ("latent-steps", 950),
                        ("encoder-steps", 3000),
                        ("ar-steps", 900)):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=value)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    for name in STEPS:
        if name in args.steps:
            print(f"== {name}", flush=True)
            STEPS[name](args.work, args)


if __name__ == "__main__":
    main()
