"""Reads bad inputs one after the other, in a process of its own; also the way to repeat one.

``python tests/fuzz/fuzz_child.py gguf --seed 1 --first 4711 --count 1 --keep /tmp/case`` repeats
a finding and leaves its files behind.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import os
import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
for _place in (HERE.parents[1], HERE.parent / "support", HERE):
    if str(_place) not in sys.path:
        sys.path.insert(0, str(_place))

from fuzz_guard import Guard, limit_address_space, memory  # noqa: E402
from fuzz_target import Case, Target, clear, lay_out, untouched  # noqa: E402
from fuzz_targets import TARGETS, target_of  # noqa: E402

NET = 3 << 30
MAX_GROWTH = 200 << 20
MAX_FINDINGS = 40
_WARM_CASES = 20


def seed_of(target: str, seed: int, index: int) -> str:
    """Seed of one case: the same on every machine."""
    return f"{target}:{seed}:{index}"


class Runner:
    """Runs cases of one target in ``folder``; reports to ``report``, a file of JSON lines."""

    def __init__(self, target: Target, seed: int, folder: Path, report: Path) -> None:
        self._target, self._seed = target, seed
        self._work = folder / "work"
        self._work.mkdir()
        self._outcomes: Counter[str] = Counter()
        self._report = open(report, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        self._findings = 0

    def run(self, first: int, count: int, guard: Guard) -> None:
        """Run ``count`` cases; each is named in the report before it begins."""
        base = 0
        for index in range(first, first + count):
            self._report.write(f"{index}\n")
            self._one(index, guard)
            if index - first == _WARM_CASES:
                gc.collect()
                base = memory().get("VmRSS", 0)
            if self._findings >= MAX_FINDINGS:
                break
        gc.collect()
        growth = memory().get("VmRSS", 0) - base if base else 0
        if growth > MAX_GROWTH:
            self._say(first, f"leak: {growth >> 20} MB grew over {count} inputs", "")
        figures = {"cpu": guard.worst_cpu, "memory": guard.worst_memory, "growth": growth}
        self._write({"outcomes": dict(self._outcomes), "figures": figures, "done": True})

    def _one(self, index: int, guard: Guard) -> None:
        rng = random.Random(seed_of(self._target.name, self._seed, index))
        case = self._target.make(rng)
        lay_out(self._work, case)
        trace = ""
        with guard:
            try:
                outcome = self._target.read(self._work, case)
            except self._target.errors as error:
                outcome = type(error).__name__
                if not str(error).strip():
                    guard.found.append("an error without a word")
            except BaseException as error:
                outcome = f"raised {type(error).__name__}"
                trace = traceback.format_exc(limit=-6)
                guard.found.append(f"{outcome}: {error!s:.200}")
        self._outcomes[outcome] += 1
        changed = untouched(self._work, case)
        found = [*guard.found, *(f"changed the user's {name}" for name in changed)]
        for each in dict.fromkeys(found):
            self._say(index, each, trace)
        clear(self._work)

    def _say(self, index: int, what: str, trace: str) -> None:
        self._findings += 1
        self._write({"case": index, "what": what, "trace": trace})

    def _write(self, line: object) -> None:
        self._report.write(json.dumps(line, ensure_ascii=True) + "\n")


def main() -> int:
    """Entry point; 0 when it ran to its end, whatever it found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--report", type=Path)
    parser.add_argument("--keep", type=Path, help="lay the files of the first case out here")
    args = parser.parse_args()
    faulthandler.enable()
    target = target_of(args.target)
    # Memory, where there is such a folder: the targets wait for the disk at every save.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="s2-fuzz-", dir=place) as name:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR"):
            os.environ[variable] = str(home)
        tempfile.tempdir = str(home)
        report = args.report or folder / "report"
        target.prepare(home)
        if args.keep is not None:
            args.keep.mkdir(parents=True)
            rng = random.Random(seed_of(target.name, args.seed, args.first))
            kept: Case = target.make(rng)
            lay_out(args.keep, kept)
            print("plan:", repr(kept.plan)[:2000])
        forbidden = folder / "forbidden"
        forbidden.mkdir()
        guard = Guard((folder / "work", home))
        os.chdir(home)
        limit_address_space(NET)
        Runner(target, args.seed, folder, report).run(args.first, args.count, guard)
        if args.report is None:
            lines = report.read_text(encoding="utf-8").splitlines()
            print("\n".join(line.replace("\\n", "\n") for line in lines if line[:1] == "{"))
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
