"""``s2 synth``: text to a sound file, a stream or the loudspeaker."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import numpy as np

from engine.audio.live_output import LiveSink
from engine.audio.sinks import RawPcm16Sink, Sink, WavFileSink
from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands import remote, takes
from engine.commands.console import Console
from engine.commands.doorway import (
    check_speed,
    lines_of,
    output_kind,
    read_codes,
    save_sound,
    text_of,
)
from engine.commands.loading import load, stop_on_interrupt
from engine.commands.voice_source import check_voice_arguments, references_of
from engine.errors import CancelledError, OutputError
from engine.synthesis.emitters import FILE_STRIDE
from engine.text.pronunciations import Pronunciations, used_pronunciations
from engine.text.split import estimate_seconds
from engine.types import AudioChunk, Event, ModelInfo, Summary, SynthesisRequest

MOST_TOLD = 8


class Speaker(Protocol):
    """An engine, here or elsewhere."""

    @property
    def info(self) -> ModelInfo: ...

    def synthesize(
        self, request: SynthesisRequest, cancel: CancelToken | None = None
    ) -> Iterator[Event]: ...


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("synth", help="speak a text", description="Speak a text.")
    arguments.add_text(parser, "-text", "--text", help="what to say")
    parser.add_argument("--text-file", metavar="PATH", help="read the text from a UTF-8 file")
    parser.add_argument("-o", "--output", default="out.wav", metavar="PATH", help="sound file")
    parser.add_argument("--pcm16", action="store_true", help="16-bit WAV instead of float")
    arguments.add_model(parser)
    arguments.add_voice(parser)
    arguments.add_sampling(parser)
    arguments.add_streaming(parser)
    arguments.add_shaping(parser)
    arguments.add_speed(parser)
    remote.add_remote(parser)
    group = parser.add_argument_group("reports")
    text = "codes that the take begins with, as --dump-codes writes them; speech goes on from there"
    group.add_argument("--prefix-codes", metavar="F.npy", help=text)
    group.add_argument("--dump-codes", metavar="F.npy", help="codes, int32 (codebooks, frames)")
    group.add_argument("--dump-prompt", metavar="F.npy", help="prompt matrix of the first piece")
    group.add_argument("--json-metrics", metavar="F.json", help="figures of the run")
    takes.add_takes(parser)
    arguments.add_log(parser)
    parser.set_defaults(run=run)


@dataclass(slots=True)
class Spoken:
    """What the events of one synthesis add up to.

    Attributes:
        kept: the sound is needed in the end; a file that grows has it already.
        count: samples that were made.
    """

    sinks: list[Sink] = field(default_factory=list)
    kept: bool = True
    chunks: list[np.ndarray] = field(default_factory=list)
    count: int = 0
    summary: Summary | None = None
    stopped_by_sink: bool = False

    def samples(self) -> np.ndarray:
        return np.concatenate(self.chunks) if self.chunks else np.empty(0, np.float32)

    def take(self, event: Event) -> None:
        if isinstance(event, AudioChunk):
            self.count += len(event.samples)
            if self.kept:
                self.chunks.append(event.samples)
            for sink in self.sinks:
                self.stopped_by_sink |= not sink.write(event.samples)
        elif isinstance(event, Summary):
            self.summary = event


def run(args: argparse.Namespace, console: Console) -> int:
    """Run the command; returns the exit code."""
    check_voice_arguments(args, console)
    check_output(args)
    output_kind(args.output, stream=args.stream_file, pcm16=args.pcm16)
    many = takes.are_asked(args)
    texts = [text_of(args, console)] if args.lines is None else lines_of(args.lines)
    text = texts[0]
    check_speed(args, text, console, several=many or len(texts) > 1)
    sampling = arguments.sampling_of(args)
    stream = arguments.stream_of(args)
    if not stream.stride and not stream.low_latency and not args.play:
        stream = replace(stream, stride=FILE_STRIDE)
    post, cut = arguments.post_of(args), arguments.segmentation_of(args)
    words = arguments.pronunciations_of(args)
    begun = None if args.prefix_codes is None else read_codes(args.prefix_codes)
    tell_pronunciations("\n".join(texts), words, console)
    cancel = CancelToken()
    if args.remote:
        asked = SynthesisRequest(text, (), sampling, stream, post, cut, None, words)
        return run_remote(args, asked, cancel, console)
    with stop_on_interrupt(cancel), load(args, console, cancel) as engine:
        references = references_of(args, engine, cancel, console)
        request = SynthesisRequest(
            text, references, sampling, stream, post, cut, None, words, begun
        )
        if args.dump_prompt:
            save_array(args.dump_prompt, engine.prompt(request))
        if many:
            return takes.speak_takes(args, engine, request, texts, cancel, console)
        take = speak(args, engine, request, cancel, console)
        return report(args, take, engine, request, console)


def tell_pronunciations(text: str, words: Pronunciations, console: Console) -> None:
    """Say what is spoken otherwise than it is written."""
    used = used_pronunciations(text, words)
    if used:
        more = f", and {len(used) - MOST_TOLD} more" if len(used) > MOST_TOLD else ""
        told = ", ".join(f"{written} as {spoken}" for written, spoken in used[:MOST_TOLD])
        console.info(f"Spoken otherwise: {told}{more}.")
    elif words:
        console.info("No word of the text is in the list of pronunciations.")


def run_remote(
    args: argparse.Namespace, request: SynthesisRequest, cancel: CancelToken, console: Console
) -> int:
    """The same with a server in place of a model; returns the exit code."""
    remote.check_flags(args)
    with stop_on_interrupt(cancel):
        engine = remote.connect(args, cancel, console)
        remote.check_sampling(args, engine.capabilities)
        request = remote.request_of(args, engine, request, cancel, console)
        engine.check(request)
        kept = remote.KeptSound(engine)
        take = speak(args, kept, request, cancel, console)
        code = report(args, take, kept, request, console)
    if kept.error is not None:
        raise kept.error
    return code


def check_output(args: argparse.Namespace) -> None:
    """Refuse an output that cannot be written before minutes are spent on it."""
    for name in (args.output, args.dump_codes, args.dump_prompt, args.json_metrics):
        if not name or (name == "-" and name == args.output):
            continue
        path = Path(name)
        folder = path.parent
        if os.path.isdir(path):
            raise OutputError("cli.output_folder", path=path)
        if not os.path.isdir(folder):
            raise OutputError("cli.no_folder", folder=folder)
        target = path if os.path.exists(path) else folder
        if not os.access(target, os.W_OK):
            raise OutputError("cli.denied", path=path)
    if args.output == "-" and not args.stream_file:
        raise OutputError("cli.stdout_needs_stream")


def speak(
    args: argparse.Namespace,
    engine: Speaker,
    request: SynthesisRequest,
    cancel: CancelToken,
    console: Console,
) -> Spoken:
    """Run the synthesis into the sinks; every sink is closed properly whatever happens."""
    with ExitStack() as files:
        players: list[Sink] = []
        if args.play:
            players.append(open_player(args, engine.info, request, cancel, console))
        try:
            sinks = open_sinks(args, engine.info.sample_rate, files) + players
            take = Spoken(sinks, kept=not args.stream_file)
        except BaseException:
            for player in players:
                player.abort()
            raise
        pump(take, events_of(args, engine, request, cancel), request, cancel, console)
    return take


def events_of(
    args: argparse.Namespace, engine: Speaker, request: SynthesisRequest, cancel: CancelToken
) -> Iterator[Event]:
    """The synthesis; pieces of a text whose sound nobody waits for are made together."""
    from engine.engine import SEGMENTS_AT_ONCE, Engine

    if isinstance(engine, Engine) and not (args.play or args.stream_file):
        return engine.synthesize(request, cancel, SEGMENTS_AT_ONCE)
    return engine.synthesize(request, cancel)


def pump(
    take: Spoken,
    events: Iterator[Event],
    request: SynthesisRequest,
    cancel: CancelToken,
    console: Console,
) -> None:
    """Move every event to the sinks, then finish or abort them."""
    console.follow(request.text)
    try:
        for event in events:
            take.take(event)
            console.progress(event)
            if take.stopped_by_sink:
                cancel.cancel()
    except BaseException:
        for sink in take.sinks:
            sink.abort()
        raise
    finally:
        events.close()  # type: ignore[attr-defined]
        console.done()
    cancelled = take.summary is not None and take.summary.finish_reason == "cancelled"
    for sink in take.sinks:
        if cancelled:
            sink.abort()
        else:
            sink.finish()


def open_raw(files: ExitStack, path: str) -> BinaryIO:
    """A file for raw samples, closed with ``files``."""
    try:
        return files.enter_context(Path(path).open("wb"))
    except OSError as error:
        raise unwritable(path, error) from error


def open_sinks(args: argparse.Namespace, rate: int, files: ExitStack) -> list[Sink]:
    """The files that grow while sound is made, if one is asked for."""
    sinks: list[Sink] = []
    if args.stream_file:
        if args.output == "-":
            sinks.append(RawPcm16Sink(sys.stdout.buffer))
        elif output_kind(args.output, stream=True, pcm16=args.pcm16).raw:
            sinks.append(RawPcm16Sink(open_raw(files, args.output), args.output))
        else:
            sinks.append(WavFileSink(args.output))
    for sink in sinks:
        sink.start(rate)
    return sinks


def open_player(
    args: argparse.Namespace,
    info: ModelInfo,
    request: SynthesisRequest,
    cancel: CancelToken,
    console: Console,
) -> LiveSink:
    """The live output, started."""
    start = 0 if args.low_latency and args.start_buffer_ms is None else args.start_buffer_ms
    limit = request.sampling.max_new_tokens / info.frame_rate
    expected = min(estimate_seconds(request.text), limit)
    player = LiveSink(start, expected, say=console.info, cancel=cancel)
    player.start(info.sample_rate)
    return player


def report(
    args: argparse.Namespace,
    take: Spoken,
    engine: Speaker,
    request: SynthesisRequest,
    console: Console,
) -> int:
    """Write the results that are asked for and say in one line what was made."""
    summary = take.summary
    if summary is None:
        raise CancelledError()
    if args.dump_codes:
        save_array(args.dump_codes, summary.codes)
    if args.json_metrics:
        save_json(args.json_metrics, metrics_of(summary, take))
    for warning in summary.warnings:
        console.warn(warning)
    count, rate = take.count, engine.info.sample_rate
    cancelled = summary.finish_reason == "cancelled"
    if cancelled and not count:
        raise CancelledError("cli.stopped_early")
    if not args.stream_file:
        from engine.audio.post import postprocess
        from engine.audio.stretch import stretch

        samples = stretch(postprocess(take.samples(), rate, request.post), rate, args.speed)
        count = len(samples)
        kind = output_kind(args.output, stream=False, pcm16=args.pcm16)
        save_sound(args.output, samples, rate, kind, args.pcm16)
    if args.output != "-":
        facts = [f"{count / rate:.2f} s"]
        if frames := summary.codes.shape[1] or summary.metrics.frames:
            facts.append(f"{frames} frames")
        if engine.info.capabilities.seed:
            facts.append(f"seed {summary.seed}")
        console.result(f"{args.output}: {', '.join([*facts, summary.finish_reason])}")
    takes.tell_one_reading(request, summary, console)
    return 1 if cancelled else 0


def metrics_of(summary: Summary, take: Spoken) -> dict[str, Any]:
    """The engine's figures and those of the live output, which stay empty without one."""
    figures = {**summary.metrics.as_dict(), "underruns": 0, "buffer_low_water_ms": None}
    for sink in take.sinks:
        if isinstance(sink, LiveSink):
            figures.update(sink.figures())
    return figures


def unwritable(path: str, error: OSError) -> OutputError:
    return OutputError("cli.unwritable", path=path, reason=error.strerror)


def save_array(path: str, array: np.ndarray) -> None:
    """Write one .npy file under exactly the name that was given."""
    try:
        with Path(path).open("wb") as file:
            np.save(file, np.ascontiguousarray(array, dtype=np.int32), allow_pickle=False)
    except OSError as error:
        raise OutputError("cli.unwritable", path=path, reason=error.strerror) from error


def save_json(path: str, data: dict[str, Any]) -> None:
    try:
        Path(path).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise OutputError("cli.unwritable", path=path, reason=error.strerror) from error
