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
from engine.voices import VoiceLibrary, VoiceProfile, resolve_voice

if TYPE_CHECKING:
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


def load_voice(value: str, directory: str | None) -> VoiceProfile:
    """Load a voice by id or path; without a folder given, shipped voices are found too."""
    folder, voice_id = resolve_voice(value, Path(directory) if directory else None)
    if folder is None:
        folder = DEFAULT_VOICE_DIR
    if voice_id is None:
        raise UsageError("cli.voice_id_missing")
    library = VoiceLibrary(folder)
    if directory is None and not os.path.exists(library.find(voice_id)):
        shipped = VoiceLibrary(shipped_voices())
        if os.path.exists(shipped.find(voice_id)):
            library = shipped
    if not os.path.exists(library.find(voice_id)):
        known = ", ".join(library.ids()) or "none"
        raise VoiceError("cli.voice_absent_in", voice_id=voice_id, folder=folder, known=known)
    return library.load(voice_id)


def references_of(
    args: argparse.Namespace, engine: Engine, cancel: CancelToken, console: Console
) -> tuple[VoiceProfile, ...]:
    """Encode, load or leave out the reference, as the arguments say."""
    if args.prompt_audio:
        profile = engine.encode_reference(
            args.prompt_audio, args.prompt_text, cancel=cancel, on_progress=console.progress
        )
        if args.save_voice:
            library = VoiceLibrary(voice_directory(args))
            library.save(args.voice, profile)
            console.info(f"saved voice {args.voice} in {voice_directory(args)}")
        return (profile,)
    if args.voice:
        return (load_voice(args.voice, args.voice_dir),)
    return ()
