"""The demo voice: parts of its recipe, and the files that ship."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from engine.codec.config import CodecConfig
from engine.engine import Engine
from engine.errors import TokenizerError
from engine.gguf.reader import GGUFFile
from engine.lm.dual_ar import DualAR
from engine.lm.factory import FreshWeights
from engine.storage.shipped import is_shipped, shipped_resources, shipped_voices
from engine.text.prompt import build_prompt
from engine.text.tokenizer import Tokenizer
from engine.types import Sampling, SynthesisRequest
from engine.voices import VoiceProfile
from resources.demo_voice import robot
from resources.demo_voice.codes import fresh_codec
from resources.demo_voice.everyday import POOLS, everyday_sentences
from resources.demo_voice.judge import NUMBERS, TENS, number_words, plain, unseen_sentences
from resources.demo_voice.muon import orthogonal
from resources.demo_voice.quantise import (
    CONSTANT,
    MARK,
    Space,
    build_codebooks,
    codes_of,
    shared_codes_of,
)
from resources.demo_voice.sizes import CODEBOOKS, TEXT_FRAMES, ar_config
from resources.demo_voice.speak import SPEAKERS, Spoken
from resources.demo_voice.synthesis_basis import GAIN, Basis, start_decoder
from resources.demo_voice.table import CodeTable, all_frames, key_of
from resources.demo_voice.templates import make_sentence
from resources.demo_voice.timing import END, FRAMES, START, VOWELS, counts_of, framed
from resources.demo_voice.tokens import FILLER_ID, NUMBER_WORDS, document, ids_of, sounds_of
from resources.demo_voice.train_ar import DISTANCE, losses, optimizers_of
from resources.demo_voice.units import fit_units

LEXICON = {
    "hello": ["hh", "ax", "l", "ow"],
    "it's": ["ih", "t", "s"],
    **{word: ["w", "ah", "n"] for word in NUMBERS},
    **{word: ["t", "iy"] for word in TENS},
    **{word: ["w", "ah", "n"] for word in NUMBER_WORDS},
}
MODEL_BYTES = 25_000_000


def _track(frames: int, seed: int = 0) -> robot.Track:
    rng = np.random.default_rng(seed)
    steps = frames * robot.STEPS
    level = rng.uniform(-5, -1, (steps, robot.BANDS)).astype(np.float32)
    return robot.Track(level, rng.uniform(0, 1, (steps, robot.BANDS)).astype(np.float32))


def test_sounds_fill_the_frames_of_the_rule() -> None:
    ends = np.array([0.2, 0.26, 0.45, 0.6])
    spoken = Spoken(np.zeros(13230, np.float32), ("pau", "ax", "s", "pau"), ends)
    steps = np.linspace(0, 1, 60, dtype=np.float32)[:, None].repeat(robot.BANDS, 1)
    sounds, aligned = robot.align(spoken, robot.Track(steps, steps))
    assert sounds == [START, "ax", "s", END]
    # The last vowel before a pause lasts one frame longer.
    wanted = [FRAMES[START], FRAMES["ax"] + 1, FRAMES["s"], FRAMES[END]]
    assert counts_of(sounds) == wanted
    assert aligned.frames == sum(wanted)
    assert (np.diff(aligned.level[:, 0]) >= 0).all()


def test_doubled_pauses_are_one_and_unknown_sounds_are_refused() -> None:
    phones = ("pau", "pau", "ah", "pau", "pau", "t", "pau")
    assert framed(phones, range(7)) == ([START, "ah", "pau", "t", END], [1, 2, 4, 5, 6])
    for wrong in (("pau", "q", "pau"), ("pau", "pau"), ("ah", "t")):
        with pytest.raises(ValueError, match=r"unknown|no utterance"):
            framed(wrong, range(len(wrong)))


def test_units_find_what_a_sound_owes_to_its_neighbours() -> None:
    rng = np.random.default_rng(0)
    usual = {s: rng.normal(size=(9, robot.STEPS * robot.BANDS)) for s in ("aa", "iy", "t", "s")}
    after = {s: rng.normal(size=robot.STEPS * robot.BANDS) for s in (START, *usual)}
    said = []
    for _ in range(300):
        sounds = [START, *rng.choice(list(usual), 4), END]
        level = []
        for before, sound, count in zip([START, *sounds], sounds, counts_of(sounds), strict=False):
            for k in range(count):
                own = usual[sound][k] if sound in usual else np.zeros_like(after[START])
                level.append(own + (after[before] if k == 0 and sound in usual else 0))
        said.append((sounds, np.stack(level).reshape(-1, robot.BANDS)))
    units = fit_units(said[:-1])
    sounds, level = said[-1]
    found = units.track(sounds).level
    assert np.abs(found - level).mean() < 0.1
    assert found.shape == level.shape


def test_the_code_table_knows_every_frame(tmp_path: Path) -> None:
    keys = [key_of(frame) for frame in all_frames()]
    assert len(set(keys)) == len(keys)
    codes = np.arange(2 * len(keys) * CODEBOOKS).reshape(2, len(keys), CODEBOOKS) % 1024
    CodeTable(codes.astype(np.int16)).save(tmp_path / "table.npz")
    table = CodeTable.load(tmp_path / "table.npz")
    for word in LEXICON.values():
        sounds = [START, *word, "pau", *word, END]
        assert table.speak(sounds, 1).shape == (CODEBOOKS, sum(counts_of(sounds)))


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


def test_speakers_share_the_semantic_code_of_a_sound() -> None:
    rng = np.random.default_rng(2)
    both = torch.zeros(2, 1200, 256)
    both[:, :, :20] = torch.from_numpy(rng.normal(size=(1, 1200, 20)).astype(np.float32))
    both[:, :, :20] += 0.3 * torch.from_numpy(rng.normal(size=(2, 1200, 20)).astype(np.float32))
    both[0, :, MARK], both[1, :, MARK] = 6.0, -6.0
    both[:, :, CONSTANT] = 12.0
    quantizer = fresh_codec().quantizer
    shared = both.mean(0, keepdim=True).expand(2, -1, -1).reshape(-1, 256)
    build_codebooks(quantizer, both.reshape(-1, 256), shared, rounds=2)
    codes = shared_codes_of(quantizer, both)
    assert codes.shape == (2, CODEBOOKS, 1200)
    assert (codes[0, 0] == codes[1, 0]).all()
    with torch.no_grad():
        back = quantizer.embed(codes)
    assert (torch.sign(back[:, :, MARK]) == torch.sign(both[:, :, MARK])).all()


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    path.write_text(json.dumps(document(LEXICON)))
    return Tokenizer.load(path, trusted=True)


def test_only_a_shipped_tokenizer_may_rewrite_text(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(document(LEXICON)))
    assert not is_shipped(path)
    with pytest.raises(TokenizerError, match="normalizer"):
        Tokenizer.load(path)
    assert is_shipped(shipped_resources() / "tokenizer.json")


HELLO = ["hh", "ax", "l", "ow"]


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("Hello", HELLO),
        ("h\u00e9llo!!", HELLO),
        (" <|speaker:0|>HELLO ", HELLO),
        ("Hello, hello.", [*HELLO, "pau", *HELLO]),
        ("hello\nhello", [*HELLO, "pau", *HELLO]),
        ("It's 25", ["ih", "t", "s", "t", "iy", "w", "ah", "n"]),
        ("300", ["w", "ah", "n", "w", "ah", "n"]),
        ("phish", ["f", "ih", "sh"]),
        ("[whisper] hello [in a low voice]", HELLO),
        ("[laugh]", []),
        ("-", []),
        ("\u4f60\u597d", []),
    ],
)
def test_the_tokenizer_writes_sounds(tokenizer: Tokenizer, text: str, inner: list[str]) -> None:
    assert sounds_of(tokenizer.encode_user(text)) == [START, *inner, END]


@pytest.mark.parametrize("text", ["Hello, hello. It's 7!", "zzyzx unphysical", "a", "?"])
def test_every_frame_is_one_token_and_texts_have_one_length(
    tokenizer: Tokenizer, text: str
) -> None:
    ids = tokenizer.encode_user(text)
    said = ids_of(sounds_of(ids))
    assert ids == said + [FILLER_ID] * (TEXT_FRAMES - len(said))


def test_a_text_that_is_too_long_still_ends(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode_user("hello " * 60)
    assert len(ids) == TEXT_FRAMES
    assert sounds_of(ids)[-1] == END
    assert FILLER_ID not in ids


def test_a_frame_stands_at_one_distance_from_its_token(tokenizer: Tokenizer) -> None:
    for text in ("Hello.", "It's 25, hello."):
        columns = build_prompt(
            tokenizer, text, num_codebooks=CODEBOOKS, codebook_size=1024,
            semantic_begin=tokenizer.semantic_begin,
        )  # fmt: skip
        first = columns.shape[1] - 1 - DISTANCE
        assert sounds_of(columns[0, first:].tolist())[0] == START
        assert columns[0, first] == ids_of([START])[0]


@pytest.mark.parametrize("word", ["nationality", "thoughtful", "knight", "boxes", "wished", "yes"])
def test_unknown_words_are_read_by_rule(tokenizer: Tokenizer, word: str) -> None:
    sounds = sounds_of(tokenizer.encode_user(word))
    assert len(sounds) >= 5
    assert set(sounds) & VOWELS


def test_templates_are_one_token_each(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.encode("<|im_start|>assistant\n<|voice|>")) == 3
    assert len(tokenizer.encode("<|im_end|>\n")) == 2


def test_the_guided_layer_learns_where_to_look() -> None:
    torch.manual_seed(0)
    whole = ar_config(2048, 600)
    config = replace(
        whole, dim=64, n_layers=2, head_dim=16, ffn=64,
        fast=replace(whole.fast, dim=32, n_heads=2, head_dim=16, ffn=32),
    )  # fmt: skip
    model = DualAR(config, FreshWeights(0), 599)
    columns = torch.zeros(1, CODEBOOKS + 1, DISTANCE + 30, dtype=torch.long)
    columns[0, 0] = torch.randint(0, 500, (DISTANCE + 30,))
    columns[0, 0, DISTANCE:] = 600 + torch.randint(0, 1024, (30,))
    columns[0, 0, DISTANCE] = 599
    optimizers = optimizers_of(model)
    generator = torch.Generator().manual_seed(0)
    guides = []
    for _ in range(6):
        found = losses(model, columns, generator)
        model.zero_grad()
        found.total.backward()
        for optimizer in optimizers:
            optimizer.step()
        guides.append(found.guide)
    assert guides[-1] < guides[0]


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


def test_a_long_text_is_spoken_in_pieces(demo: Engine) -> None:
    text = "The door is open. " * 8
    done = demo.render(SynthesisRequest(text=text, sampling=Sampling(seed=3)))
    assert done.summary.metrics.segments > 1
    assert done.summary.finish_reason == "end"
    assert len(done.samples) / done.sample_rate > 6


def test_it_speaks_a_sentence_of_a_likely_length(demo: Engine) -> None:
    request = SynthesisRequest(
        text="The door is open.", sampling=Sampling(seed=3, max_new_tokens=120)
    )
    done = demo.render(request)
    seconds = len(done.samples) / done.sample_rate
    assert done.summary.finish_reason == "end"
    assert 0.6 < seconds < 3.0
    assert 0.02 < float(np.abs(done.samples).max()) <= 1.0


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
