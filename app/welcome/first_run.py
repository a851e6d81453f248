"""The first run of a fresh installation: something to see and hear without any download."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from pathlib import Path

from app.core.paths import stand_in_path

FIRST_WORDS = "Good evening. The harbour is quiet tonight, and the last boat has come in."
FIRST_FILE = "first-run.wav"
FIRST_SEED = 7
LONGEST_FIRST_TAKE = 300


def give_streams() -> None:
    """A program without a console has no output streams; libraries print to them anyway."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            # It lives as long as the process does.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def missing_runtime(error: OSError) -> int:
    """Say why torch cannot be loaded on Windows, in a box where there is no console.

    Nearly always the C++ runtime is absent; the message of the system names a library only.
    """
    text = (
        f"The engine's libraries cannot be loaded ({error}). Install the Microsoft Visual C++ "
        "Redistributable (x64) from microsoft.com, then start the studio again."
    )
    print(f"s2studio: {text}", file=sys.stderr)
    user32 = getattr(getattr(ctypes, "windll", None), "user32", None)
    if user32 is not None:
        user32.MessageBoxW(None, text, "S2 Voice Studio", 0x10)
    return 1


def first_model() -> Path:
    """The demo voice that ships with us or, without it, a stand-in made once in the cache."""
    from engine.random_model import make_random_model
    from engine.storage import demo_model

    if (shipped := demo_model()) is not None:
        return shipped
    model = stand_in_path()
    folder, tokenizer = model.parent, model.with_name("tokenizer.json")
    if not (model.is_file() and tokenizer.is_file()):
        folder.mkdir(parents=True, exist_ok=True)
        make_random_model(model, size="tiny", type="f16", tokenizer=tokenizer)
    return model


def speak_to_file(model: Path, output: Path) -> int:
    """Speak a sentence to a new file and say where it is; returns the exit code."""
    from engine.cli import main
    from engine.storage import free_name

    target = free_name(_writable() / output, "-{}")
    print(f"There is no display here, so the sentence goes to {target}")
    return main(
        [
            "synth", "-m", str(model), "--text", FIRST_WORDS, "--seed", str(FIRST_SEED),
            "--max-tokens", str(LONGEST_FIRST_TAKE), "-o", str(target),
        ]
    )  # fmt: skip


def _writable() -> Path:
    """The current folder or, where nothing can be written there, the home or a temporary one."""
    from engine.storage import home_folder

    for folder in (Path.cwd(), home_folder()):
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.gettempdir())
