"""Whether a file holds what its name says, and its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from engine.cancel import CancelToken
from engine.errors import EngineError, ModelFileError
from engine.gguf.inspect import memory_needs
from engine.gguf.reader import GGUFFile
from engine.hub.errors import DamagedFileError
from engine.storage.strict_json import parse_json

BLOCK = 1 << 20


def hash_file(
    path: Path, cancel: CancelToken, on_bytes: Callable[[int, int], None] | None = None
) -> str:
    """SHA-256 of a file, hexadecimal; ``on_bytes(done, total)`` hears of each block.

    Raises:
        ModelFileError: it cannot be read.
        CancelledError: stopped.
    """
    digest, done = hashlib.sha256(), 0
    try:
        total = path.stat().st_size
        with path.open("rb", buffering=0) as file:
            while block := file.read(BLOCK):
                cancel.raise_if_cancelled()
                digest.update(block)
                done += len(block)
                if on_bytes is not None:
                    on_bytes(done, total)
    except OSError as error:
        raise ModelFileError("hub.unreadable", path=path, reason=error.strerror or error) from error
    return digest.hexdigest()


def check_content(path: Path, name: str, discard: Callable[[], None] | None = None) -> None:
    """Read what can be read at once: the header of a model with all bounds, a whole JSON.

    This is what stands against a file that ends early where no hash is known.

    Raises:
        DamagedFileError: after ``discard`` was called.
    """
    try:
        if name.endswith(".gguf"):
            with GGUFFile.open(path) as file:
                memory_needs(file)
        elif name.endswith(".json"):
            parse_json(path.read_bytes())
    except (EngineError, OSError, ValueError) as error:
        reason = error.detail if isinstance(error, EngineError) else str(error)
        if discard is not None:
            discard()
        raise DamagedFileError("hub.unusable", name=name, reason=reason) from error
