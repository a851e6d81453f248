"""Voices: profiles, the folder that keeps them, and their names (spec 05).

The parts live in modules of their own; this is where the rest of the engine takes them from.
"""

from __future__ import annotations

from engine.voices.library import DEFAULT_DIRECTORY, VoiceEntry, VoiceLibrary, resolve_voice
from engine.voices.names import safe_name, unique_name, valid_id
from engine.voices.profile import EXTENSION, VoiceHeader, VoiceProfile

__all__ = [
    "DEFAULT_DIRECTORY",
    "EXTENSION",
    "VoiceEntry",
    "VoiceHeader",
    "VoiceLibrary",
    "VoiceProfile",
    "resolve_voice",
    "safe_name",
    "unique_name",
    "valid_id",
]
