"""Text on its way to the model: tags, segments, prompt and tokens (spec 02)."""

from engine.text.pauses import pause_seconds
from engine.text.pronunciations import (
    Pronunciations,
    checked_pronunciations,
    dump_pronunciations,
    read_pronunciations,
    used_pronunciations,
)
from engine.text.speech_plan import plan_speech
from engine.text.split import estimate_seconds, split_segments, split_sentences
from engine.text.tags import (
    CONTROL_LIKE,
    SPEAKER_LIKE,
    SPEAKER_TAG,
    find_piece,
    has_words,
    is_speakable,
    speaker_tag,
    tag_spans,
)
