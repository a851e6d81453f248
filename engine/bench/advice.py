"""Which model file suits this machine: a few seconds of measuring, then a guess for each file.

A frame reads all weights of the slow stack once and those of the fast one for each codebook, so
its time is bytes by the rate at which the kernel of their type reads; the codec counts numbers.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.cancel import CancelToken
from engine.machine.threads import default_threads
from engine.storage import read_object, save_file, telling

if TYPE_CHECKING:
    from engine.hub.catalogue import Variant
    from engine.kernels.pool import KernelPool

FRAMES_A_SECOND = 44_100 / 2048
READ_SHARE = 1.58
"""Bytes that a frame of S2 Pro reads, by those of its language model in the file."""

CODEC_OPERATIONS = 9e9
"""Of a frame in S2 Pro's decoder."""

ROW = 2560
MATRIX_BYTES = 48 << 20
LOOKS = 12
LIVE = 0.9
"""Slower than this there is no reserve for what else the machine does."""


@dataclass(frozen=True, slots=True)
class MachineSpeed:
    """What was measured.

    Attributes:
        processor, threads: what it was measured on, and with.
        rates: bytes of weights a second, by the name of their type.
        operations: of 32-bit numbers a second.
        made: day, in ISO form.
    """

    processor: str
    threads: int
    rates: dict[str, float] = field(default_factory=dict)
    operations: float = 0.0
    made: str = ""

    def slowness(self, variant: Variant) -> float | None:
        """Seconds of work for a second of speech; ``None`` for a type without a kernel."""
        rate = self.rates.get(kernel_type(variant.quantisation), 0.0)
        if rate <= 0 or self.operations <= 0:
            return None
        frame = READ_SHARE * variant.needs.stored / rate + CODEC_OPERATIONS / self.operations
        return frame * FRAMES_A_SECOND


def kernel_type(quantisation: str) -> str:
    """The type of most weights of a file: ``Q4_K`` for ``Q4_K_M``."""
    return quantisation.upper().removesuffix("_M").removesuffix("_S")


def measure_speed(
    types: Sequence[str],
    cancel: CancelToken | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> MachineSpeed:
    """Measure with the engine's own kernels and threads.

    Args:
        types: names of quantisation types.
        say: gets what is being measured.

    Raises:
        CancelledError: ``cancel`` was set.
    """
    from engine.bench.report import processor_name
    from engine.kernels.pool import KernelPool

    token, threads = cancel or CancelToken(), default_threads()
    rates: dict[str, float] = {}
    with KernelPool(threads) as pool:
        for name in dict.fromkeys(map(kernel_type, types)):
            token.raise_if_cancelled()
            say(name)
            rates[name] = _rate(pool, name)
    token.raise_if_cancelled()
    return MachineSpeed(processor_name(), threads, rates, _operations(), time.strftime("%Y-%m-%d"))


def _rate(pool: KernelPool, name: str) -> float:
    """Bytes a second of products with one column; 0 for a type without a kernel."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType

    from engine.kernels.pool import supported

    kind = GGMLQuantizationType[name]
    if not supported(int(kind)):
        return 0.0
    block, size = GGML_QUANT_SIZES[kind]
    row = ROW // block * size
    raw = np.ones((MATRIX_BYTES // row, row), np.uint8)  # written, or all pages would be one
    x, out = np.ones((1, ROW), np.float32), np.empty((1, len(raw)), np.float32)
    return raw.nbytes / _best(lambda: pool.matmul(raw, int(kind), x, out))


def _operations() -> float:
    import torch

    one, other = torch.ones(512, 2048), torch.ones(2048, 256)
    return 2 * 512 * 2048 * 256 / _best(lambda: one @ other)


def _best(run: Callable[[], object]) -> float:
    """Seconds of the fastest of some runs: the others shared the machine."""
    times = []
    for _ in range(LOOKS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return max(min(times[1:]), 1e-9)


def remembered_speed(path: Path) -> MachineSpeed | None:
    """What was measured on this machine before; ``None`` when it was another one."""
    from engine.bench.report import processor_name

    try:
        plain = read_object(path)
        rates = {str(k): float(v) for k, v in dict(plain["rates"]).items()}
        found = MachineSpeed(
            str(plain["processor"]), int(plain["threads"]), rates,
            float(plain["operations"]), str(plain["made"]),
        )  # fmt: skip
    except (OSError, ValueError, TypeError, KeyError):
        return None
    same = found.processor == processor_name() and found.threads == default_threads()
    return found if same else None


def remember_speed(speed: MachineSpeed, path: Path) -> None:
    """Keep a measurement for :func:`remembered_speed`.

    Raises:
        OutputError: it cannot be written.
    """
    with telling(str(path)):
        os.makedirs(path.parent, exist_ok=True)
    save_file(path, [json.dumps(asdict(speed)).encode()])


def recommended(speed: MachineSpeed, variants: Sequence[Variant], memory: int) -> Variant | None:
    """The file to take: the closest to the original that speaks live, else the advised one, else
    the largest that fits; ``None`` when none does."""
    fitting = [v for v in variants if v.needs.on_cpu() <= memory]
    largest = sorted(fitting, key=lambda v: -v.file.size)
    live = [v for v in largest if (speed.slowness(v) or LIVE + 1) <= LIVE]
    advised = [v for v in fitting if v.advised]
    return next(iter([*live, *advised, *largest]), None)
