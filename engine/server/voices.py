"""Voices over HTTP: by id or path, and never outside the voice root (spec 05, section 5)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from engine.errors import EngineError, OutputError, VoiceError
from engine.server.options import ServerOptions
from engine.server.replies import ApiError, sentence
from engine.types import ModelInfo
from engine.voices import (
    Codec,
    VoiceLibrary,
    VoiceProfile,
    load_for,
    resolve_voice,
    valid_id,
)

OUTSIDE = "voice path is outside the voice directory"
SHOWN_CHARS = 80
_NO_NAME = ("voice.bad_name", "voice.long_name")


class VoiceResolver:
    """The voice root and the folders that are looked into besides it."""

    def __init__(self, options: ServerOptions) -> None:
        self._root = options.voice_dir
        self._more = options.more_voice_dirs
        self._default = options.voice

    def locate(self, value: str, directory: str = "") -> Path | None:
        """The file that a request's voice means; it need not exist. No file is opened.

        Args:
            value: an id, or a path that ends in ``.s2voice``; empty for the default voice.
            directory: a folder inside the root, for an id.

        Returns:
            ``None`` for no voice.

        Raises:
            ApiError: 400, outside the root or no valid id.
        """
        folder, voice_id = resolve_voice(value or self._default, directory or None)
        if voice_id is None:
            return None
        if folder is None:
            return self._by_id(voice_id)
        return self._inside(VoiceLibrary(self._contained(folder)), voice_id)

    def load(self, path: Path, info: ModelInfo) -> VoiceProfile:
        """Read a voice, as it was made for the model where it was.

        Raises:
            ApiError: 404 when there is none, 400 when it is damaged.
        """
        if not os.path.isfile(path):
            raise unknown(path.stem)
        try:
            return load_for(path, Codec.of(info))
        except VoiceError as error:
            # The detail of a failed open names the path.
            detail = sentence(error).replace(str(path), path.name)
            raise ApiError(400, detail, param="voice", code="invalid_voice") from error

    def remove(self, voice_id: str) -> None:
        """Delete a voice from the root.

        Raises:
            ApiError: 404, 400 for no valid id, 500 when the file cannot be deleted.
        """
        try:
            removed = VoiceLibrary(self._root).remove(voice_id)
        except VoiceError as error:
            if error.code in _NO_NAME:
                raise _invalid(voice_id) from None
            raise ApiError(400, OUTSIDE) from None
        except OutputError as error:
            raise ApiError(500, sentence(error)) from error
        if not removed:
            raise unknown(voice_id)

    def ids(self) -> list[str]:
        """Ids that a request can use, sorted."""
        return sorted({voice for folder in self._folders() for voice in _ids(folder)})

    def listing(self) -> list[dict[str, Any]]:
        """One object for each voice; a damaged one says why in ``error``."""
        found: dict[str, dict[str, Any]] = {}
        for folder in self._folders():
            for entry in VoiceLibrary(folder).list():
                if entry.id in found or not valid_id(entry.id):
                    continue
                found[entry.id] = {
                    "id": entry.id,
                    "name": entry.name,
                    "frames": entry.frames,
                    "seconds": round(entry.seconds, 3),
                    "transcript": entry.preview,
                    "error": entry.error.replace(str(entry.path), entry.path.name),
                }
        return [found[name] for name in sorted(found)]

    def _folders(self) -> tuple[Path, ...]:
        return (self._root, *self._more)

    def _by_id(self, voice_id: str) -> Path:
        found: list[Path] = []
        trouble = _invalid(voice_id)
        for folder in self._folders():
            try:
                path = VoiceLibrary(folder).find(voice_id)
            except VoiceError as error:
                if error.code not in _NO_NAME:
                    trouble = self._refused(voice_id, error)
                    break
                continue
            if os.path.isfile(path):
                return path
            found.append(path)
        if not found:
            raise trouble
        return found[0]

    def _inside(self, library: VoiceLibrary, voice_id: str) -> Path:
        try:
            return library.find(voice_id)
        except VoiceError as error:
            raise self._refused(voice_id, error) from None

    def _refused(self, voice_id: str, error: VoiceError) -> ApiError:
        if error.code == "voice.several":
            raise error
        return _invalid(voice_id) if error.code in _NO_NAME else _outside()

    def _contained(self, folder: Path) -> Path:
        """``folder`` when it lies in the root, also after links are followed.

        A relative folder counts from the current folder, as on the command line, or from the
        root. Whether it is inside is first judged by its name alone, so that nothing of the
        rest of the disk is looked at.
        """
        if "\0" in str(folder):
            raise _outside()
        root = os.path.abspath(self._root)
        for base in (os.getcwd(), root):
            named = os.path.abspath(os.path.join(base, folder))
            if named == root or named.startswith(root + os.sep):
                return self._followed(Path(named))
        raise _outside()

    def _followed(self, folder: Path) -> Path:
        try:
            inside = folder.resolve().is_relative_to(self._root.resolve())
        except (OSError, RuntimeError, ValueError):
            inside = False
        if not inside:
            raise _outside()
        return folder


def unknown(voice_id: str) -> ApiError:
    """There is no such voice."""
    shown = voice_id[:SHOWN_CHARS]
    return ApiError(
        404, f"There is no voice {shown!r}; GET /voices lists them.",
        param="voice", code="voice_not_found",
    )  # fmt: skip


def _outside() -> ApiError:
    return ApiError(400, OUTSIDE, param="voice", code="invalid_voice")


def _invalid(voice_id: str) -> ApiError:
    shown = voice_id[:SHOWN_CHARS].encode("utf-8", "replace").decode("utf-8")
    return ApiError(400, f"Invalid voice id: {shown!r}", param="voice", code="invalid_voice")


def _ids(folder: Path) -> list[str]:
    try:
        return VoiceLibrary(folder).ids()
    except EngineError:
        return []
