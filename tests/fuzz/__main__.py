"""Runs fuzz targets outside of pytest: ``python tests/fuzz gguf wav --count 10000``."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from fuzz_parent import fuzz
from fuzz_targets import SLOW, TARGETS


def main() -> int:
    """Entry point; 1 when something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=[], help="all of them without any")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    failed = False
    for target in args.targets or sorted(TARGETS):
        start = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="s2-fuzz-") as name:
            outcome = fuzz(target, args.seed, args.count // SLOW.get(target, 1), Path(name))
        print(f"{outcome.summary()} in {time.monotonic() - start:.0f} s", flush=True)
        for finding in outcome.findings:
            print(finding, flush=True)
        failed = failed or bool(outcome.findings)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
