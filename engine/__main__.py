"""``python -m engine`` and ``s2``: the command line, with Ctrl+C minded from the first moment."""

from __future__ import annotations

import os
import signal
import sys

import engine

ADVICE = "Take that folder out of PYTHONPATH, or start from another folder."


def run() -> int:
    """Run the command line; returns the exit code.

    While the program's parts are imported nothing was begun that could be left half done, so
    Ctrl+C ends the process at once, as it does for any program, without a word of Python's.
    """
    if in_the_way():
        print(f"error: {in_the_way()}", file=sys.stderr)
        return 1
    try:
        os.getcwd()
    except OSError:
        print("error: the current folder is not there any more. Go to another.", file=sys.stderr)
        return 1
    before = signal.getsignal(signal.SIGINT)
    minded = before is signal.default_int_handler
    if minded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from engine.cli import main
        from engine.machine.garbage import spare_start

        spare_start()
        if minded:
            signal.signal(signal.SIGINT, before)
        return main()
    except (ImportError, AttributeError) as error:
        name, folder = stranger(error)
        if not folder:
            raise
        words = f"another module named {name}, in {folder}, is in the way. {ADVICE}"
        print(f"error: {words}", file=sys.stderr)
        return 1


def stranger(error: ImportError | AttributeError) -> tuple[str, str]:
    """Name and folder of a module out of ``PYTHONPATH`` that lacks what ours has; else empty."""
    if isinstance(error, AttributeError):
        name = getattr(error.obj, "__name__", "") if hasattr(error.obj, "__spec__") else ""
    else:
        name = error.name or ""
    name = name.partition(".")[0]
    file = getattr(sys.modules.get(name), "__file__", None) or ""
    named = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for folder in named:
        inside = os.path.realpath(file).startswith(os.path.realpath(folder) + os.sep)
        if inside and os.path.realpath(folder) != ours:
            return name, os.path.dirname(file)
    return "", ""


def in_the_way() -> str:
    """What to say of another package ``engine`` that hides ours; empty when there is none."""
    found = getattr(engine, "__file__", None) or next(iter(engine.__path__), "")
    folder = os.path.dirname(found) if found.endswith(".py") else found
    if os.path.realpath(folder) == os.path.dirname(os.path.realpath(__file__)):
        return ""
    return f"another package named engine, in {folder}, is in the way. {ADVICE}"


if __name__ == "__main__":
    sys.exit(run())
