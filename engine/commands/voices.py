"""``s2 voices``: the saved voices, without loading a model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from engine.commands import args as arguments
from engine.commands.console import Console
from engine.commands.voice_source import DEFAULT_VOICE_DIR, load_voice
from engine.errors import VoiceError
from engine.voices import VoiceLibrary


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("voices", help="list, show, rename or remove saved voices")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text, ids in (
        ("list", "one line for each voice", ()),
        ("show", "all about one voice", ("id",)),
        ("rename", "give a voice another id", ("id", "new_id")),
        ("remove", "delete a voice", ("id",)),
    ):
        action = actions.add_parser(name, help=text)
        for each in ids:
            action.add_argument(each, metavar=each.upper())
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
        if entry.error:
            console.result(f"{entry.id}: damaged: {entry.error}")
        else:
            console.result(f"{entry.id}: {entry.seconds:.1f} s, {entry.preview}")
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
    profile = load_voice(args.id, args.voice_dir)
    for name, value in (
        ("codebooks", profile.codes.shape[0]),
        ("frames", profile.frames),
        ("sample rate", profile.sample_rate),
        ("codebook size", profile.codebook_size),
        ("transcript", profile.transcript),
    ):
        console.result(f"{name}: {value}")
    return 0


def run_rename(args: argparse.Namespace, console: Console) -> int:
    _library(args).rename(args.id, args.new_id)
    console.result(f"{args.id} is now {args.new_id}")
    return 0


def run_remove(args: argparse.Namespace, console: Console) -> int:
    return remove_voice(args, args.id, console)


def remove_voice(args: argparse.Namespace, voice_id: str, console: Console) -> int:
    if not _library(args).remove(voice_id):
        raise VoiceError("cli.voice_absent", voice_id=voice_id)
    console.result(f"removed {voice_id}")
    return 0


ACTIONS = {"list": run_list, "show": run_show, "rename": run_rename, "remove": run_remove}
