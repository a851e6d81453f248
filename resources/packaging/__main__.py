"""``python -m resources.packaging``: the folder that runs without Python."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from resources.packaging.build import ROOT, BuildError, build


def main(argv: Sequence[str] | None = None) -> int:
    """Build and say what came out; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m resources.packaging",
        description="Build the folder that runs without Python.",
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist", metavar="DIR", help="default: dist"
    )
    parser.add_argument("--no-archive", action="store_true", help="only the folder")
    parser.add_argument(
        "--slim",
        action="store_true",
        help="leave out transcription and the reader of M4A and video: 190 MB less",
    )
    options = parser.parse_args(argv)
    started = time.monotonic()
    try:
        built = build(
            options.out.resolve(),
            archive=not options.no_archive,
            transcribe=not options.slim,
            say=lambda text: print(f"{time.monotonic() - started:6.0f} s  {text}", flush=True),
        )
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{built.folder}: {built.files} files, {built.size / 1e6:.0f} MB")
    if built.archive is not None:
        print(f"{built.archive}: {built.archive.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
