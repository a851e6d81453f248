"""Cancellation that crosses threads: a flag that the working thread reads once a frame."""

from __future__ import annotations

import threading

from engine.errors import CancelledError


class CancelToken:
    """A one-way flag. Any thread may set it; the job reads it at each of its yield points."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        """Ask the job to stop; safe to call often and from any thread."""
        self._event.set()

    @property
    def cancelled(self) -> bool:
        """True once :meth:`cancel` was called."""
        return self._event.is_set()

    def raise_if_cancelled(self) -> None:
        """Raise :class:`CancelledError` when the flag is set."""
        if self._event.is_set():
            raise CancelledError()
