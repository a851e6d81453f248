"""Putting a take's text, voices, seed and settings back into the window."""

from __future__ import annotations

from app.core import settings as keys
from app.core.settings import Settings
from app.inference.controls import AUTO
from app.script.analysis import look_at, plan_segments
from app.script.speakers import dump_speakers, parse_speakers
from app.takes.take import Take
from app.voices.list_model import VoiceListModel
from app.window import MainWindow
from engine.types import SynthesisRequest


def restore_settings(
    take: Take, window: MainWindow, settings: Settings, voices: VoiceListModel
) -> list[str]:
    """Show what made ``take``; returns the names of voices that are not there any more.

    The text can be undone like any other edit.
    """
    request = take.request
    if window.script.text != request.text:
        window.script.set_text(request.text)
    _put_controls(request, settings)
    _put_pieces(request, settings)
    window.script.show_seed(take.seed)
    settings.set(keys.SEED, str(take.seed))
    window.actions_.pin_seed.setChecked(True)
    missing = _put_voices(take, window, settings, voices)
    window.script.measure()
    return missing


def _put_controls(request: SynthesisRequest, settings: Settings) -> None:
    sampling, stream = request.sampling, request.stream
    settings.set(keys.TEMPERATURE, sampling.temperature)
    settings.set(keys.TOP_P, sampling.top_p)
    settings.set(keys.TOP_K, sampling.top_k)
    settings.set(keys.MAX_FRAMES, sampling.max_new_tokens)
    settings.set(keys.DECODE_MODE, stream.decode_mode)
    settings.set(keys.LOW_LATENCY, stream.low_latency)
    if not stream.low_latency:
        settings.set(keys.STRIDE, stream.stride)
        settings.set(keys.HOLDBACK, AUTO if stream.holdback is None else stream.holdback)
    if stream.decode_mode == "windowed":
        settings.set(keys.CONTEXT, AUTO if stream.context is None else stream.context)


def _put_pieces(request: SynthesisRequest, settings: Settings) -> None:
    options = request.segmentation
    if options.sentences:
        settings.set(keys.PAUSE_MS, options.pause_ms)
        settings.set(keys.CARRY_ON, options.history)
    by_itself = plan_segments(request.text, "auto").split
    if by_itself == options.sentences:
        settings.set(keys.SPLIT_MODE, "auto")
    else:
        settings.set(keys.SPLIT_MODE, "always" if options.sentences else "never")


def _put_voices(
    take: Take, window: MainWindow, settings: Settings, voices: VoiceListModel
) -> list[str]:
    used = look_at(take.request.text).used
    numbers = used if len(used) == len(take.voice_ids) else tuple(range(len(take.voice_ids)))
    speakers = parse_speakers(settings.get(keys.SPEAKERS))
    known = {row.key for row in voices.rows if not row.error}
    missing = []
    if 0 in used and not take.voice_ids:
        window.voices.choose("")
    for number, name in zip(numbers, take.voice_ids, strict=True):
        key = next((k for k in (name, f"shipped:{name}") if k in known), None)
        if key is None or not name:
            missing.append(name or "?")
        elif number == 0:
            window.voices.choose(key)
        else:
            speakers[number] = key
    settings.set(keys.SPEAKERS, dump_speakers(speakers))
    return missing
