"""Recording work on a CUDA device as a graph, so that a failure leaves nothing behind.

``torch.cuda.graph`` ends a capture before it restores the stream, and a capture that broke
cannot be ended without an error: the thread would stay on the capture's stream, and the
allocator in its capture mode. Here both are put back whatever happens.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import torch

_WARM_UPS = 2
# The allocator may look at a graph whose capture broke, so such a graph is never freed.
_broken: list[torch.cuda.CUDAGraph] = []


@dataclass(slots=True)
class GraphState:
    """What became of capturing a model's frames (:mod:`engine.lm.cuda_graphs`).

    Attributes:
        frames: captured, or ``None``.
        lent: a request uses them.
        failure: why a capture failed; it is not tried again.
        limit: positions that the memory has room for, as far as is known.
    """

    frames: object | None = None
    lent: bool = False
    failure: str = ""
    limit: int = 1 << 62


class GraphRecorder:
    """Records graphs that share one stream and one memory pool, because they run in turn."""

    def __init__(self, home: torch.device) -> None:
        self._home = home
        with torch.cuda.device(home):
            self._stream = torch.cuda.Stream(home)
            self._pool = torch.cuda.graph_pool_handle()

    def record(self, work: Callable[[], None]) -> Callable[[], None]:
        """A replay of ``work``, which runs a few times before: kernels load on first use.

        Raises:
            RuntimeError: the work cannot be recorded, or memory is full. The stream of the
                caller is the current one again, and the device can be used.
        """
        with torch.inference_mode(), torch.cuda.device(self._home):
            outside = torch.cuda.current_stream(self._home)
            self._stream.wait_stream(outside)
            with torch.cuda.stream(self._stream):
                for _ in range(_WARM_UPS):
                    work()
                torch.cuda.synchronize(self._home)
                graph = self._recorded(work)
            outside.wait_stream(self._stream)
        return graph.replay

    def _recorded(self, work: Callable[[], None]) -> torch.cuda.CUDAGraph:
        graph = torch.cuda.CUDAGraph()
        # Other threads may allocate meanwhile: the codec, a second engine, a probe.
        graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
        try:
            work()
            graph.capture_end()
        except BaseException:
            _broken.append(graph)
            with contextlib.suppress(RuntimeError):
                graph.capture_end()
            # Ending a broken capture fails before the allocator leaves its capture mode.
            with contextlib.suppress(RuntimeError, AttributeError):
                torch._C._cuda_endAllocateToPool(self._index, self._pool)
            raise
        return graph

    @property
    def _index(self) -> int:
        return self._home.index or 0
