"""Scale factors, a missing PortAudio, and threads that Qt did not make."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.audio import devices, input_callback, output_callback, ring
from app.audio.devices import AudioDevices, AudioUnavailableError, import_sounddevice

ROOT = Path(__file__).resolve().parents[2]
SUPPORT = ROOT / "tests" / "support"


@pytest.mark.parametrize("scale", ["1.25", "1.5", "2"])
def test_scale_factors_leave_no_trail_and_fit(tmp_path: Path, scale: str) -> None:
    done = subprocess.run(
        [sys.executable, str(SUPPORT / "scale_script.py"), str(tmp_path), scale],
        env={
            **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(SUPPORT)]),
            "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale,
        },
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.strip() == "ok", done.stderr


def hide(monkeypatch: pytest.MonkeyPatch, folder: Path, source: str) -> None:
    (folder / "sounddevice.py").write_text(source)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)


def test_without_portaudio_the_reason_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide(monkeypatch, tmp_path, "raise OSError('PortAudio library not found')")
    with pytest.raises(AudioUnavailableError, match="libportaudio2"):
        import_sounddevice()
    devices = AudioDevices()
    assert devices.outputs() == []
    assert "PortAudio" in devices.problem
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)


def test_without_the_package_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(AudioUnavailableError, match="not installed"):
        import_sounddevice()


@pytest.mark.parametrize("module", [devices, input_callback, output_callback, ring])
def test_code_of_foreign_threads_knows_no_qt(module: object) -> None:
    """Signals and widgets used from PortAudio's thread crash; it never meets any.

    Devices are asked in the window's thread; of the engine they know how errors look.
    """
    known = {ring.__name__} | ({"engine.errors"} if module is devices else set())
    tree = ast.parse(Path(module.__file__).read_text())  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            top = (node.module or "").split(".")[0]
            assert top not in ("PySide6", "logging")
            assert top not in ("app", "engine") or node.module in known
        if isinstance(node, ast.Import):
            assert not {a.name.split(".")[0] for a in node.names} & {"PySide6", "logging"}
