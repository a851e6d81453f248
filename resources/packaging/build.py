"""Runs PyInstaller and finishes the folder: icons, desktop files, licences, smaller libraries."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from resources.packaging import contents, identity
from resources.packaging.slim import drop_orphans, folder_bytes, strip_symbols

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "resources" / "packaging"
Say = Callable[[str], None]


class BuildError(Exception):
    """The build cannot be made; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Built:
    """What came out.

    Attributes:
        folder: the program; a ``.app`` on macOS.
        files, size: how many files, and their bytes.
        archive: the same in one file, unless it was not wished for.
    """

    folder: Path
    files: int
    size: int
    archive: Path | None = None


def check_parts(transcribe: bool) -> None:
    """Raise :class:`BuildError` when something is missing or torch is the wrong one."""
    if not RECIPE.is_dir():
        raise BuildError("the build needs the source tree: run it from a checkout")
    if importlib.util.find_spec("PyInstaller") is None:
        raise BuildError("PyInstaller is not installed: pip install '.[package]'")
    wanted = (*contents.OPTIONAL, *(contents.TRANSCRIPTION if transcribe else ()))
    missing = [name for name in wanted if importlib.util.find_spec(name) is None]
    if missing:
        raise BuildError(f"not installed: {', '.join(missing)}: pip install '.[package]'")
    carried = [
        str(found.metadata["Name"])
        for found in importlib.metadata.distributions()
        if str(found.metadata["Name"]).lower().startswith("nvidia-")
    ]
    if carried:
        raise BuildError(
            "this environment holds torch with its CUDA libraries, several gigabytes that the "
            "folder would carry; install the CPU build of torch into a fresh environment"
        )


def build(out: Path, *, archive: bool = True, transcribe: bool = True, say: Say) -> Built:
    """Make the folder below ``out``; what lay there under its name is replaced.

    Args:
        archive: also pack it into one file.
        transcribe: put faster-whisper and the reader of M4A and video inside.

    Raises:
        BuildError: with the reason.
    """
    check_parts(transcribe)
    work = out / "work"
    made = work / "made"
    made.mkdir(parents=True, exist_ok=True)
    say("drawing icons")
    _draw_icons(made)
    for name in (contents.PROGRAM, contents.COMMAND):
        (made / f"{name}.version").write_text(identity.version_resource(name), encoding="utf-8")
    say("running PyInstaller, which takes minutes")
    _run_pyinstaller(out, work, made, transcribe)
    folder = out / contents.FOLDER
    _add_companions(folder, made)
    dropped = drop_orphans(folder)
    say(f"left out {len(dropped)} libraries that nothing is linked to")
    say(f"removed {strip_symbols(folder) >> 20} MiB of symbols")
    packed = None
    if archive:
        say("packing")
        packed = pack(folder, out)
    count = sum(1 for path in folder.rglob("*") if path.is_file())
    return Built(folder, count, folder_bytes(folder), packed)


def _draw_icons(made: Path) -> None:
    """In a process of its own: Qt's drawing needs no window, but an application."""
    code = (
        "import sys; from pathlib import Path; from PySide6.QtGui import QGuiApplication;"
        "app = QGuiApplication([]); from resources.packaging.icons import make_icons;"
        "make_icons(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    svg = ROOT / "resources" / "icons" / "studio.svg"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", code, str(svg), str(made)], env=environment, check=True, cwd=ROOT
    )


def _run_pyinstaller(out: Path, work: Path, made: Path, transcribe: bool) -> None:
    environment = {
        **os.environ,
        "S2_PACKAGING_MADE": str(made),
        "S2_PACKAGING_TRANSCRIBE": "1" if transcribe else "0",
    }
    log = work / "pyinstaller.log"
    command = [
        sys.executable, "-m", "PyInstaller", "--noconfirm", "--distpath", str(out),
        "--workpath", str(work), str(RECIPE / "s2studio.spec"),
    ]  # fmt: skip
    with log.open("w", encoding="utf-8") as file:
        done = subprocess.run(
            command, env=environment, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode:
        last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-5:]
        raise BuildError("PyInstaller failed:\n" + "\n".join(last) + f"\nAll of it: {log}")


def _add_companions(folder: Path, made: Path) -> None:
    """Licences everywhere; on Linux also what registers the program with the desktop."""
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE")
    if sys.platform == "linux":
        share = folder / "share"
        shutil.copytree(RECIPE / "linux", share / "linux", dirs_exist_ok=True)
        (share / "linux" / "register.sh").chmod(0o755)
        (share / "icons").mkdir(exist_ok=True)
        for icon in made.glob("studio-*.png"):
            shutil.copy(icon, share / "icons" / icon.name)
    elif sys.platform == "win32":
        shutil.copytree(RECIPE / "windows", folder / "windows", dirs_exist_ok=True)


def pack(folder: Path, out: Path) -> Path:
    """One file to hand on: a zip on Windows, else a tar.xz, which keeps links and modes."""
    name = f"{contents.FOLDER}-{identity.VERSION}-{sys.platform}"
    if sys.platform == "win32":
        target = out / f"{name}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(folder.rglob("*")):
                packed.write(path, path.relative_to(out))
        return target
    target = out / f"{name}.tar.xz"
    app = out / "S2 Voice Studio.app"
    whole = app if sys.platform == "darwin" and app.is_dir() else folder
    if shutil.which("xz") and shutil.which("tar"):
        # The tool uses all processors, Python's module one.
        subprocess.run(
            ["tar", "-C", str(out), "-I", "xz -T0 -3", "-cf", str(target), whole.name], check=True
        )
    else:
        with tarfile.open(target, "w:xz", preset=3) as packed:
            packed.add(whole, whole.name)
    return target
