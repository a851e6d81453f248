"""Runs a target in child processes and outlives whatever they do: crash, hang or eat memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

CHILD = Path(__file__).with_name("fuzz_child.py")
STUCK_S = 120.0
"""A child that neither says nor computes anything for so long waits for good."""

BUSY_S, START_BUSY_S = 30.0, 300.0
"""CPU time after which one that computes is taken for endless; more for its start."""

BATCH = 2500
MAX_DEATHS = 12
POLL_S = 0.2


@dataclass
class Outcome:
    """What came of all inputs of one target.

    Attributes:
        findings: one line each, with the command that repeats it.
        outcomes: how often each result came.
        cpu, memory: highest figures of one input, in seconds and bytes.
        inputs: how many were read.
    """

    target: str
    seed: int
    findings: list[str] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    cpu: float = 0.0
    memory: int = 0
    inputs: int = 0

    def add(self, case: int, what: str, trace: str = "") -> None:
        """Note a finding."""
        again = f"python tests/fuzz/{CHILD.name} {self.target} --seed {self.seed}"
        again += f" --first {case} --count 1"
        self.findings.append(f"{what}\n  repeat: {again}\n{trace}")

    def summary(self) -> str:
        """One line for a log."""
        kinds = ", ".join(f"{name} {count}" for name, count in self.outcomes.most_common(6))
        return (
            f"{self.target}: {self.inputs} inputs, {len(self.findings)} findings, at most "
            f"{self.cpu:.2f} s of CPU and {self.memory >> 20} MB each ({kinds})"
        )


def fuzz(target: str, seed: int, count: int, folder: Path) -> Outcome:
    """Read ``count`` bad inputs; a child that dies costs the one input that killed it."""
    outcome = Outcome(target, seed)
    first, deaths = 0, 0
    while first < count and deaths < MAX_DEATHS:
        report = folder / f"{target}-{first}.jsonl"
        batch = min(BATCH, count - first)
        last, died = _run_child(target, seed, first, batch, report, outcome)
        if died:
            deaths += 1
            outcome.add(last, died)
            first = last + 1
        else:
            first += batch
    outcome.inputs = first
    return outcome


def _run_child(
    target: str, seed: int, first: int, count: int, report: Path, outcome: Outcome
) -> tuple[int, str]:
    """The last case that began, and how the child died; empty when it did not."""
    report.touch()
    errors = report.with_suffix(".stderr")
    command = [
        sys.executable, str(CHILD), target, "--seed", str(seed), "--first", str(first),
        "--count", str(count), "--report", str(report),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1", "RUST_BACKTRACE": "0"}
    with open(errors, "wb") as stderr:
        process = subprocess.Popen(command, stdout=stderr, stderr=stderr, env=environment)
        try:
            hung = _wait(process, report)
        finally:
            process.kill()
            process.wait()
    last, done = _take_in(report, outcome)
    if hung:
        return max(last, first), "hang: it does not come to an end" + _tail(errors)
    if process.returncode or not done:
        how = f"signal {-process.returncode}" if process.returncode < 0 else "an exit"
        return max(last, first), f"crash: the process ended by {how}" + _tail(errors)
    return last, ""


def _wait(process: subprocess.Popen[bytes], report: Path) -> bool:
    """Wait for the end; true when nothing was heard for too long."""
    size, used_then, used, moved = 0, 0.0, 0.0, time.monotonic()
    while process.poll() is None:
        now, grown, cpu = time.monotonic(), report.stat().st_size, _cpu_of(process)
        if grown != size:
            size, used_then, moved = grown, cpu, now
        if cpu != used:
            used, moved = cpu, now
        if now - moved > STUCK_S or used - used_then > (BUSY_S if size else START_BUSY_S):
            return True
        with suppress(subprocess.TimeoutExpired):
            process.wait(POLL_S)
    return False


def _cpu_of(process: subprocess.Popen[bytes]) -> float:
    try:
        times = psutil.Process(process.pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _take_in(report: Path, outcome: Outcome) -> tuple[int, bool]:
    """Read a report; the last case that began, and whether the child came to its end."""
    last, done = -1, False
    for line in report.read_text(encoding="utf-8").splitlines():
        if not line.startswith("{"):
            last = int(line)
            continue
        said = json.loads(line)
        if said.get("done"):
            done = True
            outcome.outcomes.update(said["outcomes"])
            outcome.cpu = max(outcome.cpu, said["figures"]["cpu"])
            outcome.memory = max(outcome.memory, said["figures"]["memory"])
        else:
            outcome.add(said["case"], said["what"], said["trace"])
    return last, done


def _tail(path: Path) -> str:
    """The end of what the child said, where the fault handler names the line."""
    text = path.read_bytes()[-3000:].decode("utf-8", "replace")
    return f"\n{text}" if text.strip() else ""
