"""All fuzz targets by name; each loads only what it needs."""

from __future__ import annotations

from collections.abc import Callable

from fuzz_target import Target


def _gguf() -> Target:
    from fuzz_models import GgufTarget

    return GgufTarget()


def _model() -> Target:
    from fuzz_models import ModelTarget

    return ModelTarget()


def _tokenizer() -> Target:
    from fuzz_tokenizer import TokenizerTarget

    return TokenizerTarget()


def _voice() -> Target:
    from fuzz_voices import VoiceTarget

    return VoiceTarget()


def _names() -> Target:
    from fuzz_voices import NamesTarget

    return NamesTarget()


def _wav() -> Target:
    from fuzz_sound import WavTarget

    return WavTarget()


def _packed() -> Target:
    from fuzz_sound import PackedTarget

    return PackedTarget()


def _provenance() -> Target:
    from fuzz_sound import StoryTarget

    return StoryTarget()


def _takes() -> Target:
    from fuzz_takes import TakesTarget

    return TakesTarget()


def _settings() -> Target:
    from fuzz_settings import SettingsTarget

    return SettingsTarget()


def _texts() -> Target:
    from fuzz_settings import TextsTarget

    return TextsTarget()


def _form() -> Target:
    from fuzz_http import FormTarget

    return FormTarget()


def _body() -> Target:
    from fuzz_http import BodyTarget

    return BodyTarget()


TARGETS: dict[str, Callable[[], Target]] = {
    "gguf": _gguf,
    "model": _model,
    "tokenizer": _tokenizer,
    "voice": _voice,
    "names": _names,
    "wav": _wav,
    "packed": _packed,
    "story": _provenance,
    "takes": _takes,
    "settings": _settings,
    "texts": _texts,
    "form": _form,
    "body": _body,
}

SLOW = {"model": 20}
"""Loads and speaks: so many times fewer inputs than of the others."""
