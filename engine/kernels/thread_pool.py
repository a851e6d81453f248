"""Threads that sleep in the kernels' own code, and the system calls they sleep and wake by.

The threads are Python threads, so that they end with the program and show up in a debugger,
but each makes one call into compiled code that lasts as long as the pool: between products it
waits on a semaphore of the system, without Python's lock.

Measured against numba's pool, which divides rows beforehand: with four other busy processes on
two processors, the same products took half the time. No one spins between products, so torch's
threads find the processors free; products and torch's work in turns take as long as each alone.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.kernels import work_queue
from engine.kernels.jit import KernelLibrary

_FOREVER = 0xFFFFFFFF
_SEMAPHORE_BYTES = 64


@dataclass(frozen=True, slots=True)
class Semaphore:
    """A counting semaphore as three C functions that compiled code can call by address.

    Attributes:
        handle: first argument of ``wait`` and ``post``.
        wait, post, give_way: addresses; ``give_way`` takes no argument.
        wait_argument: second argument of ``wait``: no time limit, where it takes one.
        owner: keeps the memory or library behind the addresses.
    """

    handle: int
    wait: int
    post: int
    give_way: int
    wait_argument: int = 0
    owner: Any = field(default=None, repr=False)


def _address(function: Any) -> int:
    return int(ctypes.cast(function, ctypes.c_void_p).value or 0)


def make_semaphore() -> Semaphore:
    """A semaphore with count zero; raises ``OSError`` where the system refuses."""
    if sys.platform == "win32":
        return _windows_semaphore()
    libc = ctypes.CDLL(None)
    if sys.platform == "darwin":
        libc.dispatch_semaphore_create.restype = ctypes.c_void_p
        libc.dispatch_semaphore_create.argtypes = [ctypes.c_ssize_t]
        handle = libc.dispatch_semaphore_create(0)
        wait, post = libc.dispatch_semaphore_wait, libc.dispatch_semaphore_signal
        limit = ctypes.c_int64(-1).value
        return Semaphore(
            handle, _address(wait), _address(post), _address(libc.sched_yield), limit, libc
        )
    memory = ctypes.create_string_buffer(_SEMAPHORE_BYTES)
    if libc.sem_init(memory, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no semaphore for the kernel threads")
    return Semaphore(
        ctypes.addressof(memory),
        _address(libc.sem_wait),
        _address(libc.sem_post),
        _address(libc.sched_yield),
        owner=(memory, libc),
    )


def _windows_semaphore() -> Semaphore:
    kernel = ctypes.CDLL("kernel32")
    kernel.CreateSemaphoreW.restype = ctypes.c_void_p
    pointer, number = ctypes.c_void_p, ctypes.c_long
    kernel.CreateSemaphoreW.argtypes = [pointer, number, number, pointer]
    handle = kernel.CreateSemaphoreW(None, 0, 0x7FFFFFFF, None)
    if not handle:
        raise OSError("no semaphore for the kernel threads")
    return Semaphore(
        int(handle),
        _address(kernel.WaitForSingleObject),
        _address(kernel.ReleaseSemaphore),
        _address(kernel.SwitchToThread),
        _FOREVER,
        kernel,
    )


class ThreadPool:
    """The caller and ``threads - 1`` helpers around one board; helpers start when first needed.

    Attributes:
        board: int64 view of the shared memory, to be filled while no :meth:`run` is going on.
        threads: how many work, the caller included.
    """

    def __init__(self, threads: int, library: KernelLibrary) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self.threads = threads
        memory = np.zeros(work_queue.BOARD_BYTES + 64, np.uint8)
        skip = -memory.ctypes.data % 64
        self.board = memory[skip : skip + work_queue.BOARD_BYTES].view(np.int64)
        self.address = self.board.ctypes.data
        self._run = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
            library.address("run", "run", work_queue.build_run)
        )
        self._library = library
        self._helpers: list[threading.Thread] = []
        self._end: weakref.finalize[..., ThreadPool] | None = None

    def run(self, tiles: int, threads: int | None = None) -> None:
        """Work through the board's first ``tiles`` tiles; returns when all are done.

        ``threads`` bounds how many work on them, below all of the crew.
        """
        wake = min(self.threads, tiles, threads or self.threads) - 1
        if wake > 0:
            self.start()
        self.board[work_queue.TILES // 8] = tiles
        self.board[work_queue.WAKE // 8] = wake
        self._run(self.address)

    def start(self) -> None:
        """Have the helpers ready; nothing happens when they are."""
        if self.threads > 1 and not self._helpers:
            self._start()

    def close(self) -> None:
        """Send the helpers home and wait for them; the next :meth:`run` would start new ones."""
        if self._end is not None:
            self._end()
        self._end = None
        self._helpers = []

    def _start(self) -> None:
        semaphore = make_semaphore()
        words = self.board
        words[work_queue.CLOSED // 8] = 0
        words[work_queue.SEMAPHORE // 8] = semaphore.handle
        words[work_queue.WAIT // 8] = semaphore.wait
        words[work_queue.WAIT_ARGUMENT // 8] = semaphore.wait_argument
        words[work_queue.POST // 8] = semaphore.post
        words[work_queue.YIELD // 8] = semaphore.give_way
        serve = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
            self._library.address("serve", "serve", work_queue.build_serve)
        )
        for number in range(self.threads - 1):
            # A daemon, so that a program that ends without closing the pool still ends.
            helper = threading.Thread(
                target=serve, args=(self.address,), name=f"kernel-{number + 1}", daemon=True
            )
            helper.start()
            self._helpers.append(helper)
        post = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_long, ctypes.c_void_p)
        keep = (words, semaphore, self._library)
        self._end = weakref.finalize(self, _send_home, self._helpers, post(semaphore.post), keep)


def _send_home(
    helpers: list[threading.Thread], post: Any, keep: tuple[np.ndarray, Semaphore, KernelLibrary]
) -> None:
    words, semaphore, _ = keep
    words[work_queue.CLOSED // 8] = 1
    for _ in helpers:
        post(semaphore.handle, 1, None)
    for helper in helpers:
        helper.join()
