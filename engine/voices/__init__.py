"""Voices: profiles, what lies beside them, the folder that keeps them, their names (spec 05).

Names are loaded on first use: to list voices takes neither sound files nor archives.
"""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.voices.bundle import BUNDLE, add_file, export_bundle
    from engine.voices.clips import kept_clip
    from engine.voices.companions import Companions, read_sidecar
    from engine.voices.library import DEFAULT_DIRECTORY, VoiceLibrary, load_for, resolve_voice
    from engine.voices.listing import NewVoice, VoiceEntry
    from engine.voices.names import is_path, name_key, safe_name, unique_name, valid_id
    from engine.voices.notes import COLORS, ClipNote, VoiceNotes, clean_tags, shown_name
    from engine.voices.profile import EXTENSION, Codec, VoiceHeader, VoiceProfile
    from engine.voices.remake import (
        Clips,
        keep_of,
        keep_remade,
        load_clips,
        make_voice,
        most_seconds,
    )

_HOMES = {
    "engine.voices.bundle": ("BUNDLE", "add_file", "export_bundle"),
    "engine.voices.clips": ("kept_clip",),
    "engine.voices.companions": ("Companions", "read_sidecar"),
    "engine.voices.library": ("DEFAULT_DIRECTORY", "VoiceLibrary", "load_for", "resolve_voice"),
    "engine.voices.listing": ("NewVoice", "VoiceEntry"),
    "engine.voices.names": ("is_path", "name_key", "safe_name", "unique_name", "valid_id"),
    "engine.voices.notes": ("COLORS", "ClipNote", "VoiceNotes", "clean_tags", "shown_name"),
    "engine.voices.profile": ("EXTENSION", "Codec", "VoiceHeader", "VoiceProfile"),
    "engine.voices.remake": (
        "Clips", "keep_of", "keep_remade", "load_clips", "make_voice", "most_seconds",
    ),
}  # fmt: skip
__getattr__ = lazy_names(__name__, _HOMES)
