"""The memory probe reads what it says, with any number of threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.bench import bandwidth
from engine.kernels.jit import KernelLibrary
from engine.kernels.thread_pool import ThreadPool


def test_probe_reports_plausible_numbers(tmp_path: Path) -> None:
    library = KernelLibrary(cache=tmp_path)
    result = bandwidth.read_bandwidth(2, size=(33 << 20) + 5, passes=3, library=library)
    assert result.threads == 2
    assert result.size == 32 << 20
    assert result.best >= result.median > 1e6


@pytest.mark.parametrize("threads", [1, 3])
def test_every_byte_is_read(threads: int, tmp_path: Path) -> None:
    library = KernelLibrary(cache=tmp_path)
    rng = np.random.default_rng(1)
    memory = rng.integers(0, 256, (50, bandwidth.ROW_BYTES), np.uint8)
    sums = np.full(50, np.nan, np.float32)
    crew = ThreadPool(threads, library)
    crew.run(bandwidth._fill_board(crew, library, memory, sums))
    crew.close()
    expected = memory.view(np.uint32).sum(1, dtype=np.uint32)
    assert np.array_equal(sums, expected.astype(np.float32))


def test_nothing_to_read_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to read"):
        bandwidth.read_bandwidth(1, size=100)
