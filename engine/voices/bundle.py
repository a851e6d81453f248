"""A voice with all that belongs to it in one file, to be handed on (``.s2vbundle``).

A zip with a fixed layout: ``bundle.json``, ``voice.s2voice``, ``clip-N.flac``, ``picture.*`` and
``others/*.s2voice``. ``bundle.json`` holds the notes and the hash of every other member. Nobody
vouches for such a file: names, number, sizes and hashes are checked while it is read, and nothing
is written before all of it was found good.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from engine.errors import EngineError, VoiceError
from engine.storage.files import save_file
from engine.storage.regular_files import open_regular
from engine.storage.strict_json import parse_object
from engine.voices.clips import MAX_FILE_BYTES
from engine.voices.companions import MAX_OTHERS, MAX_PICTURE, Companions, picture_kind
from engine.voices.library import VoiceLibrary
from engine.voices.listing import called
from engine.voices.notes import MAX_BYTES, MAX_CLIPS, VoiceNotes
from engine.voices.profile import EXTENSION, VoiceProfile

BUNDLE = ".s2vbundle"
VERSION = 1
MANIFEST = "bundle.json"
PROFILE = f"voice{EXTENSION}"
MAX_MEMBERS = MAX_CLIPS + MAX_OTHERS + 3
MAX_TOTAL = 256 << 20
MAX_LIST = 1 << 16
_END = struct.Struct("<4s4H2IH")
_LOCATOR = 20
_MEMBERS = {
    re.compile(r"voice\.s2voice"): 16 << 20,
    re.compile(r"clip-[0-9]{1,4}\.flac"): MAX_FILE_BYTES,
    re.compile(r"picture\.(?:png|jpg|webp)"): MAX_PICTURE,
    re.compile(r"others/[0-9]{1,3}x[0-9]{1,6}-[0-9]{1,6}\.s2voice"): 16 << 20,
}
"""Names that a bundle may hold, and the most bytes of each."""
_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Bundle:
    """What was found in a bundle, all of it checked.

    Attributes:
        name: what the voice is called.
        members: content by name, without the manifest.
    """

    name: str
    profile: VoiceProfile
    notes: VoiceNotes
    members: dict[str, bytes]


def export_bundle(library: VoiceLibrary, voice_id: str, target: Path) -> None:
    """Write a voice with clips, notes, consent and picture into one file.

    The same voice gives the same bytes.

    Raises:
        VoiceError: there is no such voice, or it or a clip of it is damaged.
        OutputError: it cannot be written.
    """
    beside = library.companions(voice_id)
    VoiceProfile.load(beside.profile)
    notes = replace(beside.notes(), name=library.name_of(beside.profile))
    members = {PROFILE: beside.profile.read_bytes()}
    for note in notes.clips:
        beside.load_clip(note)
        members[note.file] = (beside.folder / note.file).read_bytes()
    if picture := beside.picture(notes):
        members[notes.picture] = picture
    for path in beside.others().values():
        members[f"others/{path.name}"] = path.read_bytes()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in sorted(members.items())}
    plain = json.loads(notes.to_bytes())
    manifest = json.dumps(
        {"bundle": VERSION, "members": hashes, "voice": plain}, indent=1, sort_keys=True
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        for name, data in [(MANIFEST, manifest.encode("ascii")), *sorted(members.items())]:
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            pack.writestr(info, data)
    save_file(target, [out.getvalue()])


def import_bundle(library: VoiceLibrary, source: Path) -> str:
    """Add the voice of a bundle under a free name.

    Returns:
        Its id.

    Raises:
        VoiceError: it is no bundle, or one with anything in it that should not be.
        OutputError: it cannot be written; then nothing of it is kept.
    """
    found = read_bundle(source)
    voice_id = library.keep(library.free_name(found.name), found.profile)
    beside = library.companions(voice_id)
    try:
        _unpack(found, beside)
    except EngineError:
        library.remove(voice_id)
        raise
    return voice_id


def add_file(library: VoiceLibrary, source: Path) -> str:
    """Add a voice from anywhere under a free name: a bundle, or a ``.s2voice`` with what lies
    beside it. Returns its id.

    Raises:
        VoiceError, OutputError: see :func:`import_bundle`.
    """
    if source.suffix.lower() == BUNDLE:
        return import_bundle(library, source)
    profile = VoiceProfile.load(source)
    beside = Companions(source)
    notes = beside.notes()
    clips = []
    for note in notes.clips:
        with contextlib.suppress(VoiceError):  # the voice itself is whole
            clips.append((beside.load_clip(note), note.text))
    name = called(notes.name, source.stem)
    plain = replace(notes, clips=(), profile_sha256="", picture="")
    voice_id = library.keep(library.free_name(name), profile, clips, plain)
    new = library.companions(voice_id)
    if picture := beside.picture(notes):
        new.set_picture(picture, new.notes())
    for path in beside.others().values():
        new.keep_other(VoiceProfile.load(path))
    return voice_id


def read_bundle(source: Path) -> Bundle:
    """Read and check all of a bundle; at most :data:`MAX_TOTAL` bytes of memory.

    Raises :class:`VoiceError`.
    """
    name = source.name
    try:
        with open_regular(source) as file:
            _check_end(file, name)
            with zipfile.ZipFile(file) as pack:
                members = dict(_members(pack, name))
    except OSError as error:
        raise VoiceError("voice.unopened", path=source, reason=error.strerror or error) from error
    except (
        zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError
    ) as error:  # fmt: skip
        raise _bad(name, "bundle.no_zip") from error
    try:
        manifest = parse_object(members.pop(MANIFEST, b""))
    except ValueError as error:
        raise _bad(name, "bundle.no_list") from error
    if manifest.get("bundle") != VERSION:
        raise _bad(name, "bundle.version")
    hashes = {key: hashlib.sha256(data).hexdigest() for key, data in members.items()}
    if manifest.get("members") != hashes:
        raise _bad(name, "bundle.changed")
    return _checked(name, members, manifest.get("voice"))


def _check_end(file: BinaryIO, name: str) -> None:
    """The zip's own list is small, before all of it is read into memory: ours has no comment
    behind it and needs no 64-bit numbers."""
    end = file.seek(0, io.SEEK_END)
    if end > MAX_TOTAL:
        raise _bad(name, "bundle.too_large")
    file.seek(max(0, end - _END.size - _LOCATOR))
    tail = file.read()
    if len(tail) < _END.size:
        raise _bad(name, "bundle.no_zip")
    mark, *_, size, _, comment = _END.unpack(tail[-_END.size :])
    if mark != b"PK\5\6" or comment or tail[: -_END.size][-_LOCATOR:].startswith(b"PK\6\7"):
        raise _bad(name, "bundle.no_zip")
    if size > MAX_LIST:
        raise _bad(name, "bundle.members")


def _members(pack: zipfile.ZipFile, name: str) -> Iterator[tuple[str, bytes]]:
    """Every member; what a header promises is believed in nothing but names."""
    infos = pack.infolist()
    if len(infos) > MAX_MEMBERS or len({info.filename for info in infos}) != len(infos):
        raise _bad(name, "bundle.members")
    left = MAX_TOTAL
    for info in infos:
        limit = min(_limit(info.filename), left)
        if not _limit(info.filename):
            raise _bad(name, "bundle.members")
        with pack.open(info) as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise _bad(name, "bundle.too_large")
        left -= len(data)
        yield info.filename, data


def _limit(member: str) -> int:
    if member == MANIFEST:
        return MAX_BYTES
    return next((limit for form, limit in _MEMBERS.items() if form.fullmatch(member)), 0)


def _checked(name: str, members: dict[str, bytes], plain: Any) -> Bundle:
    """What the list says about the members is held against the members."""
    try:
        notes = VoiceNotes.from_bytes(json.dumps(plain).encode())
    except ValueError as error:
        raise _bad(name, "bundle.no_list") from error
    profile = VoiceProfile.from_bytes(members.get(PROFILE, b""), name)
    digest = hashlib.sha256(members[PROFILE]).hexdigest()
    files = {note.file for note in notes.clips}
    there = {each for each in members if each.startswith("clip-")}
    if files != there or (files and notes.profile_sha256 != digest):
        raise _bad(name, "bundle.changed")
    pictures = {each for each in members if each.startswith("picture.")}
    kinds = {f"picture.{picture_kind(members[each])}" for each in pictures}
    if pictures != ({notes.picture} - {""}) or kinds != pictures:
        raise _bad(name, "bundle.changed")
    for each, data in members.items():
        if each.startswith("others/"):
            VoiceProfile.from_bytes(data, name)
    return Bundle(notes.name or Path(name).stem, profile, notes, members)


def _unpack(found: Bundle, beside: Companions) -> None:
    """Write what belongs beside the voice, then see whether the clips are what they should be."""
    name = beside.notes().name
    others = [data for each, data in found.members.items() if each.startswith("others/")]
    files = {
        each: data for each, data in found.members.items() if each.startswith(("clip-", "picture."))
    }
    if files or others:
        beside.make_folder()
    for each, data in files.items():
        save_file(beside.folder / each, [data])
    beside.write_notes(replace(found.notes, name=name))
    for note in found.notes.clips:
        beside.load_clip(note)
    for data in others:
        beside.keep_other(VoiceProfile.from_bytes(data))


def _bad(name: str, code: str) -> VoiceError:
    return VoiceError(code, "bundle.again", name=name)
