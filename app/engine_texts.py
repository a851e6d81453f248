"""The engine's fixed sentences, marked for translation.

The engine knows no Qt and speaks English. Titles of errors and the advice that a user of the
window can meet stand here once more, so that the translation tools find them; a sentence that
is not listed, or that holds values, is shown as the engine says it.
"""

from __future__ import annotations

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


def engine_text(text: str) -> str:
    """``text`` of the engine in the language of the window, where it is known."""
    return QCoreApplication.translate(CONTEXT, text) if text else ""
