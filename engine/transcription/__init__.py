"""What is said in a sound: transcription in a child process, and the word check of a take.

Names are loaded on first use: a program that starts itself as the child asks for the flag only.
"""

from typing import TYPE_CHECKING

from engine import lazy_names

if TYPE_CHECKING:
    from engine.transcription.child import main, request_line
    from engine.transcription.clip_words import check_clip_words, words_to_score
    from engine.transcription.fetch import RECOGNISER, Recogniser, fetch_recogniser
    from engine.transcription.heard import (
        Heard,
        HeardWord,
        TranscribeError,
        Transcript,
        heard_of,
    )
    from engine.transcription.model import (
        ADVICE,
        CHILD_FLAG,
        INSTALL,
        child_command,
        extra_installed,
        find_model,
    )
    from engine.transcription.run import transcribe
    from engine.transcription.scoring import RATE
    from engine.transcription.word_check import WordMark, WordReport, check_words
    from engine.transcription.words import SpokenWord, spoken_words

_HOMES = {
    "engine.transcription.child": ("main", "request_line"),
    "engine.transcription.clip_words": ("check_clip_words", "words_to_score"),
    "engine.transcription.fetch": ("RECOGNISER", "Recogniser", "fetch_recogniser"),
    "engine.transcription.heard": (
        "Heard", "HeardWord", "TranscribeError", "Transcript", "heard_of",
    ),
    "engine.transcription.model": (
        "ADVICE", "CHILD_FLAG", "INSTALL", "child_command", "extra_installed", "find_model",
    ),
    "engine.transcription.run": ("transcribe",),
    "engine.transcription.scoring": ("RATE",),
    "engine.transcription.word_check": ("WordMark", "WordReport", "check_words"),
    "engine.transcription.words": ("SpokenWord", "spoken_words"),
}  # fmt: skip
__getattr__ = lazy_names(__name__, _HOMES)
