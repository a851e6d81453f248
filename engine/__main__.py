"""``python -m engine`` and ``s2``: the command line, with Ctrl+C minded from the first moment."""

from __future__ import annotations

import os
import signal
import sys

import engine


def run() -> int:
    """Run the command line; returns the exit code.

    While the program's parts are imported nothing was begun that could be left half done, so
    Ctrl+C ends the process at once, as it does for any program, without a word of Python's.
    """
    if in_the_way():
        print(f"error: {in_the_way()}", file=sys.stderr)
        return 1
    before = signal.getsignal(signal.SIGINT)
    minded = before is signal.default_int_handler
    if minded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from engine.cli import main
    from engine.machine.garbage import spare_start

    spare_start()
    if minded:
        signal.signal(signal.SIGINT, before)
    return main()


def in_the_way() -> str:
    """What to say of another package ``engine`` that hides ours; empty when there is none."""
    found = getattr(engine, "__file__", None) or next(iter(engine.__path__), "")
    folder = os.path.dirname(found) if found.endswith(".py") else found
    if os.path.realpath(folder) == os.path.dirname(os.path.realpath(__file__)):
        return ""
    return (
        f"another package named engine, in {folder}, is in the way. "
        "Take that folder out of PYTHONPATH, or start from another folder."
    )


if __name__ == "__main__":
    sys.exit(run())
