"""``s2 encode``, ``decode``, ``info`` and ``make-random-model``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.console import Console
from engine.commands.doorway import output_kind, read_codes, require_ending, save_sound
from engine.commands.loading import load, stop_on_interrupt
from engine.commands.voice_source import encode_kept, load_voice
from engine.errors import EngineError
from engine.types import ModelInfo
from engine.voices import EXTENSION, Codec, Companions

if TYPE_CHECKING:
    from engine.audio.clip import AudioClip
    from engine.audio.reference_checks import Check
    from engine.gguf.reader import GGUFFile


def add_parsers(commands: Any) -> None:
    encode = commands.add_parser("encode", help="turn a recording into a .s2voice file")
    arguments.add_model(encode)
    encode.add_argument("-pa", "--prompt-audio", required=True, metavar="PATH", help="recording")
    arguments.add_text(encode, "-pt", "--prompt-text", required=True, help="what is said in it")
    encode.add_argument("-o", "--output", required=True, metavar="OUT.s2voice")
    arguments.add_consent(encode)
    text = "folder of a faster-whisper model, to compare the words with the recording"
    encode.add_argument("--transcriber", metavar="DIR", help=text)
    arguments.add_log(encode)
    encode.set_defaults(run=run_encode)

    decode = commands.add_parser("decode", help="hear what a voice's or a take's codes hold")
    arguments.add_model(decode)
    source = decode.add_mutually_exclusive_group(required=True)
    source.add_argument("--voice", metavar="ID", help="name of a saved voice, or a .s2voice file")
    source.add_argument("--codes", metavar="F.npy", help="codes, int (codebooks, frames)")
    decode.add_argument("--voice-dir", metavar="DIR", help="folder of the voices")
    decode.add_argument("-o", "--output", required=True, metavar="OUT.wav")
    arguments.add_log(decode)
    decode.set_defaults(run=run_decode)

    info = commands.add_parser("info", help="what a model file is and what it needs")
    info.add_argument("model", metavar="MODEL")
    arguments.add_log(info)
    info.set_defaults(run=run_info)

    random = commands.add_parser(
        "make-random-model", help="write a valid model with random weights, for trials and tests"
    )
    random.add_argument("output", metavar="OUT.gguf")
    random.add_argument("--tokenizer", metavar="OUT.json", help="also write its tokenizer")
    random.add_argument("--size", choices=("tiny", "full"), default="tiny")
    random.add_argument("--type", choices=("f32", "f16", "q8_0", "q4_k"), default="f16")
    random.add_argument("--seed", type=int, metavar="N", help="same seed, same file")
    arguments.add_log(random)
    random.set_defaults(run=run_make_random_model)


def run_encode(args: argparse.Namespace, console: Console) -> int:
    from engine.audio.files import read_audio
    from engine.audio.reference import MAX_SECONDS
    from engine.audio.reference_checks import check_reference

    require_ending(args.output, EXTENSION)
    clip = read_audio(args.prompt_audio, max_seconds=MAX_SECONDS)
    checks = check_reference(clip, args.prompt_text)
    if args.transcriber:
        checks.append(_check_words(clip, args.prompt_text, args.transcriber))
    for check in checks:
        line = f"{check.light}: {check.message}" + (f" {check.cure}" if check.cure else "")
        (console.info if check.light == "green" else console.warn)(line)
    cancel = CancelToken()
    with stop_on_interrupt(cancel), load(args, console, cancel) as engine:
        clip, profile = encode_kept(args, engine, cancel, console)
    for warning in profile.warnings:
        console.warn(warning)
    profile.save(Path(args.output))
    beside = Companions(Path(args.output))
    notes = beside.notes()
    if args.consent:
        notes = replace(notes, consent=args.consent)
    beside.set_clips(((clip, args.prompt_text),), notes)
    console.result(f"{args.output}: {profile.frames} frames")
    return 0


def _check_words(clip: AudioClip, text: str, model: str) -> Check:
    from engine.audio.resample import downmix
    from engine.transcription import check_clip_words, transcribe, words_to_score

    mono = downmix(clip.samples).samples
    return check_clip_words(text, transcribe(mono, clip.rate, model, words=words_to_score(text)))


def run_decode(args: argparse.Namespace, console: Console) -> int:
    kind = output_kind(args.output, stream=False, pcm16=False)
    codes = read_codes(args.codes) if args.codes else load_voice(args.voice, args.voice_dir).codes
    cancel = CancelToken()
    with stop_on_interrupt(cancel), load(args, console, cancel) as engine:
        if args.voice:
            codes = load_voice(args.voice, args.voice_dir, Codec.of(engine.info)).codes
        samples = engine.decode(codes, cancel=cancel, on_progress=console.progress)
        rate = engine.info.sample_rate
        _tell_clamped(codes, engine.info, console)
    save_sound(args.output, samples, rate, kind)
    console.result(f"{args.output}: {len(samples) / rate:.2f} s, {codes.shape[1]} frames")
    return 0


def _tell_clamped(codes: np.ndarray, info: ModelInfo, console: Console) -> None:
    beyond = int((codes[0] >= info.semantic_size).sum() + (codes[1:] >= info.residual_size).sum())
    if beyond:
        console.warn(f"{beyond} codes are beyond their codebook; its last entry took their place")


def contradiction(file: GGUFFile) -> EngineError | None:
    """Why a model cannot be loaded although its header is whole, from sizes alone."""
    from engine.codec.config import CodecConfig
    from engine.lm.config import ARConfig

    try:
        if file.codec_prefix:
            told = ARConfig.from_gguf(file)
            counts = ("layers", told.n_layers), ("fast_layers", told.fast.n_layers)
            for stack, count in counts:
                file.info(f"{stack}.{count - 1}.attention.wqkv.weight")
        CodecConfig.from_gguf(file)
    except EngineError as error:
        return error
    return None


def run_info(args: argparse.Namespace, console: Console) -> int:
    from engine.gguf.inspect import describe
    from engine.gguf.reader import GGUFFile

    with GGUFFile.open(args.model) as file:
        info, trouble = describe(file), contradiction(file)
    types = ", ".join(f"{name} x {count}" for name, count in sorted(info.types.items()))
    for name, value in (
        ("name", info.name),
        ("file", f"{info.file_bytes / 1e9:.3f} GB"),
        (
            "parameters",
            f"{info.ar_parameters / 1e6:.1f} M dual-AR, {info.codec_parameters / 1e6:.1f} M codec",
        ),
        ("tensor types", types),
        (
            "sound",
            f"{info.sample_rate} Hz, {info.samples_per_frame} samples a frame, "
            f"{info.frame_rate:.2f} frames/s",
        ),
        (
            "codebooks",
            f"{info.num_codebooks} ({info.semantic_size} semantic, "
            f"{info.residual_size} residual entries)",
        ),
        ("context", f"{info.context_length} columns"),
        ("memory need", f"about {info.memory_bytes / 1e9:.1f} GB"),
    ):
        console.result(f"{name}: {value}")
    if trouble is not None:  # what the file tells is not what is in it
        raise trouble
    return 0


def run_make_random_model(args: argparse.Namespace, console: Console) -> int:
    from engine.random_model.model import make_random_model

    make_random_model(
        args.output, size=args.size, type=args.type, tokenizer=args.tokenizer, seed=args.seed
    )
    console.result(f"{args.output}: {Path(args.output).stat().st_size / 1e6:.1f} MB")
    return 0
