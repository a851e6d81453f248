"""Transcription for the command line and the package: one child process a sound."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np

from engine.audio.resample import resample
from engine.cancel import CancelToken
from engine.transcription.child import request_line
from engine.transcription.heard import Heard, TranscribeError, heard_of
from engine.transcription.model import (
    ADVICE,
    INSTALL,
    child_command,
    extra_installed,
    find_model,
)
from engine.transcription.scoring import RATE

POLL_S = 0.05
KEPT_ERRORS = 300


def transcribe(
    samples: np.ndarray,
    rate: int,
    model: str | Path,
    *,
    words: Sequence[str] = (),
    language: str | None = None,
    threads: int = 0,
    cancel: CancelToken | None = None,
) -> Heard:
    """What is said in mono samples ``(n,)``.

    Args:
        model: the folder of a faster-whisper model, or one above it.
        words: what was to be said, to be scored (``letters`` of
            :func:`engine.transcription.words.spoken_words`).
        language: code such as ``en``; ``None`` detects it.
        cancel: ends the child at once when it is set.

    Raises:
        TranscribeError: no recogniser, no model, a language that it does not know.
        CancelledError: ``cancel`` was set.
    """
    if not extra_installed():
        raise TranscribeError("transcribe.no_extra", "transcribe.install", command=INSTALL)
    pcm = resample(np.asarray(samples, np.float32), rate, RATE)
    line = request_line(find_model(Path(model)), pcm, language, threads, words)
    cancel = cancel or CancelToken()
    cancel.raise_if_cancelled()
    with subprocess.Popen(
        child_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=child_environment(),
    ) as child:  # fmt: skip
        try:
            return _answer(child, line, cancel)
        finally:
            child.kill()


def child_environment() -> dict[str, str]:
    """The child finds this very copy of the program, speaks UTF-8 and uses no network."""
    root = str(Path(__file__).resolve().parents[2])
    path = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONUTF8": "1",
        "HF_HUB_OFFLINE": "1",
    }


def _answer(child: subprocess.Popen[bytes], line: bytes, cancel: CancelToken) -> Heard:
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    said: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    errors: list[bytes] = []
    readers = [
        threading.Thread(target=_read, args=(child.stdout, said), daemon=True),
        threading.Thread(target=_collect, args=(child.stderr, errors), daemon=True),
        threading.Thread(target=_write, args=(child.stdin, line), daemon=True),
    ]
    for reader in readers:
        reader.start()
    try:
        while True:
            cancel.raise_if_cancelled()
            try:
                answer = said.get(timeout=POLL_S)
            except queue.Empty:
                continue
            if answer is None:
                break
            if (heard := _heard(answer)) is not None:
                return heard
    finally:
        child.kill()
        for reader in readers:
            reader.join()
    last = b"".join(errors).decode("utf-8", "replace").strip().splitlines()[-1:]
    reason = f": {last[0][:KEPT_ERRORS]}" if last else ""
    raise TranscribeError("transcribe.ended", exit=child.wait(), reason=reason)


def _heard(answer: bytes) -> Heard | None:
    """The result, where this line is it."""
    try:
        said: dict[str, Any] = json.loads(answer)
        if said["event"] == "error":
            advice = ADVICE.get(str(said["kind"]), "")
            raise TranscribeError(str(said["detail"]), advice, command=INSTALL)
        return heard_of(said) if said["event"] == "done" else None
    except (ValueError, KeyError, TypeError) as error:
        raise TranscribeError("transcribe.bad_answer") from error


def _read(stream: IO[bytes], said: queue.SimpleQueue[bytes | None]) -> None:
    for line in stream:
        said.put(line)
    said.put(None)


def _collect(stream: IO[bytes], errors: list[bytes]) -> None:
    errors.append(stream.read())


def _write(stream: IO[bytes], line: bytes) -> None:
    """The stream stays open: the child takes its end for ours."""
    try:
        stream.write(line)
        stream.flush()
    except OSError:
        return
