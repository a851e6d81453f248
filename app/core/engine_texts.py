"""The engine's fixed sentences, marked for translation.

The engine knows no Qt and speaks English. Titles of errors and the advice that a user of the
window can meet stand here once more, so that the translation tools find them; a sentence that
is not listed is shown as the engine says it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from app.core import model_texts

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
    QT_TRANSLATE_NOOP("Engine", "The server cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The address cannot be used"),
    QT_TRANSLATE_NOOP("Engine", "The server does not answer"),
    QT_TRANSLATE_NOOP("Engine", "The server refuses access"),
    QT_TRANSLATE_NOOP("Engine", "The server cannot do this"),
    QT_TRANSLATE_NOOP("Engine", "The server rejects the request"),
    QT_TRANSLATE_NOOP("Engine", "The server is busy"),
    QT_TRANSLATE_NOOP("Engine", "The server failed"),
    QT_TRANSLATE_NOOP("Engine", "The answer makes no sense"),
    QT_TRANSLATE_NOOP("Engine", "The sound was cut off"),
    QT_TRANSLATE_NOOP("Engine", "The server cannot start"),
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
    QT_TRANSLATE_NOOP("Engine", "the address of the server is missing"),
    QT_TRANSLATE_NOOP("Engine", "Give it like http://127.0.0.1:3030."),
    QT_TRANSLATE_NOOP("Engine", "the address holds a user name or a password"),
    QT_TRANSLATE_NOOP("Engine", "Give a key as the API key instead."),
    QT_TRANSLATE_NOOP("Engine", "the API key holds blanks or characters that no key has"),
    QT_TRANSLATE_NOOP("Engine", "Copy it once more."),
    QT_TRANSLATE_NOOP(
        "Engine", "Check the address, and that the server runs and can be reached from here."
    ),
    QT_TRANSLATE_NOOP("Engine", "Start the server there, or correct the address."),
    QT_TRANSLATE_NOOP("Engine", "It may be loading its model or be overloaded. Try again later."),
    QT_TRANSLATE_NOOP(
        "Engine", "What came until then is kept. Look at the server, then try again."
    ),
    QT_TRANSLATE_NOOP(
        "Engine", "What came until then is kept. Look at the server's log, then try again."
    ),
    QT_TRANSLATE_NOOP("Engine", "What came until then is kept. Try again."),
    QT_TRANSLATE_NOOP("Engine", "Use an address that its certificate is made for."),
    QT_TRANSLATE_NOOP("Engine", "Try again."),
    QT_TRANSLATE_NOOP("Engine", "Try again later."),
    QT_TRANSLATE_NOOP("Engine", "Give the server's API key, or correct it."),
    QT_TRANSLATE_NOOP("Engine", "Ask whoever runs the server to allow it."),
    QT_TRANSLATE_NOOP(
        "Engine", "Check the address, the kind of server and the names of model and voice."
    ),
    QT_TRANSLATE_NOOP("Engine", "Shorten the text or the reference."),
    QT_TRANSLATE_NOOP("Engine", "Change what it names, then try again."),
    QT_TRANSLATE_NOOP("Engine", "Use that address."),
    QT_TRANSLATE_NOOP("Engine", "Look at the server's log, then try again."),
    QT_TRANSLATE_NOOP("Engine", "The machine behind it does not answer. Try again later."),
    QT_TRANSLATE_NOOP(
        "Engine", "This is the address of a website or a proxy; use that of the speech API."
    ),
    QT_TRANSLATE_NOOP("Engine", "Choose the kind of server by hand, or another address."),
    QT_TRANSLATE_NOOP("Engine", "Choose the kind of server by hand."),
    QT_TRANSLATE_NOOP("Engine", "Check address and port, or choose the kind of server by hand."),
    QT_TRANSLATE_NOOP("Engine", "Choose one of its own voices, or another server."),
    QT_TRANSLATE_NOOP("Engine", "a server speaks with one voice in a request"),
    QT_TRANSLATE_NOOP("Engine", "Let one speaker speak, or use the model on this computer."),
    QT_TRANSLATE_NOOP("Engine", "the voice holds codes, and servers take recordings"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Open a model on this computer, which turns the codes into sound for the server, or choose "
        "a voice of the server.",
    ),
    QT_TRANSLATE_NOOP("Engine", "servers make no codes of recordings and no sound of codes"),
    QT_TRANSLATE_NOOP("Engine", "Open a model on this computer for that."),
    QT_TRANSLATE_NOOP("Engine", "the server sent no sound"),
    QT_TRANSLATE_NOOP("Engine", "Try another text or voice."),
    QT_TRANSLATE_NOOP("Engine", "Change it."),
    QT_TRANSLATE_NOOP("Engine", "Lower it, or use 0 for no limit."),
    QT_TRANSLATE_NOOP("Engine", "the voice of this take is one of a server"),
    QT_TRANSLATE_NOOP(
        "Engine", "Connect to the server in the engine panel, or choose another voice."
    ),
    QT_TRANSLATE_NOOP("Engine", "no reference clip is open"),
    QT_TRANSLATE_NOOP("Engine", "Record or open one, or choose another voice of the server."),
    QT_TRANSLATE_NOOP("Engine", "a server does not carry the melody from piece to piece"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "cut at the limit of frames: the text may not be finished; raise the frame limit or "
        "shorten the text",
    ),
    QT_TRANSLATE_NOOP("Engine", 'Install it: pip install "s2-voice-studio[server]"'),
    QT_TRANSLATE_NOOP("Engine", "Choose another port, or stop the program that uses it."),
    QT_TRANSLATE_NOOP("Engine", "the sound ended within its header"),
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
    QT_TRANSLATE_NOOP("Engine", "{0} is no address"),
    QT_TRANSLATE_NOOP("Engine", "{0} is no HTTP address"),
    QT_TRANSLATE_NOOP("Engine", "{0} did not answer within {1} s"),
    QT_TRANSLATE_NOOP("Engine", "nobody answers at {0}: {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} sent nothing within {1} s"),
    QT_TRANSLATE_NOOP("Engine", "{0} sent nothing more for {1} s"),
    QT_TRANSLATE_NOOP("Engine", "{0} broke the connection off before the answer was complete"),
    QT_TRANSLATE_NOOP("Engine", "the connection to {0} was lost: {1}"),
    QT_TRANSLATE_NOOP("Engine", "the certificate of {0} cannot be trusted: {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} answered with status {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} answered with a web page"),
    QT_TRANSLATE_NOOP("Engine", "{0} sent {1} instead of sound: {2}"),
    QT_TRANSLATE_NOOP("Engine", "{0} sent {1} instead of sound"),
    QT_TRANSLATE_NOOP("Engine", "{0} points to {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} answers, but has no speech API"),
    QT_TRANSLATE_NOOP("Engine", "Try again in {0} s."),
    QT_TRANSLATE_NOOP("Engine", "the server has no voice {0}"),
    QT_TRANSLATE_NOOP("Engine", "It has: {0}."),
    QT_TRANSLATE_NOOP("Engine", "{0} takes no recordings, so it cannot clone a voice"),
    QT_TRANSLATE_NOOP("Engine", "{0} takes a {1} from {2} to {3}, not {4}"),
    QT_TRANSLATE_NOOP("Engine", "{0} takes a top-k of at most {1}, not {2}"),
    QT_TRANSLATE_NOOP("Engine", "{0} ended the stream without saying that it is complete"),
    QT_TRANSLATE_NOOP("Engine", "the sound ended {0} bytes before the end that its header tells"),
    QT_TRANSLATE_NOOP("Engine", "the server needs a library that is not installed: {0}"),
    QT_TRANSLATE_NOOP("Engine", "cannot listen on {0} port {1}: {2}"),
    QT_TRANSLATE_NOOP("Engine", "out of memory on {0} while {1}"),
    QT_TRANSLATE_NOOP("Engine", "{0} is not available on this machine or in this build of torch"),
    QT_TRANSLATE_NOOP("Engine", "{0} is listed but cannot run a product: {1}"),
)


@lru_cache(maxsize=1)
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for source in map(str, (*PATTERNS, *model_texts.PATTERNS)):
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
            # A part may be a sentence of its own, such as the reason of a failure.
            parts = map(engine_text, match.groups())
            return QCoreApplication.translate(CONTEXT, source).format(*parts)
    return text
