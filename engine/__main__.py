"""``python -m engine`` and ``s2``: the command line, with Ctrl+C minded from the first moment."""

from __future__ import annotations

import signal
import sys


def run() -> int:
    """Run the command line; returns the exit code.

    While the program's parts are imported nothing was begun that could be left half done, so
    Ctrl+C ends the process at once, as it does for any program, without a word of Python's.
    """
    before = signal.getsignal(signal.SIGINT)
    minded = before is signal.default_int_handler
    if minded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from engine.cli import main

    if minded:
        signal.signal(signal.SIGINT, before)
    return main()


if __name__ == "__main__":
    sys.exit(run())
