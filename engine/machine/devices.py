"""Backends: what is there, what works, and where the codec runs (spec 06, section 2).

A backend counts as ready only after a real product ran on it. Nothing here was run on
CUDA, MPS or XPU hardware by the test suite; the code is plain device-agnostic torch.
"""

from __future__ import annotations

import contextlib
import gc
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
import torch

from engine.errors import DeviceError, GenerationError, Message
from engine.storage.files import write_file
from engine.storage.strict_json import read_object
from engine.types import CodecPolicy

ACCELERATOR_GAIN = 0.90
BENCHMARK_FRAMES = 8


@dataclass(frozen=True, slots=True)
class Backend:
    """One place to compute.

    Attributes:
        name: what ``--device`` takes: ``cpu``, ``cuda:0``, ``mps``, ``xpu:0``.
        title: for people.
        total_bytes, free_bytes: memory; 0 when the backend does not tell.
    """

    name: str
    title: str
    total_bytes: int = 0
    free_bytes: int = 0


@dataclass(frozen=True, slots=True)
class CodecChoice:
    """Where the codec runs, why in one sentence, and the measured times if any (ms)."""

    device: str
    reason: str
    cpu_ms: float | None = None
    accelerator_ms: float | None = None


def list_backends() -> list[Backend]:
    """Every backend that torch sees, the CPU first. Seen does not mean that it works."""
    memory = psutil.virtual_memory()
    found = [Backend("cpu", "CPU", memory.total, memory.available)]
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            found.append(_cuda_backend(index))
    if torch.backends.mps.is_available():
        found.append(Backend("mps", "Apple GPU (Metal)"))
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        for index in range(torch.xpu.device_count()):
            total = torch.xpu.get_device_properties(index).total_memory
            found.append(Backend(f"xpu:{index}", torch.xpu.get_device_name(index), total))
    return found


def _cuda_backend(index: int) -> Backend:
    """A CUDA device; one that does not answer is listed too, and fails its probe."""
    name = f"cuda:{index}"
    try:
        free, total = torch.cuda.mem_get_info(index)
        return Backend(name, torch.cuda.get_device_name(index), total, free)
    except RuntimeError as error:
        return Backend(name, f"CUDA device {index} ({first_line(error)})")


def release_memory(device: torch.device | str) -> None:
    """Give the driver back what torch keeps for later but nothing uses, on CUDA."""
    if torch.device(device).type == "cuda":
        gc.collect()  # cycles hold tensors, and so does a kept error's traceback
        torch.cuda.empty_cache()


def free_memory(device: torch.device | str) -> int | None:
    """Bytes that tensors can get on a CUDA device; ``None`` where the backend does not tell.

    What torch reserved and does not use is free too, though the driver counts it as used; a
    share of the memory that the process was limited to is not exceeded.
    """
    home = torch.device(device)
    if home.type != "cuda":
        return None
    free, total = torch.cuda.mem_get_info(home)
    allocated = torch.cuda.memory_allocated(home)
    allowed = int(total * torch.cuda.get_per_process_memory_fraction(home))
    return min(free + torch.cuda.memory_reserved(home), allowed) - allocated


def resolve_device(name: str) -> str:
    """Check a backend's name and return its full form.

    Raises:
        DeviceError: unknown kind, index out of range (the valid range is named), or a
            backend that this machine or this torch build does not have.
    """
    kind, _, index = name.strip().lower().partition(":")
    if kind == "vulkan":
        raise DeviceError("device.vulkan")
    kind = {"metal": "mps", "gpu": "cuda", "rocm": "cuda"}.get(kind, kind)
    if kind not in ("cpu", "cuda", "mps", "xpu") or (index and not index.isdigit()):
        raise DeviceError("device.unknown", name=name)
    if kind == "cpu":
        return "cpu"
    names = [b.name for b in list_backends() if b.name.split(":")[0] == kind]
    if not names:
        raise DeviceError("device.absent", kind=kind)
    if kind == "mps":
        return "mps"
    number = int(index or 0)
    if number >= len(names):
        raise DeviceError("device.number", kind=kind, number=number, last=len(names) - 1)
    return names[number]


def probe(device: str) -> None:
    """Run one real product on ``device`` and check its result.

    Raises:
        DeviceError: the backend is listed but cannot compute.
    """
    try:
        a = torch.full((64, 64), 0.5, device=device)
        result = float((a @ a).sum().item())
    except (RuntimeError, MemoryError) as error:
        raise DeviceError("device.broken", device=device, reason=first_line(error)) from error
    if abs(result - 64 * 64 * 16) > 1:
        raise DeviceError("device.wrong_results", device=device)


def place_layers(gpu_layers: int, block_count: int, accelerated: bool) -> tuple[int, list[str]]:
    """How many Slow-AR layers go to the accelerator, and warnings for clamped wishes.

    -1 means all of them with an accelerator, none without.

    Raises:
        DeviceError: layers were asked for, but no accelerator is selected.
    """
    if gpu_layers > 0 and not accelerated:
        raise DeviceError("device.layers", gpu_layers=gpu_layers)
    if gpu_layers < 0:
        warnings: list[str] = (
            [] if gpu_layers == -1 else [Message("device.all_layers", gpu_layers=gpu_layers)]
        )
        return (block_count if accelerated else 0), warnings
    if gpu_layers > block_count:
        return block_count, [
            Message("device.cut_layers", gpu_layers=gpu_layers, block_count=block_count)
        ]
    return gpu_layers, []


def choose_by_time(cpu_ms: float | None, accelerator_ms: float | None) -> bool:
    """True for the accelerator: it ran, and the CPU failed or is not nearly as fast."""
    if accelerator_ms is None:
        return False
    return cpu_ms is None or accelerator_ms < ACCELERATOR_GAIN * cpu_ms


def choose_codec_device(
    policy: CodecPolicy,
    ar_device: str,
    measure: Callable[[str], float],
    remembered: VerdictFile | None = None,
    key: str = "",
) -> CodecChoice:
    """Apply the codec policy.

    Args:
        measure: decodes the benchmark on a device, after one warm-up decode on it, and
            returns milliseconds; an error of the device or samples that are no numbers count as
            failed.
        remembered: verdicts of earlier runs; ``key`` names model, device and threads.
    """
    if ar_device == "cpu":
        return CodecChoice("cpu", Message("device.model_on_cpu"))
    if policy == "cpu":
        return CodecChoice("cpu", Message("device.asked_for"))
    if policy == "follow":
        return CodecChoice(ar_device, Message("device.follows"))
    if remembered is not None and (known := remembered.get(key)) is not None:
        return known
    cpu_ms, accelerator_ms = _time(measure, "cpu"), _time(measure, ar_device)
    times = f"{BENCHMARK_FRAMES} frames: {_ms(cpu_ms)} on the CPU, {_ms(accelerator_ms)} on"
    if choose_by_time(cpu_ms, accelerator_ms):
        choice = CodecChoice(ar_device, f"{times} {ar_device}", cpu_ms, accelerator_ms)
    else:
        choice = CodecChoice("cpu", f"{times} {ar_device}", cpu_ms, accelerator_ms)
    if remembered is not None and accelerator_ms is not None:
        remembered.put(key, choice)
    return choice


def _time(measure: Callable[[str], float], device: str) -> float | None:
    try:
        return measure(device)
    except (RuntimeError, MemoryError, DeviceError, GenerationError):
        return None


def _ms(value: float | None) -> str:
    return "failed" if value is None else f"{value:.0f} ms"


def timed_decode(decode: Callable[[], object]) -> float:
    """Milliseconds of one call after one warm-up call."""
    decode()
    started = time.perf_counter()
    decode()
    return 1e3 * (time.perf_counter() - started)


class VerdictFile:
    """Codec verdicts of earlier runs in one JSON file; a damaged file counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, key: str) -> CodecChoice | None:
        """The verdict for ``key``, or ``None``."""
        entry = read_object(self._path).get(key)
        try:
            return CodecChoice(**entry) if isinstance(entry, dict) else None
        except TypeError:
            return None

    def put(self, key: str, choice: CodecChoice) -> None:
        """Remember a verdict; a folder that cannot be written is no error."""
        entries = read_object(self._path)
        entries[key] = asdict(choice)
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, [json.dumps(entries, indent=1).encode("utf-8")])


def first_line(error: BaseException) -> str:
    """The first line of a library's message, which is all a person needs."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def is_out_of_memory(error: BaseException) -> bool:
    """True for a full memory of either kind of device."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    text = str(error).lower()
    return isinstance(error, RuntimeError) and (
        "out of memory" in text or "can't allocate memory" in text
    )


def out_of_memory(device: str, doing: str) -> DeviceError:
    """The one error for a full memory, with what helps on this device."""
    advice = "advice.less_memory" if device == "cpu" else "advice.less_gpu"
    return DeviceError("device.memory", advice=advice, device=device, doing=doing)
