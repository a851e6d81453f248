"""A loaded model for a command, and the Ctrl+C that stops it."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.console import Console
from engine.machine.garbage import settle
from engine.machine.populate import read_ahead

if TYPE_CHECKING:
    from engine.engine import Engine


def load(args: argparse.Namespace, console: Console, cancel: CancelToken) -> Engine:
    """Load the engine that the arguments name."""
    model = arguments.model_of(args)
    read_ahead(model)  # while torch is imported
    from engine.engine import Engine

    engine = Engine.load(
        model,
        args.tokenizer,
        device=arguments.device_of(args),
        gpu_layers=args.gpu_layers,
        threads=args.threads,
        codec_policy=args.codec_policy,
        arithmetic=args.arithmetic,
        voice_cache_mb=args.voice_cache,
        progress=console.progress,
        cancel=cancel,
    )
    settle()
    for warning in engine.warnings:
        console.warn(warning)
    info = engine.info
    console.debug(
        f"{info.name} on {info.device}, codec on {info.codec_device}: {info.codec_reason}"
    )
    return engine


@contextmanager
def stop_on_interrupt(cancel: CancelToken) -> Iterator[None]:
    """The first Ctrl+C stops the job and keeps what was made; the second one kills."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        if cancel.cancelled:
            raise KeyboardInterrupt
        cancel.cancel()

    try:
        before = signal.signal(signal.SIGINT, stop)
    except ValueError:  # not in the main thread: the caller has its own way to cancel
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
