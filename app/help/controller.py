"""Settings, keys, About and the report: what the window says about itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.audio.devices import AudioDevices
from app.core.actions import Actions
from app.core.paths import Paths
from app.core.settings import Settings
from app.core.translation import SOURCE
from app.help.about import AboutDialog, GetModelDialog
from app.help.diagnostics import LogFile, Situation, report
from app.help.keys_dialog import KeysDialog
from app.help.manual_dialog import ManualDialog
from app.help.report_dialog import ReportDialog
from app.help.settings_dialog import SettingsDialog
from app.inference.backends import BackendFacts
from app.inference.controls import Controls
from app.inference.loader import ModelLoader
from app.inference.service import EngineService


class HelpController(QObject):
    """Opens the dialogs and gathers what they show.

    Attributes:
        log: the log file of this run, if there is one.
    """

    def __init__(
        self,
        window: QWidget,
        actions: Actions,
        settings: Settings,
        outputs: Callable[[], list[tuple[str, str]]],
        models: ModelLoader,
        service: EngineService,
        facts: BackendFacts,
        devices: AudioDevices,
        paths: Paths,
        language: str = SOURCE,
    ) -> None:
        """The dialogs open over ``window``; ``outputs`` are key and title of sound outputs."""
        super().__init__(window)
        self._window, self._actions, self._settings = window, actions, settings
        self._outputs, self._models, self._service = outputs, models, service
        self._facts = facts
        self._devices = devices
        self._paths = paths
        self._language = language
        self._manual: ManualDialog | None = None
        self.log: LogFile | None = None

    @Slot()
    def show_settings(self) -> None:
        """The settings that are set once."""
        logs = self._paths.logs
        SettingsDialog(
            self._settings, self._outputs(), self._paths.voices,
            logs if logs is not None and logs.is_dir() else None, self._window,
        ).open()  # fmt: skip

    @Slot()
    def show_manual(self) -> None:
        """The manual; asked for again, the one that is open comes to the front."""
        if self._manual is None or not isValid(self._manual):
            self._manual = ManualDialog(self._language, self._window)
        self._manual.show()
        self._manual.raise_()
        self._manual.activateWindow()

    @Slot()
    def show_keys(self) -> None:
        """Every key."""
        KeysDialog(self._actions.all(), self._window).open()

    @Slot()
    def show_about(self) -> None:
        """What the program is."""
        AboutDialog(self._window, self._actions.models).open()

    @Slot()
    def show_ways(self) -> None:
        """How to get S2 Pro."""
        GetModelDialog(self._window, self._actions.models).open()

    @Slot()
    def show_report(self) -> None:
        """The report, to read and copy."""
        ReportDialog(self.report(), self._window).open()

    def report(self, fault: str = "") -> str:
        """The whole report; ``fault`` stands first."""
        return report(
            Situation(
                backends=self._facts.backends,
                used_bytes=self._facts.used_bytes,
                model=self._models.info,
                state=self._service.state.value,
                sound=[d.title for d in self._devices.outputs()],
                sound_problem=self._devices.problem,
                controls=str(Controls.from_settings(self._settings)),
                log_lines=self.log.tail() if self.log is not None else [],
            ),
            fault,
        )
