"""Arguments of the command line; flag names are the peer's wherever it has one (spec 07, 1)."""

from __future__ import annotations

import argparse
import os
from typing import Any, NoReturn

from engine.errors import EngineError
from engine.storage.shipped import demo_model
from engine.text.pronunciations import Pronunciations, read_pronunciations
from engine.types import VOICE_CACHE_MB, PostProcessing, Sampling, Segmentation, StreamOptions

DEFAULT_TEXT = "Hello world"
DEFAULT_MODEL = "model.gguf"


class UsageError(EngineError):
    """The command line itself is wrong; exit code 2."""


class Parser(argparse.ArgumentParser):
    """Reports mistakes in one line; takes no abbreviated options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **options})

    def error(self, message: str) -> NoReturn:
        raise UsageError("cli.arguments", reason=message, program=self.prog)


def _number(text: str) -> int:
    try:
        return int(text, 10)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _megabytes(text: str) -> int:
    number = _number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is below 0")
    return number


def _real(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _words(text: str) -> str:
    """Text from the command line; mends UTF-8 that a plain C locale took apart into bytes."""
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text


def add_text(parser: Any, *flags: str, **options: Any) -> None:
    """An option that holds words to be spoken."""
    parser.add_argument(*flags, type=_words, metavar="TEXT", **options)


def whole(group: Any, *flags: str, help: str, default: int | None = None) -> None:
    """An option that holds a whole number."""
    group.add_argument(*flags, type=_number, default=default, metavar="N", help=help)


def _switch(group: Any, *flags: str, help: str) -> None:
    """An option that is there or not."""
    group.add_argument(*flags, action="store_true", help=help)


def add_transcriber(group: argparse._ActionsContainer) -> None:
    """What words are checked with."""
    group.add_argument(
        "--transcriber", metavar="DIR", help="folder of a faster-whisper model, to check the words"
    )
    group.add_argument("--language", default="en", metavar="CODE", help="of the text (en)")


def add_model(parser: argparse.ArgumentParser) -> None:
    """Which files, and where to compute."""
    group = parser.add_argument_group("model")
    group.add_argument(
        "-m", "--model", default=DEFAULT_MODEL, metavar="PATH",
        help="GGUF file (default: model.gguf here, else the demo voice)",
    )  # fmt: skip
    group.add_argument(
        "-t", "--tokenizer", metavar="PATH",
        help="tokenizer.json (default: beside the model, the folder above, the current folder)",
    )  # fmt: skip
    group.add_argument("--device", metavar="NAME", help="cpu, cuda, cuda:N, mps or xpu")
    whole(group, "-c", "--cuda", default=-1, help="CUDA device")
    _switch(group, "-M", "--metal", help="Apple GPU")
    whole(group, "-v", "--vulkan", default=-1, help=argparse.SUPPRESS)
    text = "Slow-AR layers on the accelerator (-1: all)"
    whole(group, "-ngl", "--gpu-layers", default=-1, help=text)
    whole(group, "-threads", "--threads", default=0, help="CPU threads (0: physical cores)")
    group.add_argument(
        "--arithmetic", choices=("exact", "fast"), default="exact",
        help="how the CPU reads a prompt: fast rounds activations to 8 bits (default exact)",
    )  # fmt: skip
    text = "keep what was computed of voices on disk, this much of it (default 1000; 0: nothing)"
    group.add_argument(
        "--voice-cache", type=_megabytes, default=VOICE_CACHE_MB, metavar="MB", help=text
    )
    policy = group.add_mutually_exclusive_group()
    for flag, value, text in (
        ("--codec-auto", "auto", "codec where it is measured faster (default)"),
        ("--codec-follow-backend", "follow", "codec on the model's device"),
        ("--codec-cpu", "cpu", "codec on the CPU"),
    ):
        policy.add_argument(flag, dest="codec_policy", action="store_const", const=value, help=text)
    parser.set_defaults(codec_policy="auto")


def add_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log-level", default="info", metavar="L", help="error, warn, info or debug (0 to 3)"
    )


def add_voice(parser: argparse.ArgumentParser) -> None:
    """Whose voice."""
    group = parser.add_argument_group("voice")
    group.add_argument("-pa", "--prompt-audio", metavar="PATH", help="recording to clone")
    add_text(group, "-pt", "--prompt-text", help="what is said in it")
    group.add_argument("--voice", metavar="ID", help="name of a saved voice, or a .s2voice file")
    group.add_argument("--voice-dir", metavar="DIR", help="folder of the voices")
    _switch(group, "--save-voice", help="save the encoded recording under --voice")
    add_consent(group)
    _switch(group, "--list-voices", help="list the saved voices")
    group.add_argument("--delete-voice", metavar="ID", help="delete a saved voice")


def add_consent(parser: argparse._ActionsContainer) -> None:
    """The note that goes with a voice of somebody."""
    text = "who allowed this voice to be cloned, and when; kept with the voice"
    parser.add_argument("--consent", metavar="TEXT", default="", help=text)


def add_sampling(parser: argparse.ArgumentParser) -> None:
    group, base = parser.add_argument_group("sampling"), Sampling()
    whole(group, "--seed", help="same seed, same speech")
    group.add_argument(
        "-temp", "--temp", "--temperature", dest="temperature", type=_real,
        default=base.temperature, metavar="F", help="0 is greedy, below 2 (default 0.8)",
    )  # fmt: skip
    group.add_argument(
        "-top-p", "--top-p", type=_real, default=base.top_p, metavar="F", help="default 0.8"
    )
    whole(group, "-top-k", "--top-k", default=base.top_k, help="0 is no limit (default 30)")
    text = "most frames in one pass (default 1024)"
    whole(group, "-max-tokens", "--max-tokens", default=base.max_new_tokens, help=text)
    whole(group, "--min-tokens-before-end", default=0, help="least frames before the end")


def add_streaming(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("streaming")
    text = "write 16-bit sound while it is made (-o with .pcm, or -, is raw)"
    _switch(group, "--stream-file", help=text)
    _switch(group, "--play", help="play while it is made")
    group.add_argument(
        "--decode-mode", choices=("exact", "windowed"), default="exact",
        help="exact: each frame decoded once; windowed: as s2.cpp does",
    )  # fmt: skip
    text = "frames per decode (0: automatic)"
    whole(group, "--stream-decode-stride", default=0, help=text)
    whole(group, "--stream-holdback", help="newest frames held back (exact: 0)")
    whole(group, "--codec-context-frames", help="frames decoded again, windowed mode only")
    _switch(group, "--low-latency", help="stride 1, holdback 0, start buffer 0")
    text = "sound kept ready before --play starts (default: by measured speed)"
    whole(group, "--start-buffer-ms", help=text)


def add_shaping(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("text and sound")
    for name, text in (
        ("trim-silence", "cut silence at the end"),
        ("dynamic-normalize", "even out the loudness"),
        ("normalize", "scale the peak to 0.95"),
    ):
        dest = name.replace("-", "_")
        group.add_argument(f"--{name}", dest=dest, action="store_true", help=text)
        group.add_argument(f"--no-{name}", dest=dest, action="store_false", help=argparse.SUPPRESS)
    _switch(group, "--segment-sentences", help="speak piece by piece")
    text = "silence between pieces (default 180)"
    whole(group, "--sentence-pause-ms", default=180, help=text)
    whole(group, "--segment-max-chars", default=0, help="longest piece (0: no limit)")
    _switch(group, "--segment-history", help="keep the piece before in the prompt")
    text = "lines of: word = what to say; the words are spoken so, the text stays"
    group.add_argument("--pronunciations", metavar="FILE", help=text)


def add_speed(parser: argparse.ArgumentParser) -> None:
    text = "finished sound faster or slower at the same pitch, 0.8 to 1.25 (default 1)"
    parser.add_argument("--speed", type=_real, default=1.0, metavar="F", help=text)


def sampling_of(args: argparse.Namespace) -> Sampling:
    return Sampling(
        temperature=args.temperature,
        top_p=args.top_p,
        top_k=args.top_k,
        max_new_tokens=args.max_tokens,
        min_tokens_before_end=max(0, args.min_tokens_before_end),
        seed=args.seed,
    )


def stream_of(args: argparse.Namespace) -> StreamOptions:
    context = args.codec_context_frames
    return StreamOptions(
        decode_mode=args.decode_mode,
        stride=args.stream_decode_stride,
        holdback=args.stream_holdback,
        context=None if context is None else max(0, context),
        low_latency=args.low_latency,
    )


def post_of(args: argparse.Namespace) -> PostProcessing:
    return PostProcessing(args.trim_silence, args.dynamic_normalize, args.normalize)


def segmentation_of(args: argparse.Namespace) -> Segmentation:
    return Segmentation(
        args.segment_sentences, args.sentence_pause_ms, args.segment_max_chars, args.segment_history
    )


def pronunciations_of(args: argparse.Namespace) -> Pronunciations:
    """The list in the file that is named; empty without one."""
    return read_pronunciations(args.pronunciations) if args.pronunciations else ()


def model_of(args: argparse.Namespace) -> str:
    """The model file: the one named, else ``model.gguf`` here, else the shipped demo voice."""
    if args.model != DEFAULT_MODEL or os.path.exists(DEFAULT_MODEL):
        return str(args.model)
    demo = demo_model()
    return DEFAULT_MODEL if demo is None else str(demo)


def device_of(args: argparse.Namespace) -> str:
    """The backend's name out of ``--device``, ``--cuda``, ``--metal`` and ``--vulkan``."""
    if args.vulkan >= 0:
        raise EngineError("cli.no_vulkan")
    if args.device:
        return str(args.device)
    if args.metal:
        return "mps"
    return f"cuda:{args.cuda}" if args.cuda >= 0 else "cpu"
