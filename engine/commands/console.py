"""What a person sees: messages and progress on stderr, results on stdout."""

from __future__ import annotations

import errno
import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from engine.errors import OutputError
from engine.synthesis import Pace, rough
from engine.text.tags import harmless
from engine.types import AudioChunk, Event, FrameCodes, Progress, SegmentStart

LEVELS = {
    "error": 0,
    "errors": 0,
    "0": 0,
    "warn": 1,
    "warning": 1,
    "warnings": 1,
    "1": 1,
    "info": 2,
    "2": 2,
    "debug": 3,
    "3": 3,
}
REDRAW_S = 0.1
BAR = 24


class Console:
    """Writes never fail: a closed or missing stream is passed over, odd characters escaped."""

    def __init__(self, level: str = "info") -> None:
        self._level = LEVELS.get(level.lower(), 2)
        self._bar_shown = False
        self._drawn = 0.0
        self._frames = self._samples = self._rate = 0
        self._pace: Pace | None = None
        if level.lower() not in LEVELS:
            self.warn(f"unknown log level {level!r} is ignored")

    def result(self, text: str) -> None:
        """A result, for people and pipes alike.

        Raises:
            OutputError: standard output is a file that cannot take it: a result is not lost.
        """
        self._clear()
        lost = _write(sys.stdout, harmless(text) + "\n")
        if lost is not None and lost.errno in (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG):
            raise OutputError("cli.unwritable", path="standard output", reason=lost.strerror)

    def error(self, text: str) -> None:
        self._say(0, f"error: {_one_line(text)}")

    def warn(self, text: str) -> None:
        self._say(1, f"warning: {_one_line(text)}")

    def info(self, text: str) -> None:
        self._say(2, text)

    def debug(self, text: str) -> None:
        self._say(3, text)

    def follow(self, text: str) -> None:
        """The synthesis whose progress comes next speaks ``text``."""
        self._pace = Pace(text)

    def progress(self, event: Event) -> None:
        """Draw a bar when stderr is a terminal; count frames and seconds."""
        if self._pace is not None:
            self._pace.note(event)
        if isinstance(event, SegmentStart) and event.total > 1:
            self.debug(f"piece {event.index + 1} of {event.total}: {event.text}")
        if isinstance(event, FrameCodes):
            self._frames = event.index + 1
        if isinstance(event, AudioChunk):
            self._samples, self._rate = event.start + len(event.samples), event.sample_rate
        if self._level < 2 or not _is_terminal(sys.stderr):
            return
        now = time.monotonic()
        if now - self._drawn < REDRAW_S:
            return
        self._drawn = now
        if isinstance(event, Progress):
            self._draw(_bar_text(event))
        elif isinstance(event, FrameCodes):
            seconds = self._samples / self._rate if self._rate else 0.0
            text = f"generate {self._frames} frames, {seconds:.1f} s of sound"
            self._draw(text if self._pace is None else text + _rest(self._pace))

    def status(self, text: str) -> None:
        """Draw ``text`` in place of the bar, now and then, when stderr is a terminal."""
        now = time.monotonic()
        if self._level < 2 or now - self._drawn < REDRAW_S or not _is_terminal(sys.stderr):
            return
        self._drawn = now
        self._draw(text)

    def done(self) -> None:
        """Remove the bar."""
        self._clear()

    def _draw(self, text: str) -> None:
        _write(sys.stderr, f"\r\x1b[2K{harmless(text)}")
        self._bar_shown = True

    def _clear(self) -> None:
        if self._bar_shown:
            _write(sys.stderr, "\r\x1b[2K")
            self._bar_shown = False

    def _say(self, level: int, text: str) -> None:
        if level <= self._level:
            self._clear()
            _write(sys.stderr, harmless(text) + "\n")


def _one_line(text: str) -> str:
    """So that no name in it can begin a line that looks like one of ours."""
    return text.strip().replace("\n", "\\n")


class ConsoleHandler(logging.Handler):
    """Shows what the engine's modules log as messages of the console."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.DEBUG)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.levelno >= logging.ERROR:
            self._console.error(text)
        elif record.levelno >= logging.WARNING:
            self._console.warn(text)
        else:
            self._console.debug(text)


@contextmanager
def engine_log(console: Console) -> Iterator[None]:
    """Route the engine's log to ``console`` while the block runs."""
    logger, handler = logging.getLogger("engine"), ConsoleHandler(console)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


def _bar_text(event: Progress) -> str:
    if not event.total:
        return f"{event.stage} {event.done} {event.unit}"
    full = round(BAR * event.done / event.total)
    return f"{event.stage} [{'#' * full}{'.' * (BAR - full)}] {event.done}/{event.total}"


def _rest(pace: Pace) -> str:
    """How far a text of several pieces is, and how long the rest may take."""
    if pace.pieces < 2:
        return ""
    left = "" if pace.left_s is None else f", {rough(pace.left_s)} left"
    return f", piece {pace.piece} of {pace.pieces}, {100 * pace.share:.0f} %{left}"


def _is_terminal(stream: IO[str] | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def _write(stream: IO[str] | None, text: str) -> OSError | None:
    """Write what can be written; what the system said where it could not."""
    if stream is None:
        return None
    try:
        stream.write(text)
        stream.flush()
    except UnicodeEncodeError:
        encoding = getattr(stream, "encoding", None) or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        return error
    except ValueError:
        return None
    return None
