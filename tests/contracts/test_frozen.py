"""What must not change, against the records in ``frozen/``.

A change that is meant is recorded with ``S2_FREEZE=write python -m pytest
tests/contracts/test_frozen.py``; the difference of the records then belongs into the commit.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import frozen_faces
import frozen_speech
import numpy as np
import pytest

import engine
from engine.server.documents import openapi_document

FROZEN = Path(__file__).parent / "frozen"
MODELS = ("tiny-f32", "tiny-f16-projin", "tiny-q8_0", "tiny-kquant")
WRITE = os.environ.get("S2_FREEZE") == "write"


def hold(name: str, text: str, same: Callable[[str], str] = str) -> None:
    """Compare a text with its record, or write the record when asked for."""
    path = FROZEN / name
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert same(text) == same(path.read_text(encoding="utf-8")), f"{name} has changed"


def hold_json(name: str, record: Any) -> None:
    """:func:`hold` for plain data; says each place that differs, sound within rounding."""
    text = frozen_speech.as_json(record)
    if WRITE:
        hold(name, text)
    expected = json.loads((FROZEN / name).read_text(encoding="utf-8"))
    found = list(frozen_speech.differences(json.loads(text), expected))
    assert not found, "\n".join(found)


@pytest.fixture(params=MODELS, scope="module")
def speaker(request: pytest.FixtureRequest, models: Any) -> Iterator[tuple[str, engine.Engine]]:
    """Each golden model in turn, on one thread."""
    path = models.path(request.param)
    with engine.Engine.load(path, models.tokenizer, threads=1) as model:
        yield request.param, model


@pytest.mark.slow
def test_golden_models_say_what_they_said(speaker: tuple[str, engine.Engine]) -> None:
    name, model = speaker
    hold_json(f"speech-{name}.json", frozen_speech.takes_record(model))


def test_codes_and_recordings_give_what_they_gave(
    speaker: tuple[str, engine.Engine], golden_file: Callable[[str], Path]
) -> None:
    name, model = speaker
    folder = golden_file(frozen_speech.RECORDINGS[0]).parent
    hold_json(f"codec-{name}.json", frozen_speech.codec_record(model, folder))


@pytest.mark.parametrize("name", MODELS)
def test_two_threads_say_the_same(models: Any, name: str) -> None:
    expected = json.loads((FROZEN / f"speech-{name}.json").read_text(encoding="utf-8"))
    with engine.Engine.load(models.path(name), models.tokenizer, threads=2) as model:
        for path in ("greedy, two speakers", "segments with history"):
            wish = frozen_speech.requests(model.info)[path]
            found = frozen_speech.take_record(model, wish)
            assert not list(frozen_speech.differences(found, expected[path]))


@pytest.mark.parametrize("name", MODELS)
def test_the_stride_changes_no_code_and_no_sound(name: str) -> None:
    takes = json.loads((FROZEN / f"speech-{name}.json").read_text(encoding="utf-8"))
    first = takes["seeded, voice"]
    same = [first, *(take for path, take in takes.items() if path.startswith("exact"))]
    assert len(same) == 4
    for take in (*same, takes["low latency"], takes["windowed"]):
        assert take["codes"] == first["codes"]
    for take in (*same, takes["low latency"]):
        assert not frozen_speech.different_sound(take["sound"], first["sound"])


def test_public_signatures() -> None:
    hold_json("public-api.json", frozen_faces.public_api())


def test_help_of_every_command() -> None:
    hold("command-help.txt", frozen_faces.command_helps(), frozen_faces.squeezed)


def test_routes_of_the_server() -> None:
    hold_json("http-routes.json", frozen_faces.http_routes(openapi_document()))


def test_settings_with_their_defaults() -> None:
    hold_json("settings.json", frozen_faces.settings_keys())


def test_bytes_of_voices_takes_and_exports(tmp_path: Path) -> None:
    hold_json("files.json", frozen_faces.file_bytes(tmp_path))


def test_a_changed_take_is_noticed() -> None:
    samples = np.linspace(-0.5, 0.5, 4096, dtype=np.float32)
    record = frozen_speech.sound_record(samples)
    near = frozen_speech.sound_record(samples + np.float32(2e-5))
    assert not list(frozen_speech.differences({"x": near}, {"x": record}))
    for other in (samples * np.float32(0.99), samples[:-1], np.roll(samples, 64)):
        found = {"x": frozen_speech.sound_record(other)}
        assert list(frozen_speech.differences(found, {"x": record}))
    one, two = (frozen_speech.codes_record(np.full((2, 3), n)) for n in (1, 2))
    assert list(frozen_speech.differences(one, two)) != []
    assert list(frozen_speech.differences({"a": 1}, {"a": 1, "b": 2})) == ["/b: None is not 2"]
