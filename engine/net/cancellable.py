"""Network work on the calling thread that a cancel ends at once, also while nothing comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from engine.cancel import CancelToken
from engine.errors import CancelledError

POLL_S = 0.03
CLOSE_S = 2.0
T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


class CancellableLoop:
    """An event loop for one job; :meth:`close` it.

    A name that is still being looked up does not hold the end up.

    Raises :class:`OSError` where the system gives none.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()

    def run(self, work: Work[T], cancel: CancelToken) -> T:
        """What ``work`` returns or raises, or :class:`CancelledError` as soon as it is set."""
        cancel.raise_if_cancelled()
        return self._loop.run_until_complete(_watched(work, cancel))

    def close(self, last: Work[None] | None = None) -> None:
        """Give up what still runs, do ``last`` for a short while; harmless when repeated."""
        if self._loop.is_closed():
            return
        with suppress(RuntimeError):  # thrown away on a thread whose own loop runs
            self._loop.run_until_complete(_end(last))
        self._loop.close()


async def _watched(work: Work[T], cancel: CancelToken) -> T:
    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.wait({task}, timeout=POLL_S)
        if cancel.cancelled and not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
            raise CancelledError()
    return task.result()


async def _end(last: Work[None] | None) -> None:
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task
    if last is not None:
        with suppress(Exception):
            async with asyncio.timeout(CLOSE_S):
                await last()
    await asyncio.get_running_loop().shutdown_asyncgens()
