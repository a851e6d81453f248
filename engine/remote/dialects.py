"""The kinds of speech servers, as their public documents say: :data:`DIALECTS` has them all.

A kind is added here, with one entry; window and command line list what is there.

- ``studio``: this program's own server; everything, as events.
- ``vllm``: vLLM-Omni, docs "Speech API": ``ref_audio`` and ``ref_text``, ``max_new_tokens``,
  streams of raw samples or events.
- ``sglang``: SGLang-Omni, cookbook "Fish Audio S2-Pro": ``references`` of ``audio_path`` and
  ``text``, sampling options, top-k at most 30.
- ``fish``: Fish Speech's own server: ``POST /v1/tts``, JSON, or MessagePack with a recording;
  only WAV is streamed.
- ``openai``: what OpenAI documents, and nothing else.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import RequestError
from engine.types import SAMPLING, Capabilities, Sampling

if TYPE_CHECKING:
    from engine.remote.errors import RemoteError
    from engine.remote.request import Recording

S2_PRO_RATE, OPENAI_RATE = 44_100, 24_000
SPEECH, TTS = "/v1/audio/speech", "/v1/tts"
JSON_TYPE, MSGPACK_TYPE = "application/json", "application/msgpack"
DEFAULT_VOICE, OPENAI_VOICE = "default", "alloy"
STUDIO_TITLE, STUDIO_OWNER = "S2 Voice Studio", "s2-voice-studio"


@dataclass(frozen=True, slots=True)
class ServerCapabilities(Capabilities):
    """Abilities of a server. No server hands out codes.

    Attributes:
        kind: a key of :data:`DIALECTS`.
        model: empty where the API has no field for it.
        models: names that the server lists; like ``voices`` empty when it lists none.
        sample_rate: in Hz, of what is handed on; sound of another rate is converted.
        top_k_limit: largest top-k; 0 for no limit of its own.
        temperature_range, top_p_range: what it accepts.
    """

    kind: str
    codes: bool = field(default=False, kw_only=True)
    sampling: frozenset[str] = field(default=frozenset(), kw_only=True)
    models: tuple[str, ...] = ()
    sample_rate: int = S2_PRO_RATE
    top_k_limit: int = 0
    temperature_range: tuple[float, float] = (0.0, 2.0)
    top_p_range: tuple[float, float] = (0.0, 1.0)

    def describe(self) -> str:
        """One line of what is there and what is not."""
        has = {
            "cloning": self.cloning,
            "streaming": self.streaming,
            "seed": self.seed,
            **{name.replace("_", "-"): name in self.sampling for name in SAMPLING[:4]},
        }
        there = ", ".join(name for name, here in has.items() if here) or "speech only"
        absent = ", ".join([*(name for name, here in has.items() if not here), "codes"])
        return f"{self.title}: {there}; not: {absent}"


@dataclass(slots=True)
class ServerFacts:
    """What a server answered when it was asked what it is.

    Attributes:
        title: of its OpenAPI document.
        paths: routes in there.
        fields: of a request for speech; empty when it does not tell.
        models: entries of its list; ``None`` when it has none.
        voices: names.
        healthy: Fish Speech's health route answers.
        wrong: the first answer that fits no speech server.
    """

    title: str = ""
    paths: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    models: list[dict[str, Any]] | None = None
    voices: tuple[str, ...] = ()
    healthy: bool = False
    wrong: RemoteError | None = field(default=None, repr=False)

    def names(self, word: str) -> bool:
        """Whether the title or an owner of a model holds ``word``."""
        owners = (str(model.get("owned_by", "")) for model in self.models or [])
        return any(word in text.lower() for text in (self.title, *owners))


@dataclass(frozen=True, slots=True)
class Utterance:
    """What one request to a server says.

    Attributes:
        voice: name at the server; empty for its default.
        recording: a voice to clone instead.
        sampling: with the seed of this utterance.
    """

    text: str
    voice: str
    recording: Recording | None
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class Body:
    """A request, ready to be sent."""

    path: str
    content: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of server.

    Attributes:
        make: the request for speech.
        likeness: how surely answers are those of this kind, 0 for not at all; the highest wins.
        can: its title, and what its documents list for S2 Pro.
        schema_adds: sampling options that a server's own schema may add; where a kind has some,
            its schema may also show that this version lacks one.
        names_model: requests carry the model's name.
        tells_rate: its list of models has their sample rates.
        untold_rate: raw samples do not tell their rate, so that of S2 Pro alone is known.
        raw_rate: in Hz, of samples that tell none; 0 for that of the model.
    """

    make: Callable[[Utterance, ServerCapabilities], Body]
    likeness: Callable[[ServerFacts], int]
    can: ServerCapabilities
    schema_adds: frozenset[str] = frozenset()
    names_model: bool = True
    tells_rate: bool = False
    untold_rate: bool = False
    raw_rate: int = 0


def make_body(said: Utterance, can: ServerCapabilities) -> Body:
    """The request for ``said`` in the dialect of the server.

    Raises :class:`RequestError` for a text, transcript or name that cannot be encoded.
    """
    transcript = said.recording.transcript if said.recording is not None else ""
    try:
        for text in (said.text, said.voice, transcript):
            text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RequestError("remote.surrogate") from error
    return DIALECTS[can.kind].make(said, can)


def _studio(said: Utterance, can: ServerCapabilities) -> Body:
    return _speech(said, can, {**_reference_fields(said), "stream_format": "sse"})


def _vllm(said: Utterance, can: ServerCapabilities) -> Body:
    return _speech(said, can, {**_reference_fields(said), **_stream_fields(can)})


def _sglang(said: Utterance, can: ServerCapabilities) -> Body:
    more = _stream_fields(can)
    if said.recording is not None:
        clip = {"audio_path": _data_url(said.recording), "text": said.recording.transcript}
        more["references"] = [clip]
    if "top_k" in can.sampling and said.sampling.top_k == 0:
        more["top_k"] = -1  # its word for no limit
    return _speech(said, can, more)


def _fish(said: Utterance, can: ServerCapabilities) -> Body:
    fields: dict[str, Any] = {
        "text": said.text,
        "format": "wav",
        "streaming": True,
        **sampling_fields(said.sampling, can),
    }
    if said.recording is not None:
        import ormsgpack

        clip = {"audio": said.recording.wav(), "text": said.recording.transcript}
        return Body(TTS, ormsgpack.packb({**fields, "references": [clip]}), MSGPACK_TYPE)
    if said.voice:
        fields["reference_id"] = said.voice
    return _json(TTS, fields)


def _openai(said: Utterance, can: ServerCapabilities) -> Body:
    return _speech(said, can, {}, can.voices[0] if can.voices else OPENAI_VOICE)


def sampling_fields(sampling: Sampling, can: ServerCapabilities) -> dict[str, Any]:
    """Those sampling options that the server takes."""
    given = {name: getattr(sampling, name) for name in sorted(can.sampling)}
    return {name: value for name, value in given.items() if value is not None}


def _speech(
    said: Utterance, can: ServerCapabilities, more: dict[str, Any], voice: str = DEFAULT_VOICE
) -> Body:
    """OpenAI's request for speech with sampling options and ``more``."""
    fields = {"input": said.text, "voice": said.voice or voice, "response_format": "wav"}
    model = {"model": can.model} if can.model else {}
    return _json(SPEECH, {**model, **fields, **sampling_fields(said.sampling, can), **more})


def _reference_fields(said: Utterance) -> dict[str, Any]:
    if said.recording is None:
        return {}
    return {"ref_audio": _data_url(said.recording), "ref_text": said.recording.transcript}


def _stream_fields(can: ServerCapabilities) -> dict[str, Any]:
    """Raw samples, which every version streams; a WAV in one piece where their rate is unknown."""
    return {"stream": True, "response_format": "pcm"} if can.streaming else {}


def _data_url(recording: Recording) -> str:
    return f"data:audio/wav;base64,{base64.b64encode(recording.wav()).decode('ascii')}"


def _json(path: str, fields: dict[str, Any]) -> Body:
    content = json.dumps(fields, ensure_ascii=False, allow_nan=False).encode("utf-8")
    return Body(path, content, JSON_TYPE)


def _like_studio(found: ServerFacts) -> int:
    return 5 * (found.title == STUDIO_TITLE or found.names(STUDIO_OWNER))


def _like_vllm(found: ServerFacts) -> int:
    return 2 * (found.names("vllm") or "ref_audio" in found.fields)


def _like_sglang(found: ServerFacts) -> int:
    return 3 * (found.names("sglang") or "references" in found.fields)


def _like_fish(found: ServerFacts) -> int:
    return 4 * (TTS in found.paths and SPEECH not in found.paths) or int(found.healthy)


def _like_openai(found: ServerFacts) -> int:
    return int(found.models is not None or SPEECH in found.paths)


DIALECTS = {
    each.can.kind: each
    for each in (
        Dialect(
            _studio, _like_studio,
            ServerCapabilities("studio", title=STUDIO_TITLE, sampling=frozenset(SAMPLING)),
            tells_rate=True,
        ),
        Dialect(
            _vllm, _like_vllm,
            ServerCapabilities("vllm", title="vLLM-Omni", sampling=frozenset({"max_new_tokens"})),
            schema_adds=frozenset({"temperature", "top_p", "top_k", "seed"}), untold_rate=True,
        ),
        Dialect(
            _sglang, _like_sglang,
            ServerCapabilities("sglang", title="SGLang-Omni", sampling=frozenset(SAMPLING[:4]),
                               top_k_limit=30),
            schema_adds=frozenset({"seed"}), untold_rate=True,
        ),
        Dialect(
            _fish, _like_fish,
            ServerCapabilities(
                "fish", title="Fish Speech",
                sampling=frozenset({"temperature", "top_p", "max_new_tokens", "seed"}),
                temperature_range=(0.1, 1.0), top_p_range=(0.1, 1.0),
            ),
            names_model=False,
        ),
        Dialect(
            _openai, _like_openai,
            ServerCapabilities("openai", title="OpenAI API", cloning=False),
            raw_rate=OPENAI_RATE,
        ),
    )
}  # fmt: skip
KINDS = ("auto", *DIALECTS)
