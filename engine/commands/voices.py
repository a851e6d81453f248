"""``s2 voices``: the saved voices. Only what makes one anew loads a model."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.cancel import CancelToken
from engine.commands import args as arguments
from engine.commands.console import Console
from engine.commands.doorway import require_ending
from engine.commands.loading import load, stop_on_interrupt
from engine.commands.voice_source import DEFAULT_VOICE_DIR, find_voice
from engine.errors import VoiceError
from engine.voices import Codec, Companions, VoiceLibrary, VoiceProfile, kept_clip, load_for

if TYPE_CHECKING:
    from engine.audio.clip import AudioClip
    from engine.engine import Engine
    from engine.voices.remake import Clips, Encode


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("voices", help="the saved voices: list, rename, hand on, ...")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text, ids in (
        ("list", "one line for each voice", ()),
        ("show", "all about one voice", ("voice",)),
        ("rename", "give a voice another name, which is any text", ("voice", "name")),
        ("remove", "delete a voice", ("voice",)),
        ("export", "write a voice with all that belongs to it into one file", ("voice", "file")),
        ("import", "add the voice of a bundle, or of a .s2voice file", ("file",)),
        ("remake", "make voices anew from their clips for another model", ()),
        ("add-clip", "make a voice of one more clip of the same speaker", ("voice",)),
        ("drop-clip", "make a voice without one of its clips", ("voice", "number")),
    ):
        action = actions.add_parser(name, help=text)
        for each in ids:
            action.add_argument(each, metavar=each.upper())
        if name == "remake":
            action.add_argument("voice", metavar="VOICE", nargs="*", help="default: all of them")
        if name == "add-clip":
            action.add_argument(
                "-pa", "--prompt-audio", required=True, metavar="PATH", help="recording"
            )
            arguments.add_text(
                action, "-pt", "--prompt-text", required=True, help="what is said in it"
            )
        if name in ("remake", "add-clip", "drop-clip"):
            arguments.add_model(action)
        action.add_argument("--voice-dir", metavar="DIR", help="folder of the voices")
        arguments.add_log(action)
        action.set_defaults(run=ACTIONS[name])


def _library(args: argparse.Namespace) -> VoiceLibrary:
    return VoiceLibrary(Path(args.voice_dir) if args.voice_dir else DEFAULT_VOICE_DIR)


def run_list(args: argparse.Namespace, console: Console) -> int:
    """Each voice with its length and transcript; a damaged one with its reason."""
    entries = _library(args).list()
    if not entries:
        console.result("No saved voice profiles found.")
    for entry in entries:
        name = entry.id if entry.name == entry.id else f"{entry.name} ({entry.id})"
        if entry.error:
            console.result(f"{name}: damaged: {entry.error}")
        else:
            console.result(f"{name}: {entry.seconds:.1f} s, {entry.preview}")
    return 0


def list_ids(args: argparse.Namespace, console: Console) -> int:
    """The peer's ``--list-voices``: sorted ids, nothing else."""
    ids = _library(args).ids()
    if not ids:
        console.result("No saved voice profiles found.")
        return 0
    console.result("\n".join(["Saved voice profiles:", *(f"  {each}" for each in ids)]))
    return 0


def run_show(args: argparse.Namespace, console: Console) -> int:
    path = find_voice(args.voice, args.voice_dir)
    profile, beside = load_for(path, None), Companions(path)
    notes = beside.notes()
    facts: list[tuple[str, object]] = [
        ("name", VoiceLibrary(path.parent).name_of(path)),
        ("codebooks", profile.codes.shape[0]),
        ("frames", profile.frames),
        ("sample rate", profile.sample_rate),
        ("codebook size", profile.codebook_size),
        ("transcript", profile.transcript),
        ("consent", notes.consent or "none noted"),
        ("language", notes.language),
        ("tags", ", ".join(notes.tags)),
        ("notes", notes.notes),
    ]
    for number, clip in enumerate(notes.clips, 1):
        said = f": {clip.text}" if len(notes.clips) > 1 else ""
        facts.append((f"clip {number}", f"{clip.seconds:.1f} s, {clip.name}{said}"))
    facts += [("also made for", "x".join(map(str, codec))) for codec in beside.others()]
    for name, value in facts:
        if value != "":
            console.result(f"{name}: {value}")
    return 0


def run_rename(args: argparse.Namespace, console: Console) -> int:
    library = _library(args)
    new = library.call(args.voice, args.name)
    console.result(f"{args.voice} is now {library.name_of(library.path(new))}")
    return 0


def run_export(args: argparse.Namespace, console: Console) -> int:
    from engine.voices.bundle import BUNDLE, export_bundle

    require_ending(args.file, BUNDLE)
    path = find_voice(args.voice, args.voice_dir)
    export_bundle(VoiceLibrary(path.parent), path.stem, Path(args.file))
    console.result(f"{args.file}: {Path(args.file).stat().st_size / 1e3:.0f} kB")
    return 0


def run_import(args: argparse.Namespace, console: Console) -> int:
    from engine.voices.bundle import add_file

    library = _library(args)
    new = add_file(library, Path(args.file))
    console.result(f"added {library.name_of(library.path(new))}")
    return 0


def run_remake(args: argparse.Namespace, console: Console) -> int:
    """All voices that do not fit the model, or those that are named."""
    from engine.voices.remake import most_seconds, plan_remake, remake

    library, cancel = _library(args), CancelToken()
    failed = 0
    with stop_on_interrupt(cancel), load(args, console, cancel) as engine:
        info = engine.info
        plan = plan_remake(library, Codec.of(info))
        wanted = {library.find(name).stem for name in args.voice}
        limit = most_seconds(info.context_length, 1 / info.frame_rate)
        for entry in plan.lost:
            if not wanted or entry.id in wanted:
                console.warn(f"{entry.name}: {VoiceError('voice.no_clip', name=entry.name)}")
                failed += 1
        for entry in plan.ready:
            if wanted and entry.id not in wanted:
                continue
            try:
                made = remake(library, entry.id, _encoder(engine, cancel, console), limit)
            except VoiceError as error:
                console.warn(f"{entry.name}: {error}")
                failed += 1
                continue
            for warning in made.warnings:
                console.warn(warning)
            console.result(f"{entry.name}: made anew, {made.frames} frames")
    if not plan.ready and not plan.lost:
        console.result("All voices fit this model.")
    return 1 if failed else 0


def run_add_clip(args: argparse.Namespace, console: Console) -> int:
    from engine.audio.files import read_audio
    from engine.audio.reference import MAX_SECONDS

    clip = kept_clip(read_audio(args.prompt_audio, max_seconds=MAX_SECONDS))
    return _change_clips(args, console, lambda clips: [*clips, (clip, args.prompt_text)])


def run_drop_clip(args: argparse.Namespace, console: Console) -> int:
    def without(clips: Clips) -> Clips:
        number = int(args.number) if args.number.isdecimal() else 0
        if not 1 <= number <= len(clips) or len(clips) == 1:
            raise VoiceError("cli.no_such_clip", number=args.number, clips=len(clips))
        return [*clips[: number - 1], *clips[number:]]

    return _change_clips(args, console, without)


def _change_clips(
    args: argparse.Namespace, console: Console, change: Callable[[Clips], Clips]
) -> int:
    from engine.voices.remake import load_clips, most_seconds, remake_of

    library, cancel = _library(args), CancelToken()
    beside = library.companions(args.voice)
    clips = change(load_clips(beside))
    with stop_on_interrupt(cancel), load(args, console, cancel) as engine:
        info = engine.info
        limit = most_seconds(info.context_length, 1 / info.frame_rate)
        made = remake_of(beside, clips, _encoder(engine, cancel, console), limit)
    for warning in made.warnings:
        console.warn(warning)
    console.result(f"{args.voice}: {len(clips)} clips, {made.frames} frames")
    return 0


def _encoder(engine: Engine, cancel: CancelToken, console: Console) -> Encode:
    def encode(clip: AudioClip, text: str) -> VoiceProfile:
        return engine.encode_reference(clip, text, cancel=cancel, on_progress=console.progress)

    return encode


def run_remove(args: argparse.Namespace, console: Console) -> int:
    return remove_voice(args, args.voice, console)


def remove_voice(args: argparse.Namespace, voice_id: str, console: Console) -> int:
    if not _library(args).remove(voice_id):
        raise VoiceError("cli.voice_absent", voice_id=voice_id)
    console.result(f"removed {voice_id}")
    return 0


ACTIONS = {
    "list": run_list,
    "show": run_show,
    "rename": run_rename,
    "remove": run_remove,
    "export": run_export,
    "import": run_import,
    "remake": run_remake,
    "add-clip": run_add_clip,
    "drop-clip": run_drop_clip,
}
