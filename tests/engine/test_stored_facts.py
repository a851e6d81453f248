"""Stored facts beside their content: archives, codes, exported files, requests, settings, lists."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from export_kit import a_provenance, speech
from server_kit import client_of, serving, short

from engine.audio.encode import ExportFormat
from engine.cli import main
from engine.engine import Engine
from engine.errors import EngineError
from engine.storage.strict_json import parse_object
from engine.takes.export import export_take
from engine.takes.files import load_codes
from engine.takes.provenance import Provenance, read_provenance


def archived(folder: Path) -> tuple[Any, str, Path]:
    """An archive with one take, the take's name, and its folder."""
    from engine.takes.archive import SavedTake, TakeArchive

    archive = TakeArchive(folder)
    take = SavedTake(provenance=a_provenance(), samples=speech(), rate=44100)
    added = archive.add(take)
    return archive, added.entry.id, folder / added.entry.id


@pytest.mark.parametrize(
    ("name", "value"),
    [("samples", 10), ("samples", 88200), ("rate", 22050), ("rate", 48000), ("rate", 0)],
)
def test_an_archived_take_whose_facts_lie_is_damaged(tmp_path: Path, name: str, value: int) -> None:
    archive, take_id, place = archived(tmp_path)
    path = place / "take.json"
    plain = parse_object(path.read_bytes())
    assert name in plain
    plain[name] = value
    path.write_text(json.dumps(plain))
    with pytest.raises(EngineError):
        archive.load(take_id)


@pytest.mark.parametrize("frames", [19, 21, 10**8])
def test_codes_whose_header_lies_are_damaged(tmp_path: Path, frames: int) -> None:
    _, _, place = archived(tmp_path)
    path = place / "codes.npy"
    data = path.read_bytes()
    assert b"(10, 20)" in data
    told = f"(10, {frames})".encode()
    spare = len(told) - len(b"(10, 20)")
    changed = data.replace(b"(10, 20), }" + b" " * spare, told + b", }", 1)
    path.write_bytes(changed)
    with pytest.raises(EngineError):
        load_codes(path, 10)


def test_codes_of_the_command_line_whose_header_lies(
    models: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.BytesIO()
    np.save(out, np.zeros((10, 20), np.int32))
    for told in (b"(10, 99)", b"(10, 10)", b"(99, 20)"):
        path = tmp_path / "c.npy"
        path.write_bytes(out.getvalue().replace(b"(10, 20)", told))
        words = ["decode", "-m", str(models.path("tiny-f32")), "-t", str(models.tokenizer)]
        code = main([*words, "--codes", str(path), "-o", str(tmp_path / "o.wav")])
        told_words = capsys.readouterr().err
        assert "Traceback" not in told_words
        if told == b"(10, 10)":  # numpy passes over what comes behind
            assert code in (0, 1)
        else:
            assert code == 1


@pytest.mark.parametrize(
    "change",
    [
        {"sample_rate": 22050},
        {"codebooks": 9},
        {"segments": ((0, 0), (9, 10**9))},
        {"samples_per_frame": 1 << 20},
    ],
)
def test_a_story_that_its_file_contradicts_is_not_believed(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    """Without a mark of the sound, as older versions wrote them."""
    story = replace(a_provenance(), **change, sound="", post=type(a_provenance().post)())
    samples = speech(20 * 2048 / 44100)
    found = Provenance.from_json(story.to_json(with_codes=True))
    assert found is not None
    kept = found.of_this_sound(samples, 44100)
    believed = kept.codes is not None and kept.segments == story.segments
    assert not believed or kept.warnings


def test_a_story_copied_into_another_sound_is_told(tmp_path: Path) -> None:
    one = export_take(tmp_path / "a", speech(), 44100, ExportFormat.FLAC_24,
                      provenance=a_provenance()).path  # fmt: skip
    with soundfile.SoundFile(one) as file:
        comment = file.comment
    rng = np.random.default_rng(1)
    other = tmp_path / "b.flac"
    with soundfile.SoundFile(other, "w", 44100, 1, "PCM_24", format="FLAC") as file:
        file.comment = comment
        file.write(rng.uniform(-0.3, 0.3, 44100).astype(np.float32))
    found = read_provenance(other)
    assert found is not None
    samples = soundfile.read(other, dtype="float32")[0]
    assert found.of_this_sound(samples, 44100).codes is None


def wav_bytes(kind: str = "WAV") -> bytes:
    out = io.BytesIO()
    soundfile.write(out, speech(2.0), 44100, format=kind)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "mime", "data", "status", "words"),
    [
        ("a.wav", "audio/wav", wav_bytes("FLAC"), 200, ""),
        ("a.png", "image/png", wav_bytes(), 200, ""),
        ("a.mp3", "audio/mpeg", wav_bytes("OGG"), 200, ""),
        ("a.wav", "audio/wav", b"<html>no sound</html>" * 50, 400, "cannot be read as audio"),
        ("a.wav", "audio/wav", b"", 200, "is empty and was not used"),
        ("a.wav", "audio/wav", wav_bytes()[:60000], 200, "damaged or was cut"),
        ("a.flac", "audio/flac", wav_bytes("AIFF")[:60000], 200, "damaged or was cut"),
    ],
)
def test_an_upload_is_what_it_holds(
    tiny_engine: Engine, name: str, mime: str, data: bytes, status: int, words: str
) -> None:
    with serving(tiny_engine) as server, client_of(server) as client:
        files = [
            ("text", (None, "Hi.")), ("reference_text", (None, "What is said.")),
            ("params", (None, json.dumps(short(2)))), ("reference", (name, data, mime)),
        ]  # fmt: skip
        answer = client.post("/generate", files=files)
        assert answer.status_code == status, answer.text[:200]
        told = answer.headers.get("x-warnings", "") if status == 200 else answer.text
        assert words in told
        address = f"data:{mime};base64,{base64.b64encode(data).decode()}"
        body = {"input": "Hi.", "ref_audio": address, "ref_text": "What is said.",
                "max_new_tokens": 2, "response_format": "wav"}  # fmt: skip
        if data:
            assert client.post("/v1/audio/speech", json=body).status_code == status
