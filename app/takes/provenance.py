"""From takes to what is kept of them, and back."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.audio.peaks import Peaks
from app.takes.store import TakeFormat, TakeStore
from app.takes.take import Origin, Result, Take
from engine.remote import RemoteRequest
from engine.takes import Provenance, SavedTake, TakeEntry, VoiceMark
from engine.text import pause_seconds, plan_speech
from engine.types import Metrics, ModelInfo, Summary

DEFAULT_FRAME = 2048
SERVER_MARK = " @ "


def format_of(info: ModelInfo) -> TakeFormat:
    """Rates and sizes of what a model makes."""
    sizes: tuple[int, ...] = ()
    if info.capabilities.codes:
        sizes = (info.semantic_size, *([info.residual_size] * (info.num_codebooks - 1)))
    return TakeFormat(info.sample_rate, info.samples_per_frame, sizes)


def format_of_provenance(provenance: Provenance) -> TakeFormat:
    """The same from a take's own provenance."""
    sizes: tuple[int, ...] = ()
    if provenance.codebooks:
        sizes = (
            provenance.code_sizes[0],
            *([provenance.code_sizes[1]] * (provenance.codebooks - 1)),
        )
    return TakeFormat(provenance.sample_rate, provenance.samples_per_frame or DEFAULT_FRAME, sizes)


def provenance_of(take: Take) -> Provenance | None:
    """Everything that made ``take``, with its codes; ``None`` before it has any sound."""
    origin, store = take.origin, take.store
    if store.length == 0:
        return None
    parts = store.segments()
    segments = tuple((s.first, s.start) for s in parts) if len(parts) > 1 else ()
    if origin.provenance is not None:
        codes = np.array(store.codes) if store.codes.size else None
        return replace(origin.provenance, codes=codes, segments=segments)
    if origin.info is None:
        return None
    request, summary = origin.request, summary_of(take)
    provenance = Provenance.of(request, summary, origin.info, origin.voice_ids, segments=segments)
    if isinstance(request, RemoteRequest) and (request.voice or request.recording is not None):
        # Without this mark, speaking it again would quietly take another voice.
        return replace(provenance, voices=(VoiceMark(origin.voice, ""),))
    return provenance


def server_voice(provenance: Provenance) -> str:
    """Name of the voice of a server that spoke a take; empty for any other."""
    if len(provenance.voices) != 1 or provenance.voices[0].sha256:
        return ""
    name, at, _ = provenance.voices[0].id.rpartition(SERVER_MARK)
    return "" if not at or name.startswith("(") else name


def summary_of(take: Take) -> Summary:
    """What the engine said, with the codes of what is there.

    A take of this run that was stopped or failed has those frames whose sound arrived: what
    the engine did afterwards was dropped on the way.
    """
    result, store, seed = take.result, take.store, take.origin.seed
    whole = (
        take.origin.provenance is not None
        or not store.format.code_sizes
        or (result is not None and result.metrics.frames == store.frames)
    )
    if result is not None and result.finish_reason != "cancelled" and whole:
        codes = np.array(store.codes)
        return Summary(codes, result.finish_reason, seed, result.metrics, result.warnings)
    last = store.segments()[-1]
    heard = last.first + max(0, store.length - last.start) // store.format.samples_per_frame
    codes = np.array(store.codes[:, :heard])
    if result is not None:
        return Summary(codes, "cancelled", seed, result.metrics, result.warnings)
    return Summary(codes, "cancelled", seed, Metrics(frames=codes.shape[1], seed=seed))


def saved_of(take: Take) -> SavedTake | None:
    """What goes into the archive; ``None`` for a take without sound."""
    provenance = provenance_of(take)
    if provenance is None:
        return None
    return SavedTake(
        provenance=provenance, samples=take.store.samples, rate=take.store.format.sample_rate,
        made=take.origin.made, voice=take.origin.voice, title=take.title, starred=take.starred,
        metrics=summary_of(take).metrics, group=take.group, part=take.part,
    )  # fmt: skip


def take_of_entry(entry: TakeEntry) -> Take | None:
    """A line for a kept take, without its sound; ``None`` for a damaged one."""
    provenance = entry.provenance
    if provenance is None:
        return None
    take = take_of_provenance(provenance, entry.voice, datetime.datetime.fromisoformat(entry.made))
    take.result = Result(provenance.finish_reason, entry.metrics)
    take.title, take.starred = entry.title, entry.starred
    take.entry_id, take.kept_s = entry.id, entry.seconds
    take.group, take.part = entry.group, entry.part
    return take


def take_of_provenance(provenance: Provenance, voice: str, made: datetime.datetime) -> Take:
    """An empty take with its provenance; its references are looked up when they are needed."""
    origin = Origin(
        provenance.request(()), voice, provenance.seed, made,
        voice_ids=tuple(mark.id for mark in provenance.voices),
        provenance=replace(provenance, codes=None),
    )  # fmt: skip
    return Take(origin, TakeStore(format_of_provenance(provenance)))


def fill_from(take: Take, saved: SavedTake, peaks: Peaks) -> None:
    """Give a kept take its sound and codes."""
    fill(take, saved.samples, saved.provenance.codes, saved.provenance.segments, peaks)
    take.kept_s = None


def fill(
    take: Take,
    samples: np.ndarray,
    codes: np.ndarray | None,
    segments: Sequence[tuple[int, int]],
    peaks: Peaks,
) -> None:
    """Give a take from elsewhere its sound; files tell where segments begin, not their words."""
    request, texts = take.origin.request, list[str]()
    options, pauses = request.segmentation, pause_seconds(request.text)
    if options.sentences or pauses:
        plan = plan_speech(request.text, sentences=options.sentences, max_chars=options.max_chars)
        texts = plan.texts
    known = len(segments) <= len(texts)  # a model that speaks short texts only splits finer
    texts = texts[: max(1, len(segments))] if known else []
    take.store.fill(samples, codes, segments, texts, peaks)
