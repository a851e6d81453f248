"""Multipart forms, taken in with a limit for each field while they arrive."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from engine.server.body import TooLargeError, read_chunks, size_text
from engine.server.options import MIB, Limits
from engine.server.replies import LOG, ApiError, bad_request
from engine.storage.files import write_all

REFERENCE = ("reference", "reference_audio", "prompt_audio", "ref_audio")
REFERENCE_TEXT = ("reference_text", "ref_text", "prompt_text")
VOICE = ("voice", "voice_id", "voice_profile")
TEXTS = (*REFERENCE_TEXT, *VOICE, "text", "params", "voice_dir")
NO_TEXT = "No text field in multipart form"
MAX_PARTS = 64
OTHER_BYTES = 1 * MIB


class Upload:
    """A recording that came in, kept in a temporary file until it is closed."""

    def __init__(self) -> None:
        self._file: BinaryIO | None = None
        self.path = ""
        self.size = 0
        try:
            number, self.path = tempfile.mkstemp(prefix="s2-reference-")
        except OSError as error:
            raise _no_room(error) from error
        # Unbuffered: a full disk is met while there is somebody to tell, not on closing.
        self._file = os.fdopen(number, "wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Append; raises :class:`ApiError` 507 when that fails, and deletes the file."""
        assert self._file is not None
        try:
            write_all(self._file, data)
        except OSError as error:
            self.close()
            raise _no_room(error) from error
        self.size += len(data)

    def finish(self) -> None:
        """Everything was written; the file can be read by its path."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def close(self) -> None:
        """Delete the file; harmless when repeated."""
        self.finish()
        with suppress(OSError):
            os.unlink(self.path)


def _no_room(error: OSError) -> ApiError:
    LOG.error("a recording could not be kept: %s", error)
    return ApiError(507, "The server has no room to keep the recording.", code="storage_full")


@dataclass(slots=True)
class MultipartForm:
    """The fields that are known; of each name the first one counts.

    Attributes:
        texts: bytes of the text fields.
        uploads: recordings by field name; empty ones are left out.
        left_out: one of them was a file.
    """

    texts: dict[str, bytes] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)
    left_out: bool = False

    def first(self, names: Iterable[str]) -> str:
        """The first of ``names`` that holds text; empty when none does.

        Raises:
            ApiError: 400, it is not UTF-8.
        """
        for name in names:
            if value := self.text(name):
                return value
        return ""

    def text(self, name: str) -> str | None:
        """A text field, or ``None`` when it is absent."""
        raw = self.texts.get(name)
        if raw is None:
            return None
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise bad_request(f"The field {name} is not valid UTF-8", param=name) from None

    def take_reference(self) -> Upload | None:
        """The recording, which the caller then owns."""
        for name in REFERENCE:
            if (upload := self.uploads.pop(name, None)) is not None:
                return upload
        return None

    def close(self) -> None:
        """Delete the recordings that nobody took."""
        for upload in self.uploads.values():
            upload.close()
        self.uploads.clear()


async def read_form(request: Request, limits: Limits) -> MultipartForm:
    """Read the whole form.

    Raises:
        ApiError: 400 for a malformed form, 413 for a field or a body over its limit, 408.
        ClientGoneError: the connection closed.
    """
    kind, options = parse_options_header(request.headers.get("content-type"))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary:
        raise bad_request(NO_TEXT)
    reader = _Reader(limits)
    try:
        parser = MultipartParser(boundary, reader.callbacks())
        limit = limits.reference_bytes + OTHER_BYTES
        async for chunk in read_chunks(request, limit, limits.body_timeout_s):
            parser.write(chunk)
        if not reader.complete:
            raise bad_request("The multipart form is cut off")
    except FormParserError as error:
        reader.form.close()
        raise bad_request(f"Malformed multipart form: {str(error)[:200]}") from None
    except BaseException:
        reader.form.close()
        raise
    return reader.form


class _Reader:
    """Callbacks of the multipart parser."""

    def __init__(self, limits: Limits) -> None:
        self.form = MultipartForm()
        self.complete = False
        self._limits = limits
        self._parts = 0
        self._begin()

    def callbacks(self) -> Any:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_name,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._complete,
        }

    def _begin(self) -> None:
        self._header: tuple[bytes, bytes] = (b"", b"")
        self._disposition = b""
        self._name, self._file = "", False
        self._text: bytearray | None = None
        self._upload: Upload | None = None

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._header = (self._header[0] + data[start:end], self._header[1])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._header = (self._header[0], self._header[1] + data[start:end])

    def _header_end(self) -> None:
        if self._header[0].lower() == b"content-disposition":
            self._disposition = self._header[1]
        self._header = (b"", b"")

    def _headers_finished(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise bad_request(f"The multipart form has more than {MAX_PARTS} fields")
        _, options = parse_options_header(self._disposition)
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        self._file = bool(options.get(b"filename"))
        if self._name in TEXTS and self._name not in self.form.texts:
            self._text = bytearray()
        elif self._name in REFERENCE and self._name not in self.form.uploads:
            self._upload = self.form.uploads[self._name] = Upload()

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._text is not None:
            self._text += data[start:end]
            self._check_text(len(self._text))
        elif self._upload is not None:
            self._upload.write(data[start:end])
            limit = self._limits.reference_bytes
            if self._upload.size > limit:
                raise TooLargeError("The reference audio", size_text(limit))

    def _check_text(self, size: int) -> None:
        if self._name == "params":
            if size > self._limits.params_bytes:
                raise TooLargeError("The params field", size_text(self._limits.params_bytes))
        elif size > self._limits.text_bytes:
            raise TooLargeError(f"The field {self._name}", f"{self._limits.text_chars} characters")

    def _end(self) -> None:
        if self._text is not None:
            self.form.texts[self._name] = bytes(self._text)
        elif self._upload is not None:
            self._upload.finish()
            if self._upload.size == 0:
                self.form.uploads.pop(self._name).close()
                # A page sends an empty part without a name where no file was chosen.
                self.form.left_out |= self._file
        self._text = self._upload = None

    def _complete(self) -> None:
        self.complete = True
