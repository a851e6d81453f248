"""What ``params`` mean: defaults, clamps, second names, low latency."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import numpy as np
import pytest

from engine.server.delivery import _gather
from engine.server.options import ServerOptions
from engine.server.params import GenerateParams, parse_params
from engine.synthesis.emitters import plan_stream
from engine.types import AudioChunk, Sampling, Segmentation, StreamOptions


def parsed(options: ServerOptions | None = None, **given: Any) -> GenerateParams:
    return parse_params(json.dumps(given).encode(), options or ServerOptions())


def plan(params: GenerateParams) -> tuple[int, int]:
    made = plan_stream(params.stream, 128)
    return made.stride, made.holdback


def test_without_params_the_defaults_hold() -> None:
    params = parse_params(None, ServerOptions())
    assert params == parsed()
    assert params.sampling == Sampling(0.8, 0.8, 30, 1024, 0, None)
    assert params.segmentation == Segmentation(False, 180, 0)
    assert plan(params) == (4, 0)
    assert (params.streaming, params.live, params.raw, params.start_buffer_ms) == (False,) * 3 + (
        0,
    )


def test_defaults_of_the_server_hold_where_nothing_is_given() -> None:
    options = ServerOptions(
        sampling=Sampling(0.5, 0.6, 7, 99, 3, 11),
        stream=StreamOptions(stride=6, holdback=2),
        segmentation=Segmentation(True, 50, 80),
    )
    params = parsed(options, top_k=9)
    assert params.sampling == Sampling(0.5, 0.6, 9, 99, 3, 11)
    assert params.stream == options.stream
    assert params.segmentation == options.segmentation
    assert params.streaming
    assert not parsed(options, segment_sentences=False).streaming


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"max_new_tokens": -5}, ("max_new_tokens", 1024)),
        ({"max_new_tokens": 0}, ("max_new_tokens", 1024)),
        ({"max_new_tokens": 12.0}, ("max_new_tokens", 12)),
        ({"temperature": -3}, ("temperature", 0.0)),
        ({"top_p": 7}, ("top_p", 1.0)),
        ({"top_k": -1}, ("top_k", 0)),
        ({"top_k": 10**30}, ("top_k", 2**31 - 1)),
        ({"min_tokens_before_end": -1}, ("min_tokens_before_end", 0)),
        ({"seed": 2**64 - 1}, ("seed", 2**64 - 1)),
    ],
)
def test_clamps(given: dict[str, Any], expected: tuple[str, Any]) -> None:
    assert getattr(parsed(**given).sampling, expected[0]) == expected[1]


def test_of_two_names_the_second_wins() -> None:
    both = {"stream_decode_stride_frames": 3, "stream_decode_stride": 5}
    assert parsed(**both).stream.stride == 5
    assert parsed(stream_decode_stride_frames=3).stream.stride == 3
    contexts = {"codec_decode_context_frames": 10, "codec_context_frames": 20}
    assert parsed(**contexts).stream.context == 20


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, (1, 0)),
        ({"stream_decode_stride_frames": 8}, (8, 0)),
        ({"stream_decode_stride": 8}, (8, 0)),
        ({"stream_decode_stride": 0}, (4, 0)),
        ({"stream_holdback_frames": 5}, (1, 5)),
        ({"stream_decode_stride": 2, "stream_holdback_frames": 5}, (2, 5)),
    ],
)
def test_low_latency_fills_only_what_is_open(
    given: dict[str, int], expected: tuple[int, int]
) -> None:
    assert plan(parsed(low_latency=True, **given)) == expected


@pytest.mark.parametrize(
    ("given", "buffer"),
    [
        ({"stream": True, "chunked": True, "output_format": "pcm"}, 3000),
        ({"segment_sentences": True, "realtime": True, "output_format": "PCM16"}, 3000),
        ({"stream": True, "chunked": True}, 0),
        ({"stream": True, "output_format": "pcm"}, 0),
        ({"chunked": True, "output_format": "pcm"}, 0),
        ({"stream": True, "chunked": True, "output_format": "pcm", "low_latency": True}, 0),
        ({"stream": True, "chunked": True, "output_format": "pcm",
          "stream_start_buffer_ms": 20}, 20),
        ({"stream": True, "chunked": True, "low_latency": True,
          "stream_start_buffer_ms": 70}, 70),
        ({"stream": True, "chunked": True, "stream_start_buffer_ms": -9}, 0),
    ],
)  # fmt: skip
def test_the_start_buffer(given: dict[str, Any], buffer: int) -> None:
    assert parsed(**given).start_buffer_ms == buffer


@pytest.mark.parametrize(("count", "taken"), [(0, 1), (1, 1), (4410, 3), (20480, 10), (10**9, 10)])
def test_the_first_byte_waits_for_the_buffer(count: int, taken: int) -> None:
    async def sound() -> AsyncIterator[AudioChunk]:
        for index in range(10):
            yield AudioChunk(2048 * index, np.zeros(2048, np.float32), 44100)

    assert len(asyncio.run(_gather(sound(), count))) == taken
