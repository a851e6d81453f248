"""From the script, its speakers and the controls to what the engine is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest

from PySide6.QtCore import QCoreApplication

from app.cloning.clip import ReferenceClip, used_clip
from app.core import settings as keys
from app.core.paths import SHIPPED
from app.core.pronunciation_file import PronunciationFile
from app.core.settings import Settings
from app.inference.controls import Controls
from app.inference.segments import SegmentPlan
from app.inference.speakers import numbered
from app.servers.remote_form import CLIP
from app.takes.provenance import SERVER_MARK
from app.voices.list_model import VoiceListModel
from engine.errors import ReferenceAudioError, RequestError, VoiceError
from engine.remote import Recording, RemoteRequest, fields_of
from engine.text import is_speakable
from engine.types import ModelInfo, Segmentation, SynthesisRequest
from engine.voices import Codec


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request and whose voices speak it.

    Attributes:
        voice: shown name; several are joined with a plus sign.
        ids: names in the library, in the order of the request's references.
    """

    request: SynthesisRequest
    voice: str
    ids: tuple[str, ...]


def build_request(
    settings: Settings,
    voices: VoiceListModel,
    text: str,
    speakers: Mapping[int, str],
    plan: SegmentPlan,
    seed: int,
) -> PreparedRequest:
    """The request for ``text``, spoken by ``speakers``: speaker number to key of a voice.

    Raises:
        RequestError: there is nothing to speak, or the list of pronunciations is damaged.
        VoiceError: a voice cannot be used; another one in its place would be a lie.
    """
    if not is_speakable(text):
        raise RequestError("text.no_script")
    chosen = {n: voice for n, key in speakers.items() if key and (voice := voices.load(key))}
    segmentation = Segmentation()
    if plan.split:
        pause, carry = settings.get(keys.PAUSE_MS), settings.get(keys.CARRY_ON)
        segmentation = Segmentation(True, pause, plan.max_chars, carry)
    request = Controls.from_settings(settings).request(text, numbered(chosen), seed, segmentation)
    request = replace(request, pronunciations=PronunciationFile(settings.path).read())
    used = [speakers[number] for number in sorted(chosen)]
    names = [voices.rows[voices.row_of(key)].title for key in used]
    return PreparedRequest(request, " + ".join(names), tuple(k.removeprefix(SHIPPED) for k in used))


@dataclass(frozen=True, slots=True)
class ServerChoice:
    """What the panel of the server has chosen, for a take without a voice of the library.

    Attributes:
        voice: name at the server, :data:`CLIP`, or empty for its default.
    """

    voice: str
    clip: ReferenceClip


def for_server(
    prepared: PreparedRequest, server: ModelInfo, chosen: ServerChoice
) -> PreparedRequest:
    """The request as a server takes it, and the name of the voice for people.

    Raises:
        ReferenceAudioError: the open clip shall be sent, and there is none.
    """
    there, voice, recording = chosen.voice, chosen.voice, None
    if prepared.request.references:
        there, voice = "", prepared.voice
    elif there == CLIP:
        words = QCoreApplication.translate("Request", "open clip")
        there, voice, recording = "", f"({words})", _recording(chosen.clip)
    request = RemoteRequest(**fields_of(prepared.request), voice=there, recording=recording)
    return replace(prepared, request=request, voice=f"{voice}{SERVER_MARK}{server.host}".strip())


def _recording(clip: ReferenceClip) -> Recording:
    if clip.source is None:
        raise ReferenceAudioError("clip.none")
    return Recording.of(used_clip(clip.source, clip.edits), clip.text)


def fit_voices(
    request: SynthesisRequest, ids: tuple[str, ...], voices: VoiceListModel, info: ModelInfo
) -> SynthesisRequest:
    """The request with its voices as they were made for this model: it may have been asked for
    while another one was open.

    Raises:
        VoiceError: a voice does not fit, and was not made anew.
    """
    codec = Codec.of(info)
    if info.host or all(voice.codec == codec for voice in request.references):
        return request
    fitting = []
    for name, voice in zip_longest(ids[: len(request.references)], request.references):
        other = voice if voice.codec == codec else voices.load_named(name or "")
        # Under that name there may be somebody else by now.
        if other is None or other.codec != codec or other.transcript != voice.transcript:
            raise VoiceError("voice.other_codec", "voice.make_anew", voice_id=name or "")
        fitting.append(other)
    return replace(request, references=tuple(fitting))


def check_place(request: SynthesisRequest, info: ModelInfo) -> None:
    """Refuse to speak with another voice than the request means.

    Raises:
        VoiceError: it names a voice of a server, and this computer would speak.
    """
    if not isinstance(request, RemoteRequest) or info.host:
        return
    if request.voice or request.recording is not None:
        raise VoiceError("voice.of_server")
