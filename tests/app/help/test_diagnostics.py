"""The log, the report without names, and errors that offer a next step."""

from __future__ import annotations

import getpass
import logging
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from studio_bench import Bench
from studio_fakes import model_info
from window_kit import dialog

from app.core import settings as keys
from app.core.formats import scrub
from app.core.theme import Theme
from app.help.diagnostics import LOG_BYTES, LogFile, Situation, report
from app.help.report_dialog import ReportDialog
from app.inference.backends import BackendFact, Readiness
from app.widgets.error_dialog import ErrorDialog
from engine import errors
from engine.errors import ContextError, DeviceError, EngineError, ModelFileError
from resources.packaging.sentences import sentences

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("opened /home/ann/models/s2.gguf now", "opened …/s2.gguf now"),
        ('File "/home/ann/x y/z.py", line 3', 'File "…/z.py", line 3'),
        (r"C:\Users\Ann\m.gguf: gone", "…/m.gguf: gone"),
        ("'~/voices/Hope.s2voice' is cut", "'…/Hope.s2voice' is cut"),
        ("3/4 of https://example.org/a/b", "3/4 of https://example.org/a/b"),
        ("no path at all", "no path at all"),
    ],
)
def test_paths_are_cut_to_names(text: str, shown: str) -> None:
    assert scrub(text) == shown


def test_names_of_user_and_machine_are_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "annlee")
    monkeypatch.setattr(platform, "node", lambda: "ann-laptop")
    assert scrub("annlee@ann-laptop: AnnLee's model") == "<user>@<host>: <user>'s model"
    assert scrub("channlees") == "channlees"


def test_the_report_tells_versions_devices_model_and_log(qtbot: QtBot) -> None:
    situation = Situation(
        backends=[
            BackendFact("cpu", "CPU", 16 << 30, 8 << 30, Readiness.READY),
            BackendFact("cuda:0", "Old GPU", 0, 0, Readiness.BROKEN, "no kernel image"),
        ],
        model=model_info(path="/home/ann/secret/s2.gguf", name="S2"),
        state="ready",
        log_lines=["12:00 engine: opened /home/ann/secret/s2.gguf"],
    )
    text = report(situation, "ModelFileError: /home/ann/secret/s2.gguf ends early")
    for needed in ("torch", "Python", "Qt", "cpu (CPU) ready", "broken: no kernel image", "[Log]"):
        assert needed in text
    assert text.index("ends early") < text.index("[Program]")
    assert "secret" not in text
    assert "s2.gguf" in text


def test_the_log_is_kept_bounded_and_unicode(tmp_path: Path) -> None:
    kept = LogFile(tmp_path / "deep" / "logs")
    try:
        log = logging.getLogger("test.diagnostics")
        for number in range(3):
            log.warning("小梅 %s %s", number, "x" * (LOG_BYTES // 2))
        log.warning("the newest")
        assert kept.path is not None
        assert kept.tail(1)[0].endswith("the newest")
        assert all(p.stat().st_size <= LOG_BYTES + 4096 for p in kept.path.parent.iterdir())
        assert len(list(kept.path.parent.glob("studio.log*"))) > 1
    finally:
        kept.close()
    log.warning("after the end")
    assert not kept.tail(1)[0].endswith("after the end")


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    kept = LogFile(tmp_path / "file" / "logs")
    assert kept.path is None
    assert kept.tail() == []
    kept.close()


def test_every_title_of_the_engine_can_be_translated() -> None:
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, EngineError)]
    titles = {k("x").title.source for k in kinds}
    assert "" not in titles
    assert titles <= set(sentences())


def test_an_error_shows_details_and_copies_the_whole_report(bench: Bench) -> None:
    bench.window.show()
    error = ModelFileError("the file /home/ann/x/s2.gguf ends early", "Download it again.")
    error.__cause__ = OSError(5, "read failed", "/home/ann/x/s2.gguf")
    bench.app.messages.report(error)
    shown = dialog(bench)
    assert shown.details.isHidden()
    shown.more.click()
    assert shown.details.isVisible()
    assert "OSError" in shown.details.toPlainText()
    shown.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "ends early" in copied
    assert "[Program]" in copied
    assert "/home/ann" not in copied
    shown.reject()


def test_without_an_application_the_error_alone_is_copied(bench: Bench) -> None:
    theme: Theme = bench.app.theme
    shown = ErrorDialog(ModelFileError("broken"), theme, parent=bench.window)
    shown.copy.click()
    assert "broken" in QGuiApplication.clipboard().text()
    assert "[Program]" not in QGuiApplication.clipboard().text()


def test_a_device_that_fails_offers_the_cpu(bench: Bench) -> None:
    bench.window.show()
    bench.app.settings.set(keys.BACKEND, "cuda:0")
    bench.loader.error = DeviceError("cuda is not available")
    bench.app.models.open(Path("a.gguf"))
    bench.until(lambda: bool(bench.window.findChildren(ErrorDialog)))
    shown = dialog(bench)
    assert "CPU" in shown.action_button.text()
    bench.loader.error = None
    shown.action_button.click()
    bench.until(lambda: bench.session.can_generate)
    assert bench.loader.options[-1].device == "cpu"
    assert bench.loader.options[-1].model == Path("a.gguf")


def test_a_text_that_is_too_long_leads_back_to_the_script(bench: Bench) -> None:
    title, step = bench.app.presenter.next_step(ContextError("too long"), "synthesis")
    assert title
    assert step is not None


def test_the_report_is_opened_from_the_menu(bench: Bench) -> None:
    bench.load()
    bench.window.show()
    bench.window.actions_.report.trigger()
    shown = bench.window.findChildren(ReportDialog)[0]
    assert "Fake S2" in shown.text.toPlainText()
    shown.copy.click()
    assert QGuiApplication.clipboard().text() == shown.text.toPlainText()
    assert shown.said.text()
    shown.accept()


@pytest.mark.real
def test_without_a_console_everything_works(tmp_path: Path) -> None:
    """A windowed build has no output streams at all."""
    code = (
        "import sys\n"
        "sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = None\n"
        "from app.__main__ import main\n"
        "code = main(['--smoke'])\n"
        "print('said to nobody')\n"
        f"open({str(tmp_path / 'code')!r}, 'w').write(str(code))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    env |= {name: str(tmp_path) for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "HOME")}
    subprocess.run([sys.executable, "-c", code], env=env, timeout=200, check=True)
    assert (tmp_path / "code").read_text() == "0"


def test_a_missing_runtime_of_windows_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import builtins

    import app.__main__ as entry

    real = builtins.__import__

    def refuse(name: str, *rest: object) -> object:
        if name == "torch":
            raise OSError("[WinError 126] The specified module could not be found")
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(builtins, "__import__", refuse)
    assert entry.main([]) == 1
    assert "Visual C++" in capsys.readouterr().err
