"""Takes come back whole from their files, and damaged files do no harm."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from error_kit import refused
from export_kit import KINDS, RATE, a_provenance, model_info, some_codes, speech
from hypothesis import given
from hypothesis import strategies as st

from engine.audio.encode import encode_audio
from engine.takes.export import ExportFormat, export_take
from engine.takes.provenance import (
    Provenance,
    ProvenanceError,
    VoiceMark,
    codes_hash,
    main_type,
    read_provenance,
)
from engine.takes.provenance_codes import CodesError, pack_codes, unpack_codes
from engine.voices import VoiceProfile


def save(tmp_path: Path, kind: ExportFormat, made: Provenance | None = None) -> Path:
    provenance = made or a_provenance()
    return export_take(tmp_path / "take", speech(), RATE, kind, provenance=provenance).path


@pytest.mark.parametrize("kind", KINDS)
def test_a_take_comes_back_from_its_file(tmp_path: Path, kind: ExportFormat) -> None:
    made = a_provenance()
    back = read_provenance(save(tmp_path, kind, made))
    assert back is not None
    assert back == made
    assert back.warnings == ()
    assert back.codes is not None
    assert back.codes.dtype == np.int32
    assert not back.codes.flags.writeable
    assert back.request().sampling == replace(made.sampling, seed=2**63 + 5)
    back.check_codec(model_info())


def test_a_take_of_earlier_random_numbers_says_so() -> None:
    plain = json.loads(a_provenance().to_json())
    del plain["numbers"]
    back = Provenance.from_json(json.dumps(plain))
    assert back is not None
    assert back.numbers == 1
    assert "may sound different" in back.warnings[0]


def test_no_time_is_in_the_story_unless_asked() -> None:
    made = a_provenance()
    assert "made" not in json.loads(made.to_json())
    timed = replace(made, made="2024-05-06T07:08:09")
    back = Provenance.from_json(timed.to_json())
    assert back is not None
    assert back.made == timed.made


@pytest.mark.parametrize(
    "text", ["\ud800 half a pair", "nul \0 inside", "\u202e turned", "x" * 20000]
)
def test_any_text_survives(tmp_path: Path, text: str) -> None:
    for kind in (ExportFormat.WAV_16, ExportFormat.FLAC_16, ExportFormat.VORBIS, ExportFormat.MP3):
        made = replace(a_provenance(), text=text)
        assert read_provenance(save(tmp_path, kind, made)) == made


def test_files_without_a_story_are_no_takes(tmp_path: Path) -> None:
    for kind in KINDS:
        path = export_take(tmp_path / "plain", speech(0.1), RATE, kind).path
        assert read_provenance(path) is None
    (tmp_path / "note.txt").write_text('{"s2take":1}')
    (tmp_path / "empty.wav").write_bytes(b"")
    assert read_provenance(tmp_path / "note.txt") is None
    assert read_provenance(tmp_path / "empty.wav") is None
    assert read_provenance(tmp_path) is None if os.name == "nt" else True
    with refused("provenance.unopened", ProvenanceError):
        read_provenance(tmp_path / "absent.wav")


def test_a_foreign_comment_is_no_take(tmp_path: Path) -> None:
    for comment in ("Recorded at home", '{"a": 1}', '{"note": "s2take"}', "[]"):
        path = tmp_path / "foreign.flac"
        path.write_bytes(encode_audio(speech(0.1), RATE, ExportFormat.FLAC_16, comment=comment))
        assert read_provenance(path) is None


@pytest.mark.parametrize(
    "change",
    [
        {"s2take": 2}, {"seed": -1}, {"seed": 1.5}, {"seed": True}, {"text": None},
        {"sampling": {"temperature": 9}}, {"sampling": []}, {"voices": [{}]},
        {"finish_reason": "maybe"}, {"segments": [[5, 1], [2, 9]]}, {"code_sizes": [1]},
        {"sampling": {"top_k": 10**40}}, {"stream": {"decode_mode": "magic"}},
        {"voices": [{"id": "a", "sha256": "b"}] * 65}, {"sample_rate": 2**40},
    ],
)  # fmt: skip
def test_a_damaged_story_is_a_typed_error(change: dict[str, object]) -> None:
    plain = json.loads(a_provenance().to_json())
    assert Provenance.from_json(json.dumps(plain)) is not None
    plain.update(change)
    with pytest.raises(ProvenanceError) as caught:
        Provenance.from_json(json.dumps(plain))
    assert caught.value.advice


@pytest.mark.parametrize(
    "text",
    ['{"s2take":1,"a":' + "[" * 100_000, '{"s2take":1,"seed":NaN}', '{"s2take":1,"text":"cut',
     '{"s2take":1,"seed":' + "9" * 5000 + "}", '{"s2take":1}'],
)  # fmt: skip
def test_broken_json_is_a_typed_error(text: str) -> None:
    with pytest.raises(ProvenanceError):
        Provenance.from_json(text)


def test_unknown_keys_of_a_later_program_are_passed_over() -> None:
    plain = json.loads(a_provenance().to_json())
    plain["new"] = {"a": 1}
    plain["sampling"]["newer"] = 5
    assert Provenance.from_json(json.dumps(plain)) == replace(a_provenance(), codes=None)


def test_damaged_codes_do_not_cost_the_rest() -> None:
    made = a_provenance()
    packed = bytearray(pack_codes(some_codes()))
    packed[-9] ^= 0x10
    back = Provenance.from_json(made.to_json(), bytes(packed))
    assert back == replace(made, codes=None)
    assert back is not None
    assert "codes" in back.warnings[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d[:10], lambda d: b"", lambda d: b"\x02" + d[1:], lambda d: d[:-3],
        lambda d: d + b"more", lambda d: d[:4] + b"\xff\xff\xff\x7f" + d[8:],
        lambda d: d[:8] + b"\x01\x00\x00\x00" + d[12:], lambda d: d[:2] + b"\x03" + d[3:],
        lambda d: d[:3] + b"\x01" + d[4:], lambda d: d[:4] + b"\0\0\0\0" + d[8:],
    ],
)  # fmt: skip
def test_damaged_packed_codes_are_refused(change: object) -> None:
    with pytest.raises(CodesError):
        unpack_codes(change(pack_codes(some_codes())))  # type: ignore[operator]


def test_packed_codes_that_swell_are_not_followed() -> None:
    import struct
    import zlib

    bomb = zlib.compress(bytes(64 << 20), 6)
    head = struct.pack("<HBBIII", 1, 2, 0, 10, 20, 0)
    start = time.thread_time()
    with refused("codes.length", CodesError):
        unpack_codes(head + bomb)
    assert time.thread_time() - start < 1


@given(st.integers(1, 64), st.integers(1, 300), st.sampled_from([2, 1024, 4096, 40_000, 2**31 - 1]))
def test_codes_of_any_size_come_back(books: int, frames: int, top: int) -> None:
    codes = np.random.default_rng(books * frames).integers(0, top, (books, frames))
    assert np.array_equal(unpack_codes(pack_codes(codes)), codes)


def test_codes_that_cannot_come_back_are_not_packed() -> None:
    for bad in (
        np.zeros((0, 5), int), np.zeros((2, 0), int), np.zeros((65, 1), int),
        np.full((1, 1), -1), np.full((1, 1), 2**31), np.zeros((2, 2)), np.zeros(3, int),
    ):  # fmt: skip
        with pytest.raises(CodesError):
            pack_codes(bad)


def test_the_model_must_have_the_same_codec() -> None:
    made = a_provenance()
    with refused("provenance.other_codec", ProvenanceError):
        made.check_codec(replace(model_info(), sample_rate=24000))
    with refused("provenance.other_codec", ProvenanceError):
        made.check_codec(replace(model_info(), residual_size=100))
    with refused("provenance.no_codes", ProvenanceError):
        replace(made, codes=None).check_codec(model_info())


def test_what_is_told_of_voice_and_model() -> None:
    made = a_provenance()
    voice = VoiceProfile("other words", some_codes(8), RATE, 4096)
    assert made.voices == (VoiceMark("\u00c9lan", codes_hash(voice)),)
    assert (made.model, made.quantisation, made.codebooks) == ("S2 Pro", "Q4_K", 10)
    assert main_type({"F32": 10}) == "F32"
    assert main_type({}) == ""
