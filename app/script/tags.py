"""The style tags that the model's makers document (spec 02, section 4), and their groups."""

from __future__ import annotations

CHIPS = ("pause", "whisper", "excited", "laughing")
"""Tags that stand beside the editor."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("pace", ("pause", "short pause", "emphasis", "interrupting")),
    (
        "voice",
        (
            "whisper", "low voice", "low volume", "volume down", "volume up", "loud", "shouting",
            "screaming", "singing", "echo", "with strong accent",
        ),
    ),
    (
        "mood",
        (
            "excited", "excited tone", "delight", "surprised", "shocked", "angry", "sad",
        ),
    ),
    (
        "sounds",
        (
            "laughing", "laughing tone", "chuckle", "chuckling", "sigh", "inhale", "exhale",
            "panting", "tsk", "clearing throat", "moaning", "audience laughter",
        ),
    ),
)  # fmt: skip

ALL_TAGS: tuple[str, ...] = tuple(tag for _, tags in GROUPS for tag in tags)
