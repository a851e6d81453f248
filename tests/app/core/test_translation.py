"""Every text of the window can be translated, and the shipped Chinese is whole and current."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from access_kit import DIALOGS
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot
from studio_bench import Bench

from app.core import settings as keys
from app.core.engine_texts import engine_text
from app.core.settings import Settings
from app.core.translation import Translation, wanted_language
from app.help.about import WEIGHTS_PAGE
from app.widgets.labels import LANGUAGES
from engine.audio.clip import AudioClip
from engine.audio.encode import ExportFormat
from engine.audio.reference_checks import check_reference
from engine.errors import Message
from engine.hub.address import OFFICIAL
from engine.hub.catalogue import VARIANTS
from engine.hub.events import DownloadError
from engine.remote.dialects import DIALECTS
from resources.packaging import sentences

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = ROOT / "resources" / "i18n" / "s2studio_zh_CN.ts"
# Names and units that are the same in every language.
SAME = {
    "S2 Voice Studio", "CPU", "Top-p", "Top-k", "English", "简体中文", "FLAC", "MP3", "Ogg Vorbis",
    "Ogg Opus", "Opus", "WAV", "Esc", "Del", "– dB",
}  # fmt: skip
Messages = dict[tuple[str, str], tuple[str, bool]]


def messages(path: Path) -> Messages:
    """Context and source to translation, and whether it is finished."""
    found: Messages = {}
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name", "")
        for message in context.iter("message"):
            target = message.find("translation")
            assert target is not None
            finished = target.get("type") not in ("unfinished", "vanished", "obsolete")
            found[name, message.findtext("source", "")] = (target.text or "", finished)
    return found


def fields(text: str) -> list[str]:
    return sorted(re.findall(r"\{[^}]*\}", text))


def lupdate() -> str:
    beside = Path(sys.executable).parent / "pyside6-lupdate"
    return str(beside) if beside.exists() else shutil.which("pyside6-lupdate") or ""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    """What the translation tool finds in the program now."""
    if not lupdate():
        pytest.skip("pyside6-lupdate is not installed")
    target = tmp_path_factory.mktemp("i18n") / "now.ts"
    engine = target.with_name("engine_sentences.py")
    sentences.write(engine)
    files = [*sorted(str(p) for p in (ROOT / "app").rglob("*.py")), str(engine)]
    subprocess.run([lupdate(), *files, "-ts", str(target)], check=True, capture_output=True)
    return messages(target)


def test_no_text_of_the_program_is_untranslated(sources: Messages) -> None:
    shipped = messages(SHIPPED)
    assert len(sources) > 300
    missing = sorted(sources.keys() - shipped.keys())
    assert not missing, f"run pyside6-lupdate and translate: {missing}"
    empty = sorted(k for k in sources if not shipped[k][0].strip() or not shipped[k][1])
    assert not empty


def test_every_text_has_a_context(sources: Messages) -> None:
    """Without one, the text would be looked up under another name than it was stored."""
    assert not [source for context, source in sources if not context]


def test_nothing_is_translated_that_is_gone(sources: Messages) -> None:
    assert not sorted(messages(SHIPPED).keys() - sources.keys())


def test_placeholders_and_blanks_survive() -> None:
    for (context, source), (translation, _) in messages(SHIPPED).items():
        assert fields(source) == fields(translation), (context, source)
        assert source.count("\n") == translation.count("\n"), (context, source)
        if source.startswith(" ") and not source.startswith("  "):
            assert translation.startswith(" "), (context, source)


def test_the_compiled_file_is_current(qtbot: QtBot) -> None:
    translator = QTranslator()
    assert translator.load(str(SHIPPED.with_suffix(".qm")))
    for (context, source), (translation, _) in messages(SHIPPED).items():
        assert translator.translate(context, source) == translation, (context, source)


@pytest.mark.parametrize(
    ("wish", "system", "language"),
    [
        ("system", ["de-DE", "en-GB"], "en"), ("system", [], "en"), ("system", ["C"], "en"),
        ("system", ["zh-CN"], "zh_CN"), ("system", ["zh-Hans-SG"], "zh_CN"),
        ("system", ["zh-TW"], "en"), ("system", ["en-US", "zh-CN"], "en"),
        ("system", ["fr-FR", "zh-CN", "en-US"], "zh_CN"), ("zh_CN", ["en-US"], "zh_CN"),
        ("en", ["zh-CN"], "en"),
    ],
)  # fmt: skip
def test_the_language_follows_the_wish_then_the_system(
    wish: str, system: list[str], language: str
) -> None:
    assert wanted_language(wish, system) == language


def test_a_missing_translation_leaves_english(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / "s.json")
    settings.set(keys.LANGUAGE, "zh_CN")
    monkeypatch.setattr("app.core.translation.find_resource", lambda *parts: None)
    translation = Translation(qapp, settings)
    assert QCoreApplication.translate("Actions", "Open model…") == "Open model…"
    translation.remove()


@pytest.fixture
def chinese(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Bench]:
    """The whole studio in Chinese."""
    before = Settings(tmp_path / "config" / "studio.json")
    before.set(keys.LANGUAGE, "zh_CN")
    before.sync()
    made = Bench(qtbot, qapp, tmp_path)
    yield made
    assert made.app.shutdown()


def texts(root: QWidget) -> Iterator[str]:
    """Everything that can be read in a window."""
    for action in root.findChildren(QAction):
        yield action.text()
    for widget in [root, *root.findChildren(QWidget)]:
        yield widget.toolTip()
        if isinstance(widget, QAbstractButton | QLabel):
            yield widget.text()
        if isinstance(widget, QMenu):
            yield widget.title()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QAbstractSpinBox):
            yield widget.specialValueText()
        if isinstance(widget, QComboBox):
            yield from (widget.itemText(i) for i in range(widget.count()))


def is_english(text: str) -> bool:
    plain = re.sub(r"<[^>]*>|\[[^\]]*\]|\([^)]*\)|[A-Z][a-z]*\+\S+", " ", text)
    words = set(re.findall(r"[A-Za-z]{2,}", plain)) - {"GB", "MB", "Hz", "dB", "ms"}
    return bool(words) and not re.search(r"[\u4e00-\u9fff]", text) and text.strip() not in SAME


def test_the_chinese_window_shows_no_english(chinese: Bench) -> None:
    assert chinese.app.translation.language == "zh_CN"
    chinese.load()
    data = {QLocale(code).nativeLanguageName().capitalize() for code in LANGUAGES}
    data |= {"http://127.0.0.1:3030", *(each.can.title for each in DIALECTS.values())}
    data |= {"Fake S2", "fake.gguf", *(b.title for b in chinese.app.devices.outputs())}
    left = {t for t in texts(chinese.window) if is_english(t) and t.strip() not in data}
    assert not left, "\n".join(sorted(left))


def test_the_language_ends_with_the_studio(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    settings = Settings(tmp_path / "s.json")
    settings.set(keys.LANGUAGE, "zh_CN")
    translation = Translation(qapp, settings)
    assert QCoreApplication.translate("Actions", "Generate") == "生成"
    translation.remove()
    assert QCoreApplication.translate("Actions", "Generate") == "Generate"


def test_sentences_of_the_engine_keep_their_numbers(chinese: Bench) -> None:
    assert engine_text(Message("check.length", seconds=2.13)) == "片段时长 2.1 秒。"
    both = engine_text(Message("check.silence", before=0.3, after=1.21))
    assert both == "语音之前有 0.3 秒静音，之后有 1.2 秒。"
    assert engine_text(Message("check.clipped_once", count=1)) == "片段有 1 处削波。"
    inner = DownloadError("hub.failed", name="a.gguf", reason=Message("hub.ended_early"))
    assert not is_english(engine_text(inner.detail)), "the reason is a sentence of its own"
    assert engine_text("something that nobody translated") == "something that nobody translated"


@pytest.mark.parametrize("kind", ["good", "short", "loud", "zeros", "stereo", "noise"])
def test_the_checks_of_a_clip_speak_the_language(chinese: Bench, kind: str) -> None:
    rate, rng = 24000, np.random.default_rng(3)
    seconds = 1.5 if kind == "short" else 8.0
    time = np.arange(int(rate * seconds)) / rate
    voice = np.sin(2 * np.pi * 180 * time) * (np.sin(2 * np.pi * 1.5 * time) > -0.5)
    sound = {
        "loud": np.clip(voice * 3, -1, 1), "zeros": voice * 0,
        "noise": voice * 0.1 + rng.normal(0, 0.05, len(voice)),
    }.get(kind, voice * 0.3)  # fmt: skip
    samples = np.stack([sound, -sound], 1) if kind == "stereo" else sound[:, None]
    for transcript in ("", "Hello.", "word " * 200):
        clip = AudioClip(samples.astype(np.float32), rate)
        for check in check_reference(clip, transcript):
            for text in (check.message, check.cure):
                assert not is_english(engine_text(text)), text


@pytest.mark.parametrize("kind", list(DIALOGS), ids=lambda k: k.__name__)
def test_the_chinese_dialogs_show_no_english(chinese: Bench, kind: type[QDialog]) -> None:
    dialog = DIALOGS[kind](chinese)
    dialog.show()
    given = {"System default", "/home/ann/voices", "/tmp", "Hope", WEIGHTS_PAGE}
    first = VARIANTS[0]
    given |= {first.title, first.file.sha256, first.file.repository, OFFICIAL}
    given |= {"/home/ann/models", "SHA-256"}
    left = {t for t in texts(dialog) if is_english(t) and t.strip() not in given}
    left -= {QLocale(code).nativeLanguageName().capitalize() for code in LANGUAGES}
    left -= {kind.title for kind in ExportFormat}
    left = {
        t
        for t in left
        if "Built with Fish Audio" not in t and "S2 Voice Studio" not in t and "GB" not in t
    }
    left = {t for t in left if not t.endswith((".wav", ".gguf"))}
    assert not left, "\n".join(sorted(left))
    dialog.close()
