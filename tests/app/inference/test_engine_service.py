"""Queue, states, stop and shutdown of the engine service, with a fake engine."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject, QThread, Signal
from pytestqt.qtbot import QtBot
from studio_fakes import CODEBOOKS, FRAME, RATE, FakeEngine, FakeLoader, frame_samples, pace

from app.inference.jobs import (
    DecodeJob,
    EncodeJob,
    Ending,
    LoadJob,
    LoadOptions,
    Outcome,
    ServeJob,
    SynthesisJob,
    Work,
)
from app.inference.service import (
    TRANSITIONS,
    EngineService,
    EngineState,
    IllegalTransitionError,
    JobHandle,
)
from app.inference.worker import PROGRESS_INTERVAL, ProgressGate
from engine.audio.clip import AudioClip
from engine.cancel import CancelToken
from engine.errors import GenerationError, ModelFileError
from engine.types import AudioChunk, Progress, Sampling, SynthesisRequest

LOAD = LoadJob(LoadOptions(Path("fake.gguf")))


class Log(QObject):
    """Everything that a service said, in order."""

    def __init__(self, service: EngineService) -> None:
        super().__init__()
        self.states: list[EngineState] = []
        self.events: list[tuple[int, object]] = []
        self.ended: list[tuple[int, Outcome]] = []
        service.state_changed.connect(self.states.append)

    def follow(self, job: JobHandle) -> JobHandle:
        """Write down what becomes of ``job``."""
        job.happened.connect(lambda event: self.events.append((job.id, event)))
        job.progress.connect(lambda event: self.events.append((job.id, event)))
        job.ended.connect(lambda outcome: self.ended.append((job.id, outcome)))
        return job

    def outcome(self, job: JobHandle) -> Outcome:
        found = [o for i, o in self.ended if i == job.id]
        assert len(found) == 1, "exactly one terminal message a job"
        assert found[0] is job.outcome
        return found[0]

    def has_ended(self, job: JobHandle) -> bool:
        return any(i == job.id for i, _ in self.ended)


class Kit:
    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.engine = FakeEngine()
        self.loader = FakeLoader(self.engine)
        self.service = EngineService(self.loader)
        self.log = Log(self.service)

    def submit(self, work: Work) -> JobHandle:
        return self.log.follow(self.service.submit(work))

    def wait(self, job: JobHandle) -> Outcome:
        self.qtbot.waitUntil(lambda: self.log.has_ended(job), timeout=10_000)
        return self.log.outcome(job)

    def load(self) -> None:
        assert self.wait(self.submit(LOAD)).ending is Ending.DONE


@pytest.fixture
def kit(qtbot: QtBot) -> Iterator[Kit]:
    made = Kit(qtbot)
    yield made
    assert made.service.shutdown()


def request(seed: int = 1) -> SynthesisRequest:
    return SynthesisRequest("Hello.", sampling=Sampling(seed=seed))


def samples_of(log: Log, job: JobHandle) -> np.ndarray:
    chunks = [e for i, e in log.events if i == job.id and isinstance(e, AudioChunk)]
    return np.concatenate([c.samples for c in chunks]) if chunks else np.zeros(0, np.float32)


def test_a_load_and_a_take_pass_through_the_states(kit: Kit) -> None:
    kit.load()
    job = kit.submit(SynthesisJob(request()))
    assert kit.wait(job).ending is Ending.DONE
    s = EngineState
    assert kit.log.states == [s.LOADING, s.READY, s.BUSY, s.READY]
    expected = np.concatenate([frame_samples(i, 1) for i in range(kit.engine.frames)])
    assert np.array_equal(samples_of(kit.log, job), expected)


def test_the_terminal_message_comes_after_the_last_chunk(kit: Kit) -> None:
    kit.load()
    seen: list[str] = []
    job = kit.submit(SynthesisJob(request()))
    job.happened.connect(lambda event: seen.append("event"))
    job.ended.connect(lambda outcome: seen.append("ended"))
    kit.wait(job)
    assert seen[-1] == "ended"
    assert seen.count("ended") == 1


def test_jobs_wait_in_order(kit: Kit) -> None:
    kit.load()
    jobs = [kit.submit(SynthesisJob(request(seed))) for seed in (1, 2, 3)]
    for job in jobs:
        kit.wait(job)
    assert [r.sampling.seed for r in kit.engine.requests] == [1, 2, 3]


def test_a_failed_load_keeps_the_model_that_works(kit: Kit) -> None:
    kit.load()
    kit.loader.error = ModelFileError("not a GGUF file")
    outcome = kit.wait(kit.submit(LOAD))
    assert outcome.ending is Ending.FAILED
    assert isinstance(outcome.error, ModelFileError)
    assert kit.service.state is EngineState.READY
    assert not kit.engine.closed


def test_a_failed_first_load_can_be_tried_again(kit: Kit) -> None:
    kit.loader.error = ModelFileError("not a GGUF file")
    kit.wait(kit.submit(LOAD))
    assert kit.service.state is EngineState.FAILED
    kit.loader.error = None
    kit.load()
    assert kit.service.state is EngineState.READY


def test_a_take_without_a_model_fails_with_advice(kit: Kit) -> None:
    outcome = kit.wait(kit.submit(SynthesisJob(request())))
    assert isinstance(outcome.error, GenerationError)
    assert outcome.error.advice
    assert kit.service.state is EngineState.UNLOADED


def test_an_error_in_the_middle_ends_the_job_only(kit: Kit) -> None:
    kit.load()
    kit.engine.fail_at, kit.engine.error = 3, GenerationError("out of memory")
    outcome = kit.wait(kit.submit(SynthesisJob(request())))
    assert outcome.ending is Ending.FAILED
    kit.engine.fail_at = None
    assert kit.wait(kit.submit(SynthesisJob(request()))).ending is Ending.DONE


def test_a_foreign_exception_becomes_an_error_for_the_user(
    kit: Kit, caplog: pytest.LogCaptureFixture
) -> None:
    kit.load()
    kit.engine.wait = lambda index, cancel: [][1]
    outcome = kit.wait(kit.submit(SynthesisJob(request())))
    assert isinstance(outcome.error, GenerationError)
    assert "IndexError" in outcome.error.detail


@pytest.mark.parametrize("phase", ["load", "prefill", "first", "middle"])
def test_stop_works_in_each_phase(kit: Kit, phase: str) -> None:
    reached = threading.Event()

    def block(index: int, cancel: CancelToken, here: bool = False) -> None:
        if here or index == {"first": 0, "middle": 7}.get(phase):
            reached.set()
            cancel._event.wait(10)

    if phase == "load":
        kit.loader.gate = threading.Event()
        job = kit.submit(LOAD)
        kit.qtbot.waitUntil(lambda: bool(kit.loader.options))
    else:
        kit.load()
        kit.engine.wait = block
        if phase == "prefill":
            kit.engine.prefill_wait = lambda cancel: block(0, cancel, True)
        job = kit.submit(SynthesisJob(request()))
        kit.qtbot.waitUntil(reached.is_set)
    kit.service.cancel_current()
    assert kit.service.state is EngineState.CANCELLING
    assert kit.wait(job).ending is Ending.CANCELLED
    kit.loader.gate = None
    kit.engine.wait = lambda index, cancel: None
    kit.engine.prefill_wait = lambda cancel: None
    if phase == "load":
        assert kit.service.state is EngineState.UNLOADED
        kit.load()
    assert kit.wait(kit.submit(SynthesisJob(request(2)))).ending is Ending.DONE


KINDS: dict[str, Callable[[], Work]] = {
    "take": lambda: SynthesisJob(request()),
    "another program": lambda: ServeJob(request()),
    "a voice heard": lambda: DecodeJob(np.zeros((CODEBOOKS, 2), np.int32)),
    "a voice made": lambda: EncodeJob(
        AudioClip(np.zeros((9 * FRAME, 1), np.float32), RATE), "Hello."
    ),
}


@pytest.mark.parametrize("whose", ["running", "queued"])
@pytest.mark.parametrize("queued", KINDS)
@pytest.mark.parametrize("running", [kind for kind in KINDS if kind != "a voice heard"])
def test_a_cancel_ends_one_job_and_no_other(
    kit: Kit, running: str, queued: str, whose: str
) -> None:
    """Each feature stops its own job: what others queued is made all the same."""
    kit.load()
    gate = threading.Event()

    def wait(index: int, cancel: CancelToken) -> None:
        while index >= 1 and not gate.is_set() and not cancel.cancelled:
            gate.wait(0.001)

    kit.engine.wait = wait
    jobs = [kit.submit(KINDS[kind]()) for kind in (running, queued, "a voice heard")]
    if whose == "running":
        kit.service.cancel_current()
        assert kit.service.state is EngineState.CANCELLING
    else:
        jobs[1].cancel()
        assert kit.log.outcome(jobs[1]).ending is Ending.CANCELLED, "it ends at once"
        assert kit.service.state is EngineState.BUSY
    gate.set()
    endings = [kit.wait(job).ending for job in jobs]
    expected = [Ending.DONE] * 3
    expected[whose == "queued"] = Ending.CANCELLED
    assert endings == expected
    jobs[0].cancel()
    assert kit.service.state is EngineState.READY, "a job that has ended is not stopped again"


def test_a_job_that_cannot_begin_ends_after_it_was_handed_over(kit: Kit) -> None:
    job = kit.service.submit(SynthesisJob(request()))
    assert job.outcome is None
    assert kit.wait(kit.log.follow(job)).ending is Ending.FAILED


def test_a_sink_hears_all_of_its_job_in_the_thread_of_the_engine(kit: Kit) -> None:
    kit.load()
    heard: list[tuple[str, object]] = []

    def sink(item: object) -> None:
        heard.append((QThread.currentThread().objectName(), item))

    job = kit.log.follow(kit.service.submit(ServeJob(request()), sink=sink))
    outcome = kit.wait(job)
    kit.qtbot.waitUntil(lambda: len(heard) > 2 * kit.engine.frames)
    assert {thread for thread, _ in heard} == {"engine"}
    assert heard[-1][1] is outcome
    assert all(isinstance(event, Progress) for i, event in kit.log.events if i == job.id)


@pytest.mark.slow
def test_nothing_of_a_stopped_take_comes_later(kit: Kit) -> None:
    """200 rounds of start, stop, start at random moments: the next take is always whole."""
    kit.load()
    kit.engine.frames = 6
    rng = random.Random(7)
    wanted: dict[int, int] = {}
    for round_ in range(200):
        kit.engine.wait = pace(rng.choice([0, 0, 0.0005, 0.002]))
        job = kit.submit(SynthesisJob(request(round_)))
        stop_after = rng.randrange(0, 8)
        kit.qtbot.waitUntil(
            lambda job=job, n=stop_after: (
                kit.log.has_ended(job) or len(samples_of(kit.log, job)) >= n * FRAME
            )
        )
        kit.service.cancel_current()
        count = len(kit.log.events)
        whole = kit.submit(SynthesisJob(request(1000 + round_)))
        kit.wait(whole)
        late = [i for i, _ in kit.log.events[count:] if i == job.id]
        assert not late
        wanted[whole.id] = 1000 + round_
        expected = np.concatenate([frame_samples(i, 1000 + round_) for i in range(6)])
        assert np.array_equal(samples_of(kit.log, whole), expected)
    assert len(kit.log.ended) == 401


def test_stale_messages_are_dropped(kit: Kit) -> None:
    kit.load()
    kit.wait(kit.submit(SynthesisJob(request())))
    before = len(kit.log.events), len(kit.log.ended)
    kit.service._on_event(1, Progress("load", 1, 1))
    kit.service._on_ended(Outcome(1, Ending.DONE))
    assert (len(kit.log.events), len(kit.log.ended)) == before


def test_illegal_transitions_raise(kit: Kit) -> None:
    for state, allowed in TRANSITIONS.items():
        for target in EngineState:
            kit.service.state = state
            if target in allowed:
                kit.service._go(target)
            else:
                with pytest.raises(IllegalTransitionError):
                    kit.service._go(target)
    kit.service.state = EngineState.UNLOADED


def test_shutdown_says_when_the_engine_is_stuck(qtbot: QtBot) -> None:
    loader = FakeLoader()
    loader.gate, loader.deaf = threading.Event(), True
    service = EngineService(loader)
    service.submit(LOAD)
    qtbot.waitUntil(lambda: bool(loader.options))
    assert not service.shutdown(timeout_ms=50)
    loader.gate.set()
    assert service.shutdown(timeout_ms=5000)


def test_shutdown_drops_the_model(qtbot: QtBot) -> None:
    kit = Kit(qtbot)
    kit.load()
    assert kit.service.shutdown()
    assert kit.engine.closed
    with pytest.raises(RuntimeError):
        kit.submit(LOAD)


def test_progress_is_throttled_at_the_source() -> None:
    now = [0.0]
    gate = ProgressGate(lambda: now[0])
    passed = []
    for step in range(1000):
        now[0] = step / 1000
        passed.append(gate.passes(Progress("generate", step, 1000)))
    assert sum(passed) <= 1 / PROGRESS_INTERVAL + 1
    assert passed[0]
    assert gate.passes(Progress("generate", 1000, 1000)), "the last one always passes"
    assert gate.passes(Progress("decode", 1, 1000)), "a new stage always passes"


class Emitter(QObject):
    fired = Signal(bool)


def test_emitting_does_not_eat_references_of_true(qtbot: QtBot) -> None:
    """Some releases of PySide6 drop a reference of ``True`` at each emit and abort later."""
    emitter = Emitter()
    seen = []
    emitter.fired.connect(seen.append)
    before = sys.getrefcount(True)
    for _ in range(100):
        emitter.fired.emit(True)
    after = sys.getrefcount(True)
    assert after >= before - 5
