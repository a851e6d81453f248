"""What others rely on, in plain data: signatures, help, routes, settings and bytes of files."""

from __future__ import annotations

import datetime
import hashlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import engine

COLUMNS = "100"
_HELPS = """
import argparse
from engine.cli import build_parser

def walk(parser, path):
    print(f"$ {path} --help", parser.format_help(), sep="\\n")
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                walk(child, f"{path} {name}")

walk(build_parser(), "s2")
"""
Plain = dict[str, Any]


def public_api() -> Plain:
    """Each public name of the engine: signature, fields with defaults, bases, members."""
    return {name: _described(getattr(engine, name)) for name in engine.__all__}


def _described(value: Any) -> Any:
    if isinstance(value, str):
        return "text"
    if inspect.isclass(value):
        members = {
            name: _member(member)
            for name, member in sorted(vars(value).items())
            if not name.startswith("_") and not _is_slot(member)
        }
        made = {"bases": [base.__name__ for base in value.__bases__], "members": members}
        if is_dataclass(value):
            made["fields"] = [f"{f.name}: {f.type}" for f in fields(value)]
        if not issubclass(value, BaseException) and value is not engine.Engine:  # has load()
            made["made by"] = _signature(value)
        return made
    return _signature(value)


def _is_slot(member: object) -> bool:
    return inspect.ismemberdescriptor(member)


def _member(member: object) -> str:
    if isinstance(member, property):
        return "property"
    if isinstance(member, classmethod | staticmethod):
        return f"{type(member).__name__} {_signature(member.__func__)}"
    return _signature(member) if callable(member) else _stable(repr(member))


def _signature(value: Any) -> str:
    try:
        return _stable(str(inspect.signature(value)))
    except ValueError:
        return "(...)"


def _stable(text: str) -> str:
    """Without the modules that names live in and without addresses: both may move."""
    return re.sub(r" at 0x[0-9a-f]+", "", re.sub(r"\b(?:\w+\.)+(?=\w)", "", text))


def command_helps() -> str:
    """The help of the whole command line, one command after the other."""
    run = subprocess.run(
        [sys.executable, "-c", _HELPS],
        env={**os.environ, "COLUMNS": COLUMNS, "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True, check=True,
    )  # fmt: skip
    return run.stdout.decode("utf-8")


def squeezed(help_text: str) -> str:
    """A help text as every Python lays it out: one space, an option's value named once."""
    flat = " ".join(help_text.split())
    return re.sub(r"(-\w) (\S+), (--[\w-]+) \2", r"\1, \3 \2", flat)


def http_routes(document: Plain) -> Plain:
    """Routes of an OpenAPI document: methods with parameters, body fields and statuses."""
    return {
        f"{method.upper()} {path}": {
            "parameters": [f"{p['in']} {p['name']}" for p in call.get("parameters", [])],
            "body": {
                kind: _fields(content["schema"], document)
                for kind, content in call.get("requestBody", {}).get("content", {}).items()
            },
            "answers": sorted(call["responses"]),
        }
        for path, calls in document["paths"].items()
        for method, call in calls.items()
    }


def _fields(schema: Plain, document: Plain) -> Plain:
    if "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    found: Plain = {}
    for name, part in schema.get("properties", {}).items():
        kind = str(part.get("type", "any"))
        found[name] = f"{kind} = {part['default']!r}" if "default" in part else kind
        if "contentSchema" in part:
            found[name] = _fields(part["contentSchema"], document)
    return found


def settings_keys() -> Plain:
    """Every setting of the window by its key: type, default and what is allowed."""
    from app.core.settings import ALL

    return {
        s.key: {
            "type": type(s.default).__name__,
            "default": s.default if isinstance(s.default, str | int | float | list) else "",
            "range": [s.minimum, s.maximum],
            "choices": list(s.choices),
        }
        for s in ALL
    }


def file_bytes(folder: Path) -> Plain:
    """Files of a fixed voice and a fixed take, written into ``folder``.

    Bytes are hashed where we write them ourselves. FLAC and the lossy kinds come from a library,
    whose version is in them: there the sound (FLAC), the rate and the story are kept. Codes in a
    sound file are packed by zlib, of which there are several: the bytes are of a file without.
    """
    provenance, samples = _provenance(), _samples()
    voice = engine.VoiceProfile("Ein kürzerer Satz. 好", _codes(), 44100, 64)
    engine.VoiceLibrary(folder / "voices").save("narrator", voice)
    made = datetime.datetime(2026, 12, 1, 2, 3, 4, 567890)
    archive = engine.TakeArchive(folder / "takes")
    entry = archive.add(
        engine.SavedTake(provenance, samples, 44100, made, "Narrator", "First", True)
    ).entry
    take = folder / "takes" / entry.id
    record: Plain = {
        "narrator.s2voice": (folder / "voices" / "narrator.s2voice").read_bytes().hex(),
        "take folder": entry.id[: -len("01234567")],
        "take files": sorted(path.name for path in take.iterdir()),
        "take.json": (take / "take.json").read_text(encoding="utf-8"),
        "codes.npy": _hash((take / "codes.npy").read_bytes()),
        "sound.flac": _heard(take / "sound.flac"),
    }
    for kind in engine.ExportFormat:
        record[kind.value] = dict(_exported(folder, kind))
    return record


def _exported(folder: Path, kind: engine.ExportFormat) -> Iterator[tuple[str, Any]]:
    provenance, samples = _provenance(), _samples()
    saved = engine.export_take(folder / "take", samples, 44100, kind, provenance=provenance)
    found = engine.read_provenance(saved.path)
    assert found is not None
    yield "name", saved.path.name
    yield "rate", saved.rate
    yield "story", _hash(found.to_json().encode())
    yield "codes", None if found.codes is None else _hash(found.codes.astype("<i4").tobytes())
    if kind.is_wav:
        plain = replace(provenance, codes=None)
        saved = engine.export_take(folder / "plain", samples, 44100, kind, provenance=plain)
        yield "bytes", _hash(saved.path.read_bytes())
    elif kind.suffix == ".flac":
        yield "sound", _heard(saved.path)


def _heard(path: Path) -> str:
    return _hash(np.ascontiguousarray(engine.read_audio(path).samples, "<f4").tobytes())


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _codes() -> np.ndarray:
    return (np.arange(10 * 6, dtype=np.int32) * 7 % 48).reshape(10, 6)


def _samples() -> np.ndarray:
    """A ramp that no library's sine rounds differently, float32 ``(12288,)``."""
    return ((np.arange(6 * 2048) * 37 % 4096 - 2048) / np.float32(4096)).astype(np.float32)


def _provenance() -> engine.Provenance:
    return engine.Provenance(
        text="Guten Abend. 晚上好", seed=7,
        sampling=engine.Sampling(0.7, 0.9, 20, 64, 2, 7),
        stream=engine.StreamOptions(stride=4, holdback=0),
        post=engine.PostProcessing(normalize=True),
        segmentation=engine.Segmentation(True, 250, 120, True),
        model="tiny", quantisation="Q4_K", engine_version="0.1.0", sample_rate=44100,
        samples_per_frame=2048, codebooks=10, code_sizes=(48, 48), finish_reason="end",
        segments=((0, 0), (3, 6144)), codes=_codes(), made="2026-12-01T02:03:04",
    )  # fmt: skip
