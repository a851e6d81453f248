"""The engine as its clients see it: events, honesty, one job at a time, no leaks."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.cancel import CancelToken
from engine.engine import Engine
from engine.errors import (
    BusyError,
    CancelledError,
    ContextError,
    EngineError,
    ModelFileError,
    ReferenceAudioError,
    RequestError,
    TokenizerError,
    VoiceError,
)
from engine.types import (
    PostProcessing,
    Progress,
    Sampling,
    Segmentation,
    SegmentStart,
    StreamOptions,
    SynthesisRequest,
)
from engine.voices import VoiceProfile

GREEDY = Sampling(top_k=1, max_new_tokens=24, seed=1)
TEXT = "The ferry left late."


def request(text: str = TEXT, **options: Any) -> SynthesisRequest:
    options.setdefault("sampling", GREEDY)
    return SynthesisRequest(text, **options)


def profile(frames: int = 12, rows: int = 10, size: int = 64, rate: int = 44100) -> VoiceProfile:
    codes = np.random.default_rng(5).integers(0, 48, (rows, frames)).astype(np.int32)
    return VoiceProfile("A short word.", codes, rate, size)


def test_events_add_up(tiny_engine: Engine, collect: Any) -> None:
    run = collect(tiny_engine.synthesize(request()))
    frame = tiny_engine.info.samples_per_frame
    assert isinstance(run.events[0], SegmentStart)
    assert [f.index for f in run.frames] == list(range(len(run.frames)))
    np.testing.assert_array_equal(run.codes, run.summary.codes)
    assert len(run.samples) == frame * len(run.frames)
    assert [c.start for c in run.chunks] == list(
        np.cumsum([0, *(len(c.samples) for c in run.chunks[:-1])])
    )
    m = run.summary.metrics
    assert m.frames == m.frames_emitted == m.codec_frames_decoded == len(run.frames)
    assert m.fast_passes == 9 * m.frames
    assert m.audio_s == pytest.approx(len(run.samples) / 44100)
    assert m.prompt_columns == tiny_engine.prompt(request()).shape[1]
    assert 0 < m.ttfa_ms <= m.total_ms
    assert m.seed == run.summary.seed == 1


def test_the_first_chunk_follows_the_first_frame(tiny_engine: Engine, collect: Any) -> None:
    run = collect(tiny_engine.synthesize(request(stream=StreamOptions(stride=4))))
    first_chunk = run.events.index(run.chunks[0])
    assert run.events[:first_chunk].count(run.frames[0]) == 1
    assert run.frames[1] not in run.events[:first_chunk]
    assert [len(c.samples) // 2048 for c in run.chunks] == [1, 4, 4, 4, 4, 4, 3]


def test_events_are_read_only(tiny_engine: Engine, collect: Any) -> None:
    run = collect(tiny_engine.synthesize(request()))
    for array in (run.chunks[0].samples, run.frames[0].codes, run.summary.codes):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


@pytest.mark.parametrize("stride", [1, 4, 7, 16])
@pytest.mark.parametrize("holdback", [0, 5, 100])
def test_stride_and_holdback_never_change_a_sample(
    tiny_engine: Engine, collect: Any, stride: int, holdback: int
) -> None:
    options = StreamOptions(stride=stride, holdback=holdback)
    run = collect(tiny_engine.synthesize(request(stream=options)))
    whole = tiny_engine.decode(run.summary.codes)
    np.testing.assert_allclose(run.samples, whole, atol=1e-5)
    before = [e for e in run.events if e in run.frames][: run.events.index(run.chunks[0])]
    if holdback < 24:
        heard_after = sum(f in run.events[: run.events.index(run.chunks[0])] for f in before)
        assert heard_after == holdback + 1


def test_windowed_mode_comes_near_exact_mode(tiny_engine: Engine, collect: Any) -> None:
    exact = collect(tiny_engine.synthesize(request()))
    windowed = collect(
        tiny_engine.synthesize(request(stream=StreamOptions(decode_mode="windowed", holdback=4)))
    )
    assert len(windowed.samples) == len(exact.samples)
    np.testing.assert_allclose(windowed.samples, exact.samples, atol=0.05)
    figures = windowed.summary.metrics
    assert figures.codec_frames_decoded > 2 * figures.frames


def test_same_seed_same_sound_and_a_fresh_seed_is_reported(
    tiny_engine: Engine, collect: Any
) -> None:
    free = Sampling(max_new_tokens=12, seed=7)
    first = collect(tiny_engine.synthesize(request(sampling=free)))
    collect(tiny_engine.synthesize(request("Something else entirely.")))
    again = collect(tiny_engine.synthesize(request(sampling=free)))
    np.testing.assert_array_equal(first.samples, again.samples)
    drawn = collect(tiny_engine.synthesize(request(sampling=Sampling(max_new_tokens=12))))
    seed = drawn.summary.seed
    repeat = collect(
        tiny_engine.synthesize(request(sampling=Sampling(max_new_tokens=12, seed=seed)))
    )
    np.testing.assert_array_equal(drawn.samples, repeat.samples)


def test_a_cut_at_the_limit_is_said(tiny_engine: Engine, collect: Any) -> None:
    run = collect(tiny_engine.synthesize(request(sampling=Sampling(top_k=1, max_new_tokens=3))))
    assert run.summary.finish_reason == "length"
    assert any("cut at the limit" in w for w in run.summary.warnings)


def test_a_second_request_with_the_same_voice_prefills_only_the_text(
    models: Any, collect: Any
) -> None:
    with Engine.load(models.path("tiny-f32"), models.tokenizer, threads=1) as engine:
        voice = (profile(),)
        first = collect(engine.synthesize(request(references=voice)))
        second = collect(engine.synthesize(request("Another text.", references=voice)))
        whole = first.summary.metrics
        assert whole.prefill_columns == whole.prompt_columns
        saved = second.summary.metrics
        assert saved.prompt_columns - saved.prefill_columns > 12
    with Engine.load(models.path("tiny-f32"), models.tokenizer, threads=1) as fresh:
        alone = collect(fresh.synthesize(request("Another text.", references=voice)))
    np.testing.assert_array_equal(alone.samples, second.samples)


def test_cancel_stops_within_a_frame_and_the_engine_goes_on(
    tiny_engine: Engine, collect: Any
) -> None:
    cancel = CancelToken()
    seen: list[Any] = []
    for event in tiny_engine.synthesize(request(stream=StreamOptions(stride=4)), cancel):
        seen.append(event)
        if sum(type(e).__name__ == "FrameCodes" for e in seen) == 7:
            cancel.cancel()
    frames = [e for e in seen if type(e).__name__ == "FrameCodes"]
    assert len(frames) == 7
    summary = seen[-1]
    assert summary.finish_reason == "cancelled"
    assert summary.codes.shape[1] == summary.metrics.frames_emitted == 5
    assert collect(tiny_engine.synthesize(request())).summary.finish_reason in ("end", "length")


def test_cancel_before_the_start_makes_nothing(tiny_engine: Engine, collect: Any) -> None:
    cancel = CancelToken()
    cancel.cancel()
    run = collect(tiny_engine.synthesize(request(), cancel))
    assert run.summary.finish_reason == "cancelled"
    assert not run.frames


def test_closing_the_generator_frees_the_engine(tiny_engine: Engine, collect: Any) -> None:
    events = tiny_engine.synthesize(request())
    for event in events:
        if type(event).__name__ == "FrameCodes":
            break
    with pytest.raises(BusyError):
        tiny_engine.decode(np.zeros((10, 1), np.int32))
    events.close()
    assert collect(tiny_engine.synthesize(request())).frames


def test_one_job_at_a_time(tiny_engine: Engine, collect: Any) -> None:
    events = tiny_engine.synthesize(request())
    next(events)
    errors: list[BaseException] = []

    def other() -> None:
        try:
            list(tiny_engine.synthesize(request()))
        except BusyError as error:
            errors.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert len(errors) == 1
    assert collect(events).summary.finish_reason in ("end", "length")


@pytest.mark.parametrize("text", ["", "  ", "\n\t", "\u200b\ufeff"])
def test_nothing_to_say_is_said(tiny_engine: Engine, text: str) -> None:
    with pytest.raises(RequestError, match="empty"):
        list(tiny_engine.synthesize(request(text)))


@pytest.mark.parametrize("text", ["…", "[pause]", "Bye", "***", "a"])
def test_odd_little_texts_work(tiny_engine: Engine, collect: Any, text: str) -> None:
    at_least_one = Sampling(top_k=1, max_new_tokens=4, min_tokens_before_end=1)
    assert collect(tiny_engine.synthesize(request(text, sampling=at_least_one))).frames


def test_a_text_beyond_the_context_names_both_numbers(tiny_engine: Engine) -> None:
    with pytest.raises(ContextError, match=r"\d+ columns"):
        list(tiny_engine.synthesize(request("word " * 3000)))


@pytest.mark.parametrize(
    ("voice", "field"),
    [
        (profile(rows=9), "codebooks"),
        (profile(size=4096), "codebook"),
        (profile(rate=22050), "rate"),
    ],
)
def test_a_voice_of_another_model_is_refused(
    tiny_engine: Engine, voice: VoiceProfile, field: str
) -> None:
    with pytest.raises(VoiceError, match="incompatible") as error:
        list(tiny_engine.synthesize(request(references=(voice,))))
    assert field in str(error.value)


@pytest.mark.parametrize("transcript", ["", "  ", "\n", "\u200b"])
def test_a_clip_without_transcript_never_becomes_another_voice(
    tiny_engine: Engine, golden_file: Any, transcript: str
) -> None:
    with pytest.raises(ReferenceAudioError, match="transcript"):
        tiny_engine.encode_reference(golden_file("ref-mono-44k1.flac"), transcript)


def test_a_reference_is_encoded_once_and_by_content(
    tiny_engine: Engine, golden_file: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import soundfile

    parts = tiny_engine._parts
    assert parts is not None
    calls: list[int] = []
    encode = parts.codec.encode
    monkeypatch.setattr(
        parts.codec, "encode", lambda pcm, **o: calls.append(len(pcm)) or encode(pcm, **o)
    )
    samples, rate = soundfile.read(golden_file("ref-mono-44k1.flac"), dtype="float32")
    clip = tmp_path / "clip.wav"
    soundfile.write(clip, samples[:50_000], rate, subtype="FLOAT")
    first = tiny_engine.encode_reference(clip, "One.")
    second = tiny_engine.encode_reference(clip, "Two.")
    np.testing.assert_array_equal(first.codes, second.codes)
    assert second.transcript == "Two."
    assert len(calls) == 1
    soundfile.write(clip, samples[50_000:100_000], rate, subtype="FLOAT")
    third = tiny_engine.encode_reference(clip, "One.")
    assert len(calls) == 2
    assert not np.array_equal(first.codes, third.codes)


def test_out_of_memory_fails_one_job_only(
    tiny_engine: Engine, collect: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = tiny_engine._parts
    assert parts is not None

    def full(*_args: object, **_options: object) -> np.ndarray:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(parts.codec, "decode", full)
        with pytest.raises(EngineError, match="out of memory on cpu while decoding"):
            tiny_engine.decode(np.zeros((10, 1), np.int32))
    assert collect(tiny_engine.synthesize(request())).frames


def test_segments_are_spoken_one_by_one(tiny_engine: Engine, collect: Any) -> None:
    text = "One ferry left. Two came back. Then night fell."
    options = Segmentation(sentences=True, pause_ms=100)
    run = collect(tiny_engine.synthesize(request(text, segmentation=options)))
    starts = [e for e in run.events if isinstance(e, SegmentStart)]
    assert [s.text for s in starts] == ["One ferry left.", "Two came back.", "Then night fell."]
    assert [s.index for s in starts] == [0, 1, 2]
    for start in starts[1:]:
        pause = run.samples[start.start - 4410 : start.start]
        assert not pause.any()
    assert run.summary.metrics.segments == 3
    assert {f.segment for f in run.frames} == {0, 1, 2}
    alone = collect(tiny_engine.synthesize(request("One ferry left.")))
    np.testing.assert_array_equal(
        alone.codes, np.stack([f.codes for f in run.frames if f.segment == 0], axis=1)
    )


def test_render_applies_what_is_asked_for(tiny_engine: Engine) -> None:
    plain = tiny_engine.render(request())
    loud = tiny_engine.render(request(post=PostProcessing(normalize=True)))
    assert len(plain.samples) == 2048 * plain.summary.codes.shape[1]
    assert np.abs(loud.samples).max() == pytest.approx(0.95, abs=1e-4)


def test_loading_reports_steps_and_can_be_stopped(models: Any) -> None:
    steps: list[Progress] = []
    cancel = CancelToken()

    def progress(event: Progress) -> None:
        steps.append(event)
        if event.done == 2:
            cancel.cancel()

    with pytest.raises(CancelledError):
        Engine.load(models.path("tiny-f32"), models.tokenizer, progress=progress, cancel=cancel)
    assert [s.done for s in steps] == [0, 1, 2]


def test_a_closed_engine_says_so(models: Any) -> None:
    engine = Engine.load(models.path("tiny-q8_0"), models.tokenizer)
    engine.close()
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        list(engine.synthesize(request()))


def test_what_is_wrong_with_the_files_is_said(models: Any, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="nothing-here"):
        Engine.load(tmp_path / "nothing-here.gguf")
    alone = tmp_path / "deep" / "alone" / "model.gguf"
    alone.parent.mkdir(parents=True)
    alone.write_bytes(Path(models.path("tiny-f32")).read_bytes())
    with pytest.raises(TokenizerError, match="tokenizer") as error:
        Engine.load(alone)
    assert str(alone.parent) in str(error.value)
