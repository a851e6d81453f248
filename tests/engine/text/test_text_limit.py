"""A model that speaks short texts only gets its text in pieces, whatever the request says."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engine.lm.config import TEXT_LIMIT_KEY
from engine.synthesis.preparing import split_text
from engine.types import Segmentation, SynthesisRequest

TEXT = "The first one is short. The second one is a little longer than that. And here is a third."


def _request(segmentation: Segmentation | None = None, text: str = TEXT) -> SynthesisRequest:
    return SynthesisRequest(text=text, segmentation=segmentation or Segmentation())


def test_without_a_limit_the_request_decides() -> None:
    assert split_text(_request()).texts == [TEXT]
    assert len(split_text(_request(Segmentation(sentences=True))).texts) == 3


def test_a_long_text_is_cut_for_the_model() -> None:
    segments = split_text(_request(), limit=50).texts
    assert len(segments) >= 3
    assert max(map(len, segments)) <= 50
    assert "".join("".join(segments).split()) == "".join(TEXT.split())


@pytest.mark.parametrize("asked", [0, 1000])
def test_the_model_has_the_last_word_on_the_longest_piece(asked: int) -> None:
    segments = split_text(_request(Segmentation(sentences=True, max_chars=asked)), limit=30).texts
    assert max(map(len, segments)) <= 30


def test_a_request_may_ask_for_shorter_pieces() -> None:
    segments = split_text(_request(Segmentation(sentences=True, max_chars=25)), limit=60).texts
    assert max(map(len, segments)) <= 25


def test_a_short_text_stays_whole() -> None:
    assert split_text(_request(text="Good morning. Hello."), limit=90).texts == [
        "Good morning. Hello."
    ]


def test_the_limit_is_read_from_the_file(models: SimpleNamespace) -> None:
    from engine.gguf.reader import GGUFFile
    from engine.lm.config import ARConfig

    with GGUFFile.open(models.path("tiny-f32")) as file:
        assert TEXT_LIMIT_KEY not in file.metadata
        assert ARConfig.from_gguf(file).text_limit == 0
