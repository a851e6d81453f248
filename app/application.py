"""Composition root: the only place that knows every part, makes them and ties them.

Importing this module does not import torch; the engine thread does that with the first load.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from app.audio.devices import AudioDevices
from app.audio.player import Player
from app.audio.preview import Preview
from app.cloning.clip_controller import CloningContext
from app.cloning.feature import Cloning
from app.cloning.recogniser import RecogniserFetch
from app.core import settings as keys
from app.core.background import Tasks
from app.core.file_dialogs import RecentFiles
from app.core.messages import Messages
from app.core.paths import Paths, default_paths, shipped_voices
from app.core.settings import Settings
from app.core.theme import Theme
from app.core.translation import Translation
from app.file_routing import FileRouting
from app.help.controller import HelpController
from app.inference.backends import BackendFacts, BackendProbe, no_probe, probe_backends
from app.inference.codec_jobs import CodecJobs
from app.inference.jobs import Loader
from app.inference.loader import ModelLoader
from app.inference.service import EngineService
from app.inference.worker import load_real_engine
from app.model_files.manager import ModelManager
from app.model_files.opening import ModelOpening
from app.request import ServerChoice
from app.script.controller import ScriptController
from app.servers.remote_controller import RemoteController
from app.servers.serve_controller import ServeController
from app.session import Session
from app.status_presenter import StatusPresenter
from app.takes.archive import TakeLibrary
from app.takes.current import CurrentTake
from app.takes.feature import TakesFeature
from app.takes.follow import SpokenFollower
from app.takes.restore import SettingsRestorer
from app.transport_controller import TransportController
from app.voices.controller import VoicesController
from app.voices.list_model import VoiceListModel
from app.voices.store import VoiceStore
from app.welcome.controller import WelcomeController
from app.widgets.error_dialog import ErrorDialogs
from app.window import MainWindow
from engine.errors import EngineError, GenerationError
from engine.storage import demo_model
from engine.takes import TakeArchive
from engine.types import ModelInfo

log = logging.getLogger(__name__)

SHUTDOWN_MS = 1500


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What the command line asks for."""

    model: Path | None = None
    tokenizer: Path | None = None
    voice_dir: Path | None = None
    data_root: Path | None = None
    files: tuple[Path, ...] = ()

    def paths(self) -> Paths:
        """Folders of this run."""
        return default_paths(self.voice_dir, shipped_voices(), self.data_root)


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
        devices: AudioDevices | None = None,
        ask_backends: BackendProbe | None = None,
        find_demo: Callable[[], Path | None] = demo_model,
    ) -> None:
        super().__init__()
        self.options = options
        paths = options.paths()
        self.settings = Settings(paths.settings_file)
        if options.voice_dir is None and self.settings.get(keys.VOICE_LIBRARY):
            paths = replace(paths, voices=Path(self.settings.get(keys.VOICE_LIBRARY)))
        self.translation = Translation(app, self.settings)
        self.theme = Theme(app, self.settings)
        self.voices = VoiceListModel(paths.voices, paths.shipped_voices)
        self.voices.refresh()
        self.devices = devices or AudioDevices()
        self.player = Player(self.devices)
        # A stand-in for the engine has no torch to ask.
        ask = ask_backends or (probe_backends if loader is load_real_engine else no_probe)
        self.facts = BackendFacts()
        self.service = EngineService(loader, ask)
        self.tasks = Tasks()
        self.library = TakeLibrary(TakeArchive(paths.data / "takes"), self.tasks)
        self.messages = Messages(self)
        self.current = CurrentTake(self.player, self.library, self.messages)
        self.loader = ModelLoader(self.settings, self.service)
        self.clean = True
        self._shut = False
        self._fault_shown = False
        self.window = MainWindow(
            self.settings, self.theme, self.voices, self.current.list, self.facts
        )
        self._make_session()
        self._make_models(paths, find_demo)
        self._make_servers(paths)
        self._make_takes()
        self._make_voices(paths)
        self._make_guides()
        self._connect()

    def _make_session(self) -> None:
        window = self.window
        self.messages.said.connect(window.toast.show_note)
        for source in (self.loader.said, self.player.message):
            source.connect(self.messages.say)
        self.session = Session(
            self.settings, self.service, self.player, self.voices, self.current, self.loader,
            lambda: ServerChoice(window.remote.voice_there, window.reference.clip),
        )  # fmt: skip

    def _make_models(self, paths: Paths, find_demo: Callable[[], Path | None]) -> None:
        """Opening and fetching models, and what is said about this computer."""
        window = self.window
        self.models = ModelOpening(
            window, self.loader, self.settings, self.facts, window.engine.form, window.banner,
            window.actions_, self.messages, find_demo,
        )  # fmt: skip
        self.help = HelpController(
            window, window.actions_, self.settings, lambda: window.take.transport.outputs,
            self.loader, self.service, self.facts, self.devices, paths, self.translation.language,
        )  # fmt: skip
        self.errors = ErrorDialogs(window, self.theme, self.help.report)
        self.messages.raised.connect(self.errors.show)
        self.manager = ModelManager(
            window, self.theme, self.loader, self.settings, self.facts, window.engine.form,
            paths.data / "models", self.messages, self.tasks, self.models.open,
            self.models.ask_open,
        )  # fmt: skip

    def _make_servers(self, paths: Paths) -> None:
        window = self.window
        self.remote = RemoteController(window.remote, self.settings, self.service, self.loader)
        folders = tuple(f for f in (paths.voices, paths.shipped_voices) if f is not None)
        self.serving = ServeController(
            window.serve, self.settings, self.service, self.loader, self.messages, folders
        )

    def _make_takes(self) -> None:
        """From the script to takes, and what becomes of them."""
        window = self.window
        self.scripts = ScriptController(
            window.script, window.voices, self.session.generate, self.settings, self.tasks,
            self.messages,
        )  # fmt: skip
        window.voices.voice_chosen.connect(self.scripts.show_speakers)
        _on_trigger(window.actions_.pronunciations, self.scripts.show_pronunciations)
        window.queue.follow(self.session.waiting)
        restore = SettingsRestorer(
            window.script, window.voices, window.actions_.pin_seed, self.settings, self.voices.find
        )
        self.desk = TakesFeature(
            (window.take, window.takes), window.actions_, self.current, self.session, self.service,
            self.settings, self.tasks, self.messages, self.voices, restore,
        )  # fmt: skip
        self.follower = SpokenFollower(
            window.script.editor, self.current, self.player, window.actions_.follow, self.messages
        )
        self.session.take_ended.connect(self.desk.on_ended)
        self.session.availability_changed.connect(self.desk.refresh)
        self.desk.takes.listed.connect(self.session.availability_changed)
        self.sound = TransportController(
            window.take, self.current, self.settings, self.messages, self.devices, self.player,
            self.desk.playback,
        )  # fmt: skip

    def _make_guides(self) -> None:
        """Where files go, the card of the first steps, and what the window shows of all."""
        window = self.window
        self.files = FileRouting(
            self.models.open, self.scripts.read_text, self.desk.exports.take_back,
            self.cloning.reference.open_file, self.voice_controller.import_files,
        )  # fmt: skip
        self.welcome = WelcomeController(
            window.card, window.actions_, window.voices, window.script, window.engine.form,
            self.voices, self.loader, self.models.is_demo, self.facts, self.settings, self.messages,
        )  # fmt: skip
        self.presenter = StatusPresenter(
            window, self.session, self.messages, (self.remote.next_step, self.models.next_step),
            self.desk.takes.go_on,
            lambda: self.welcome.wants_card(self.current.list.rowCount()),
            lambda: self.voice_controller.trouble(self.scripts.speakers.values()),
        )  # fmt: skip

    def _make_voices(self, paths: Paths) -> None:
        """The library, and the making of new voices; what they play they play in turn."""
        window, store = self.window, VoiceStore(self.voices.library)
        preview = Preview(self.player, self)
        self.voice_controller = VoicesController(
            window.voices, self.voices, store, CodecJobs(self.service, self),
            CodecJobs(self.service, self), self.tasks, self._rate,
            self.models.ask_open, preview, self.settings, self.messages,
        )  # fmt: skip
        self.cloning = Cloning(
            window.reference, window.actions_, window.clips_menu, self.devices,
            CodecJobs(self.service, self), store, self._rate, self.models.ask_open,
            CloningContext(self.settings, self.tasks, preview, self.messages),
            RecogniserFetch(
                paths.data / "transcription", self.manager.options, self.tasks, parent=self
            ),
        )  # fmt: skip
        self.cloning.saved.connect(self.voice_controller.welcome)
        self.cloning.clip_added.connect(self.voice_controller.add_clip)
        # The next thing is to let the new voice speak.
        self.cloning.left.connect(window.script.editor.setFocus)

    def _rate(self) -> int:
        return self.session.info.sample_rate if self.session.info is not None else 0

    def show(self) -> None:
        """Show the window; what may take a moment comes after the first paint."""
        self.window.show()
        self.window.script.editor.setFocus()
        QTimer.singleShot(0, self, self._after_start)

    @Slot()
    def _after_start(self) -> None:
        self.sound.list_devices()
        if self.settings.notice:
            self.messages.say(self.settings.notice)
        self.settings.failed.connect(self._on_settings_failed)
        self.desk.start()
        self.facts.start()
        self.models.open_first(self.options.model, self.options.tokenizer)
        self.remote.open_first()
        self.files.open(self.options.files)
        self.service.probe_backends()

    def _connect(self) -> None:
        actions, session, window = self.window.actions_, self.session, self.window
        for action, doing in (
            (actions.open_model, self.models.ask_open),
            (actions.reload_model, self.models.reload),
            (actions.models, self.manager.show),
            (actions.open_text, self.scripts.open_text),
            (actions.save_text, self.scripts.save_text),
            (actions.import_voice, self.voice_controller.ask_import),
            (actions.reveal_voices, self.voice_controller.reveal_library),
            (actions.refresh_voices, self.voices.refresh),
            (actions.generate, self.scripts.generate),
            (actions.stop, self._stop),
            (actions.new_seed, self.scripts.draw_seed),
            (actions.play_pause, self.sound.on_space),
            (actions.play_start, self.desk.playback.play_from_start),
            (actions.stop_playing, self.player.stop),
            (actions.rescan_audio, self.sound.rescan),
            (actions.quit, window.close),
            (actions.open_settings, self.help.show_settings),
            (actions.manual, self.help.show_manual),
            (actions.shortcuts, self.help.show_keys),
            (actions.get_model, self.help.show_ways),
            (actions.report, self.help.show_report),
            (actions.about, self.help.show_about),
        ):
            _on_trigger(action, doing)
        self.service.backends_probed.connect(self.facts.take_backends)
        window.closing.connect(self.shutdown)
        window.dropped.connect(self.files.open)
        window.engine.reload_requested.connect(self.models.reload)
        session.model_changed.connect(self._on_model)
        session.model_changed.connect(self.welcome.on_model)
        session.seed_drawn.connect(self.welcome.drop_selection)
        self.models.demo_opening.connect(self.welcome.begin_demo)
        window.voices.voice_chosen.connect(self.welcome.on_voice)
        self.scripts.speakers_changed.connect(self.presenter.refresh)
        self.voices.modelReset.connect(self.presenter.refresh)
        self.desk.exports.other_sound.connect(self.cloning.reference.open_file)
        self.desk.selection.voice_wanted.connect(self.cloning.reference.open_sound)
        self.cloning.busy_changed.connect(self._on_cloning)
        self.sound.devices_changed.connect(self.cloning.reference.list_devices)
        self.sound.devices_changed.connect(session.availability_changed)
        menus = (window.recent_menu,)
        RecentFiles(self.settings, keys.RECENT_MODELS, self.models.open, menus, self)

    @Slot(list)
    def come_to_front(self, files: list[Path]) -> None:
        """A second start was asked for: this window does what that one should have done."""
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()
        if files:
            self.files.open(files)

    @Slot(object)
    def _on_settings_failed(self, error: EngineError) -> None:
        note = self.tr("The settings could not be saved: {reason}")
        self.messages.say(note.format(reason=error.detail))

    @Slot()
    def _stop(self) -> None:
        """A recording or a transcription first: it is what the user started last."""
        if not self.cloning.stop():
            self.session.stop()

    @Slot()
    def _on_cloning(self) -> None:
        self.session.busy_elsewhere = self.cloning.busy
        self.presenter.refresh()

    def shutdown(self) -> bool:
        """Stop everything in bounded time; ``False`` when the engine thread is stuck."""
        if not self._shut:
            self._shut = True
            self.window.save_state()
            self.settings.set(keys.VOICE, self.window.voices.wish)
            self.settings.sync()
            self.window.hide()
            self.facts.stop()
            served = self.serving.close(SHUTDOWN_MS / 1000)
            self.manager.close()
            self.cloning.shutdown()
            self.player.abort()
            self.desk.close()
            self.tasks.close()
            self.clean = self.service.shutdown(SHUTDOWN_MS) and served
            self.translation.remove()
        return self.clean

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        if info is not None:
            self.window.script.editor.setFocus()
            # What else hears of the model may choose another voice for it.
            QTimer.singleShot(0, self, lambda: self.session.warm_up(self.scripts.speakers))

    def report_fault(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """An exception that nobody caught: logged, and shown once instead of vanishing."""
        log.critical("a fault of the program", exc_info=(kind, error, trace))
        if not self._shut and not self._fault_shown:
            self._fault_shown = True
            self.messages.report(
                GenerationError(
                    "program.fault",
                    kind=kind.__name__,
                    reason=error,
                )
            )


def _on_trigger(action: QAction, doing: object) -> None:
    action.triggered.connect(lambda _=False: doing())  # type: ignore[operator]
