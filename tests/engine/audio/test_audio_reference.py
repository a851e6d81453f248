"""References of every length and level: used, used with a warning, or refused with advice."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from wav_kit import RATE, sine, speech

from engine.audio.files import AudioClip
from engine.audio.levels import rms
from engine.audio.reference import load_reference
from engine.errors import ReferenceAudioError


def clip(samples: np.ndarray, rate: int = RATE) -> AudioClip:
    return AudioClip.from_array(samples, rate, "clip")


def test_a_good_clip_passes_unchanged() -> None:
    voice = speech()
    reference = load_reference(clip(voice), RATE)
    np.testing.assert_array_equal(reference.samples, voice)
    assert reference.warnings == ()
    assert reference.seconds == reference.source_seconds == 8.0
    assert reference.clipped_fraction == 0
    assert reference.rms == pytest.approx(rms(voice))


def test_a_file_is_mixed_and_resampled(tmp_path: Path) -> None:
    voice = speech(rate=24000)
    path = tmp_path / "clip.flac"
    soundfile.write(path, np.stack([voice, voice], axis=1), 24000)
    reference = load_reference(path, RATE)
    assert (reference.rate, reference.source_rate, reference.source_channels) == (RATE, 24000, 2)
    assert len(reference.samples) == 8 * RATE
    assert reference.samples.dtype == np.float32
    assert reference.name == "clip.flac"


def test_a_quiet_clip_is_used_with_a_warning() -> None:
    voice = speech(level=0.004)
    assert rms(voice) < 0.0025
    reference = load_reference(clip(voice), RATE)
    np.testing.assert_array_equal(reference.samples, voice)
    assert "very quiet" in reference.warnings[0]


def test_zeros_are_refused_with_advice() -> None:
    for channels in (1, 2):
        with pytest.raises(ReferenceAudioError, match="all its samples are zero") as caught:
            load_reference(clip(np.zeros((5 * RATE, channels))), RATE)
        assert "microphone" in caught.value.advice


def test_what_is_as_good_as_silent_is_refused() -> None:
    with pytest.raises(ReferenceAudioError, match="as good as silent"):
        load_reference(clip(np.full(RATE, 3e-6)), RATE)


@pytest.mark.parametrize("seconds", [1 / RATE, 0.02, 0.3])
def test_too_short_is_refused_with_advice(seconds: float) -> None:
    with pytest.raises(ReferenceAudioError, match="too short") as caught:
        load_reference(clip(sine(seconds)), RATE)
    assert "5 to 30 s" in caught.value.advice


def test_no_samples_are_refused() -> None:
    with pytest.raises(ReferenceAudioError, match="no samples"):
        load_reference(clip(np.zeros(0)), RATE)


def test_short_is_used_with_a_warning() -> None:
    reference = load_reference(clip(sine(0.8)), RATE)
    assert reference.seconds == 0.8
    assert "only 0.80 s" in reference.warnings[0]


@pytest.mark.parametrize("seconds", [45, 60])
def test_up_to_the_limit_nothing_is_cut(seconds: int) -> None:
    reference = load_reference(clip(speech(seconds, 8000), 8000), 8000)
    assert reference.seconds == seconds
    assert reference.warnings == ()


@pytest.mark.parametrize("from_file", [True, False])
def test_too_long_is_cut_with_a_warning(tmp_path: Path, from_file: bool) -> None:
    voice = speech(180, 8000)
    path = tmp_path / "clip.wav"
    soundfile.write(path, voice, 8000, subtype="FLOAT")
    reference = load_reference(path if from_file else clip(voice, 8000), 8000)
    np.testing.assert_array_equal(reference.samples, voice[: 60 * 8000])
    assert reference.source_seconds == 180
    assert len(reference.warnings) == 1
    assert "180.0 s long; only the first 60" in reference.warnings[0]


def test_the_limit_can_be_chosen() -> None:
    assert load_reference(clip(speech(8)), RATE, max_seconds=5).seconds == 5.0


def test_clipping_is_measured() -> None:
    voice = np.clip(speech(level=1.5), -1, 1)
    reference = load_reference(clip(voice), RATE)
    assert reference.clipped_fraction > 0.01
    assert any("clipped" in warning for warning in reference.warnings)


def test_opposite_channels_are_used_and_told() -> None:
    voice = speech()
    reference = load_reference(clip(np.stack([voice, -voice], axis=1)), RATE)
    np.testing.assert_allclose(reference.samples, voice, atol=1e-6)
    assert any("opposite phase" in warning for warning in reference.warnings)
    assert reference.correlation < -0.99


@pytest.mark.parametrize("scale", [32768.0, 1e30])
def test_floats_of_another_scale_are_brought_down(scale: float) -> None:
    reference = load_reference(clip(speech() * scale), 24000)
    assert np.isfinite(reference.samples).all()
    assert 0.5 < np.abs(reference.samples).max() < 1.2
    assert "above full scale" in reference.warnings[0]


def test_values_that_are_no_numbers_are_refused() -> None:
    voice = speech()
    voice[100] = np.nan
    with pytest.raises(ReferenceAudioError, match="not numbers"):
        clip(voice)
    with pytest.raises(ReferenceAudioError, match="not numbers"):
        load_reference(AudioClip(voice[:, None], RATE, "clip"), RATE)


def test_recordings_may_be_integers() -> None:
    recorded = clip(np.array([[-32768], [16384]] * RATE, np.int16))
    assert recorded.samples[:2, 0].tolist() == [-1.0, 0.5]


@pytest.mark.parametrize("shape", [(3, 2, 2), (5, 0), ()])
def test_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ReferenceAudioError, match="shape"):
        clip(np.zeros(shape))
