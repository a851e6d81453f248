"""Telling model files apart without reading them whole."""

from __future__ import annotations

import hashlib
import os

from engine.gguf.reader import GGUFFile

_SAMPLE_BYTES = 4096


def fingerprint(file: GGUFFile) -> bytes:
    """32 bytes that change with the file: its metadata and directory, the beginning and the end
    of every tensor, its size and when it was changed. Costs some milliseconds for gigabytes."""
    digest = hashlib.sha256()
    status = os.stat(file.path)
    digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
    tensors = sorted(file.tensors.values(), key=lambda tensor: tensor.offset)
    digest.update(file.span(0, tensors[0].offset if tensors else status.st_size))
    for tensor in tensors:
        count = min(_SAMPLE_BYTES, tensor.nbytes)
        digest.update(file.span(tensor.offset, count))
        digest.update(file.span(tensor.offset + tensor.nbytes - count, count))
    return digest.digest()
