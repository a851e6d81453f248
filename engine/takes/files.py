"""The three files of an archived take: writing and reading them, checked like any others."""

from __future__ import annotations

import datetime
import io
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from engine.errors import EngineError
from engine.storage.regular_files import open_regular, read_regular
from engine.storage.strict_json import dump_line, parse_object, read_record
from engine.takes.provenance import Provenance
from engine.takes.provenance_codes import MAX_CODEBOOKS, MAX_FRAMES
from engine.types import Metrics

META_FILE, SOUND_FILE, CODES_FILE = "take.json", "sound.flac", "codes.npy"
VERSION = 1
MAX_META_BYTES = 4 << 20
MAX_RATE = 768_000
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9]{6}-[0-9a-f]{8}")
_MAX_NPY_HEADER = 512
_NPY_HEAD = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '<i4', 'fortran_order': False, "
    rb"'shape': \((?P<codebooks>[0-9]{1,9}), (?P<frames>[0-9]{1,9})\), \} *\n",
    re.DOTALL,
)
"""The one form that is written; numpy's own reader runs a Python parser on what it finds."""


class TakeError(EngineError):
    """An archived take is missing or damaged."""

    _next_step = "advice.take_again"


@dataclass(frozen=True, slots=True)
class TakeMeta:
    """What ``take.json`` holds besides the story.

    Attributes:
        made: local time in ISO form.
        rate: of the sound file, in Hz.
        samples: length of the sound file.
        group: what the takes share that were asked for at once; empty for one of its own.
        part: it is a reading of a part of a script, and no take for itself.
    """

    made: str
    rate: int
    samples: int
    voice: str = ""
    title: str = ""
    starred: bool = False
    group: str = ""
    part: bool = False
    metrics: Metrics = field(default_factory=Metrics)


def valid_take_id(name: str) -> bool:
    """Whether ``name`` can be the folder of a take; no other folder is ever touched."""
    return _ID.fullmatch(name) is not None


def meta_bytes(meta: TakeMeta, provenance: Provenance) -> bytes:
    """Content of ``take.json``."""
    story = parse_object(provenance.to_json())
    return dump_line({"archive": VERSION, **asdict(meta), "take": story}).encode("utf-8")


def load_meta(folder: Path) -> tuple[TakeMeta, Provenance]:
    """Read ``take.json``.

    Raises:
        TakeError: it is missing or damaged; says how.
    """
    try:
        data = read_regular(folder / META_FILE, MAX_META_BYTES)
    except OSError as error:
        raise TakeError("take.file_unreadable", file=META_FILE, reason=error.strerror) from error
    if len(data) > MAX_META_BYTES:
        raise TakeError("take.file_large", file=META_FILE)
    try:
        plain = parse_object(data)
        if plain.get("archive") != VERSION:
            raise TakeError("take.file_unknown", file=META_FILE)
        meta = read_record(plain, TakeMeta)
        datetime.datetime.fromisoformat(meta.made)
        if not (1 <= meta.rate <= MAX_RATE and meta.samples >= 1):
            raise ValueError("the length makes no sense")
        provenance = Provenance.from_json(dump_line(_story(plain)))
    except TakeError:
        raise
    except EngineError as error:
        raise TakeError("take.file_damaged", file=META_FILE, reason=error.detail) from error
    except ValueError as error:
        raise TakeError("take.file_damaged", file=META_FILE, reason=error) from error
    if provenance is None:
        raise TakeError("take.no_story", file=META_FILE)
    return meta, provenance


def _story(plain: dict[str, object]) -> dict[str, object]:
    story = plain.get("take")
    if not isinstance(story, dict):
        raise ValueError("the story is missing")
    mark = {"s2take": story.get("s2take")}
    return {**mark, **story}


def codes_bytes(codes: np.ndarray) -> bytes:
    """Content of ``codes.npy``: int32 ``(codebooks, frames)``."""
    out = io.BytesIO()
    np.save(out, np.ascontiguousarray(codes, dtype="<i4"), allow_pickle=False)
    return out.getvalue()


def load_codes(path: Path, codebooks: int) -> np.ndarray | None:
    """Read ``codes.npy``; ``None`` when there is none.

    The header is checked against the file's size before memory is taken for it.

    Raises:
        TakeError: damaged, or another number of codebooks than the story tells.
    """
    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            head = _NPY_HEAD.match(file.read(_MAX_NPY_HEADER))
            if head is None:
                raise ValueError("its header is wrong")
            shape = int(head["codebooks"]), int(head["frames"])
            file.seek(head.end())
            fits = 1 <= shape[0] <= MAX_CODEBOOKS and 1 <= shape[1] <= MAX_FRAMES
            if not fits or shape[0] != codebooks or 4 * shape[0] * shape[1] != size - file.tell():
                raise ValueError("its size is wrong")
            codes = np.frombuffer(file.read(), dtype="<i4").astype(np.int32).reshape(shape)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TakeError("take.codes_unreadable", reason=error.strerror) from error
    except ValueError as error:
        raise TakeError("take.file_damaged", file=CODES_FILE, reason=error) from error
    if int(codes.min()) < 0:
        raise TakeError("take.code_range", file=CODES_FILE)
    codes.flags.writeable = False
    return codes
