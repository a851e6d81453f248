"""Makes the built folder smaller: symbols and libraries that nothing asks for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from resources.packaging.elf import NotElfError, read_elf

WORTH_STRIPPING = 1 << 20


def strip_symbols(folder: Path) -> int:
    """Remove the symbols of large libraries; returns the bytes saved.

    Wheels carry libraries whose headers were rewritten, and ``strip`` leaves some of those
    so that the loader refuses them. Each file is therefore looked at afterwards and kept as
    it was when it would not load any more.
    """
    tool = shutil.which("strip")
    if sys.platform != "linux" or tool is None:
        return 0
    saved = 0
    for path in _files(folder):
        if path.stat().st_size < WORTH_STRIPPING or ".so" not in path.name:
            continue
        before = path.stat().st_size
        smaller = path.with_name(path.name + ".stripped")
        done = subprocess.run(
            [tool, "--strip-unneeded", "-o", str(smaller), str(path)],
            capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode == 0 and _as_loadable(path, smaller):
            smaller.chmod(path.stat().st_mode)
            smaller.replace(path)
            saved += before - path.stat().st_size
        smaller.unlink(missing_ok=True)
    return saved


def drop_orphans(folder: Path) -> list[str]:
    """Remove libraries beside the packages that no file is linked to; returns their names.

    They are what a plugin needed that was left out afterwards.
    """
    if sys.platform != "linux":
        return []
    inner = folder / "_internal"
    top = {path.name: path for path in inner.glob("lib*.so*")}
    wanted = ["libpython" + name.split("libpython", 1)[1] for name in top if "libpython" in name]
    for path in _files(folder):
        if path.parent != inner or path.name not in top:
            wanted += _needed(path)
    reached: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in top and name not in reached:
            reached.add(name)
            wanted += _needed(top[name])
    orphans = sorted(set(top) - reached)
    for name in orphans:
        top[name].unlink()
    return orphans


def folder_bytes(folder: Path) -> int:
    """Bytes of all files; links count nothing."""
    return sum(path.stat().st_size for path in _files(folder))


def _files(folder: Path) -> list[Path]:
    return [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.is_symlink()]


def _needed(path: Path) -> tuple[str, ...]:
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return ()
    try:
        return read_elf(path).needed
    except NotElfError:
        return ()


def _as_loadable(before: Path, after: Path) -> bool:
    try:
        old, new = read_elf(before), read_elf(after)
    except NotElfError:
        return False
    return new.loadable and new.needed == old.needed
