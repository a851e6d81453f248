"""The demo voice: parts of its recipe, and the files that ship."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.codec.config import CodecConfig
from engine.engine import Engine
from engine.gguf.reader import GGUFFile
from engine.shipped import demo_model, shipped_resources, shipped_voices
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling, SynthesisRequest
from engine.voices import VoiceProfile
from resources.demo_voice import robot
from resources.demo_voice.codes import fresh_codec
from resources.demo_voice.everyday import POOLS, everyday_sentences
from resources.demo_voice.judge import NUMBERS, TENS, number_words, plain, unseen_sentences
from resources.demo_voice.muon import orthogonal
from resources.demo_voice.quantise import CONSTANT, MARK, Space, build_codebooks, codes_of
from resources.demo_voice.speak import SPEAKERS, Spoken
from resources.demo_voice.synthesis_basis import GAIN, Basis, start_decoder
from resources.demo_voice.templates import make_sentence
from resources.demo_voice.tokens import Speller, document

LEXICON = {
    "hello": ["hh", "ax", "l", "ow"],
    "it's": ["ih", "t", "s"],
    **{word: ["w", "ah", "n"] for word in NUMBERS},
    **{word: ["t", "iy"] for word in TENS},
}
MODEL_BYTES = 25_000_000
shipped = pytest.mark.skipif(demo_model() is None, reason="the model file is not there")


def _track(frames: int, seed: int = 0) -> robot.Track:
    rng = np.random.default_rng(seed)
    steps = frames * robot.STEPS
    level = rng.uniform(-5, -1, (steps, robot.BANDS)).astype(np.float32)
    return robot.Track(level, rng.uniform(0, 1, (steps, robot.BANDS)).astype(np.float32))


def test_phones_fill_whole_frames() -> None:
    ends = np.array([0.2, 0.26, 0.45, 0.6])
    spoken = Spoken(np.zeros(13230, np.float32), ("pau", "ax", "s", "pau"), ends)
    counts = robot.frame_counts(spoken)
    assert counts == [robot.START_FRAMES, 1, 4, robot.END_FRAMES]
    steps = np.linspace(0, 1, 60, dtype=np.float32)[:, None].repeat(robot.BANDS, 1)
    aligned = robot.align(spoken, robot.Track(steps, steps))
    assert aligned.frames == sum(counts)
    assert (np.diff(aligned.level[:, 0]) >= 0).all()


def test_the_robots_pitch_is_its_pulses_per_frame() -> None:
    level = np.full((40, robot.BANDS), -1.0, np.float32)
    track = robot.Track(level, np.zeros_like(level))
    for speaker in SPEAKERS:
        y = robot.render(track, speaker.pulses)[robot.FRAME :]
        spectrum = np.abs(np.fft.rfft(y[: 8 * robot.FRAME]))[:1100]  # below 3 kHz
        harmonics = np.flatnonzero(spectrum > 0.3 * spectrum.max())
        assert set(harmonics % (8 * speaker.pulses)) == {0}


def test_the_decoder_starts_as_an_exact_synthesis() -> None:
    basis = Basis(np.full(robot.BANDS, 0.1), 256)
    model = fresh_codec()
    start_decoder(model.decoder, basis)
    track = _track(3)
    for number, speaker in enumerate(SPEAKERS):
        wanted = robot.render(track, speaker.pulses, 0.1 * GAIN)
        latent = basis.coefficients(0.1 * robot.amplitudes(track), number)
        with torch.no_grad():
            found = model.decoder(torch.from_numpy(latent)[None])[0].numpy()
        error = np.square(found - wanted).mean() / np.square(wanted).mean()
        assert error < 1e-3


def test_codebooks_are_searched_by_the_engine_as_by_distance() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(3000, 2 * robot.BANDS * robot.STEPS)).astype(np.float32)
    features *= np.linspace(3, 0.1, features.shape[1], dtype=np.float32)
    speakers = rng.integers(0, 2, len(features))
    space = Space.fit(features, speakers)
    z = np.concatenate([space.latent(features[speakers == s], s, 256) for s in (0, 1)])
    quantizer = fresh_codec().quantizer
    left = build_codebooks(quantizer, torch.from_numpy(z), rounds=2)
    assert all(a > b for a, b in itertools.pairwise(left))
    codes = codes_of(quantizer, torch.from_numpy(z))
    with torch.no_grad():
        back = quantizer.embed(codes[None])[0]
    assert torch.allclose(back[:, CONSTANT], torch.from_numpy(z)[:, CONSTANT], atol=1e-3)
    assert (torch.sign(back[:, MARK]) == torch.sign(torch.from_numpy(z)[:, MARK])).all()


def test_the_tokenizer_file_says_known_words_in_phones(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(document(LEXICON)))
    tokenizer, speller = Tokenizer.load(path), Speller(LEXICON)
    for text in ("Hello, hello.", "It's 25 or 7!", "Hellos 123 07", "<|speaker:0|>HELLO"):
        assert tokenizer.encode_user(text) == speller.encode(text, lambda: False)
    known = tokenizer.encode_user("hello")
    assert len(known) == 4
    assert known[1:] == tokenizer.encode_user("well hello")[-3:]
    assert tokenizer.encode_user("zzyzx") == list(tokenizer.encode("zzyzx"))
    assert len(tokenizer.encode_user("zzyzx")) == 5
    assert tokenizer.encode_user("h\u00e9llo") == known
    assert speller.encode("hello", lambda: True) != known
    assert len(tokenizer.encode("<|im_start|>assistant\n<|voice|>")) == 3


def test_sentences_are_seeded_and_cover_the_word_lists() -> None:
    first = [make_sentence(random.Random(3)) for _ in range(5)]
    assert first == [make_sentence(random.Random(3)) for _ in range(5)]
    text = " ".join(everyday_sentences(2, random.Random(0)))
    heard = set(text.lower().replace(".", " ").replace(",", " ").split())
    for words in POOLS.values():
        assert len(set(words) - heard) <= 4


def test_the_judged_sentences_and_their_plain_form() -> None:
    assert len(set(unseen_sentences())) == 50
    assert plain("It's 21 O'Clock, not 5!") == "it's twenty one o'clock not five"
    assert [number_words(n) for n in (0, 19, 40, 99)] == [
        "zero",
        "nineteen",
        "forty",
        "ninety nine",
    ]


def test_orthogonal_evens_out_singular_values() -> None:
    torch.manual_seed(0)
    found = torch.linalg.svdvals(orthogonal(torch.randn(2, 24, 40)))
    assert float(found.min()) > 0.4
    assert float(found.max()) < 1.4


@pytest.fixture(scope="module")
def demo() -> Iterator[Engine]:
    with Engine.load(shipped_resources() / "demo_voice.gguf", threads=1) as engine:
        yield engine


@shipped
def test_the_shipped_files_are_small_and_of_the_promised_shape() -> None:
    model = shipped_resources() / "demo_voice.gguf"
    tokenizer = Tokenizer.find(model)
    assert model.stat().st_size + tokenizer.stat().st_size < MODEL_BYTES
    with GGUFFile.open(model) as file:
        config = CodecConfig.from_gguf(file)
        assert file.metadata["general.architecture"] == "fish-speech"
    assert (config.sample_rate, config.samples_per_frame) == (22050, 1024)
    assert config.encoder_rates == (2, 4, 8, 4)
    assert config.decoder_rates == (4, 8, 4, 2)


@shipped
def test_it_speaks_a_sentence_of_a_likely_length(demo: Engine) -> None:
    request = SynthesisRequest(
        text="The door is open.", sampling=Sampling(seed=3, max_new_tokens=120)
    )
    done = demo.render(request)
    seconds = len(done.samples) / done.sample_rate
    assert done.summary.finish_reason == "end"
    assert 0.6 < seconds < 3.0
    assert 0.02 < float(np.abs(done.samples).max()) <= 1.0


@shipped
def test_shipped_voices_fit_the_model_and_speak(demo: Engine) -> None:
    paths = sorted(shipped_voices().glob("*.s2voice"))
    assert len(paths) >= 2
    for path in paths:
        profile = VoiceProfile.load(path)
        assert profile.sample_rate == 22050
        request = SynthesisRequest(
            text="Good morning.",
            references=(profile,),
            sampling=Sampling(seed=3, max_new_tokens=80),
        )
        assert len(demo.render(request).samples) > 8 * 1024
