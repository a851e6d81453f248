"""Naming the kind of a file that is no readable audio, so that the message helps."""

from __future__ import annotations

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (4, b"ftyp", "an MPEG-4 file (M4A, AAC or video)"),
    (0, b"\x1aE\xdf\xa3", "a Matroska or WebM file"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "a Windows Media file (WMA)"),
    (0, b"#!AMR", "an AMR phone recording"),
    (0, b"MAC ", "a Monkey's Audio file"),
    (0, b"wvpk", "a WavPack file"),
    (0, b"MThd", "a MIDI file, which holds notes and no sound"),
    (0, b"\xff\xf1", "a raw AAC file"),
    (0, b"\xff\xf9", "a raw AAC file"),
    (0, b"GGUF", "a GGUF model"),
    (0, b"S2VOICE\0", "a voice profile, to be imported in the voice library"),
    (0, b"PK\x03\x04", "a ZIP archive"),
    (0, b"%PDF", "a PDF document"),
    (0, b"\x89PNG", "a picture"),
    (0, b"\xff\xd8\xff", "a picture"),
    (8, b"AVI LIST", "an AVI video"),
    (0, b"RIFF", "a RIFF file, but its audio is damaged or missing"),
    (0, b"fLaC", "a FLAC file, but damaged"),
    (0, b"OggS", "an Ogg file, but damaged"),
    (0, b"ID3", "a tagged file, but its sound is damaged or missing"),
)


def describe(head: bytes) -> str:
    """A few words for what the first bytes of a file look like, such as ``a text file``."""
    for offset, magic, words in _MAGIC:
        if head.startswith(magic, offset):
            return words
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 4:
            return "of an unknown kind"
        text = head[: error.start].decode("utf-8")
    if text and all(c.isprintable() or c in "\r\n\t\f" for c in text):
        return "a text file"
    return "of an unknown kind"
