"""What the engine may run on and what a model needs there: the numbers behind the advice.

Accelerators are known only after torch was loaded, so :func:`survey` runs in the engine
thread. What a model needs stands in its header; reading that takes no torch and no time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import psutil
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from engine.errors import EngineError
from engine.gguf import GGUFFile, MemoryNeeds, memory_needs

log = logging.getLogger(__name__)

REFRESH_MS = 3000
TIGHT = 0.85
CPU = "cpu"


class Readiness(Enum):
    """What is known about a backend."""

    UNTRIED = "untried"
    READY = "ready"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class BackendFact:
    """One backend of this machine.

    Attributes:
        name: what the engine takes: ``cpu``, ``cuda:0``, ``mps``, ``xpu:0``.
        title: for people.
        total_bytes, free_bytes: memory; 0 when the backend does not tell.
        readiness: ``READY`` only after a real product ran on it.
        reason: why it is broken, one sentence.
    """

    name: str
    title: str
    total_bytes: int = 0
    free_bytes: int = 0
    readiness: Readiness = Readiness.UNTRIED
    reason: str = ""


BackendProbe = Callable[[], list[BackendFact]]


def probe_backends() -> list[BackendFact]:
    """Try every backend that torch sees; loads torch, so only for the engine thread."""
    from engine.errors import DeviceError
    from engine.machine import list_backends, probe

    found = []
    for backend in list_backends():
        readiness, reason = Readiness.READY, ""
        try:
            probe(backend.name)
        except DeviceError as error:
            readiness, reason = Readiness.BROKEN, error.detail
            log.warning("%s: %s", backend.name, error.detail)
        found.append(
            BackendFact(
                backend.name, backend.title, backend.total_bytes, backend.free_bytes,
                readiness, reason,
            )
        )  # fmt: skip
    return found


def no_probe() -> list[BackendFact]:
    """The CPU alone, for an engine that has no torch to ask."""
    return [cpu_fact(Readiness.READY)]


def cpu_fact(readiness: Readiness = Readiness.UNTRIED) -> BackendFact:
    """The CPU and the memory of this moment."""
    memory = psutil.virtual_memory()
    return BackendFact(CPU, "CPU", memory.total, memory.available, readiness)


def read_needs(model: Path) -> MemoryNeeds | None:
    """What ``model`` needs, or ``None`` when its header cannot be read."""
    try:
        with GGUFFile.open(model) as file:
            return memory_needs(file)
    except EngineError:
        return None


@dataclass(frozen=True, slots=True)
class Fit:
    """A model's need against what one backend has free.

    Attributes:
        needed, free: bytes; ``free`` is 0 when the backend does not tell.
        weights, cache, codec: the parts of ``needed`` (the rest is the program itself).
        partial: the engine will leave layers to the CPU, because not all have room.
    """

    needed: int
    free: int
    weights: int
    cache: int
    codec: int
    partial: bool = False

    @property
    def share(self) -> float:
        """Needed by free, 0 when unknown; above 1 it does not fit."""
        return self.needed / self.free if self.free else 0.0

    @property
    def state(self) -> str:
        """``ok``, ``warn`` (tight, or in part), ``bad`` (does not fit) or empty (unknown)."""
        if not self.free:
            return ""
        if self.share > 1:
            return "bad"
        return "warn" if self.share > TIGHT or self.partial else "ok"


def fit(needs: MemoryNeeds, backend: BackendFact, frames: int, gpu_layers: int, codec: str) -> Fit:
    """Weigh ``needs`` against ``backend`` for a budget of ``frames``.

    An accelerator holds ``gpu_layers`` of the layers; -1 is as many as the engine finds room
    for. ``codec`` is the policy; with ``auto`` the codec may go to the accelerator.
    """
    cache = needs.cache(frames)
    if backend.name == CPU:
        return Fit(needs.on_cpu(frames), backend.free_bytes, needs.stored, cache, needs.codec)
    layers, chosen = max(1, needs.layers), gpu_layers >= 0
    if not chosen:
        known = backend.free_bytes and backend.name.startswith("cuda")
        gpu_layers = (needs.layers_in(backend.free_bytes) if known else 0) or layers
    moved = min(layers, gpu_layers)
    weights, cache = (moved * needs.layer + needs.fast if moved else 0), cache * moved // layers
    there = 0 if codec == CPU else needs.codec
    partial = moved < layers and not chosen
    return Fit(weights + cache + there, backend.free_bytes, weights, cache, there, partial)


class BackendFacts(QObject):
    """Backends and needs, as far as they are known now.

    Attributes:
        backends: the CPU first; the others after :meth:`take_backends`.
        backends_probed: the engine thread has tried them.
        needs: of the model that is open or being opened.

    Signals:
        changed(): any of it is different.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backends = [cpu_fact()]
        self.backends_probed = False
        self.needs: MemoryNeeds | None = None
        self._process = psutil.Process()
        self._timer = QTimer(self)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self.refresh)

    def start(self) -> None:
        """Follow the memory from now on."""
        self._timer.start()

    def stop(self) -> None:
        """Stop following."""
        self._timer.stop()

    @property
    def used_bytes(self) -> int:
        """Memory that this program holds."""
        return int(self._process.memory_info().rss)

    def backend(self, name: str) -> BackendFact | None:
        """The backend called ``name``, if it is there."""
        return next((b for b in self.backends if b.name == name), None)

    def inspect(self, model: Path | None) -> None:
        """Read the needs of ``model``; ``None`` forgets those of the last one."""
        self.needs = read_needs(model) if model is not None else None
        self.changed.emit()

    @Slot(object)
    def take_backends(self, found: list[BackendFact]) -> None:
        """Take what the engine thread found."""
        self.backends, self.backends_probed = list(found), True
        self.changed.emit()

    @Slot()
    def refresh(self) -> None:
        """Ask the memory again; accelerators tell theirs only in a survey."""
        first = self.backends[0]
        self.backends[0] = cpu_fact(first.readiness)
        self.changed.emit()
