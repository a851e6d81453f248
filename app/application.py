"""Composition root: the only place that knows every part, makes them and ties them.

Importing this module does not import torch; the engine thread does that with the first load.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from app import resources
from app import settings as keys
from app.cloning import Cloning
from app.diagnostics import LogFile
from app.file_flows import FileFlows
from app.help_flows import HelpFlows
from app.model_flows import ModelFlows
from app.models.voice_list import VoiceListModel
from app.paths import Paths, default_paths
from app.presenter import Presenter
from app.script_flows import ScriptFlows
from app.services.audio_inputs import SoundDevices
from app.services.engine_facts import EngineFacts, Survey, no_survey, survey
from app.services.engine_service import EngineService
from app.services.engine_worker import load_real_engine
from app.services.jobs import Loader
from app.services.player import Player
from app.services.tasks import Tasks
from app.settings import Settings
from app.single_instance import SingleInstance
from app.studio import Studio
from app.take_desk import TakeDesk
from app.theme import Theme
from app.translation import Translation
from app.window import MainWindow
from engine.errors import GenerationError
from engine.types import ModelInfo

log = logging.getLogger(__name__)

SHUTDOWN_MS = 1500
WAKE_MS = 200


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What the command line asks for."""

    model: Path | None = None
    tokenizer: Path | None = None
    voice_dir: Path | None = None
    data_root: Path | None = None

    def paths(self) -> Paths:
        """Folders of this run."""
        return default_paths(self.voice_dir, resources.shipped_voices(), self.data_root)


def make_application(argv: list[str]) -> QApplication:
    """The Qt application, or the one that is there already."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(argv)
    app.setApplicationName("s2-voice-studio")
    app.setApplicationDisplayName("S2 Voice Studio")
    app.setDesktopFileName("s2-voice-studio")
    return app


class Application(QObject):
    """Everything that runs, from start to shutdown.

    Attributes:
        clean: the shutdown ended the engine thread in time.
    """

    def __init__(
        self,
        app: QApplication,
        options: StartOptions,
        *,
        loader: Loader = load_real_engine,
        devices: SoundDevices | None = None,
        ask_backends: Survey | None = None,
    ) -> None:
        super().__init__()
        self.options = options
        paths = options.paths()
        self.settings = Settings(paths.settings_file)
        if options.voice_dir is None and self.settings.get(keys.VOICES_FOLDER):
            paths = replace(paths, voices=Path(self.settings.get(keys.VOICES_FOLDER)))
        self.translation = Translation(app, self.settings)
        self.theme = Theme(app, self.settings)
        self.voices = VoiceListModel(paths.voices, paths.shipped_voices)
        self.voices.refresh()
        self.devices = devices or SoundDevices()
        self.player = Player(self.devices)
        # A stand-in for the engine has no torch to ask.
        ask = ask_backends or (survey if loader is load_real_engine else no_survey)
        self.facts = EngineFacts()
        self.service = EngineService(loader, ask)
        self.studio = Studio(self.settings, self.service, self.player, self.voices)
        self.window = MainWindow(
            self.settings, self.theme, self.voices, self.studio.takes, self.facts
        )
        self.presenter = Presenter(self.window, self.studio)
        self.files = FileFlows(self.window, self.studio, self.settings, self.presenter.report)
        self.models = ModelFlows(self.window, self.studio, self.settings, self.facts)
        self.help = HelpFlows(self.window, self.studio, self.facts, self.devices, paths)
        self.presenter.next_step = self.models.next_step
        self.presenter.make_report = self.help.report
        self.presenter.open_model = self.files.open_model
        self.tasks = Tasks()
        self.scripts = ScriptFlows(
            self.window, self.studio, self.settings, self.tasks, self.presenter.report
        )
        self.files.read_text = self.scripts.read_text
        self.desk = TakeDesk(
            self.window, self.studio, self.settings, self.tasks, paths.data / "takes",
            self.presenter.report,
        )  # fmt: skip
        self.files.read_audio = self.desk.exports.take_back
        self.presenter.go_on = self.desk.takes.go_on
        self.cloning = Cloning(
            self.window, self.studio, self.settings, self.devices, self.presenter.report
        )
        self.files.open_clip = self.cloning.reference.open_file
        self.desk.exports.other_audio = self.files.open_clip
        self.files.add_voices = self.cloning.voices.import_files
        self.clean = True
        self._shut = False
        self._fault_shown = False
        self._connect()
        self._restore()

    def show(self) -> None:
        """Show the window; what may take a moment comes after the first paint."""
        self.window.show()
        self.window.script.editor.setFocus()
        QTimer.singleShot(0, self, self._after_start)

    @Slot()
    def _after_start(self) -> None:
        self.list_devices()
        if self.settings.notice:
            self.window.toast.say(self.settings.notice)
        self.desk.start()
        self.facts.start()
        self.models.open_first(self.options.model, self.options.tokenizer)
        self.service.survey()

    def _connect(self) -> None:
        actions, studio, window = self.window.actions_, self.studio, self.window
        for action, doing in (
            (actions.open_model, self.files.open_model),
            (actions.reload_model, studio.reload_model),
            (actions.open_text, self.scripts.open_text),
            (actions.save_text, self.scripts.save_text),
            (actions.import_voice, self.files.import_voice),
            (actions.reveal_voices, self.files.reveal_voices),
            (actions.refresh_voices, self.voices.refresh),
            (actions.generate, self.generate),
            (actions.stop, self._stop),
            (actions.new_seed, self.scripts.draw_seed),
            (actions.play_pause, self._on_space),
            (actions.play_start, studio.play_from_start),
            (actions.stop_playing, self.player.stop),
            (actions.rescan_audio, self._rescan),
            (actions.quit, window.close),
            (actions.open_settings, self.help.show_settings),
            (actions.shortcuts, self.help.show_keys),
            (actions.get_model, self.help.show_ways),
            (actions.report, self.help.show_report),
            (actions.about, self.help.show_about),
        ):
            _on_trigger(action, doing)
        self.service.surveyed.connect(self.facts.take_survey)
        self.facts.changed.connect(self._tell_card)
        window.closing.connect(self.shutdown)
        window.dropped.connect(self.files.take_dropped)
        window.card.open_model.connect(self.files.open_model)
        window.card.import_voice.connect(self.files.import_voice)
        window.card.choose_device.connect(self._show_device)
        window.voices.voice_chosen.connect(self._on_voice)
        window.engine.reload_requested.connect(studio.reload_model)
        window.take.seek_requested.connect(studio.seek)
        window.take.loop_changed.connect(studio.set_loop)
        window.takes.take_chosen.connect(lambda take: studio.show_take(take))
        window.takes.replay_requested.connect(studio.replay)
        window.take.transport.volume_changed.connect(self._on_volume)
        window.take.transport.device_chosen.connect(self._on_device)
        studio.model_changed.connect(self._on_model)
        for flow in (self.cloning.saving, self.cloning.voices):
            flow.open_model_wished.connect(self.files.open_model)
        self.cloning.busy_changed.connect(self._on_cloning)
        self.settings.changed.connect(self._on_setting)

    def _restore(self) -> None:
        get = self.settings.get
        self.player.device_key = get(keys.OUTPUT_DEVICE)
        self.window.take.transport.volume.setValue(get(keys.VOLUME))
        self.player.set_volume(get(keys.VOLUME))
        self.window.voices.choose(get(keys.VOICE))
        self._tell_card()

    def list_devices(self) -> None:
        """Fill the list of outputs, or say why there is none."""
        outputs = self.devices.outputs()
        bar = self.window.take.transport
        bar.set_devices(outputs, self.player.device_key, self.devices.problem)
        self.cloning.reference.list_devices()
        self.presenter.refresh()

    @Slot()
    def generate(self) -> None:
        """Start a take from what the window shows."""
        self.scripts.generate()

    @Slot(list)
    def come_to_front(self, files: list[Path]) -> None:
        """A second start was asked for: this window does what that one should have done."""
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()
        if files:
            self.files.take_dropped(files)

    @Slot()
    def _stop(self) -> None:
        """A recording or a transcription first: it is what the user started last."""
        if not self.cloning.stop():
            self.studio.stop()

    @Slot()
    def _on_cloning(self) -> None:
        self.studio.busy_elsewhere = self.cloning.busy
        self.presenter.refresh()

    def shutdown(self) -> bool:
        """Stop everything in bounded time; ``False`` when the engine thread is stuck."""
        if not self._shut:
            self._shut = True
            self.window.save_state()
            self.settings.set(keys.VOICE, self.window.voices.key)
            self.settings.sync()
            self.window.hide()
            self.facts.stop()
            self.cloning.shutdown(SHUTDOWN_MS)
            self.player.abort()
            self.desk.close()
            self.tasks.close()
            self.clean = self.service.shutdown(SHUTDOWN_MS)
            self.translation.remove()
        return self.clean

    @Slot(str)
    def _on_voice(self, key: str) -> None:
        self.settings.set(keys.VOICE, key)
        self._tell_card()

    @Slot()
    def _tell_card(self) -> None:
        key = self.window.voices.key
        row = self.voices.rows[self.voices.row_of(key)]
        self.window.card.set_voice(row.title if row.key else "", self.voices.voice_count)
        self.window.card.set_device(self.window.engine.form.chosen_title)

    @Slot(str)
    def _on_setting(self, key: str) -> None:
        if key == keys.BACKEND.key:
            self._tell_card()
        elif key == keys.OUTPUT_DEVICE.key:
            self.player.device_key = self.settings.get(keys.OUTPUT_DEVICE)
            self.list_devices()

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        if info is not None:
            self.window.script.editor.setFocus()

    @Slot(int)
    def _on_volume(self, percent: int) -> None:
        self.settings.set(keys.VOLUME, percent)
        self.player.set_volume(percent)

    @Slot(str)
    def _on_device(self, key: str) -> None:
        self.settings.set(keys.OUTPUT_DEVICE, key)

    @Slot()
    def _rescan(self) -> None:
        if not self.devices.rescan():
            self.window.toast.say(
                self.tr("Sound is playing. The list is read again when it has ended.")
            )
        self.list_devices()
        if self.devices.problem:
            self.window.toast.say(self.devices.problem)

    @Slot()
    def _on_space(self) -> None:
        """Space belongs to a focused button or list first, then to the player."""
        focus = QApplication.focusWidget()
        ours = self.window.take.transport.play_button
        if isinstance(focus, QAbstractButton) and focus is not ours:
            focus.click()
        elif isinstance(focus, QComboBox):
            focus.showPopup()
        else:
            self.studio.play_or_pause()

    @Slot()
    def _show_device(self) -> None:
        self.window.engine.backend.setFocus()
        self.window.engine.backend.showPopup()

    def report_fault(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """An exception that nobody caught: logged, and shown once instead of vanishing."""
        log.critical("a fault of the program", exc_info=(kind, error, trace))
        if not self._shut and not self._fault_shown:
            self._fault_shown = True
            self.presenter.report(
                GenerationError(
                    f"{kind.__name__}: {error}",
                    self.tr("This is a fault of the program. Please report it with the details."),
                )
            )


def _on_trigger(action: QAction, doing: object) -> None:
    action.triggered.connect(lambda _=False: doing())  # type: ignore[operator]


def run(argv: list[str], options: StartOptions) -> int:
    """Show the window and stay until it is closed; returns the exit code.

    When the engine thread does not end in time (a library call that cannot be interrupted),
    everything is saved by then and the process leaves at once: ending Qt with the thread
    alive would abort it, and killing the thread could leave locks held.
    """
    app = make_application(argv)
    paths = options.paths()
    first = SingleInstance(paths.config)
    files = [options.model] if options.model is not None else []
    if not first.claim(files):
        print("s2studio: the window is open already; it was asked to come to the front.")
        return 0
    log_file = LogFile(paths.logs or paths.data)
    studio = Application(app, options)
    studio.help.log = log_file
    first.asked.connect(studio.come_to_front)
    app.aboutToQuit.connect(studio.shutdown)
    waker = _quit_on_signals(app)
    sys.excepthook = studio.report_fault
    threading.excepthook = _log_thread_fault
    studio.show()
    code = QCoreApplication.exec()
    waker.stop()
    ended = studio.shutdown()
    first.release()
    if not ended:
        log.warning("the engine thread did not end in time")
        log_file.close()
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # there is none in a program without a console
                stream.flush()
        os._exit(code)
    log_file.close()
    return code


def _log_thread_fault(fault: threading.ExceptHookArgs) -> None:
    kind, error = fault.exc_type, fault.exc_value or fault.exc_type()
    log.critical("a fault in a thread", exc_info=(kind, error, fault.exc_traceback))


def _quit_on_signals(app: QApplication) -> QTimer:
    """Ctrl+C and a polite kill close the window like the user would. Python runs its handlers
    only between its own instructions, so a timer gives it some while Qt waits."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: app.quit())
    waker = QTimer(app)
    waker.timeout.connect(lambda: None)
    waker.start(WAKE_MS)
    return waker
