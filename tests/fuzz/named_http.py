"""Requests with one fault each, and the status of the answer.

The fuzzer damages these bodies further.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from server_kit import multipart

GOOD_FORM = multipart({"text": "Hi.", "params": '{"max_new_tokens": 1}', "voice": "nobody"})
_TYPE = b"multipart/form-data; boundary="


@dataclass(frozen=True, slots=True)
class Wrong:
    """A ``POST``: its body, the status of the answer, its path and kind of body."""

    body: bytes
    status: int = 400
    path: str = "/generate"
    kind: bytes = _TYPE + b"cut"


def _speech(**fields: object) -> Wrong:
    body = json.dumps({"input": "Hi.", "max_new_tokens": 1, **fields}).encode()
    return Wrong(body, path="/v1/audio/speech", kind=b"application/json")


HTTP_CASES = {
    "no body": Wrong(b""),
    "end alone": Wrong(b"--cut--"),
    "part without a name": Wrong(b"--cut\r\n\r\n\r\n--cut--"),
    "cut in a part": Wrong(
        b'--cut\r\nContent-Disposition: form-data; name="text"\r\n\r\nHi.',
    ),
    "5000 lines of a head": Wrong(b"--cut\r\n" + b"A: b\r\n" * 5000),
    "a line of 100 kB": Wrong(b"--cut\r\n" + b"A" * 100_000 + b": b\r\n\r\n--cut--"),
    "no boundary": Wrong(GOOD_FORM, kind=b"multipart/form-data"),
    "empty boundary": Wrong(GOOD_FORM, kind=_TYPE),
    "boundary of 400": Wrong(GOOD_FORM, kind=_TYPE + b"x" * 400),
    "boundary with one quote": Wrong(GOOD_FORM, kind=_TYPE + b'"cut'),
    "boundary in a charset": Wrong(
        GOOD_FORM, kind=b"multipart/form-data; boundary*=utf-8''cut; charset=none"
    ),
    "no kind": Wrong(GOOD_FORM, kind=b""),
    "nobody's voice": Wrong(GOOD_FORM, status=404),
    "seed of 400 digits": _speech(seed=10**400),
    "temperature of 400 digits": _speech(temperature=10**400),
    "voice with a NUL": _speech(voice={"id": "\x00.s2voice"}),
    "path with a NUL": _speech(voice="\x00/x.s2voice"),
    "noise for JSON": Wrong(b"\xff\0[", path="/v1/audio/speech", kind=b""),
}
