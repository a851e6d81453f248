"""``python -m app``, which is also the command ``s2studio``: the window."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from app.core.display import display_trouble
from app.welcome.first_run import (
    FIRST_FILE,
    first_model,
    give_streams,
    missing_runtime,
    speak_to_file,
)
from engine.machine import sleep_when_idle, spare_start
from engine.transcription import CHILD_FLAG

SELFTEST_FLAG = "--selftest"


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="s2studio", description="Desktop voice studio for Fish Audio S2 Pro."
    )
    parser.add_argument(
        "files", nargs="*", type=Path, help="models, voices, takes, recordings or texts to open"
    )
    parser.add_argument("--model", type=Path, help="open this GGUF model")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json, when not beside the model")
    parser.add_argument("--voice-dir", type=Path, help="folder of the voice library")
    parser.add_argument(
        "--first-run",
        action="store_true",
        help="start with the model that needs no download; without a display, speak to a file",
    )
    parser.add_argument(
        SELFTEST_FLAG,
        action="store_true",
        help="try every part of this installation and report; more options with --help behind it",
    )
    parser.add_argument(
        "--smoke",
        action="store_true",
        help="open the window, speak one sentence, quit: tells whether everything works",
    )
    return parser.parse_args(argv)


def split_files(model: Path | None, files: list[Path]) -> tuple[Path | None, tuple[Path, ...]]:
    """The model to begin with, which a plain argument may name too, and all other files."""
    found = next((path for path in files if path.suffix.lower() == ".gguf"), None)
    if model is not None or found is None:
        return model, tuple(files)
    return found, tuple(path for path in files if path is not found)


def main(argv: Sequence[str] | None = None) -> int:
    """Start the window; returns the exit code."""
    give_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    sleep_when_idle()
    if arguments[:1] == [CHILD_FLAG]:
        from engine.transcription import main as transcribe

        return transcribe()
    if SELFTEST_FLAG in arguments:
        from app.selftest.run import main as selftest

        return selftest([each for each in arguments if each != SELFTEST_FLAG])
    options = parse(arguments)
    trouble = display_trouble()
    if options.smoke and trouble:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        trouble = ""
    if options.first_run and trouble:
        return speak_to_file(first_model(), Path(FIRST_FILE))
    if trouble:
        print(f"s2studio: {trouble}", file=sys.stderr)
        return 1
    _end_at_once()
    spare_start()
    model, files = split_files(options.model, options.files)
    if options.first_run:
        model = model or first_model()
    if sys.platform == "win32":
        # On Windows torch's libraries fail to load once Qt's are in the process.
        try:
            import torch  # noqa: F401
        except OSError as error:
            return missing_runtime(error)
    if options.smoke:
        from app.selftest.smoke import run_smoke

        return run_smoke([sys.argv[0]], options.model or first_model(), options.tokenizer)
    from app.application import StartOptions
    from app.startup import run

    start = StartOptions(model, options.tokenizer, options.voice_dir, files=files)
    return run([sys.argv[0]], start)


def _end_at_once() -> None:
    """Ctrl+C ends a start without a word of Python's, until the window minds it itself."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
