"""Finding out what a server is and can, by asking it only for lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from engine.cancel import CancelToken
from engine.remote.dialects import (
    DIALECTS,
    JSON_TYPE,
    SPEECH,
    TTS,
    ServerCapabilities,
    ServerFacts,
)
from engine.remote.errors import RemoteError, ServerLacksError
from engine.remote.http_call import Call, Head, fetch
from engine.remote.options import RemoteOptions
from engine.remote.reply import error_of, not_sound, read_json

OPENAPI, MODELS, VOICES = "/openapi.json", "/v1/models", "/v1/audio/voices"
FISH_HEALTH, FISH_VOICES = "/v1/health", "/v1/references/list?format=json"
MAX_LIST, MAX_NAMES, MAX_NAME = 8 << 20, 1000, 200
S2_NAMES = ("s2-pro", "s2_pro", "s2pro", "fish")


def probe(options: RemoteOptions, cancel: CancelToken | None = None) -> ServerCapabilities:
    """Ask the server what it is, or, with a kind given, what it has.

    Raises:
        RemoteError: nobody answers, access is refused, or no speech API is there.
        CancelledError
    """
    asker = _Asker(options, cancel or CancelToken())
    found = asker.look()
    kind = options.kind if options.kind != "auto" else kind_of(found)
    if kind is None:
        raise found.wrong or _nothing_there(options.host)
    if kind == "fish" and not found.voices:
        found.voices = asker.fish_voices()
    return capabilities_of(kind, found, options)


def kind_of(found: ServerFacts) -> str | None:
    """The kind of server that answers like this; ``None`` for no speech server."""
    kind = max(DIALECTS, key=lambda kind: DIALECTS[kind].likeness(found))
    return kind if DIALECTS[kind].likeness(found) else None


def capabilities_of(kind: str, found: ServerFacts, options: RemoteOptions) -> ServerCapabilities:
    """Put together what the documents of ``kind`` say and what the server told."""
    dialect, entry = DIALECTS[kind], choose_model(found.models or [], options.model)
    model = options.model or str(entry.get("id", "")) if dialect.names_model else ""
    can = replace(
        dialect.can, model=model[:MAX_NAME], models=_names(found.models or []), voices=found.voices
    )
    if found.fields and dialect.schema_adds:
        can = replace(can, sampling=(can.sampling | dialect.schema_adds) & found.fields)
    if dialect.untold_rate:
        name = f"{model} {entry.get('root', '')}".lower()
        can = replace(can, streaming=any(part in name for part in S2_NAMES))
    rate = entry.get("sample_rate")
    if dialect.tells_rate and isinstance(rate, int) and 4_000 <= rate <= 384_000:
        can = replace(can, sample_rate=rate)
    return can


def choose_model(models: list[dict[str, Any]], wanted: str) -> dict[str, Any]:
    """The entry of the wanted model, else of S2 Pro, else the first."""
    for model in models:
        if wanted and model.get("id") == wanted:
            return model
    for model in models:
        if any(part in str(model.get("id", "")).lower() for part in S2_NAMES):
            return model
    return models[0] if models else {}


class _Asker:
    def __init__(self, options: RemoteOptions, cancel: CancelToken) -> None:
        self._options, self._cancel = options, cancel

    def look(self) -> ServerFacts:
        """Everything that tells; each question may be answered with "not here"."""
        found = ServerFacts()
        self._read_document(found)
        if self._options.kind != "fish":
            plain = self._ask(MODELS, found)
            if isinstance(plain, dict) and isinstance(plain.get("data"), list):
                found.models = [m for m in plain["data"][:MAX_NAMES] if isinstance(m, dict)]
            if found.models is not None or SPEECH in found.paths:
                found.voices = voice_names(self._ask(VOICES, found))
                return found
        plain = self._ask(FISH_HEALTH, found)
        found.healthy = isinstance(plain, dict) and plain.get("status") == "ok"
        if self._options.kind == "fish" and not found.healthy and TTS not in found.paths:
            raise found.wrong or _nothing_there(self._options.host)
        return found

    def fish_voices(self) -> tuple[str, ...]:
        """Names of the references that a Fish Speech server keeps."""
        plain = self._ask(FISH_VOICES, ServerFacts())
        return voice_names({"voices": plain.get("reference_ids")} if _is(plain) else None)

    def _read_document(self, found: ServerFacts) -> None:
        plain = self._ask(OPENAPI, found)
        if not _is(plain):
            return
        info, paths = plain.get("info"), plain.get("paths")
        found.title = str(info.get("title", "")) if _is(info) else ""
        found.paths = frozenset(str(path) for path in paths) if _is(paths) else frozenset()
        if _is(paths):
            found.fields = request_fields(plain)

    def _ask(self, path: str, found: ServerFacts) -> Any:
        """The JSON at ``path``, or ``None``; notes an answer that no such server gives."""
        call = Call("GET", path, self._options.timeouts.reply, accept=JSON_TYPE)
        head, body = fetch(self._options, call, self._cancel, MAX_LIST)
        if head.status in (401, 403, 407):
            if path != OPENAPI:
                raise error_of(head, body, self._options.host)
            return None
        plain = read_json(head, body) if head.status == 200 else None
        if plain is None and path != OPENAPI and found.wrong is None:
            found.wrong = self._wrong(head, body)
        return plain

    def _wrong(self, head: Head, body: bytes) -> RemoteError | None:
        host = self._options.host
        if head.status == 200:
            return not_sound(head, body, host)
        if head.status in (404, 405, 501):
            return _nothing_there(host)
        return error_of(head, body, host)


def request_fields(document: Mapping[str, Any]) -> frozenset[str]:
    """Names of the fields of ``POST /v1/audio/speech`` in an OpenAPI document."""
    node: Any = document
    for key in ("paths", SPEECH, "post", "requestBody", "content", JSON_TYPE, "schema"):
        node = node.get(key) if _is(node) else None
    for _ in range(4):
        if not _is(node) or "$ref" not in node:
            break
        target: Any = document
        for key in str(node["$ref"]).removeprefix("#/").split("/"):
            target = target.get(key) if _is(target) else None
        node = target
    fields = node.get("properties") if _is(node) else None
    return frozenset(str(name) for name in fields) if _is(fields) else frozenset()


def voice_names(plain: Any) -> tuple[str, ...]:
    """Names out of the lists that servers make of their voices."""
    listed = (plain.get("voices") or plain.get("data")) if _is(plain) else plain
    return _names(listed) if isinstance(listed, list) else ()


def _names(listed: list[Any]) -> tuple[str, ...]:
    found = []
    for each in listed[:MAX_NAMES]:
        name = (each.get("id") or each.get("name") or each.get("voice")) if _is(each) else each
        if isinstance(name, str) and 0 < len(name) <= MAX_NAME and name.isprintable():
            found.append(name)
    return tuple(dict.fromkeys(found))


def _is(value: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping)


def _nothing_there(host: str) -> RemoteError:
    return ServerLacksError("remote.no_speech", host=host)
