"""What makes the built folder: its pieces without a build, which takes minutes."""

from __future__ import annotations

import json
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as Tree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app import __main__ as entry
from app.core.file_arguments import OpenedFiles
from app.selftest import run as selftest
from app.selftest.steps import StepSkippedError
from engine import __version__
from engine.bench import load
from engine.transcription import CHILD_FLAG, child_command
from engine.voices.profile import MAGIC
from resources.packaging import contents, identity, slim
from resources.packaging.elf import NotElfError, read_elf
from resources.packaging.icons import ICNS_TYPES, ICO_SIZES, make_icons

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "resources" / "packaging" / "linux"
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux files")


def test_icons_hold_every_size(qapp: QApplication, tmp_path: Path) -> None:
    make_icons(ROOT / "resources" / "icons" / "studio.svg", tmp_path)
    ico = (tmp_path / "studio.ico").read_bytes()
    count = struct.unpack_from("<HHH", ico)[2]
    assert count == len(ICO_SIZES)
    for number in range(count):
        length, offset = struct.unpack_from("<II", ico, 6 + 16 * number + 8)
        image = QImage.fromData(ico[offset : offset + length])
        assert image.width() == ICO_SIZES[number]
    icns = (tmp_path / "studio.icns").read_bytes()
    assert struct.unpack_from(">4sI", icns) == (b"icns", len(icns))
    assert all(kind in icns for kind in ICNS_TYPES.values())
    picture = QImage(str(tmp_path / "studio-64.png"))
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(32, 32).alpha() == 255


def test_the_mac_bundle_asks_for_the_microphone_and_owns_voices() -> None:
    keys = plistlib.loads(plistlib.dumps(identity.info_plist()))
    assert "record" in keys["NSMicrophoneUsageDescription"]
    endings = {e for d in keys["CFBundleDocumentTypes"] for e in d["CFBundleTypeExtensions"]}
    assert endings == {"s2voice", "s2vbundle", "gguf"}
    assert keys["CFBundleShortVersionString"] == __version__
    rights = ROOT / "resources/packaging/macos/entitlements.plist"
    allowed = plistlib.loads(rights.read_bytes())
    assert allowed["com.apple.security.device.audio-input"] is True
    assert allowed["com.apple.security.cs.allow-jit"] is True, "kernels are compiled on the spot"


def test_the_windows_version_is_ours() -> None:
    text = identity.version_resource("s2studio")
    compile(text, "version", "eval")
    assert f"filevers=({', '.join(__version__.split('.'))}, 0)" in text
    assert "'s2studio.exe'" in text


def test_the_desktop_entry_and_the_file_types_fit_the_program() -> None:
    text = (LINUX / "s2-voice-studio.desktop").read_text(encoding="utf-8")
    assert "Exec=@PROGRAM@ %F" in text
    types = re.search(r"^MimeType=(.*)$", text, re.MULTILINE)
    assert types
    listed = set(filter(None, types.group(1).split(";")))
    assert listed == {identity.VOICE_MIME, identity.BUNDLE_MIME, identity.MODEL_MIME}
    tree = Tree.parse(LINUX / "s2-voice-studio.xml")
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kinds = {k.get("type"): k for k in tree.getroot().findall("m:mime-type", space)}
    assert set(kinds) == listed
    match = kinds[identity.VOICE_MIME].find(".//m:match", space)
    assert match is not None
    assert MAGIC.startswith(match.get("value", "?").encode())


@on_linux
def test_registering_writes_below_the_users_folder_and_takes_it_back(tmp_path: Path) -> None:
    program = tmp_path / 'a "b" $c %d & é'
    share = program / "share"
    shutil.copytree(LINUX, share / "linux")
    (share / "icons").mkdir()
    (share / "icons" / "studio-48.png").write_bytes(b"png")
    home = tmp_path / "home share"
    env = {"XDG_DATA_HOME": str(home), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = ["sh", str(share / "linux" / "register.sh")]
    subprocess.run(command, env=env, check=True, capture_output=True)
    entry_file = home / "applications" / "s2-voice-studio.desktop"
    line = re.search(r"^Exec=(.*)$", entry_file.read_text(encoding="utf-8"), re.MULTILINE)
    assert line
    # Read it back as the specification says: first the value's escapes, then the quotes'.
    value = re.sub(r"\\(.)", r"\1", line.group(1))
    quoted = re.fullmatch(r'"((?:[^"\\]|\\.)*)" %F', value)
    assert quoted
    assert re.sub(r"\\(.)", r"\1", quoted.group(1)).replace("%%", "%") == str(program / "s2studio")
    assert (home / "mime" / "packages" / "s2-voice-studio.xml").is_file()
    assert (home / "icons/hicolor/48x48/apps/s2-voice-studio.png").is_file()
    subprocess.run([*command, "--remove"], env=env, check=True, capture_output=True)
    assert not entry_file.exists()
    assert not list((home / "icons").rglob("*.png"))


@on_linux
def test_an_elf_file_tells_what_it_needs(tmp_path: Path) -> None:
    own = Path(sys.modules["_ctypes"].__file__ or "")
    assert any(name.startswith("libffi") for name in read_elf(own).needed)
    assert read_elf(own).loadable
    broken = tmp_path / "broken.so"
    broken.write_bytes(own.read_bytes()[:200])
    with pytest.raises(NotElfError):
        read_elf(broken)
    broken.write_bytes(b"#!/bin/sh\n")
    with pytest.raises(NotElfError):
        read_elf(broken)


@on_linux
def test_libraries_that_nothing_asks_for_are_dropped(tmp_path: Path) -> None:
    inner = tmp_path / "_internal"
    (inner / "package").mkdir(parents=True)
    own = Path(sys.modules["_ctypes"].__file__ or "")
    (needed,) = [name for name in read_elf(own).needed if name.startswith("libffi")]
    shutil.copy(own, inner / "package" / "ext.so")
    for name in (needed, "libnobody.so.1", "libpython3.11.so.1.0"):
        shutil.copy(own, inner / name)
    assert slim.drop_orphans(tmp_path) == ["libnobody.so.1"]
    assert (inner / needed).is_file()


@pytest.mark.skipif(shutil.which("strip") is None, reason="needs binutils")
@on_linux
def test_a_file_that_strip_would_break_stays(tmp_path: Path, monkeypatch: Any) -> None:
    own = tmp_path / "ext.so"
    shutil.copy(sys.modules["_ctypes"].__file__ or "", own)
    whole = own.read_bytes()
    monkeypatch.setattr(slim, "WORTH_STRIPPING", 1)
    monkeypatch.setattr(slim, "_as_loadable", lambda before, after: False)
    assert slim.strip_symbols(tmp_path) == 0
    assert own.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["ext.so"]


def test_what_ships_and_what_does_not() -> None:
    names = {Path(target) / Path(file).name for file, target in contents.data_files(ROOT)}
    assert Path("resources/icons/studio.svg") in names
    assert Path("resources/i18n/s2studio_zh_CN.qm") in names
    assert not [n for n in names if "packaging" in n.parts or n.suffix in (".py", ".ts")]
    assert {"torch", "PySide6-Essentials", "soxr"} <= set(contents.metadata(False))
    assert "faster-whisper" not in contents.metadata(False)
    assert contents.is_unused("PySide6/Qt/translations/qtbase_fr.qm")
    assert not contents.is_unused("PySide6/Qt/translations/qtbase_zh_CN.qm")
    assert not contents.is_unused("resources/i18n/s2studio_zh_CN.qm")
    assert not contents.is_unused("PySide6/Qt/plugins/platforms/libqxcb.so")


@pytest.mark.slow
def test_the_engine_speaks_without_the_modules_that_are_left_out(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from resources.packaging.contents import excluded_modules\n"
        "out = tuple(excluded_modules(False))\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in out:\n"
        "            raise ModuleNotFoundError(name, name=name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from app.selftest.run import main\n"
        "only = ('libraries', 'sound files', 'model', 'voice', 'speech', 'export', 'server')\n"
        "code = main([part for name in only for part in ('--only', name)])\n"
        "met = sorted(n for n in sys.modules if n in out and n.partition('.')[0] != 'resources')\n"
        "sys.exit(code or ' '.join(met) or 0)\n"
    )
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True,
        timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_a_file_handed_over_by_the_system_is_asked_for(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    listener = OpenedFiles(qapp)
    with qtbot.waitSignal(listener.asked) as asked:
        QCoreApplication.sendEvent(
            qapp, QFileOpenEvent(QUrl.fromLocalFile(str(tmp_path / "élan.s2voice")))
        )
    assert asked.args == [[tmp_path / "élan.s2voice"]]
    qapp.removeEventFilter(listener)
    listener.deleteLater()


def test_plain_arguments_name_a_model_and_other_files() -> None:
    voice, model = Path("a.s2voice"), Path("m.GGUF")
    assert entry.split_files(None, [voice, model]) == (model, (voice,))
    assert entry.split_files(Path("x.gguf"), [voice, model]) == (Path("x.gguf"), (voice, model))
    assert entry.split_files(None, []) == (None, ())


def test_a_built_program_starts_itself_only_with_words_it_knows(monkeypatch: Any) -> None:
    assert entry.CHILD_FLAG == CHILD_FLAG
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command() == [sys.executable, CHILD_FLAG]
    assert load.measured_command() == [sys.executable, load.CHILD_FLAG]
    launcher = (ROOT / "resources/packaging/run_command.py").read_text(encoding="utf-8")
    assert "load.CHILD_FLAG" in launcher


class FrozenLoader:
    """Like PyInstaller's: of no class of importlib, but it has the code."""

    def __init__(self, code: Any) -> None:
        self._code = code

    def get_code(self, name: str) -> Any:
        return self._code


def test_kernels_of_another_version_are_not_taken_in_a_frozen_program(monkeypatch: Any) -> None:
    from engine.kernels import blocks as kernel_blocks
    from engine.kernels import jit as kernel_jit

    isa = next(iter(kernel_jit.host_isas().values()))
    prints = []
    for loader in (FrozenLoader(compile("1", "x", "eval")), FrozenLoader(compile("2", "x", "eval")),
                   object(), object()):  # fmt: skip
        monkeypatch.setattr(kernel_blocks.__spec__, "loader", loader)
        prints.append(kernel_jit._fingerprint(isa))
    assert len(set(prints)) == 4
    monkeypatch.setattr(kernel_blocks.__spec__, "loader", FrozenLoader(compile("1", "x", "eval")))
    assert kernel_jit._fingerprint(isa) == prints[0]


def test_a_failed_step_is_named_in_report_and_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    monkeypatch.setattr("app.selftest.steps.find_resource", lambda *parts: None)
    report = tmp_path / "report.json"
    assert selftest.main(["--only", "sound files", "--only", "data", "--json", str(report)]) == 1
    told = json.loads(report.read_text(encoding="utf-8"))
    assert told["failed"] == ["data"]
    assert [step["state"] for step in told["steps"]] == ["failed", "ok"]
    shown = capsys.readouterr()
    assert shown.err.rstrip().endswith("selftest failed: data")
    assert "FileNotFoundError: not shipped" in shown.out


def test_a_step_may_find_that_the_machine_lacks_something() -> None:
    def lacking() -> str:
        raise StepSkippedError("no sound here")

    step = selftest.run_step("playback", lacking)
    assert (step.state, step.detail) == ("skipped", "no sound here")
    assert np.isfinite(step.seconds)
