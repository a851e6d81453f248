"""The frame of ``gpu_check.py``: parts that cannot take one another down.

Each part runs in its own ``try`` with a deadline, its lines are printed as they come, and the
JSON is written anew after each, so that a machine lost in the middle leaves what it measured.
"""

from __future__ import annotations

import json
import math
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from engine.bench.report import machine
from engine.gguf.reader import GGUFFile
from engine.lm.dual_ar import DualAR
from engine.machine.devices import release_memory
from engine.random_model.model import make_golden_model, make_tokenizer
from engine.text.tokenizer import Tokenizer


@dataclass(frozen=True)
class Check:
    """One line of the result."""

    name: str
    value: float | str
    limit: float | str
    passed: bool


@dataclass(frozen=True)
class Part:
    """Some checks that stand for themselves; what ``work`` returns are figures.

    Attributes:
        seconds: the deadline.
        cuda: has no meaning elsewhere.
    """

    name: str
    seconds: float
    work: Callable[[], dict[str, Any] | None]
    cuda: bool = False


class Run:
    """Models, device and results of one run.

    Attributes:
        model, tokenizer: a real or full-size model for the timings, if one was given.
    """

    def __init__(
        self,
        device: str,
        folder: Path,
        models: Sequence[str],
        frames: int,
        out: Path | None = None,
        model: Path | None = None,
        tokenizer: Path | None = None,
    ) -> None:
        self.device, self.folder, self.frames, self.out = device, folder, frames, out
        self.model = model or folder / f"{models[0]}.gguf"
        self.tokenizer = tokenizer or (None if model else folder / "tokenizer.json")
        self.checks: list[Check] = []
        self.figures: dict[str, Any] = {}
        self._started = time.perf_counter()
        make_tokenizer(folder / "tokenizer.json")
        self.end = Tokenizer.load(folder / "tokenizer.json").im_end
        self.files: dict[str, GGUFFile] = {}
        for name in models:
            make_golden_model(name, folder / f"{name}.gguf")
            self.files[name] = GGUFFile.open(folder / f"{name}.gguf")

    @property
    def cuda(self) -> bool:
        return self.device.startswith("cuda")

    def close(self) -> None:
        for file in self.files.values():
            file.close()

    def below(self, name: str, value: float, limit: float) -> None:
        self._add(Check(name, float(value), limit, bool(value < limit)))

    def above(self, name: str, value: float, limit: float) -> None:
        self._add(Check(name, float(value), f">= {limit}", bool(value >= limit)))

    def true(self, name: str, value: str, passed: bool) -> None:
        self._add(Check(name, value, "", bool(passed)))

    def _add(self, check: Check) -> None:
        self.checks.append(check)
        value = f"{check.value:.4g}" if isinstance(check.value, float) else check.value
        mark = "ok    " if check.passed else "FAILED"
        print(f"{mark} {check.name}: {value} {check.limit}".rstrip(), flush=True)

    def bind(self, model: str, layers: int | None, dtype: torch.dtype) -> DualAR:
        return DualAR.from_gguf(
            self.files[model], self.end, self.device, layers=layers, dtype=dtype
        )

    def take(self, part: Part) -> None:
        """Do one part; whatever it raises is a failed check, and the next one can follow."""
        if part.cuda and not self.cuda:
            self.true(part.name, "only on CUDA: not run", True)
        else:
            began = time.perf_counter()
            try:
                with deadline(part.seconds):
                    self.figures[part.name] = part.work()
            except Exception as error:
                traceback.print_exc()
                self.true(part.name, f"{type(error).__name__}: {error}", False)
                error.__traceback__ = None  # its frames hold tensors
            print(f"       {part.name}: {time.perf_counter() - began:.1f} s", flush=True)
            release_memory(self.device)
        self.save()

    @property
    def failed(self) -> list[str]:
        return [check.name for check in self.checks if not check.passed]

    def save(self) -> None:
        """Write what is known so far."""
        if self.out is None:
            return
        result = {
            "device": self.device, "machine": machine(), "failed": self.failed,
            "seconds": time.perf_counter() - self._started,
            "checks": [asdict(check) for check in self.checks], "figures": self.figures,
        }  # fmt: skip
        self.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise ``TimeoutError`` in the block after ``seconds``, where the system has such an alarm."""
    here = threading.current_thread() is threading.main_thread()
    if not here or not hasattr(signal, "setitimer"):
        yield
        return

    def late(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, max(math.ulp(1.0), seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
