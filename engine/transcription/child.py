"""Transcription in a process of its own: ``python -m engine.transcription.child``.

The studio starts it for one clip and ends it at once when the user stops, which no library
call inside the studio would allow. It takes one line of JSON from its input (``model``
folder, ``pcm`` as base64 of float32 at 16 kHz, ``language`` or null, ``threads``, and ``words``
that were to be said, if they shall be scored) and answers with lines of JSON, each with an
``event``: ``loading``, ``listening``, ``segment``, and last ``done`` or ``error``. It uses no
network.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from engine.transcription.scoring import Scorer
from engine.transcription.words import spoken_words

MAX_REQUEST_BYTES = 256 << 20
SILENT_PROBABILITY = 0.8
DOUBTFUL_LOGPROB = -0.7

Say = Callable[[dict[str, Any]], None]


class ChildError(Exception):
    """What went wrong, with a ``kind`` that the studio has advice for."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


def main() -> int:
    """Serve one request; returns the exit code."""
    # Libraries print what they like to the standard output, so the answers get a copy of it
    # and everything else goes to the error output.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # No Hub client may look for anything: the model is a folder.
    os.environ["HF_HUB_OFFLINE"] = "1"

    def say(event: dict[str, Any]) -> None:
        answers.write(json.dumps(event).encode("ascii") + b"\n")
        answers.flush()

    # A windowed program has no sys.stdin, but the pipe is there.
    questions = os.fdopen(os.dup(0), "rb")
    try:
        request = read_request(questions)
        threading.Thread(target=_end_with_parent, args=(questions,), daemon=True).start()
        transcribe(request, say)
    except ChildError as error:
        say({"event": "error", "kind": error.kind, "detail": str(error)})
        return 1
    except MemoryError:
        say({"event": "error", "kind": "memory", "detail": "the memory does not suffice"})
        return 1
    except BrokenPipeError:
        return 1
    except Exception as error:
        say({"event": "error", "kind": "failed", "detail": f"{type(error).__name__}: {error}"})
        return 1
    return 0


def request_line(
    model: Path,
    pcm: np.ndarray,
    language: str | None = None,
    threads: int = 0,
    words: Sequence[str] = (),
) -> bytes:
    """What the studio writes: float32 samples ``(n,)`` at :data:`RATE`, 0 threads choose."""
    data = base64.b64encode(pcm.astype("<f4").tobytes()).decode("ascii")
    plain = {
        "model": str(model), "language": language, "threads": threads, "words": list(words),
        "pcm": data,
    }  # fmt: skip
    return json.dumps(plain).encode("ascii") + b"\n"


def read_request(stream: BinaryIO) -> dict[str, Any]:
    """The one line of the studio."""
    line = stream.readline(MAX_REQUEST_BYTES)
    try:
        request = json.loads(line)
        pcm = np.frombuffer(base64.b64decode(request["pcm"], validate=True), "<f4")
        words = [str(word) for word in request.get("words") or ()]
        return {
            **request,
            "words": words,
            "pcm": pcm.astype(np.float32),
            "model": str(request["model"]),
        }
    except (ValueError, KeyError, TypeError) as error:
        raise ChildError("failed", f"the request cannot be read: {error}") from error


def transcribe(request: dict[str, Any], say: Say) -> None:
    """Load the model and say what it hears."""
    model = _load(request, say)
    language = request.get("language") or None
    if language is not None and language not in model.supported_languages:
        known = "only English" if not model.model.is_multilingual else "other languages"
        raise ChildError("language", f"the model knows {known}, not \u201c{language}\u201d")
    pcm = request["pcm"]
    segments, info = model.transcribe(
        pcm, language=language, condition_on_previous_text=False, word_timestamps=True
    )
    found = {"language": info.language, "probability": float(info.language_probability)}
    say({"event": "listening", "seconds": float(info.duration), **found})
    texts: list[str] = []
    words: list[tuple[float, float, str, float]] = []
    for segment in segments:
        if is_imagined(segment.no_speech_prob, segment.avg_logprob):
            continue
        texts.append(segment.text.strip())
        words += [
            (float(w.start), float(w.end), w.word.strip(), float(w.probability))
            for w in segment.words or []
        ]
        say({"event": "segment", "end": float(segment.end), "text": segment.text.strip()})
    scores = _scores(model, pcm, info.language, request["words"], words)
    say({"event": "done", "text": " ".join(texts).strip(), "words": words, **found, **scores})


def _load(request: dict[str, Any], say: Say) -> Any:
    try:
        whisper = importlib.import_module("faster_whisper")
    except ImportError as error:
        raise ChildError("missing", f"faster-whisper cannot be loaded: {error}") from error
    say({"event": "loading"})
    try:
        return whisper.WhisperModel(
            request["model"],
            device="cpu",
            compute_type="int8",
            cpu_threads=int(request.get("threads") or 0),
            local_files_only=True,
        )
    except (RuntimeError, ValueError, OSError) as error:
        raise ChildError("model", f"the model cannot be loaded: {error}") from error


def _scores(
    model: Any,
    pcm: np.ndarray,
    language: str,
    words: Sequence[str],
    heard: Sequence[tuple[float, float, str, float]],
) -> dict[str, Any]:
    """What :func:`engine.transcription.heard.heard_of` reads of the words that were expected."""
    if not words or not hasattr(model, "find_alignment"):
        return {}
    plain = [
        (start, end, part.letters)
        for start, end, text, _ in heard
        for part in spoken_words(text, language)
    ]
    fits, doubled = Scorer(model, pcm, language).score(words, plain)
    return {"fits": fits, "doubled": doubled}


def is_imagined(no_speech: float, logprob: float) -> bool:
    """Whisper makes up polite words for silence; it doubts them itself."""
    return no_speech > SILENT_PROBABILITY and logprob < DOUBTFUL_LOGPROB


def _end_with_parent(stream: BinaryIO) -> None:
    """The studio keeps the input open as long as it wants an answer, so its end is the end."""
    stream.read()
    os._exit(3)


if __name__ == "__main__":
    sys.exit(main())
