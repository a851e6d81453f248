"""The engine's fixed sentences, marked for translation.

The engine knows no Qt and speaks English. Titles of errors and the advice that a user of the
window can meet stand here once more, so that the translation tools find them; a sentence that
is not listed is shown as the engine says it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

CONTEXT = "Engine"

TITLES = (
    QT_TRANSLATE_NOOP("Engine", "The engine failed"),
    QT_TRANSLATE_NOOP("Engine", "The model cannot be opened"),
    QT_TRANSLATE_NOOP("Engine", "The tokenizer cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The voice cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The reference cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The request cannot be spoken"),
    QT_TRANSLATE_NOOP("Engine", "The text is too long"),
    QT_TRANSLATE_NOOP("Engine", "Generation failed"),
    QT_TRANSLATE_NOOP("Engine", "The device cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The file cannot be written"),
    QT_TRANSLATE_NOOP("Engine", "Stopped"),
    QT_TRANSLATE_NOOP("Engine", "The engine is busy"),
)

SENTENCES = (
    QT_TRANSLATE_NOOP("Engine", "no model is loaded"),
    QT_TRANSLATE_NOOP("Engine", "the script holds nothing to speak"),
    QT_TRANSLATE_NOOP("Engine", "text is empty"),
    QT_TRANSLATE_NOOP("Engine", "the text holds nothing to speak"),
    QT_TRANSLATE_NOOP("Engine", "generation produced no frames"),
    QT_TRANSLATE_NOOP("Engine", "reference audio requires its transcript"),
    QT_TRANSLATE_NOOP("Engine", "reference audio is empty"),
    QT_TRANSLATE_NOOP("Engine", "not a GGUF file"),
    QT_TRANSLATE_NOOP("Engine", "cannot save voice profile without transcript"),
    QT_TRANSLATE_NOOP("Engine", "there is no sound to save yet"),
    QT_TRANSLATE_NOOP("Engine", "the model runs on the CPU"),
    QT_TRANSLATE_NOOP("Engine", "asked for"),
    QT_TRANSLATE_NOOP("Engine", "follows the model's device"),
    QT_TRANSLATE_NOOP("Engine", "Open a model first."),
    QT_TRANSLATE_NOOP("Engine", "Type a text first."),
    QT_TRANSLATE_NOOP("Engine", "Wait for it or stop it first."),
    QT_TRANSLATE_NOOP("Engine", "Type what is said in the recording."),
    QT_TRANSLATE_NOOP("Engine", "Type what the voice shall say."),
    QT_TRANSLATE_NOOP("Engine", "Type something to say."),
    QT_TRANSLATE_NOOP("Engine", "Load a model first."),
    QT_TRANSLATE_NOOP("Engine", "Choose another name, or allow overwriting."),
    QT_TRANSLATE_NOOP("Engine", "Choose another name."),
    QT_TRANSLATE_NOOP("Engine", "Shorten it."),
    QT_TRANSLATE_NOOP("Engine", "Generate it again with its seed."),
    QT_TRANSLATE_NOOP("Engine", "Generate a take first."),
    QT_TRANSLATE_NOOP("Engine", "Install a newer version of the program."),
    QT_TRANSLATE_NOOP("Engine", "Make room or choose another folder."),
    QT_TRANSLATE_NOOP("Engine", "Get the model file again."),
    QT_TRANSLATE_NOOP("Engine", "Download it again."),
    QT_TRANSLATE_NOOP("Engine", "Check the path and its permissions."),
    QT_TRANSLATE_NOOP("Engine", "Check the name and the folder."),
    QT_TRANSLATE_NOOP("Engine", "Choose a GGUF of Fish Audio S2 Pro."),
    QT_TRANSLATE_NOOP("Engine", "Use --device cpu."),
    QT_TRANSLATE_NOOP("Engine", "Use --device cpu, or a build of torch made for this GPU."),
    QT_TRANSLATE_NOOP("Engine", "Use --device cpu, or install a build of torch for your GPU."),
    QT_TRANSLATE_NOOP("Engine", "Make the voice again with this model, from its recording."),
    QT_TRANSLATE_NOOP("Engine", "Make the voice again, with its transcript."),
    QT_TRANSLATE_NOOP("Engine", "Choose another recording."),
    QT_TRANSLATE_NOOP("Engine", "Export the recording again as 16-bit WAV."),
    QT_TRANSLATE_NOOP("Engine", "Export the clip again, for example as 16-bit WAV."),
    QT_TRANSLATE_NOOP("Engine", "Export it as mono or stereo."),
    QT_TRANSLATE_NOOP("Engine", "Try another seed or the CPU as backend."),
    QT_TRANSLATE_NOOP("Engine", "Try another seed, another text, or a higher minimum of frames."),
    QT_TRANSLATE_NOOP("Engine", "Put tokenizer.json beside the model, or give its path."),
    QT_TRANSLATE_NOOP("Engine", "Give the path of the model's tokenizer.json."),
    QT_TRANSLATE_NOOP("Engine", "Use the tokenizer.json that was released with the model."),
    QT_TRANSLATE_NOOP("Engine", "Use the tokenizer.json that belongs to the model."),
    QT_TRANSLATE_NOOP("Engine", "Shorten the text, or use fewer or shorter references."),
    QT_TRANSLATE_NOOP(
        "Engine", "Shorten the text or the reference, or speak it sentence by sentence."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "Lower the frame limit, shorten the text, or close other programs."
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Close other programs, shorten the text or the reference, or use a smaller model file.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Use fewer --gpu-layers, --codec-cpu, a smaller model file, or --device cpu.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The microphone was muted, or this program may not use it. Check and record again.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "The file may be damaged; compare its checksum with the publisher's."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "This is a fault of the program. Please report it with the details."
    ),
    QT_TRANSLATE_NOOP("Engine", "Please report this fault of the program."),
    QT_TRANSLATE_NOOP(
        "Engine", "Sound output needs the Python package sounddevice, which is not installed."
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The sound library PortAudio was not found. On Debian or Ubuntu install the "
        "package libportaudio2, then start again.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "No sound output was found. Connect one and choose Rescan; saving works without.",
    ),
    QT_TRANSLATE_NOOP(
        "Engine",
        "No microphone was found. Connect one and choose Rescan, or open a sound file.",
    ),
    QT_TRANSLATE_NOOP("Engine", "It may have been deleted elsewhere."),
)


# Sentences with values, in the order of their numbers. They are told apart by the rest.
PATTERNS = (
    QT_TRANSLATE_NOOP("Engine", "The clip is {0} s long."),
    QT_TRANSLATE_NOOP("Engine", "Record a longer clip."),
    QT_TRANSLATE_NOOP("Engine", "Trim it to 30 s or less."),
    QT_TRANSLATE_NOOP("Engine", "Nothing is clipped."),
    QT_TRANSLATE_NOOP("Engine", "Lower the input gain and record again."),
    QT_TRANSLATE_NOOP("Engine", "The clip is clipped in 1 place."),
    QT_TRANSLATE_NOOP("Engine", "The clip is clipped in {0} places."),
    QT_TRANSLATE_NOOP("Engine", "Apply a gain of {0} dB."),
    QT_TRANSLATE_NOOP("Engine", "Apply a gain of {0} dB, or record with less input gain."),
    QT_TRANSLATE_NOOP(
        "Engine", "Apply a gain of {0} dB. Better: move closer to the microphone and record again."
    ),
    QT_TRANSLATE_NOOP("Engine", "The speech is at {0} dBFS."),
    QT_TRANSLATE_NOOP(
        "Engine", "Record in a quieter room, with short pauses and without music or echo."
    ),
    QT_TRANSLATE_NOOP("Engine", "The background is {0} dB below the speech."),
    QT_TRANSLATE_NOOP("Engine", "There are {0} s of silence before and {1} s after the speech."),
    QT_TRANSLATE_NOOP("Engine", "Trim to {0} - {1} s."),
    QT_TRANSLATE_NOOP("Engine", "The clip ends in a pause."),
    QT_TRANSLATE_NOOP("Engine", "Let the recording run for a moment after the last word."),
    QT_TRANSLATE_NOOP("Engine", "Cut the clip in the pause at {0} s, and its transcript with it."),
    QT_TRANSLATE_NOOP("Engine", "The clip seems to stop inside a word."),
    QT_TRANSLATE_NOOP(
        "Engine", "The microphone is muted or this program may not use it; check and record again."
    ),
    QT_TRANSLATE_NOOP("Engine", "The clip holds only zeros."),
    QT_TRANSLATE_NOOP("Engine", "{0} % of the clip is digital silence."),
    QT_TRANSLATE_NOOP("Engine", "Trim it; if it has gaps, record again without a noise gate."),
    QT_TRANSLATE_NOOP("Engine", "The clip is mono."),
    QT_TRANSLATE_NOOP("Engine", "The {0} channels fit together."),
    QT_TRANSLATE_NOOP("Engine", "The channels work against each other (correlation {0})."),
    QT_TRANSLATE_NOOP("Engine", "Record in mono, or keep only the better channel."),
    QT_TRANSLATE_NOOP(
        "Engine", "One channel is turned over when the clip is used. Better: record in mono."
    ),
    QT_TRANSLATE_NOOP("Engine", "Use a recording of better quality, not from a telephone."),
    QT_TRANSLATE_NOOP("Engine", "The sound reaches up to {0} kHz."),
    QT_TRANSLATE_NOOP("Engine", "Type or transcribe every word that is said in the clip."),
    QT_TRANSLATE_NOOP("Engine", "The transcript is missing."),
    QT_TRANSLATE_NOOP("Engine", "The transcript makes {0} characters a second of speech."),
    QT_TRANSLATE_NOOP(
        "Engine", "It seems to cover only a part of the clip: complete it, or trim the clip."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "It holds more than can be said in the clip: shorten it, or use the whole clip."
    ),
    QT_TRANSLATE_NOOP("Engine", "out of memory on {0} while {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} is not available on this machine or in this build of torch"),
    QT_TRANSLATE_NOOP("Engine", "{0} is listed but cannot run a product: {1}"),
)


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for source in map(str, PATTERNS):
        parts = re.split(r"(\{\d\})", source)
        shape = "".join("(.+?)" if part.startswith("{") else re.escape(part) for part in parts)
        found.append((re.compile(shape), source))
    return found


def engine_text(text: str) -> str:
    """``text`` of the engine in the language of the window, where it is known."""
    if not text:
        return ""
    known = QCoreApplication.translate(CONTEXT, text)
    if known != text:
        return known
    for shape, source in _patterns():
        match = shape.fullmatch(text)
        if match is not None:
            return QCoreApplication.translate(CONTEXT, source).format(*match.groups())
    return text
