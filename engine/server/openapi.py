"""The OpenAPI document; a test holds it against the routes."""

from __future__ import annotations

from typing import Any

from engine.server.speech import FORMATS

Schema = dict[str, Any]

TEXT: Schema = {"text/plain": {"schema": {"type": "string"}}}
PEER_ERROR: Schema = {
    "application/json": {"schema": {"$ref": "#/components/schemas/Error"}},
    **TEXT,
}
OPENAI_ERROR: Schema = {
    "application/json": {"schema": {"$ref": "#/components/schemas/OpenAIError"}}
}
BINARY: Schema = {"schema": {"type": "string", "format": "binary"}}


def document() -> Schema:
    """OpenAPI 3.1 of all public routes."""
    from engine import __version__

    return {
        "openapi": "3.1.0",
        "info": {
            "title": "S2 Voice Studio",
            "version": __version__,
            "description": "Speech with Fish Audio S2 Pro models, on this machine. One synthesis "
            "runs at a time; others are answered with 503 and Retry-After.",
        },
        "paths": {
            "/generate": {"post": _generate()},
            "/health": {"get": _get("health", "Whether the server answers", "Health")},
            "/openapi.json": {"get": _get("openapi", "This document", None)},
            "/voices": {"get": _get("voices", "Saved voices with their lengths", "Voices")},
            "/voices/{id}": {"delete": _delete()},
            "/v1/audio/speech": {"post": _speech()},
            "/v1/audio/voices": {"get": _get("voiceIds", "Ids for `voice`", "VoiceList")},
            "/v1/models": {"get": _get("models", "The loaded model", "ModelList")},
            "/v1/models/{model}": {"get": _model()},
        },
        "components": {"schemas": _schemas()},
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _json(description: str, name: str | None) -> Schema:
    schema: Schema = {"type": "object"} if name is None else _ref(name)
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def _get(name: str, summary: str, schema: str | None) -> Schema:
    return {"operationId": name, "summary": summary, "responses": {"200": _json(summary, schema)}}


def _errors(content: Schema, **described: str) -> Schema:
    return {
        status.removeprefix("s"): {"description": text, "content": content}
        for status, text in described.items()
    }


def _parameter(name: str, description: str) -> Schema:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": description,
        "schema": {"type": "string"},
    }


def _generate() -> Schema:
    return {
        "operationId": "generate",
        "summary": "Speak a text (the form that s2.cpp has)",
        "requestBody": {
            "required": True,
            "content": {"multipart/form-data": {"schema": _ref("GenerateForm")}},
        },
        "responses": {
            "200": {
                "description": "Sound: a float WAV, a 16-bit WAV, or 16-bit samples, as the "
                "params say; in chunks while it is made when they ask for it",
                "headers": {
                    "X-Seed": _header("Seed that makes the same sound again"),
                    "X-Finish-Reason": _header("`end` or `length`; not on live answers"),
                    "X-Request-Start": _header("Arrival, milliseconds since 1970"),
                },
                "content": {"audio/wav": BINARY, "audio/L16": BINARY},
            },
            **_errors(
                PEER_ERROR,
                s400="What is wrong with the request",
                s404="No such voice",
                s413="A field is too large",
                s500="The synthesis failed",
                s503="Another synthesis runs",
                s507="There is no room for the recording",
            ),
        },
    }


def _header(description: str) -> Schema:
    return {"description": description, "schema": {"type": "string"}}


def _speech() -> Schema:
    sound = dict.fromkeys(("audio/mpeg", "audio/ogg", "audio/flac"), BINARY)
    live = dict.fromkeys(("audio/wav", "audio/pcm"), BINARY)
    return {
        "operationId": "speech",
        "summary": "Speak a text (the form that OpenAI has)",
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _ref("Speech")}},
        },
        "responses": {
            "200": {
                "description": "Sound; wav and pcm come while they are made",
                "content": {**sound, **live, "text/event-stream": {"schema": {"type": "string"}}},
            },
            **_errors(
                OPENAI_ERROR,
                s400="What is wrong with the request",
                s404="No such voice",
                s413="The text or the recording is too large",
                s500="The synthesis failed",
                s503="Another synthesis runs",
                s507="There is no room for the recording",
            ),
        },
    }


def _delete() -> Schema:
    return {
        "operationId": "deleteVoice",
        "summary": "Delete a saved voice",
        "parameters": [_parameter("id", "Id of the voice")],
        "responses": {
            "200": _json("Deleted", "Deleted"),
            **_errors(PEER_ERROR, s400="No valid id", s404="No such voice"),
        },
    }


def _model() -> Schema:
    return {
        "operationId": "model",
        "summary": "One model",
        "parameters": [_parameter("model", "Id of the model")],
        "responses": {
            "200": _json("The model", "Model"),
            **_errors(OPENAI_ERROR, s404="No such model"),
        },
    }


def _object(required: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    made: Schema = {"type": "object", "properties": properties}
    return {**made, "required": list(required)} if required else made


def _is(kind: str, text: str = "", **more: Any) -> Schema:
    return {"type": kind, **({"description": text} if text else {}), **more}


def _array(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _schemas() -> dict[str, Schema]:
    text, number, flag = _is("string"), _is("integer"), _is("boolean")
    return {
        "GenerateForm": _object(
            ("text",),
            text=_is("string", "What to say", maxLength=20_000),
            reference=_is("string", "Recording to clone", format="binary"),
            reference_text=_is("string", "What is said in the recording"),
            voice=_is("string", "Id of a saved voice"),
            voice_dir=_is("string", "Folder inside the voice directory"),
            params=_is("string", "JSON, see GenerateParams", contentMediaType="application/json",
                       contentSchema=_ref("GenerateParams")),
        ),
        "GenerateParams": _object(
            max_new_tokens=_is("integer", "Most frames in one pass", default=1024),
            temperature=_is("number", default=0.8),
            top_p=_is("number", default=0.8),
            top_k=_is("integer", "0 is no limit", default=30),
            min_tokens_before_end=_is("integer", default=0),
            seed=_is("integer", "Same seed, same speech"),
            voice=text,
            voice_id=text,
            voice_dir=text,
            stream=_is("boolean", default=False),
            chunked=_is("boolean", "Send while it is made", default=False),
            realtime=_is("boolean", "Same, and wins over chunked", default=False),
            stream_decode_stride_frames=_is("integer", "0 is automatic", default=0),
            stream_holdback_frames=_is("integer", default=0),
            codec_decode_context_frames=_is("integer", "Windowed decoding only"),
            stream_start_buffer_ms=_is("integer", "0, but 3000 for live pcm without low_latency"),
            low_latency=_is("boolean", default=False),
            segment_sentences=_is("boolean", default=False),
            sentence_pause_ms=_is("integer", default=180),
            segment_max_chars=_is("integer", "0 is no limit", default=0),
            output_format=_is("string", "wav, or pcm, pcm16, pcm_s16le, s16le", default="wav"),
        ),
        "Speech": _object(
            ("input",),
            model=_is("string", "Any; the loaded model speaks"),
            input=_is("string", "What to say; a long text is spoken sentence by sentence",
                      maxLength=20_000),
            voice={"anyOf": [text, _object(("id",), id=text)], "default": "default"},
            response_format=_is("string", enum=list(FORMATS), default="mp3"),
            stream_format=_is("string", enum=["audio", "sse"], default="audio"),
            speed=_is("number", "Only 1.0", default=1.0),
            instructions=_is("string", "Not used; the answer's X-Ignored-Parameters says so"),
            sample_rate=_is("integer", "Of wav and pcm; pcm has 24000 without it"),
            seed=_is("integer", "Same seed, same speech"),
            temperature=_is("number"),
            top_p=_is("number"),
            top_k=number,
            max_new_tokens=number,
            min_tokens_before_end=number,
            ref_audio=_is("string", "Recording to clone, base64 or data: address"),
            ref_text=_is("string", "What is said in the recording"),
        ),
        "Health": _object(status=_is("string", const="ok")),
        "Voices": _object(voices=_array(_ref("Voice"))),
        "Voice": _object(
            id=text, frames=number, seconds=_is("number"), transcript=text,
            error=_is("string", "Why it cannot be used; empty when it can"),
        ),
        "Deleted": _object(id=text, deleted=flag),
        "VoiceList": _object(
            object=text, data=_array(_object(id=text, object=text, name=text)), voices=_array(text)
        ),
        "ModelList": _object(object=text, data=_array(_ref("Model"))),
        "Model": _object(id=text, object=text, created=number, owned_by=text, sample_rate=number),
        "Error": _object(error=text),
        "OpenAIError": _object(
            error=_object(
                message=text, type=text, param=_is("string"), code=_is("string")
            )
        ),
    }  # fmt: skip
