"""The only caller of the engine; lives in the engine thread and holds at most one job.

torch is imported here, in that thread, with the first load: the window is there before.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from app.inference.backends import BackendProbe, no_probe
from app.inference.jobs import (
    BatchJob,
    ConnectJob,
    Connector,
    DecodeJob,
    DisconnectJob,
    EncodeJob,
    Ending,
    Job,
    Loader,
    LoadJob,
    LoadOptions,
    Outcome,
    Part,
    ServeJob,
    SynthesisJob,
    VoiceJob,
    WarmJob,
)
from engine.audio import AudioClip
from engine.cancel import CancelToken
from engine.errors import CancelledError, EngineError, GenerationError
from engine.machine import read_ahead, settle
from engine.remote import RemoteOptions
from engine.synthesis import EngineLike
from engine.types import Progress, Summary
from engine.voices import VoiceProfile

log = logging.getLogger(__name__)

PROGRESS_INTERVAL = 1 / 20


def load_real_engine(
    options: LoadOptions, progress: Callable[[Progress], None], cancel: CancelToken
) -> EngineLike:
    """Load :class:`engine.engine.Engine`; imports torch."""
    read_ahead(options.model)
    from engine.engine import Engine

    engine = Engine.load(
        options.model,
        options.tokenizer,
        device=options.device,
        codec_policy=options.codec_policy,
        arithmetic=options.arithmetic,
        voice_cache_mb=options.voice_cache_mb,
        gpu_layers=options.gpu_layers,
        threads=options.threads,
        progress=progress,
        cancel=cancel,
    )
    settle()
    return engine


def connect_real_server(
    options: RemoteOptions, local: EngineLike | None, cancel: CancelToken
) -> EngineLike:
    """Connect :class:`engine.remote.engine.RemoteEngine`; imports the HTTP library."""
    from engine.remote import RemoteEngine

    return RemoteEngine.connect(options, local=local, cancel=cancel)


class ProgressGate:
    """Lets through at most 20 progress events a second, and each stage's first and last."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage = ""
        self._last = 0.0

    def passes(self, progress: Progress) -> bool:
        """True when the window shall hear of it."""
        now = self._clock()
        final = progress.total > 0 and progress.done >= progress.total
        if progress.stage == self._stage and now - self._last < PROGRESS_INTERVAL and not final:
            return False
        self._stage, self._last = progress.stage, now
        return True


class EngineWorker(QObject):
    """Runs jobs one after the other in the thread that it was moved to.

    Signals:
        reported(job_id, object): something the engine reported; arrays in it are read-only.
        ended(object): the :class:`Outcome`, exactly once a job, after its last event.
        backends_probed(object): the list of :class:`BackendFact`.
    """

    reported = Signal(int, object)
    ended = Signal(object)
    backends_probed = Signal(object)

    def __init__(
        self,
        loader: Loader,
        probe_backends: BackendProbe = no_probe,
        connector: Connector = connect_real_server,
    ) -> None:
        super().__init__()
        self._loader = loader
        self._survey = probe_backends
        self._connector = connector
        self._local: EngineLike | None = None
        self._remote: EngineLike | None = None

    @property
    def _engine(self) -> EngineLike | None:
        """What speaks now."""
        return self._remote or self._local

    @Slot(object)
    def run(self, job: Job) -> None:
        """Do ``job``; whatever goes wrong becomes its outcome, never an exception."""
        try:
            outcome = self._finish(job, Ending.DONE, self._do(job))
        except CancelledError:
            outcome = self._finish(job, Ending.CANCELLED)
        except EngineError as error:
            outcome = self._finish(job, Ending.FAILED, error=error)
        except Exception as error:
            log.exception("job %s failed", job.id)
            wrapped = GenerationError("program.fault", kind=type(error).__name__, reason=error)
            outcome = self._finish(job, Ending.FAILED, error=wrapped)
        self.ended.emit(outcome)
        if job.sink is not None:  # after the window: what it asks next finds the engine free
            job.sink(outcome)

    @Slot()
    def probe_backends(self) -> None:
        """Try the backends; a fault leaves the list as it is known without torch."""
        try:
            self.backends_probed.emit(self._survey())
        except Exception:
            log.exception("the backends cannot be tried")

    @Slot()
    def close(self) -> None:
        """Drop the model and the server."""
        self._leave()
        engine, self._local = self._local, None
        if engine is not None:
            engine.close()

    def _leave(self) -> None:
        server, self._remote = self._remote, None
        if server is not None:
            server.close()

    def _finish(
        self, job: Job, ending: Ending, value: object = None, error: EngineError | None = None
    ) -> Outcome:
        if isinstance(value, Summary) and value.finish_reason == "cancelled":
            ending = Ending.CANCELLED
        return Outcome(job.id, ending, value, error, self._engine is not None)

    def _do(self, job: Job) -> object:
        job.cancel.raise_if_cancelled()
        if isinstance(job.work, LoadJob):
            return self._load(job, job.work.options)
        if isinstance(job.work, ConnectJob):
            return self._connect(job, job.work.options)
        if isinstance(job.work, DisconnectJob):
            self._leave()
            return self._local.info if self._local is not None else None
        engine = self._engine
        if engine is None:
            raise GenerationError("model.none")
        if isinstance(job.work, SynthesisJob | ServeJob):
            return self._synthesize(job, engine, job.work)
        if isinstance(job.work, BatchJob):
            return self._synthesize_many(job, engine, job.work)
        on_progress = self._progress_of(job)
        if isinstance(job.work, WarmJob):
            for event in engine.warm_up(job.work.voices, job.cancel):
                if isinstance(event, Progress):
                    on_progress(event)
            return None
        if isinstance(job.work, DecodeJob):
            return engine.decode(job.work.codes, cancel=job.cancel, on_progress=on_progress)
        if isinstance(job.work, VoiceJob):
            return self._make_voice(job, engine, job.work)
        work: EncodeJob = job.work
        return engine.encode_reference(
            work.audio, work.transcript, cancel=job.cancel, on_progress=on_progress
        )

    def _make_voice(self, job: Job, engine: EngineLike, work: VoiceJob) -> object:
        from engine.voices import make_voice, most_seconds

        def encode(clip: AudioClip, text: str) -> VoiceProfile:
            return engine.encode_reference(
                clip, text, cancel=job.cancel, on_progress=self._progress_of(job)
            )

        info = engine.info
        limit = most_seconds(info.context_length, 1 / info.frame_rate if info.frame_rate else 0)
        return make_voice(encode, work.clips, limit)

    def _load(self, job: Job, options: LoadOptions) -> object:
        """Weights on a CPU are mapped files, so two fit at once and a file that turns out to
        be bad does not cost the model that works. On an accelerator the old one goes first."""
        if options.device != "cpu":
            self.close()
        fresh = self._loader(options, self._progress_of(job), job.cancel)
        if job.cancel.cancelled:
            fresh.close()
            raise CancelledError()
        self.close()
        self._local = fresh
        return fresh.info

    def _connect(self, job: Job, options: RemoteOptions) -> object:
        """A server that does not answer does not cost what spoke before."""
        fresh = self._connector(options, self._local, job.cancel)
        self._leave()
        self._remote = fresh
        return fresh.info

    def _synthesize(self, job: Job, engine: EngineLike, work: SynthesisJob | ServeJob) -> object:
        gate = ProgressGate()
        summary: object = None
        for event in engine.synthesize(work.request, job.cancel):
            if isinstance(event, Summary):
                summary = event
            elif isinstance(event, Progress):
                if gate.passes(event):
                    self.reported.emit(job.id, event)
            elif job.sink is not None:
                job.sink(event)
            else:
                self.reported.emit(job.id, event)
        return summary

    def _synthesize_many(self, job: Job, engine: EngineLike, work: BatchJob) -> object:
        gate, cancels = ProgressGate(), [job.cancel] * len(work.requests)
        for index, event in engine.synthesize_many(work.requests, cancels):
            if not isinstance(event, Progress):
                self.reported.emit(job.id, Part(index, event))
            elif gate.passes(event):
                self.reported.emit(job.id, event)
        job.cancel.raise_if_cancelled()
        return None

    def _progress_of(self, job: Job) -> Callable[[Progress], None]:
        gate = ProgressGate()

        def report(progress: Progress) -> None:
            if gate.passes(progress):
                self.reported.emit(job.id, progress)

        return report
