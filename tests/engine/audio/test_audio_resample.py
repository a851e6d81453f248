"""Downmix and resampling: nothing cancels, nothing aliases, no seam, exact lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wav_kit import RATE, sine, speech

from engine.audio.resample import StreamResampler, downmix, resample, resampled_length

RATES = [8000, 11025, 16000, 22050, 24000, 44100, 48000, 96000, 192000]


def amplitude(samples: np.ndarray) -> float:
    middle = samples[len(samples) // 4 : -len(samples) // 4]
    return float(np.sqrt(2 * np.mean(middle.astype(np.float64) ** 2)))


def test_equal_rates_are_the_identity() -> None:
    tone = sine()
    np.testing.assert_array_equal(resample(tone, RATE, RATE), tone)


def test_a_tone_keeps_its_amplitude() -> None:
    heard = resample(sine(rate=48000, hertz=1000), 48000, RATE)
    assert abs(20 * np.log10(amplitude(heard) / 0.3)) < 0.1


def test_what_the_target_cannot_hold_is_removed() -> None:
    heard = resample(sine(hertz=15000), RATE, 22050)
    assert 20 * np.log10(amplitude(heard) / 0.3) < -40


@pytest.mark.parametrize("source", RATES)
@pytest.mark.parametrize("target", [RATE, 24000])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 1000, 54321])
def test_lengths_are_exact(source: int, target: int, count: int) -> None:
    heard = resample(np.ones(count, np.float32), source, target)
    assert heard.dtype == np.float32
    assert len(heard) == resampled_length(count, source, target) == -(-count * target // source)
    assert np.isfinite(heard).all()


def test_time_is_kept() -> None:
    click = np.zeros(48000, np.float32)
    click[24000] = 1
    assert abs(int(resample(click, 48000, RATE).argmax()) - 22050) <= 1


@settings(max_examples=40, deadline=None)
@given(
    source=st.sampled_from(RATES),
    target=st.sampled_from(RATES),
    sizes=st.lists(st.integers(0, 3000), max_size=12),
    seed=st.integers(0, 99),
)
def test_pieces_equal_the_whole(source: int, target: int, sizes: list[int], seed: int) -> None:
    samples = np.random.default_rng(seed).uniform(-0.5, 0.5, sum(sizes)).astype(np.float32)
    stream = StreamResampler(source, target, quality="VHQ")
    pieces, at = [], 0
    for size in sizes:
        pieces.append(stream.push(samples[at : at + size]))
        at += size
    pieces.append(stream.flush())
    whole = resample(samples, source, target)
    streamed = np.concatenate(pieces)
    assert len(streamed) == len(whole) == resampled_length(len(samples), source, target)
    np.testing.assert_allclose(streamed, whole, atol=1e-6)


def test_a_stream_starts_afresh_after_flush_and_reset() -> None:
    stream = StreamResampler(48000, RATE)
    tone = sine(0.2, 48000)
    first = np.concatenate([stream.push(tone), stream.flush()])
    second = np.concatenate([stream.push(tone), stream.flush()])
    np.testing.assert_array_equal(first, second)
    stream.push(tone)
    stream.reset()
    assert len(stream.flush()) == 0


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="positive"):
        StreamResampler(0, RATE)
    with pytest.raises(ValueError, match="one dimension"):
        StreamResampler(RATE, 48000).push(np.zeros((3, 2)))


def test_a_usual_mix_is_the_mean() -> None:
    stereo = np.stack([sine(), sine(hertz=333)], axis=1)
    mixed = downmix(stereo)
    np.testing.assert_allclose(mixed.samples, stereo.mean(axis=1), atol=1e-7)
    assert "3 dB weaker" in mixed.warning
    like = np.stack([sine(), 0.9 * sine()], axis=1)
    assert downmix(like).warning == ""


def test_mono_passes() -> None:
    tone = sine()
    for shape in (tone, tone[:, None]):
        mixed = downmix(shape)
        np.testing.assert_array_equal(mixed.samples, tone)
        assert mixed.correlation == 1.0


@pytest.mark.parametrize("gain", [1.0, 0.5])
def test_opposite_channels_do_not_cancel(gain: float) -> None:
    voice = speech()
    mixed = downmix(np.stack([voice, -gain * voice], axis=1))
    np.testing.assert_allclose(mixed.samples, voice * (1 + gain) / 2, atol=1e-6)
    assert mixed.correlation == pytest.approx(-1, abs=1e-3)
    assert "opposite phase" in mixed.warning


def test_partly_opposite_channels_keep_most_of_the_voice() -> None:
    voice, room = speech(), speech(seed=2) * 0.4
    mixed = downmix(np.stack([voice + room, -voice + room], axis=1))
    assert np.std(mixed.samples) > 0.9 * np.std(voice)


def test_a_silent_channel_and_silence_are_no_opposites() -> None:
    voice = speech()
    mixed = downmix(np.stack([voice, np.zeros_like(voice)], axis=1))
    np.testing.assert_allclose(mixed.samples, voice, atol=1e-7)
    assert mixed.warning == ""
    assert not downmix(np.zeros((100, 2))).samples.any()
    assert len(downmix(np.zeros((0, 2))).samples) == 0


@pytest.mark.parametrize("channels", [2, 3, 6, 8])
@pytest.mark.parametrize("others", ["empty", "offset", "hiss", "bleed", "room"])
def test_one_voice_of_many_channels_keeps_its_level_or_it_is_told(
    channels: int, others: str
) -> None:
    voice = speech()
    rng = np.random.default_rng(1)
    made = np.zeros((len(voice), channels), np.float32)
    if others == "offset":
        made += 0.2
    elif others == "hiss":
        made += 1e-4 * rng.standard_normal(made.shape).astype(np.float32)
    elif others == "bleed":
        made += 0.1 * voice[:, None]
    elif others == "room":
        made += 0.3 * voice.std() * rng.standard_normal(made.shape).astype(np.float32)
    made[:, -1] = voice
    mixed = downmix(made)
    loss = 20 * np.log10(voice.std() / mixed.samples.std())
    assert loss < 1.0 or f"{loss:.0f} dB weaker" in mixed.warning


def test_an_offset_does_not_hide_opposite_channels() -> None:
    voice = speech()
    mixed = downmix(np.stack([voice + 0.2, -voice + 0.2], axis=1))
    assert np.std(mixed.samples) > 0.9 * np.std(voice)
