"""Every flag and alias of the peer's command line means what its table says (spec 07, 1)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cli import as_peer, build_parser
from engine.commands.args import post_of, sampling_of, segmentation_of, stream_of
from engine.commands.console import LEVELS

FLAGS: list[tuple[list[str], str, Any]] = [
    (["-m", "a.gguf"], "model", "a.gguf"),
    (["--model", "a.gguf"], "model", "a.gguf"),
    (["-t", "t.json"], "tokenizer", "t.json"),
    (["--tokenizer", "t.json"], "tokenizer", "t.json"),
    (["-text", "Hi"], "text", "Hi"),
    (["--text", "Hi"], "text", "Hi"),
    (["-pa", "a.wav"], "prompt_audio", "a.wav"),
    (["--prompt-audio", "a.wav"], "prompt_audio", "a.wav"),
    (["-pt", "words"], "prompt_text", "words"),
    (["--prompt-text", "words"], "prompt_text", "words"),
    (["--voice", "hope"], "voice", "hope"),
    (["--save-voice"], "save_voice", True),
    (["--voice-dir", "v"], "voice_dir", "v"),
    (["--list-voices"], "list_voices", True),
    (["--delete-voice", "hope"], "delete_voice", "hope"),
    (["-o", "b.wav"], "output", "b.wav"),
    (["--output", "b.wav"], "output", "b.wav"),
    (["-v", "0"], "vulkan", 0),
    (["--vulkan", "0"], "vulkan", 0),
    (["-c", "1"], "cuda", 1),
    (["--cuda", "1"], "cuda", 1),
    (["-M"], "metal", True),
    (["--metal"], "metal", True),
    (["-ngl", "5"], "gpu_layers", 5),
    (["--gpu-layers", "5"], "gpu_layers", 5),
    (["-threads", "3"], "threads", 3),
    (["--threads", "3"], "threads", 3),
    (["-max-tokens", "9"], "max_tokens", 9),
    (["--max-tokens", "9"], "max_tokens", 9),
    (["--min-tokens-before-end", "2"], "min_tokens_before_end", 2),
    (["-temp", "0.5"], "temperature", 0.5),
    (["--temp", "0.5"], "temperature", 0.5),
    (["--temperature", "0.5"], "temperature", 0.5),
    (["-top-p", "0.9"], "top_p", 0.9),
    (["--top-p", "0.9"], "top_p", 0.9),
    (["-top-k", "7"], "top_k", 7),
    (["--top-k", "7"], "top_k", 7),
    (["--dynamic-normalize"], "dynamic_normalize", True),
    (["--dynamic-normalize", "--no-dynamic-normalize"], "dynamic_normalize", False),
    (["--trim-silence"], "trim_silence", True),
    (["--trim-silence", "--no-trim-silence"], "trim_silence", False),
    (["--normalize"], "normalize", True),
    (["--normalize", "--no-normalize"], "normalize", False),
    (["--codec-auto"], "codec_policy", "auto"),
    (["--codec-follow-backend"], "codec_policy", "follow"),
    (["--codec-cpu"], "codec_policy", "cpu"),
    (["--arithmetic", "fast"], "arithmetic", "fast"),
    (["--voice-cache", "0"], "voice_cache", 0),
    (["--stream-file"], "stream_file", True),
    (["--stream-decode-stride", "6"], "stream_decode_stride", 6),
    (["--codec-context-frames", "64"], "codec_context_frames", 64),
    (["--log-level", "debug"], "log_level", "debug"),
    (["--server"], "server", True),
    (["-H", "::1"], "host", "::1"),
    (["--host", "::1"], "host", "::1"),
    (["-P", "81"], "port", 81),
    (["--port", "81"], "port", 81),
    (["--seed", "4"], "seed", 4),
    (["--stream-holdback", "5"], "stream_holdback", 5),
    (["--device", "cpu"], "device", "cpu"),
    (["--json-metrics", "m.json"], "json_metrics", "m.json"),
    (["--segment-sentences"], "segment_sentences", True),
    (["--sentence-pause-ms", "90"], "sentence_pause_ms", 90),
    (["--segment-max-chars", "80"], "segment_max_chars", 80),
]


@pytest.mark.parametrize(("words", "name", "value"), FLAGS, ids=lambda v: str(v))
def test_each_flag(words: list[str], name: str, value: Any) -> None:
    args = build_parser().parse_args(as_peer(words))
    assert args.command == "synth"
    assert getattr(args, name) == value


DEFAULTS = {
    "model": "model.gguf", "prompt_audio": None, "prompt_text": None, "voice": None,
    "save_voice": False, "list_voices": False, "output": "out.wav", "vulkan": -1, "cuda": -1,
    "metal": False, "gpu_layers": -1, "threads": 0, "max_tokens": 1024,
    "min_tokens_before_end": 0, "temperature": 0.8, "top_p": 0.8, "top_k": 30,
    "dynamic_normalize": False, "trim_silence": False, "normalize": False,
    "codec_policy": "auto", "arithmetic": "exact", "voice_cache": 1000,
    "stream_file": False, "stream_decode_stride": 0,
    "codec_context_frames": None, "log_level": "info", "server": False, "host": "127.0.0.1",
    "port": 3030, "seed": None, "segment_sentences": False, "sentence_pause_ms": 180,
    "segment_max_chars": 0, "remote": None, "remote_kind": "auto", "api_key_env": None,
}  # fmt: skip


def test_each_default() -> None:
    args = build_parser().parse_args(["synth"])
    assert {name: getattr(args, name) for name in DEFAULTS} == DEFAULTS


def test_values_reach_the_request() -> None:
    words = ["synth", "--min-tokens-before-end", "-3", "--codec-context-frames", "-1",
             "--trim-silence", "--segment-sentences", "--sentence-pause-ms", "0"]  # fmt: skip
    args = build_parser().parse_args(words)
    assert sampling_of(args).min_tokens_before_end == 0
    assert stream_of(args).context == 0
    assert post_of(args).trim_silence
    assert (segmentation_of(args).sentences, segmentation_of(args).pause_ms) == (True, 0)


def test_names_of_log_levels() -> None:
    names = {"error": 0, "errors": 0, "warn": 1, "warning": 1, "warnings": 1, "info": 2, "debug": 3}
    numbers = {str(level): level for level in range(4)}
    assert {**names, **numbers} == LEVELS
