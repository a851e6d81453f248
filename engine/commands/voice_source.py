"""Which voice a command line asks for (spec 05, section 5: resolution order)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cancel import CancelToken
from engine.commands.args import UsageError
from engine.commands.console import Console
from engine.errors import EngineError, VoiceError
from engine.storage.shipped import shipped_voices
from engine.voices import (
    Codec,
    Companions,
    VoiceLibrary,
    VoiceProfile,
    is_path,
    kept_clip,
    load_for,
    resolve_voice,
)

if TYPE_CHECKING:
    from engine.audio.clip import AudioClip
    from engine.engine import Engine

DEFAULT_VOICE_DIR = Path("voices")


def check_voice_arguments(args: argparse.Namespace, console: Console) -> None:
    """Refuse combinations that cannot work, before a model is loaded."""
    if args.save_voice and not args.voice:
        raise EngineError("cli.save_needs_voice")
    if args.save_voice and not (args.prompt_audio and args.prompt_text):
        raise EngineError("cli.save_needs_prompt")
    if args.prompt_audio and not (args.prompt_text or "").strip():
        raise EngineError("cli.prompt_text_missing")
    if args.prompt_audio and args.voice and not args.save_voice:
        console.warn("the prompt audio takes precedence over --voice")
    if args.prompt_text and not args.prompt_audio:
        if args.voice:
            console.warn("--prompt-text is ignored: the saved voice has its own transcript")
        else:
            raise EngineError("cli.prompt_audio_missing")


def voice_directory(args: argparse.Namespace) -> Path:
    """The folder of saved voices."""
    return Path(args.voice_dir) if args.voice_dir else DEFAULT_VOICE_DIR


def find_voice(value: str, directory: str | None) -> Path:
    """The file of a voice by name, id or path; without a folder given, shipped ones are found too.

    Raises :class:`VoiceError` when there is none.
    """
    folder, voice_id = resolve_voice(value, Path(directory) if directory else None)
    if folder is None:
        folder = DEFAULT_VOICE_DIR
    if voice_id is None:
        raise UsageError("cli.voice_id_missing")
    places = [folder, *((shipped_voices(),) if directory is None else ())]
    for place in places:
        try:
            path = VoiceLibrary(place).find(voice_id)
        except VoiceError as error:
            if error.code != "voice.bad_name" or is_path(voice_id):
                raise
            continue
        if os.path.exists(path):
            return path
    known = ", ".join(entry.name for entry in VoiceLibrary(folder).list()) or "none"
    raise VoiceError("cli.voice_absent_in", voice_id=voice_id, folder=folder, known=known)


def load_voice(value: str, directory: str | None, codec: Codec | None = None) -> VoiceProfile:
    """Load a voice, as it was made for ``codec`` where it was; see :func:`find_voice`.

    Raises:
        VoiceError: there is none, it is damaged, or it does not fit ``codec`` and has a clip that
            it can be made anew of, which the advice says.
    """
    path = find_voice(value, directory)
    profile = load_for(path, codec)
    if codec is not None and profile.codec != codec and Companions(path).notes().clips:
        raise VoiceError("voice.other_codec", "cli.remake", voice_id=value)
    return profile


def keep_voice(
    args: argparse.Namespace, engine: Engine, cancel: CancelToken, console: Console
) -> VoiceProfile:
    """Make a voice of the prompt audio and keep it with its clip, as ``--save-voice`` asks."""
    clip, profile = encode_kept(args, engine, cancel, console)
    library = VoiceLibrary(voice_directory(args))
    library.put(args.voice, profile, [(clip, args.prompt_text)], args.consent)
    console.info(f"saved voice {args.voice} in {voice_directory(args)}")
    return profile


def encode_kept(
    args: argparse.Namespace, engine: Engine, cancel: CancelToken, console: Console
) -> tuple[AudioClip, VoiceProfile]:
    """A voice of the prompt audio, and the clip to keep with it; says when no consent is noted."""
    from engine.audio.files import read_audio
    from engine.audio.reference import MAX_SECONDS

    clip = kept_clip(read_audio(args.prompt_audio, max_seconds=MAX_SECONDS))
    profile = engine.encode_reference(
        clip, args.prompt_text, cancel=cancel, on_progress=console.progress
    )
    if not args.consent:
        console.info("No consent is kept with this voice: --consent says who allowed it.")
    return clip, profile


def references_of(
    args: argparse.Namespace, engine: Engine, cancel: CancelToken, console: Console
) -> tuple[VoiceProfile, ...]:
    """Encode, load or leave out the reference, as the arguments say."""
    if args.save_voice:
        return (keep_voice(args, engine, cancel, console),)
    if args.prompt_audio:
        profile = engine.encode_reference(
            args.prompt_audio, args.prompt_text, cancel=cancel, on_progress=console.progress
        )
        return (profile,)
    if args.voice:
        return (load_voice(args.voice, args.voice_dir, Codec.of(engine.info)),)
    return ()
