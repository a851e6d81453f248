"""What surrounds a command: streams that are closed or full, folders and modules in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shells of Unix")
S2 = f"{sys.executable} -m engine"


def shell(command: str, folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell; what it says comes back with its code."""
    source = str(Path(__file__).parents[3])
    path = os.pathsep.join([environ.pop("PYTHONPATH", ""), source]).strip(os.pathsep)
    return subprocess.run(
        ["bash", "-c", command.replace("s2 ", f"{S2} ")],
        cwd=folder, capture_output=True, text=True, timeout=60,
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": path, **environ},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("s2 voices list >&-", 0, ""),
        ("s2 info /nowhere.gguf 2>&-", 1, ""),
        ("s2 voices list <&-", 0, ""),
        ("s2 voices list > /dev/full", 1, "error: cannot write standard output"),
        ("s2 --version | true; exit ${PIPESTATUS[1]}", 0, ""),
        ("s2 voices list | head -c 0; exit ${PIPESTATUS[1]}", 0, ""),
        ("TMPDIR=/nowhere s2 voices list", 0, ""),
        ("mkdir gone; cd gone; rmdir ../gone; s2 voices list", 1, "error: the current folder is"),
        ("ulimit -n 12; s2 voices list", 0, ""),
        ("LC_ALL=C PYTHONUTF8=0 PYTHONIOENCODING=ascii s2 info Grüße.gguf", 1, "error: "),
        ("s2 info $'\\xff\\xfe.gguf'", 1, "error: "),
        ("s2 info ''", 1, "error: "),
    ],
)
def test_one_line_at_most_and_the_right_code(
    tmp_path: Path, command: str, code: int, words: str
) -> None:
    done = shell(command, tmp_path)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == code, done.stderr
    assert done.stderr.count("\n") <= 1
    assert words in done.stderr


@pytest.mark.parametrize("module", ["tokenizers", "soundfile", "gguf", "engine", "llvmlite"])
def test_a_module_in_the_way_is_named(tmp_path: Path, module: str) -> None:
    (tmp_path / "path" / module).mkdir(parents=True)
    (tmp_path / "path" / module / "__init__.py").write_text("")
    words = ["s2", "synth", "--text", "Hi", "--max-tokens", "1"]
    code = (
        f"import runpy, sys; sys.path.insert(0, {str(Path(__file__).parents[3])!r})\n"
        f"sys.argv = {words}\n"
        "runpy.run_module('engine', run_name='__main__')\n"
    )
    (tmp_path / "start.py").write_text(code)
    done = shell(f"{sys.executable} start.py", tmp_path, PYTHONPATH=str(tmp_path / "path"))
    assert "Traceback" not in done.stderr, done.stderr
    if done.returncode:
        assert f"named {module}" in done.stderr
        assert "is in the way" in done.stderr
