"""Every setting does something: each is changed alone, and the studio shows it.

A studio is started with the changed value and compared with one that has the default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QSplitter, QWidget
from pytestqt.qtbot import QtBot
from studio_bench import Bench, put_away

from app.cloning.save_dialogs import ConsentDialog
from app.core import settings as keys
from app.core.settings import Setting, Settings
from app.inference.controls import Controls
from app.request import build_request
from app.takes.export_dialog import ExportDialog

LONG = "A first sentence that is here. A second one that follows. " * 12
TWO = "<|speaker:0|>One. <|speaker:1|>Two."


@dataclass(frozen=True)
class Effect:
    """What shows a setting, and the value that it is changed to.

    Attributes:
        value: another value than the default; a function of the folder where that holds files.
        show: something of a studio that compares as equal to itself.
        given: settings that both studios have, without which this one counts for nothing.
    """

    value: Any
    show: Callable[[Bench], object]
    given: dict[Setting[Any], Any] = field(default_factory=dict)


def request(bench: Bench) -> object:
    """What the engine is asked to speak."""
    bench.window.script.set_text(LONG)
    bench.app.scripts.measure()
    report = bench.app.scripts.report
    assert report is not None
    app = bench.app
    return build_request(app.settings, app.voices, LONG, {}, report.plan, 1).request


def readings(bench: Bench) -> object:
    """Temperatures of what one press asks for."""
    found: list[list[float]] = []
    bench.session.ask = lambda wish: found.append(  # type: ignore[method-assign, assignment]
        [reading.sampling.temperature for reading in wish.readings]
    )
    bench.window.script.set_text("One.")
    bench.app.scripts.generate()
    return found


def consent_question(bench: Bench) -> object:
    """Whether the first voice that is cloned brings a question."""
    bench.app.cloning.saving._ask_consent("Ann")
    asked = bench.window.findChildren(ConsentDialog)
    for each in asked:
        each.reject()
    return bool(asked)


def loading(bench: Bench) -> object:
    """With what the engine loads a model."""
    bench.load()
    return {**vars_of(bench.loader.options[-1]), "model": ""}


def vars_of(options: object) -> dict[str, object]:
    return {name: getattr(options, name) for name in type(options).__dataclass_fields__}  # type: ignore[attr-defined]


def opened(bench: Bench) -> object:
    """The models that a start opens, and what is said about them."""
    bench.app.models.open_first(None, None)
    if bench.app.service.working:
        bench.until(lambda: bench.session.can_generate)
    return [str(o.model) for o in bench.loader.options], bench.window.toast.text.text()


def menu(of: Callable[[Bench], QMenu]) -> Callable[[Bench], object]:
    def show(bench: Bench) -> object:
        of(bench).aboutToShow.emit()
        return [action.text() for action in of(bench).actions()]

    return show


def asks_in(ask: Callable[[Bench], None]) -> Callable[[Bench], object]:
    """The folder in which a dialog starts."""

    def show(bench: Bench) -> object:
        starts: list[str] = []

        def answer(_parent: object, _title: str, start: str, *_: object, **__: object) -> Any:
            starts.append(start)
            return "", ""

        with pytest.MonkeyPatch.context() as patch:
            for name in ("getOpenFileName", "getSaveFileName"):
                patch.setattr(QFileDialog, name, answer)
            patch.setattr(QFileDialog, "getOpenFileNames", lambda *a: ([], answer(*a)[1]))
            ask(bench)
        return starts

    return show


def save(bench: Bench) -> None:
    bench.load()
    bench.make_take()
    bench.app.desk.exports.save_take()


def export(bench: Bench) -> ExportDialog:
    bench.load()
    bench.make_take()
    take = bench.app.current.take
    assert take is not None
    return ExportDialog(take, bench.app.settings, "", bench.window)


def explained(bench: Bench) -> object:
    """Whether the demo voice, which is opened here, is explained."""
    bench.app.models._find_demo = lambda: Path(bench.engine.info.path)
    bench.load()
    bench.window.show()
    return bench.window.banner.isVisible()


def splitter(orientation: Qt.Orientation) -> QByteArray:
    """How a splitter with other sizes keeps them."""
    made = QSplitter(orientation)
    for _ in range(3):
        made.addWidget(QWidget())
    made.resize(1400, 1000)
    made.setSizes([500, 300, 200])
    return made.saveState()


def geometry(_: Path) -> QByteArray:
    window = QWidget()
    window.resize(1201, 701)
    return window.saveGeometry()


def sound(bench: Bench) -> object:
    """Whether a take sounds while it is made."""
    bench.load()
    bench.make_take()
    return len(bench.sound.streams) > 0


def a_file(name: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        (folder / name).touch()
        return str(folder / name)

    return make


def a_model(folder: Path) -> str:
    return a_file("last.gguf")(folder)


FOLDER: Callable[[Path], str] = str

EFFECTS: dict[Setting[Any], Effect] = {
    keys.GEOMETRY: Effect(geometry, lambda b: b.window.size()),
    keys.SPLIT_COLUMNS: Effect(
        lambda _: splitter(Qt.Orientation.Horizontal), lambda b: b.window.columns.saveState()
    ),
    keys.SPLIT_MIDDLE: Effect(
        lambda _: splitter(Qt.Orientation.Vertical), lambda b: b.window.middle.saveState()
    ),
    keys.LEFT_HEIGHT: Effect(333, lambda b: b.window.left.wish),
    keys.THEME: Effect("dark", lambda b: b.app.theme.colors),
    keys.LANGUAGE: Effect("zh_CN", lambda b: b.window.actions_.quit.text()),
    keys.SCRIPT: Effect("Some words.", lambda b: b.window.script.text),
    keys.SPEAKERS: Effect(
        ["1=Ann"], lambda b: b.app.scripts._speakers(b.app.scripts.report), {keys.SCRIPT: TWO}
    ),
    keys.SPLIT_MODE: Effect("never", request),
    keys.PAUSE_MS: Effect(777, request, {keys.SPLIT_MODE: "always"}),
    keys.CARRY_ON: Effect(True, request, {keys.SPLIT_MODE: "always"}),
    keys.VOICE: Effect("Ann", lambda b: b.window.voices.wish),
    keys.CONSENT_ASKED: Effect(True, consent_question),
    keys.VOICE_SORT: Effect("date", lambda b: b.window.voices._orders.checkedAction().data()),
    keys.VOICE_LIBRARY: Effect(FOLDER, lambda b: str(b.app.voices.library.directory)),
    keys.LAST_MODEL: Effect(a_model, opened),
    keys.REOPEN_MODEL: Effect(False, opened, {keys.LAST_MODEL: a_model}),
    keys.OPENING_MODEL: Effect("/a/b.gguf", opened),
    keys.RECENT_MODELS: Effect(["/a/b.gguf"], menu(lambda b: b.window.recent_menu)),
    keys.RECENT_CLIPS: Effect(["/a/b.wav"], menu(lambda b: b.window.clips_menu)),
    keys.DEMO_SEEN: Effect(True, explained),
    keys.MODELS_FOLDER: Effect(FOLDER, lambda b: b.app.manager.store.folder),
    keys.MODELS_MIRROR: Effect("https://example.org", lambda b: b.app.manager.options().hub),
    keys.MODELS_TOKEN: Effect("hf_x", lambda b: b.app.manager.options().hub),
    keys.MODELS_OFFLINE: Effect(True, lambda b: b.app.manager.options().offline),
    keys.BACKEND: Effect("cuda", loading),
    keys.GPU_LAYERS: Effect(3, loading, {keys.BACKEND: "cuda"}),
    keys.THREADS: Effect(3, loading),
    keys.CODEC_POLICY: Effect("cpu", loading),
    keys.ARITHMETIC: Effect("fast", loading),
    keys.VOICE_CACHE_MB: Effect(77, loading),
    keys.DECODE_MODE: Effect("windowed", request),
    keys.STRIDE: Effect(9, request),
    keys.HOLDBACK: Effect(5, request),
    keys.CONTEXT: Effect(70, request, {keys.DECODE_MODE: "windowed"}),
    keys.LOW_LATENCY: Effect(True, request),
    keys.START_BUFFER: Effect(
        900, lambda b: Controls.from_settings(b.app.settings).start_buffer_s
    ),
    keys.READINGS: Effect(3, readings),
    keys.READINGS_SPREAD: Effect(0.3, readings, {keys.READINGS: 2}),
    keys.TEMPERATURE: Effect(0.5, request),
    keys.TOP_P: Effect(0.5, request),
    keys.TOP_K: Effect(5, request),
    keys.MAX_FRAMES: Effect(99, request),
    keys.SEED: Effect("4711", lambda b: b.window.script.seed_value),
    keys.SEED_PINNED: Effect(True, lambda b: b.window.actions_.pin_seed.isChecked()),
    keys.PLAY_LIVE: Effect(False, sound),
    keys.FIT_PEAK: Effect(False, lambda b: b.window.actions_.fit_peak.isChecked()),
    keys.SPECTROGRAM: Effect(True, lambda b: b.window.actions_.spectrogram.isChecked()),
    keys.FOLLOW_SPOKEN: Effect(False, lambda b: b.window.actions_.follow.isChecked()),
    keys.VOLUME: Effect(33, lambda b: b.window.take.transport.volume.value()),
    keys.OUTPUT_DEVICE: Effect("Speakers", lambda b: b.app.player.device_key),
    keys.INPUT_DEVICE: Effect("Microphone", lambda b: b.app.cloning.recorder.device_key),
    keys.RECORD_LIMIT: Effect(31, lambda b: b.app.cloning.recorder.limit_s),
    keys.TRANSCRIBE_MODEL: Effect(FOLDER, lambda b: b.app.cloning.transcriber.model_folder),
    keys.TRANSCRIBE_LANGUAGE: Effect("de", lambda b: b.app.cloning.transcript.language),
    keys.TAKES_LIMIT_MB: Effect(77, lambda b: b.app.library.archive.max_bytes),
    keys.EXPORT_FORMAT: Effect("mp3", lambda b: export(b).path.suffix),
    keys.EXPORT_TEMPLATE: Effect("take {seed}", lambda b: export(b).path.name[:5]),
    keys.REMOTE_ON: Effect(
        True, lambda b: (b.app.remote.open_first(), b.window.remote.chosen)[1],
        {keys.REMOTE_URL: "no address"},
    ),
    keys.REMOTE_URL: Effect("http://a:1", lambda b: b.window.remote.address.text()),
    keys.REMOTE_KIND: Effect("openai", lambda b: b.window.remote.kind.currentData()),
    keys.REMOTE_KEEP_KEY: Effect(True, lambda b: b.window.remote.keep_key.isChecked()),
    keys.REMOTE_KEY: Effect("sk-1", lambda b: b.window.remote.key.text()),
    keys.REMOTE_VOICE: Effect(
        "Ann", lambda b: (b.window.remote.set_voices(("Ann",)), b.window.remote.voice_there)[1]
    ),
    keys.SERVE_PORT: Effect(4040, lambda b: b.app.serving.options().port),
    keys.SERVE_OPEN: Effect(True, lambda b: b.app.serving.options().host),
    keys.FOLDER_MODEL: Effect(FOLDER, asks_in(lambda b: b.app.models.ask_open())),
    keys.FOLDER_VOICE: Effect(FOLDER, asks_in(lambda b: b.app.voice_controller.ask_import())),
    keys.FOLDER_CLIP: Effect(FOLDER, asks_in(lambda b: b.app.cloning.reference.ask_file())),
    keys.FOLDER_TEXT: Effect(FOLDER, asks_in(lambda b: b.app.scripts.open_text())),
    keys.FOLDER_SAVE: Effect(FOLDER, asks_in(save)),
}  # fmt: skip


USUAL: dict[object, object] = {}
"""What studios without the changed setting show; several settings share one."""


@contextmanager
def studio(
    qtbot: QtBot, app: QApplication, root: Path, values: dict[Setting[Any], Any]
) -> Iterator[Bench]:
    """A studio that starts with these settings."""
    root.mkdir()
    settings = Settings(root / "config" / "studio.json")
    for setting, value in values.items():
        settings.set(setting, value(root.parent) if callable(value) else value)
    settings.sync()
    # The window is put away here, before the next one, and not by the bot at the end.
    bot: Any = SimpleNamespace(addWidget=lambda _: None, waitUntil=qtbot.waitUntil)
    bench = Bench(bot, app, root)
    yield bench
    assert bench.app.shutdown()
    put_away(bench.window)


def test_every_setting_has_an_effect_that_is_tested() -> None:
    assert set(EFFECTS) == set(keys.ALL)


@pytest.mark.parametrize("setting", EFFECTS, ids=lambda s: s.key)
def test_a_setting_changes_what_the_studio_does(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, setting: Setting[Any]
) -> None:
    effect = EFFECTS[setting]
    known = effect.show, tuple(effect.given)
    if known not in USUAL:
        with studio(qtbot, qapp, tmp_path / "a", effect.given) as bench:
            USUAL[known] = effect.show(bench)
    with studio(qtbot, qapp, tmp_path / "b", {**effect.given, setting: effect.value}) as bench:
        changed = effect.show(bench)
    assert changed != USUAL[known]
