"""A real synthesis is exported, read back, decoded from its codes and spoken again alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.engine import Engine
from engine.takes.archive import SavedTake, TakeArchive
from engine.takes.export import ExportFormat, export_take
from engine.takes.provenance import Provenance, read_provenance
from engine.types import AudioChunk, Sampling, Summary, SynthesisRequest


def speak(engine: Engine, request: SynthesisRequest) -> tuple[np.ndarray, Summary]:
    chunks, summary = [], None
    for event in engine.synthesize(request):
        if isinstance(event, AudioChunk):
            chunks.append(event.samples)
        elif isinstance(event, Summary):
            summary = event
    assert summary is not None
    return np.concatenate(chunks), summary


@pytest.mark.parametrize("kind", [ExportFormat.WAV_FLOAT, ExportFormat.FLAC_24, ExportFormat.OPUS])
def test_a_take_is_made_again_from_its_file(
    models: Any, tmp_path: Path, kind: ExportFormat
) -> None:
    request = SynthesisRequest("Hello there.", sampling=Sampling(max_new_tokens=6))
    with Engine.load(models.path("tiny-f32"), models.tokenizer) as engine:
        sound, summary = speak(engine, request)
        made = Provenance.of(request, summary, engine.info)
        path = export_take(
            tmp_path / "take", sound, engine.info.sample_rate, kind, provenance=made
        ).path
        back = read_provenance(path)
        assert back == made
        assert back.codes is not None
        back.check_codec(engine.info)
        decoded = engine.decode(back.codes)
        assert np.abs(decoded - sound).max() < 1e-5
        again, _ = speak(engine, back.request())
        assert np.array_equal(again, sound)
        archive = TakeArchive(tmp_path / "takes")
        kept = archive.add(SavedTake(back, sound, engine.info.sample_rate)).entry
        assert archive.load(kept.id).provenance == made
