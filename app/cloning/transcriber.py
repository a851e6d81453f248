"""Writes down what is said in a clip: faster-whisper in a child process, or any other way.

The optional extra ``transcribe`` brings faster-whisper; the user chooses the folder of a
model. Nothing is downloaded. The child can be ended at any moment, so Cancel always works.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, SignalInstance, Slot

from engine.audio import AudioClip
from engine.errors import Message
from engine.transcription import (
    ADVICE,
    INSTALL,
    RATE,
    Heard,
    TranscribeError,
    child_command,
    extra_installed,
    find_model,
    heard_of,
    request_line,
)

MAX_SECONDS = 180.0
MAX_LINE_BYTES = 1 << 20
KEPT_ERRORS = 4000


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether transcription can be used.

    Attributes:
        reason: why not, one sentence; empty when ready.
        advice: how to get it.
        wants_model: nothing but a model is missing, which can be fetched.
    """

    ready: bool
    reason: str = ""
    advice: str = ""
    wants_model: bool = False


@dataclass(frozen=True, slots=True)
class TranscribeProgress:
    """``done_s`` of ``total_s`` seconds were heard (both 0 while the model loads)."""

    done_s: float
    total_s: float
    text: str = ""


class Transcriber(Protocol):
    """What the reference panel needs; the ending is exactly one of the last three signals.

    Signals:
        progressed(TranscribeProgress)
        finished(Transcript), failed(TranscribeError), cancelled()
        heard(Heard): in place of ``finished`` where words were to be scored.
    """

    progressed: SignalInstance
    finished: SignalInstance
    failed: SignalInstance
    cancelled: SignalInstance
    heard: SignalInstance

    @property
    def busy(self) -> bool: ...

    def availability(self) -> Availability: ...

    def start(
        self, clip: AudioClip, language: str | None = None, words: Sequence[str] = ()
    ) -> bool: ...

    def cancel(self) -> None: ...

    def close(self) -> None: ...


class WhisperTranscriber(QObject):
    """Transcribes with faster-whisper in a child process, one clip at a time.

    Attributes:
        model_folder: chosen by the user; ``None`` before.
        command: program and arguments of the child.
        threads: processor threads of the child; 0 lets the library choose.
    """

    progressed = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    heard = Signal(object)

    def __init__(
        self,
        model_folder: Path | None = None,
        *,
        command: list[str] | None = None,
        installed: Callable[[], bool] | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.model_folder = model_folder
        self.command = command or child_command()
        self.threads = min(4, os.cpu_count() or 1)
        self._installed = installed or extra_installed
        self._process: QProcess | None = None
        self._lines = b""
        self._errors = b""
        self._total_s = 0.0
        self._scoring = False

    @property
    def busy(self) -> bool:
        """A clip is being transcribed."""
        return self._process is not None

    def availability(self) -> Availability:
        """Whether it can be used, and if not, how to get there."""
        if not self._installed():
            code = "transcribe.packaged" if getattr(sys, "frozen", False) else "transcribe.absent"
            return Availability(False, Message("transcribe.not_here"), Message(code))
        if self.model_folder is None:
            chosen = Message("transcribe.none_chosen")
            return Availability(False, chosen, Message("transcribe.choose_folder"), True)
        try:
            find_model(self.model_folder)
        except TranscribeError as error:
            return Availability(False, error.detail, error.advice, True)
        return Availability(True)

    def start(
        self, clip: AudioClip, language: str | None = None, words: Sequence[str] = ()
    ) -> bool:
        """Transcribe ``clip``; ``False`` when busy, or when it failed at once and said so.

        Args:
            language: code such as ``en``; ``None`` detects it.
            words: to be looked for in it; then :attr:`heard` tells how well they fit.
        """
        if self.busy:
            return False
        try:
            request = self._request(clip, language, words)
        except TranscribeError as error:
            self.failed.emit(error)
            return False
        process = QProcess(self)
        process.setProcessEnvironment(_environment())
        process.setProgram(self.command[0])
        process.setArguments(self.command[1:])
        process.readyReadStandardOutput.connect(self._on_output)
        process.readyReadStandardError.connect(self._on_errors)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._lines = self._errors = b""
        self._total_s = clip.seconds
        self._scoring = bool(words)
        self._process = process
        self.progressed.emit(TranscribeProgress(0.0, 0.0))
        process.start()
        if self.busy:  # a program that is missing fails at once
            # The input stays open: the child takes its end for the studio's.
            process.write(request)
        return self.busy

    def cancel(self) -> None:
        """End the child now; :attr:`cancelled` follows before this returns."""
        if self.busy:
            self._drop()
            self.cancelled.emit()

    def close(self) -> None:
        """End without a signal, for the end of the program."""
        process = self._process
        self._drop()
        for child in [process, *self.findChildren(QProcess)]:
            if child is not None and child.state() is not QProcess.ProcessState.NotRunning:
                child.waitForFinished(2000)

    def _request(self, clip: AudioClip, language: str | None, words: Sequence[str]) -> bytes:
        if clip.seconds > MAX_SECONDS:
            raise TranscribeError("transcribe.too_long", seconds=clip.seconds, limit=MAX_SECONDS)
        ready = self.availability()
        if not ready.ready or self.model_folder is None:
            raise TranscribeError(ready.reason, ready.advice)
        from engine.audio import downmix, resample

        pcm = resample(downmix(clip.samples).samples, clip.rate, RATE)
        return request_line(find_model(self.model_folder), pcm, language, self.threads, words)

    @Slot()
    def _on_output(self) -> None:
        process = self._process
        if process is None:
            return
        self._lines += process.readAllStandardOutput().data()
        *lines, self._lines = self._lines.split(b"\n")
        if len(self._lines) > MAX_LINE_BYTES:
            self._fail("transcribe.bad_answer")
        for line in lines:
            if self._process is process:
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        try:
            said = json.loads(line)
            kind = said["event"]
            if kind == "listening":
                self._total_s = float(said["seconds"])
                self.progressed.emit(TranscribeProgress(0.0, self._total_s))
            elif kind == "segment":
                end = min(float(said["end"]), self._total_s)
                self.progressed.emit(TranscribeProgress(end, self._total_s, str(said["text"])))
            elif kind == "error":
                self._fail(str(said["detail"]), str(said["kind"]))
            elif kind == "done":
                self._finish(heard_of(said))
        except (ValueError, KeyError, TypeError):
            self._fail("transcribe.bad_answer")

    def _finish(self, heard: Heard) -> None:
        if self._scoring:
            self._drop()
            self.heard.emit(heard)
            return
        if not heard.transcript.text:
            self._fail("transcribe.no_speech")
            return
        self._drop()
        self.finished.emit(heard.transcript)

    @Slot()
    def _on_errors(self) -> None:
        if self._process is not None:
            self._errors += self._process.readAllStandardError().data()
            self._errors = self._errors[-KEPT_ERRORS:]

    @Slot(int, QProcess.ExitStatus)
    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._on_output()
        if self._process is None:
            return
        self._on_errors()
        last = self._errors.decode("utf-8", "replace").strip().splitlines()[-1:]
        reason = f": {last[0][:300]}" if last else ""
        self._fail("transcribe.ended", exit=code, reason=reason)

    @Slot(QProcess.ProcessError)
    def _on_error(self, error: QProcess.ProcessError) -> None:
        """Only a child that cannot start; all other errors end in :meth:`_on_finished`."""
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            self._fail("transcribe.unstarted", reason=self._process.errorString())

    def _fail(self, code: str, kind: str = "", **params: object) -> None:
        if self.busy:
            self._drop()
            advice = ADVICE.get(kind, "transcribe.type_it")
            self.failed.emit(TranscribeError(code, advice, command=INSTALL, **params))

    def _drop(self) -> None:
        """Forget the child and end it; what it still says is not heard."""
        process, self._process = self._process, None
        if process is None:
            return
        process.readyReadStandardOutput.disconnect(self._on_output)
        process.readyReadStandardError.disconnect(self._on_errors)
        process.finished.disconnect(self._on_finished)
        process.errorOccurred.disconnect(self._on_error)
        if process.state() is QProcess.ProcessState.NotRunning:
            process.deleteLater()
            return
        process.finished.connect(process.deleteLater)
        process.kill()


def _environment() -> QProcessEnvironment:
    """The child finds this very copy of the program, speaks UTF-8 and uses no network."""
    environment = QProcessEnvironment.systemEnvironment()
    root = str(Path(__file__).resolve().parents[2])
    path = [root, *filter(None, [environment.value("PYTHONPATH")])]
    environment.insert("PYTHONPATH", os.pathsep.join(path))
    environment.insert("PYTHONUTF8", "1")
    environment.insert("HF_HUB_OFFLINE", "1")
    return environment
