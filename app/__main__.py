"""``python -m app``, which is also the command ``s2studio``: the window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app.first_run import (
    FIRST_FILE,
    first_model,
    give_streams,
    has_display,
    missing_runtime,
    speak_to_file,
)
from engine.threads import sleep_when_idle


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="s2studio", description="Desktop voice studio for Fish Audio S2 Pro."
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
        "--smoke",
        action="store_true",
        help="open the window, speak one sentence, quit: tells whether everything works",
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Start the window; returns the exit code."""
    give_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    options = parse(arguments)
    sleep_when_idle()
    if options.smoke and not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    if options.first_run and not has_display():
        return speak_to_file(first_model(), Path(FIRST_FILE))
    if not has_display():
        print(
            "s2studio: there is no display here. Set DISPLAY, or use the command line: s2 --help",
            file=sys.stderr,
        )
        return 1
    model = options.model or (first_model() if options.first_run else None)
    if sys.platform == "win32":
        # On Windows torch's libraries fail to load once Qt's are in the process.
        try:
            import torch  # noqa: F401
        except OSError as error:
            return missing_runtime(error)
    if options.smoke:
        from app.smoke import run_smoke

        return run_smoke([sys.argv[0]], options.model or first_model(), options.tokenizer)
    from app.application import StartOptions
    from app.startup import run

    start = StartOptions(model, options.tokenizer, options.voice_dir)
    return run([sys.argv[0]], start)


if __name__ == "__main__":
    sys.exit(main())
