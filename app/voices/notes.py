"""What the user knows about a voice: kept in ``<id>.json`` beside the ``.s2voice``.

The profile itself stays as the peer writes it; everything else stands in this sidecar.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from engine.storage import parse_object

MAX_BYTES = 1 << 20
VERSION = 1
MAX_SECONDS = 1e9


@dataclass(frozen=True, slots=True)
class VoiceNotes:
    """The content of a sidecar.

    Attributes:
        notes: free text.
        language: what is spoken in the clip, a code such as ``en`` or free text.
        consent: who allowed the cloning, and when.
        source_name: what the clip was called.
        source_sha256: of the samples that the voice was made from, little-endian float32.
        source_seconds: their length.
        made: date and time with zone, ISO 8601.
        other: fields that a newer version wrote; kept as they are.
    """

    notes: str = ""
    language: str = ""
    consent: str = ""
    source_name: str = ""
    source_sha256: str = ""
    source_seconds: float = 0.0
    made: str = ""
    other: dict[str, Any] = field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """The file's content, UTF-8 JSON."""
        plain = asdict(self)
        other = plain.pop("other")
        whole = {**other, "version": VERSION, **plain}
        try:
            return json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8")
        except UnicodeEncodeError:  # half of a surrogate pair, which JSON can escape
            return json.dumps(whole, indent=1).encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> VoiceNotes:
        """Read a sidecar; fields of the wrong type are left at their defaults.

        Raises:
            ValueError: it is no JSON object, or one that could not be written again.
        """
        if len(data) > MAX_BYTES:
            raise ValueError("larger than 1 MB")
        plain = parse_object(data)
        known: dict[str, Any] = {}
        names = {f.name for f in fields(cls)} - {"other"}
        for name in names & plain.keys():
            value = plain.pop(name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if name == "source_seconds" and number:
                known[name] = float(value) if abs(value) < MAX_SECONDS else 0.0
            elif name != "source_seconds" and isinstance(value, str):
                known[name] = value
        plain.pop("version", None)
        return cls(**known, other=plain)
