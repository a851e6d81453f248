"""``s2studio --selftest``: tries every part of an installation once and reports each step.

Meant for a built folder on a foreign machine, and works from a source tree as well. What a
machine does not have (a sound output, an optional extra) is said and passed over; what is
broken ends in a non-zero exit code that names the step. The user's files are not touched.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TextIO

from app.core.display import display_trouble
from app.selftest.steps import StepSkippedError, Trial

# Without it nothing else can work, and torch aborts when it is loaded a second time.
ESSENTIAL = "libraries"


@dataclass(frozen=True, slots=True)
class StepReport:
    """How one step went.

    Attributes:
        state: ``ok``, ``skipped`` or ``failed``.
        detail: one line: what was found, why it was passed over, or what failed.
        seconds: time it took.
    """

    name: str
    state: str
    detail: str
    seconds: float


@dataclass(slots=True)
class Report:
    """All steps so far, and where they ran."""

    version: str
    frozen: bool = field(default_factory=lambda: bool(getattr(sys, "frozen", False)))
    python: str = field(default_factory=platform.python_version)
    system: str = field(default_factory=platform.platform)
    steps: list[StepReport] = field(default_factory=list)

    @property
    def failed(self) -> list[str]:
        """Names of the steps that failed."""
        return [step.name for step in self.steps if step.state == "failed"]

    def to_json(self) -> str:
        """The report for a program."""
        plain = {"ok": not self.failed, "failed": self.failed, **asdict(self)}
        return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def parser() -> argparse.ArgumentParser:
    """Options behind ``--selftest``."""
    made = argparse.ArgumentParser(prog="s2studio --selftest", description=__doc__)
    made.add_argument("--json", type=Path, metavar="FILE", help="write the report there too")
    made.add_argument("--model", type=Path, help="speak with this model, not the shipped voice")
    made.add_argument("--tokenizer", type=Path, help="tokenizer.json, when not beside the model")
    made.add_argument("--only", action="append", metavar="STEP", help="only this step (repeatable)")
    made.add_argument(
        "--whisper", type=Path, metavar="DIR", help="folder of a faster-whisper model to try"
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run the steps; returns 0 when none failed, 1 otherwise."""
    options = parser().parse_args(argv)
    if display_trouble():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from engine import __version__

    report = Report(__version__)
    with tempfile.TemporaryDirectory(prefix="s2studio-selftest-") as folder:
        trial = Trial(Path(folder), options.model, options.tokenizer, options.whisper)
        try:
            for name, step in trial.steps():
                if options.only and name not in options.only:
                    continue
                report.steps.append(run_step(name, step))
                say(sys.stdout, line(report.steps[-1]))
                if options.json is not None:  # after each: a library may end the process
                    options.json.write_text(report.to_json(), encoding="utf-8")
                if name == ESSENTIAL and report.failed:
                    break
        finally:
            trial.close()
    if report.failed:
        say(sys.stderr, f"s2studio: selftest failed: {', '.join(report.failed)}")
        return 1
    say(sys.stdout, "s2studio: selftest ok")
    return 0


def run_step(name: str, step: Callable[[], str]) -> StepReport:
    """Run one step; a failure of any kind is a report and not an exception."""
    started = time.monotonic()
    try:
        state, detail = "ok", step()
    except StepSkippedError as reason:
        state, detail = "skipped", str(reason)
    except Exception as error:
        state, detail = "failed", f"{type(error).__name__}: {error}"
        say(sys.stderr, traceback.format_exc().rstrip())
    return StepReport(name, state, detail, round(time.monotonic() - started, 3))


def line(step: StepReport) -> str:
    """One step for a person."""
    return f"{step.state:7} {step.name:13} {step.seconds:6.2f} s  {step.detail}"


def say(stream: TextIO | None, text: str) -> None:
    """Write a line; a console that lacks a character, or is not there, stops nothing."""
    if stream is None:
        return
    try:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding) + "\n")
        stream.flush()
    except OSError:
        pass
