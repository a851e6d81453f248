"""All fuzz targets by name; each loads only what it needs."""

from __future__ import annotations

from importlib import import_module

from fuzz_target import Target

TARGETS = {
    "gguf": "fuzz_models:GgufTarget",
    "model": "fuzz_models:ModelTarget",
    "tokenizer": "fuzz_tokenizer:TokenizerTarget",
    "voice": "fuzz_voices:VoiceTarget",
    "names": "fuzz_voices:NamesTarget",
    "wav": "fuzz_sound:WavTarget",
    "packed": "fuzz_sound:PackedTarget",
    "story": "fuzz_sound:StoryTarget",
    "takes": "fuzz_takes:TakesTarget",
    "settings": "fuzz_settings:SettingsTarget",
    "texts": "fuzz_settings:TextsTarget",
    "form": "fuzz_http:FormTarget",
    "body": "fuzz_http:BodyTarget",
}
"""Name to module and class."""

SLOW = {"model": 20}
"""Loads and speaks: so many times fewer inputs than of the others."""


def target_of(name: str) -> Target:
    """A new target of that name."""
    module, kind = TARGETS[name].split(":")
    made: Target = getattr(import_module(module), kind)()
    return made
