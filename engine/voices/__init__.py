"""Voices: profiles, the folder that keeps them, and their names (spec 05)."""

from engine.voices.library import DEFAULT_DIRECTORY, VoiceEntry, VoiceLibrary, resolve_voice
from engine.voices.names import safe_name, unique_name, valid_id
from engine.voices.profile import EXTENSION, VoiceHeader, VoiceProfile
