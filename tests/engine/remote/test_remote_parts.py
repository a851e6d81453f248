"""The parts of the client: addresses, WAV in any cut, events, MessagePack, detection."""

from __future__ import annotations

import base64
import json
import struct

import numpy as np
import ormsgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.audio.wav import encode_wav, to_pcm16, wav_header
from engine.errors import RequestError
from engine.remote.dialects import DIALECTS, ServerCapabilities, ServerFacts, Utterance, make_body
from engine.remote.errors import ServerAddressError, ServerReplyError, StreamCutError
from engine.remote.events import EventDecoder, event_texts
from engine.remote.http_call import Head
from engine.remote.options import RemoteOptions, normalise_url
from engine.remote.probe import choose_model, kind_of, request_fields, voice_names
from engine.remote.reply import make_decoder, message_of
from engine.remote.request import Recording
from engine.remote.sound import PcmDecoder, SniffDecoder, WavDecoder
from engine.types import Sampling

SOUND = np.sin(np.arange(3000, dtype=np.float32) / 7) * np.float32(0.5)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("localhost:3030", "http://localhost:3030"),
        (" http://10.0.0.5:8000/ ", "http://10.0.0.5:8000"),
        ("https://h.example/api/v1", "https://h.example/api"),
        ("http://h:8000/v1/audio/speech", "http://h:8000"),
        ("http://h:8080/v1/tts", "http://h:8080"),
        ("http://[::1]:3030/v1/", "http://[::1]:3030"),
        ("http://h:1/x?y=1#z", "http://h:1/x"),
    ],
)
def test_addresses(given: str, expected: str) -> None:
    assert normalise_url(given) == expected


@pytest.mark.parametrize(
    "given",
    ["", "  ", "ftp://h", "http://", "http://h:99999", "http://a b", "http://u:p@h", "http://[::1"],
)
def test_addresses_that_are_none(given: str) -> None:
    with pytest.raises(ServerAddressError) as caught:
        normalise_url(given)
    assert caught.value.advice
    assert ":p@" not in str(caught.value)


def test_options_tell_what_can_be_overheard() -> None:
    assert RemoteOptions("http://10.0.0.5:80", api_key="k").key_exposed
    assert not RemoteOptions("https://10.0.0.5", api_key="k").key_exposed
    assert not RemoteOptions("http://localhost:80", api_key="k").key_exposed
    assert not RemoteOptions("http://10.0.0.5:80").key_exposed
    with pytest.raises(ServerAddressError):
        RemoteOptions("http://h", api_key="two words")
    with pytest.raises(ServerAddressError):
        RemoteOptions("http://h", kind="elsewhere")


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    """``data`` in pieces of the given sizes, the last one taking the rest."""
    parts, at = [], 0
    for size in sizes:
        parts.append(data[at : at + size])
        at += size
    return [*parts, data[at:]]


def samples_of(decoder: EventDecoder, data: bytes) -> np.ndarray:
    return np.concatenate(list(decoder.decode([data])))


def wav_of(bits: int, channels: int, open_end: bool = False, extra: bytes = b"") -> bytes:
    """``SOUND`` on every channel, with unknown chunks around it."""
    if bits == 32:
        data = np.repeat(SOUND.astype("<f4"), channels).tobytes()
    elif bits == 24:
        whole = np.repeat((SOUND * (1 << 23)).astype("<i4"), channels)
        data = whole.view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    else:
        data = np.repeat(to_pcm16(SOUND), channels).tobytes()
    head = wav_header(22_050, None if open_end else len(data), bits=bits, channels=channels)
    form, rest = head[:36], head[36:]
    odd = b"LIST" + struct.pack("<I", 3) + b"abc\0"
    return form + odd + rest + data + extra


@given(sizes=st.lists(st.integers(0, 900), max_size=20), bits=st.sampled_from([16, 24, 32]),
       channels=st.integers(1, 2), open_end=st.booleans())  # fmt: skip
def test_a_wav_in_any_cut(sizes: list[int], bits: int, channels: int, open_end: bool) -> None:
    decoder = WavDecoder()
    parts = cut(wav_of(bits, channels, open_end), sizes)
    samples = np.concatenate([decoder.feed(part) for part in parts])
    decoder.finish()
    assert decoder.rate == 22_050
    np.testing.assert_allclose(samples, SOUND, atol=1 / 32768)


def test_comments_behind_the_samples_are_no_sound() -> None:
    decoder = WavDecoder()
    samples = decoder.feed(wav_of(16, 1, extra=b"LIST" + struct.pack("<I", 400) + bytes(400)))
    decoder.finish()
    assert len(samples) == len(SOUND)


def test_bad_floats_are_no_clicks() -> None:
    data = np.array([np.nan, np.inf, -np.inf, 0.5], "<f4").tobytes()
    decoder = WavDecoder()
    samples = decoder.feed(wav_header(44_100, len(data), bits=32) + data)
    assert samples.tolist() == [0.0, 1.0, -1.0, 0.5]


@pytest.mark.parametrize(
    "data",
    [
        b"fLaC" + bytes(40),
        b"RIFF\x00\x00\x00\x00AVI " + bytes(40),
        wav_header(44_100, bits=16)[:20] + struct.pack("<H", 85) + wav_header(44_100)[22:],
        wav_header(44_100, channels=200),
        wav_header(1, channels=1),
        wav_header(44_100, 0)[:12] + b"data\x10\0\0\0" + bytes(16),
        b"RIFF\x00\x00\x00\x00WAVE" + b"junk\xff\xff\xff\xff" + bytes(2 << 20),
    ],
)
def test_what_is_no_wav(data: bytes) -> None:
    with pytest.raises(ServerReplyError):
        WavDecoder().feed(data)


def test_a_wav_of_megabytes_in_one_piece() -> None:
    long = np.tile(SOUND, 300)
    decoder = WavDecoder()
    samples = decoder.feed(encode_wav(long, 44_100, "PCM_16"))
    decoder.finish()
    assert len(samples) == len(long)


@pytest.mark.parametrize(("rate", "channels"), [(1, 1), (9_999_999, 1), (44_100, 200)])
def test_raw_samples_of_a_form_that_no_speech_has(rate: int, channels: int) -> None:
    with pytest.raises(ServerReplyError):
        PcmDecoder(rate, channels).feed(bytes(400))


@pytest.mark.parametrize("rate", [1, 9_999_999])
def test_events_that_name_a_rate_that_no_speech_has(rate: int) -> None:
    audio = {"data": base64.b64encode(bytes(400)).decode(), "sample_rate": rate}
    with pytest.raises(ServerReplyError):
        samples_of(
            EventDecoder(lambda: PcmDecoder(44_100), "h"),
            b"data: " + json.dumps({"audio": audio}).encode() + b"\n\n",
        )


@pytest.mark.parametrize("kind", DIALECTS)
def test_half_a_character_is_refused_in_words(kind: str) -> None:
    recording = Recording(SOUND, 44_100, "said \ud800")
    for said in (
        Utterance("text \ud800", "", None, Sampling()),
        Utterance("text", "v\ud800", None, Sampling()),
        *([] if kind == "openai" else [Utterance("text", "", recording, Sampling())]),
    ):
        with pytest.raises(RequestError, match="half a character"):
            make_body(said, ServerCapabilities(kind))


def test_numbers_of_thousands_of_digits_in_headers() -> None:
    can = ServerCapabilities("vllm")
    kind = f"audio/pcm;rate={'9' * 5000}"
    decoder = make_decoder(Head(200, {"content-type": kind, "x-channels": "9" * 5000}), can, "h")
    assert decoder is not None
    assert decoder.rate == can.sample_rate


def test_a_wav_that_ends_in_its_header() -> None:
    decoder = WavDecoder()
    decoder.feed(wav_header(44_100)[:30])
    with pytest.raises(StreamCutError):
        decoder.finish()


def test_unnamed_bytes_are_looked_at() -> None:
    for data, rate in ((encode_wav(SOUND, 22_050, "PCM_16"), 22_050),
                       (to_pcm16(SOUND).tobytes(), 16_000)):  # fmt: skip
        decoder = SniffDecoder(PcmDecoder(16_000))
        samples = np.concatenate([decoder.feed(part) for part in cut(data, [1, 1, 1, 1, 7])])
        assert (decoder.rate, len(samples)) == (rate, len(SOUND))


@given(sizes=st.lists(st.integers(0, 60), max_size=30), end=st.sampled_from(["\n", "\r\n"]))
def test_events_in_any_cut(sizes: list[int], end: str) -> None:
    text = ": hello\n\ndata: one\n\nevent: x\ndata: two\ndata:three\n\n\ndata: [DONE]".replace(
        "\n", end
    )
    assert list(event_texts(cut(text.encode(), sizes))) == ["one", "two\nthree", "[DONE]"]


def test_events_with_a_wav_that_goes_on() -> None:
    """Our own server: the first event begins a WAV, the others continue it."""
    data = wav_header(32_000) + to_pcm16(SOUND).tobytes()
    events = b"".join(
        b"data: " + json.dumps({"type": "speech.audio.delta",
                                "audio": base64.b64encode(part).decode()}).encode() + b"\n\n"
        for part in cut(data, [20, 100, 1001])
    )  # fmt: skip
    done = b'data: {"type":"speech.audio.done","usage":{"output_tokens":7},'
    done += b'"finish_reason":"length"}\n\n'
    decoder = EventDecoder(lambda: PcmDecoder(1), "h")
    samples = samples_of(decoder, events + done)
    decoder.finish()
    assert (decoder.rate, len(samples)) == (32_000, len(SOUND))
    assert (decoder.usage.frames, decoder.usage.cut) == (7, True)


def test_events_of_samples_with_their_rate() -> None:
    audio = {"data": base64.b64encode(to_pcm16(SOUND).tobytes()).decode(), "sample_rate": 24_000}
    event = json.dumps({"object": "audio.speech.chunk", "audio": audio})
    decoder = EventDecoder(lambda: PcmDecoder(44_100), "h")
    samples = samples_of(decoder, f"data: {event}\n\ndata: [DONE]\n\n".encode())
    decoder.finish()
    assert (decoder.rate, len(samples)) == (24_000, len(SOUND))


@pytest.mark.parametrize("data", ["no json", "[1]", '{"audio": "not base64 !"}', "7"])
def test_events_without_sense(data: str) -> None:
    with pytest.raises(ServerReplyError):
        samples_of(EventDecoder(lambda: PcmDecoder(1), "h"), f"data: {data}\n\n".encode())


def test_an_event_without_an_end() -> None:
    endless = (b"data: " + bytes(1 << 20) for _ in range(100))
    with pytest.raises(ServerReplyError, match="no end"):
        list(event_texts(endless))


def test_a_recording_goes_as_messagepack() -> None:
    said = Utterance("text", "", Recording(SOUND, 44_100, "said"), Sampling())
    body = make_body(said, DIALECTS["fish"].can)
    (clip,) = ormsgpack.unpackb(body.content)["references"]
    assert (body.content_type, clip["text"]) == ("application/msgpack", "said")
    assert clip["audio"] == encode_wav(SOUND, 44_100, "PCM_16")


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (ServerFacts(title="S2 Voice Studio"), "studio"),
        (ServerFacts(models=[{"id": "x", "owned_by": "s2-voice-studio"}]), "studio"),
        (ServerFacts(models=[{"id": "x", "owned_by": "vllm"}]), "vllm"),
        (ServerFacts(models=[{"id": "x", "owned_by": "sglang-omni"}]), "sglang"),
        (ServerFacts(models=[], fields=frozenset({"input", "references", "ref_audio"})), "sglang"),
        (ServerFacts(models=[], fields=frozenset({"input", "ref_audio"})), "vllm"),
        (ServerFacts(models=[{"id": "tts-1", "owned_by": "system"}]), "openai"),
        (ServerFacts(paths=frozenset({"/v1/audio/speech"})), "openai"),
        (ServerFacts(paths=frozenset({"/v1/tts"})), "fish"),
        (ServerFacts(healthy=True), "fish"),
        (ServerFacts(), None),
    ],
)
def test_detection(found: ServerFacts, kind: str | None) -> None:
    assert kind_of(found) == kind


def test_lists_of_names() -> None:
    assert voice_names({"voices": ["a", {"id": "b"}, {"name": "c"}, 7, "", "a"]}) == ("a", "b", "c")
    assert voice_names({"data": [{"id": "x"}]}) == ("x",)
    assert voice_names(["p", "q" * 500, "r\n"]) == ("p",)
    assert voice_names(None) == voice_names({"voices": "abc"}) == ()
    models = [{"id": "other"}, {"id": "fishaudio/s2-pro"}]
    assert choose_model(models, "")["id"] == "fishaudio/s2-pro"
    assert choose_model(models, "other")["id"] == "other"
    assert choose_model([], "x") == {}


def test_fields_of_odd_schemas() -> None:
    assert request_fields({}) == frozenset()
    assert request_fields({"paths": {"/v1/audio/speech": {"post": 3}}}) == frozenset()
    loop = {"$ref": "#/a"}
    schema = {"content": {"application/json": {"schema": loop}}}
    document = {"paths": {"/v1/audio/speech": {"post": {"requestBody": schema}}}, "a": loop}
    assert request_fields(document) == frozenset()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"error": {"message": "m", "code": 1}}', "m"),
        (b'{"error": "e"}', "e"),
        (b'{"detail": "d"}', "d"),
        (b'{"detail": [{"loc": ["body", "x"], "msg": "bad"}]}', "body.x: bad"),
        (b'[{"loc": ["body"], "msg": "why", "type": "t"}]', "body: why"),
        (b'{"status": 402, "message": "pay"}', "pay"),
        (b"plain words\n twice", "plain words twice"),
        (b"<html>no</html>", ""),
        (b'{"other": 1}', ""),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_messages_of_all_kinds(body: bytes, expected: str) -> None:
    assert message_of(Head(400, {"content-type": "x"}), body) == expected
