"""From takes to what is kept of them, and back."""

from __future__ import annotations

import datetime
from dataclasses import replace

import numpy as np

from app.takes.store import TakeFormat, TakeStore
from app.takes.take import Take
from engine.remote.request import RemoteRequest
from engine.takes.archive import SavedTake, TakeEntry
from engine.takes.provenance import Provenance, VoiceMark
from engine.types import Metrics, ModelInfo, Summary, SynthesisRequest

DEFAULT_FRAME = 2048
SERVER_MARK = " @ "


def format_of(info: ModelInfo) -> TakeFormat:
    """Rates and sizes of what a model makes."""
    sizes: tuple[int, ...] = ()
    if info.capabilities.codes:
        sizes = (info.semantic_size, *([info.residual_size] * (info.num_codebooks - 1)))
    return TakeFormat(info.sample_rate, info.samples_per_frame, sizes)


def format_of_provenance(provenance: Provenance) -> TakeFormat:
    """The same from a take's own story."""
    sizes: tuple[int, ...] = ()
    if provenance.codebooks:
        sizes = (
            provenance.code_sizes[0],
            *([provenance.code_sizes[1]] * (provenance.codebooks - 1)),
        )
    return TakeFormat(provenance.sample_rate, provenance.samples_per_frame or DEFAULT_FRAME, sizes)


def provenance_of(take: Take) -> Provenance | None:
    """Everything that made ``take``, with its codes; ``None`` before it has any sound."""
    if take.store.length == 0:
        return None
    runs = take.store.segments()
    pieces = tuple((first, start) for first, _, start in runs) if len(runs) > 1 else ()
    summary = summary_of(take)
    if take.provenance is not None:
        codes = summary.codes if summary.codes.size else None
        return replace(take.provenance, codes=codes, segments=pieces)
    if take.info is None:
        return None
    provenance = Provenance.of(take.request, summary, take.info, take.voice_ids, segments=pieces)
    request = take.request
    if isinstance(request, RemoteRequest) and (request.voice or request.recording is not None):
        # Without this mark, speaking it again would quietly take another voice.
        return replace(provenance, voices=(VoiceMark(take.voice, ""),))
    return provenance


def server_voice(provenance: Provenance) -> str:
    """Name of the voice of a server that spoke a take; empty for any other."""
    if len(provenance.voices) != 1 or provenance.voices[0].sha256:
        return ""
    name, at, _ = provenance.voices[0].id.rpartition(SERVER_MARK)
    return "" if not at or name.startswith("(") else name


def summary_of(take: Take) -> Summary:
    """The engine's summary with the codes of what is there.

    A take that was stopped or failed has those frames whose sound arrived: what the engine
    did afterwards was dropped on the way.
    """
    known, store = take.summary, take.store
    kept = known is not None and known.codes.size == 0  # its codes are in the store
    if (
        known is None
        or known.finish_reason == "cancelled"
        or not (kept or known.codes.shape[1] == store.frames)
    ):
        first, _, start = store.segments()[-1]
        heard = first + max(0, store.length - start) // store.format.samples_per_frame
        codes = np.array(store.codes[:, :heard])
        if known is not None:
            return replace(known, codes=codes, finish_reason="cancelled")
        metrics = Metrics(frames=codes.shape[1], seed=take.seed)
        return Summary(codes, "cancelled", take.seed, metrics)
    if kept and store.frames:
        return replace(known, codes=np.array(store.codes))
    return known


def saved_of(take: Take) -> SavedTake | None:
    """What goes into the archive; ``None`` for a take without sound."""
    provenance = provenance_of(take)
    if provenance is None:
        return None
    return SavedTake(
        provenance=provenance, samples=take.store.samples, rate=take.store.format.sample_rate,
        made=take.made, voice=take.voice, title=take.title, starred=take.starred,
        metrics=summary_of(take).metrics,
    )  # fmt: skip


def take_of_entry(entry: TakeEntry) -> Take | None:
    """A line for a kept take, without its sound; ``None`` for a damaged one."""
    provenance = entry.provenance
    if provenance is None:
        return None
    take = take_of_provenance(provenance, entry.voice, datetime.datetime.fromisoformat(entry.made))
    take.summary = Summary(
        _no_codes(provenance), provenance.finish_reason, provenance.seed, entry.metrics
    )
    take.first_sound_s = entry.metrics.ttfa_ms / 1000 if entry.metrics.ttfa_ms > 0 else None
    take.title, take.starred = entry.title, entry.starred
    take.entry_id, take.loaded, take.kept_seconds = entry.id, False, entry.seconds
    return take


def take_of_provenance(provenance: Provenance, voice: str, made: datetime.datetime) -> Take:
    """An empty take with its provenance; its references are looked up when they are needed."""
    request: SynthesisRequest = provenance.request(())
    return Take(
        0, request, voice, provenance.seed, TakeStore(format_of_provenance(provenance)), made,
        voice_ids=tuple(mark.id for mark in provenance.voices),
        provenance=replace(provenance, codes=None),
    )  # fmt: skip


def fill_from(take: Take, saved: SavedTake) -> None:
    """Give a kept take its sound and codes."""
    codes = saved.provenance.codes
    take.store.fill(saved.samples, codes, list(saved.provenance.segments))
    take.loaded = True
    if codes is not None and take.summary is not None:
        take.summary = replace(take.summary, codes=codes)


def _no_codes(provenance: Provenance) -> np.ndarray:
    return np.empty((provenance.codebooks, 0), np.int32)
