"""``s2 synth --takes N``, ``--lines`` and ``--check``: many takes together, and which to keep."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.audio.post import postprocess
from engine.cancel import CancelToken
from engine.commands.args import UsageError, add_transcriber, whole
from engine.commands.check import CheckedTake, Verdict, rate, tell
from engine.commands.console import Console
from engine.commands.doorway import output_kind, save_sound
from engine.errors import CancelledError, EngineError, OutputError
from engine.synthesis.metrics import one_reading
from engine.takes.checks import facts_of, own_paces
from engine.takes.choice import RatedTake, best_take
from engine.takes.provenance import Provenance
from engine.types import (
    MAX_SEED,
    AudioChunk,
    FrameCodes,
    ModelInfo,
    SegmentStart,
    Summary,
    SynthesisRequest,
)

if TYPE_CHECKING:
    from engine.engine import Engine

MOST_TAKES = 64
_ONE_SOUND_ONLY = ("stream_file", "play", "dump_codes", "json_metrics", "remote")


def add_takes(parser: argparse.ArgumentParser) -> None:
    """Options for more than one take."""
    group = parser.add_argument_group("takes")
    whole(group, "--takes", default=1, help="so many readings, each with a seed of its own")
    group.add_argument("--lines", metavar="FILE", help="speak each line of a file, a sound each")
    group.add_argument("--check", action="store_true", help="check each take, as s2 check does")
    add_transcriber(group)
    text = "name the best of the takes, and write it under the name of -o too"
    group.add_argument("--best", action="store_true", help=text)


def are_asked(args: argparse.Namespace) -> bool:
    """Whether more is asked for than one sound.

    Raises:
        UsageError: a number of takes that cannot be, or an option that has one sound only.
    """
    if not 1 <= args.takes <= MOST_TAKES:
        raise UsageError("cli.takes_number", most=MOST_TAKES)
    many = [name for name in ("lines", "check", "best") if getattr(args, name)]
    if args.takes > 1:
        many.insert(0, "takes")
    if args.transcriber is not None and not (args.check or args.best):
        raise UsageError("cli.transcriber_alone")
    if not many:
        return False
    wrong = [name for name in _ONE_SOUND_ONLY if getattr(args, name)]
    if args.output == "-":
        wrong.append("output -")
    if wrong:
        flags = f"--{many[0]}", f"--{wrong[0].replace('_', '-')}"
        raise UsageError("cli.takes_alone", many=flags[0], flag=flags[1])
    if args.lines is not None and args.prefix_codes is not None:
        raise UsageError("cli.takes_alone", many="--lines", flag="--prefix-codes")
    if args.lines is not None and (args.text is not None or args.text_file is not None):
        raise UsageError("cli.lines_and_text")
    if args.best and args.takes < 2:
        raise UsageError("cli.best_of_one")
    return True


@dataclass(slots=True)
class _Take:
    """A request, where its sound goes, and what has come of it."""

    request: SynthesisRequest
    path: Path
    chunks: list[np.ndarray] = field(default_factory=list)
    segments: list[tuple[int, int]] = field(default_factory=list)
    frames: int = 0
    samples: np.ndarray | None = None
    summary: Summary | None = None
    verdict: Verdict | None = None


def speak_takes(
    args: argparse.Namespace,
    engine: Engine,
    request: SynthesisRequest,
    texts: Sequence[str],
    cancel: CancelToken,
    console: Console,
) -> int:
    """Speak each of ``texts``, all takes together; returns the exit code."""
    lines = [
        _takes(args, replace(request, text=text), i, len(texts)) for i, text in enumerate(texts)
    ]
    takes = [take for line in lines for take in line]
    for take in takes:
        if take.path.is_dir():
            raise OutputError("cli.output_folder", path=take.path)
    try:
        failures = _speak(args, engine, takes, cancel, console)
    finally:
        console.done()
    made = [take for take in takes if take.samples is not None]
    if args.check or args.best:
        _check(args, engine, made, console)
        failures += sum(take.verdict is not None and take.verdict.is_faulty for take in made)
    if args.best:
        for index, line in enumerate(lines):
            _pick(
                args, line, _name(args, index, len(lines), 0, 1), engine.info.sample_rate, console
            )
    if cancel.cancelled and not made:
        raise CancelledError("cli.stopped_early")
    return 1 if failures or cancel.cancelled else 0


def _takes(
    args: argparse.Namespace, request: SynthesisRequest, line: int, lines: int
) -> list[_Take]:
    from engine.synthesis.preparing import draw_seed

    made = []
    for number in range(args.takes):
        seed = draw_seed() if args.seed is None else (args.seed + number) & MAX_SEED
        own = replace(request, sampling=replace(request.sampling, seed=seed))
        made.append(_Take(own, _name(args, line, lines, number, args.takes)))
    return made


def _name(args: argparse.Namespace, line: int, lines: int, number: int, takes: int) -> Path:
    """``out-2-1.wav``: the first take of the second line; what there is one of is left out."""
    path, parts = Path(args.output), []
    for index, count in ((line, lines), (number, takes)):
        if count > 1:
            parts.append(f"-{index + 1:0{len(str(count))}}")
    return path.with_name(f"{path.stem}{''.join(parts)}{path.suffix}")


def _speak(
    args: argparse.Namespace,
    engine: Engine,
    takes: Sequence[_Take],
    cancel: CancelToken,
    console: Console,
) -> int:
    """Write each sound when it is done; returns how many failed."""
    failed, warned, sure = 0, set[str](), set[str]()
    requests = [take.request for take in takes]
    for index, event in engine.synthesize_many(requests, [cancel] * len(takes)):
        take = takes[index]
        if isinstance(event, EngineError):
            failed += 1
            console.error(f"{take.path}: {event}")
        elif isinstance(event, AudioChunk):
            take.chunks.append(event.samples)
        elif isinstance(event, SegmentStart):
            take.segments.append((take.frames, event.start))
        elif isinstance(event, FrameCodes):
            take.frames += 1
            done = sum(each.summary is not None for each in takes)
            frames = sum(each.frames for each in takes)
            console.status(f"{done} of {len(takes)} takes are done, {frames} frames")
        elif isinstance(event, Summary):
            for warning in event.warnings:
                if str(warning) not in warned:
                    console.warn(warning)
                warned.add(str(warning))
            take.summary = event
            _save(args, engine.info.sample_rate, take, console)
            if take.request.text not in sure and tell_one_reading(take.request, event, console):
                sure.add(take.request.text)
    return failed


def tell_one_reading(request: SynthesisRequest, summary: Summary, console: Console) -> bool:
    """Say it where other seeds cannot give another reading; returns whether that is so."""
    sure = one_reading(request.sampling, summary.metrics)
    if sure:
        console.info(
            "The model was certain of every code: whatever the seed, it reads this text one way."
        )
    return sure


def _save(args: argparse.Namespace, rate_hz: int, take: _Take, console: Console) -> None:
    summary = take.summary
    assert summary is not None
    if not take.chunks:
        return
    take.samples = postprocess(np.concatenate(take.chunks), rate_hz, take.request.post)
    take.chunks.clear()
    kind = output_kind(str(take.path), stream=False, pcm16=args.pcm16)
    save_sound(str(take.path), take.samples, rate_hz, kind, args.pcm16)
    seconds = len(take.samples) / rate_hz
    console.result(
        f"{take.path}: {seconds:.2f} s, {summary.codes.shape[1]} frames, seed {summary.seed}, "
        f"{summary.finish_reason}"
    )


def _check(
    args: argparse.Namespace, engine: Engine, takes: Sequence[_Take], console: Console
) -> None:
    checked = [_as_checked(take, engine.info) for take in takes]
    paces = own_paces([(each.samples, each.rate, each.facts) for each in checked])
    for take, each, pace in zip(takes, checked, paces, strict=True):
        take.verdict = rate(each, pace, args.transcriber, args.language)
        tell(each, take.verdict, console)


def _as_checked(take: _Take, info: ModelInfo) -> CheckedTake:
    """A take with what its story tells, as of one that is read from a file."""
    assert take.samples is not None
    assert take.summary is not None
    story = Provenance.of(take.request, take.summary, info, segments=take.segments)
    return CheckedTake(take.path.name, take.samples, info.sample_rate, facts_of(story))


def _pick(
    args: argparse.Namespace, line: Sequence[_Take], target: Path, rate_hz: int, console: Console
) -> None:
    made: list[Any] = [take for take in line if take.samples is not None]
    if not made:
        return
    rated = [
        RatedTake(
            take.verdict.checks, len(take.samples) / rate_hz,
            None if take.verdict.words is None else take.verdict.words.errors,
        )
        for take in made
    ]  # fmt: skip
    choice = best_take(rated)
    best = made[choice.index]
    kind = output_kind(str(target), stream=False, pcm16=args.pcm16)
    save_sound(str(target), best.samples, rate_hz, kind, args.pcm16)
    console.result(f"{target}: the best is {best.path.name}. {choice.reason}")
