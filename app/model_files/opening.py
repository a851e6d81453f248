"""Which model the window opens, and what the user is told before and after.

At the start it is the one of the command line, else the last one, else the small demo voice
that ships with the program. A model that does not fit into the memory is asked about first.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from app.core import settings as keys
from app.core.actions import Actions
from app.core.file_dialogs import FileDialogs
from app.core.formats import gigabytes
from app.core.messages import Messages
from app.core.paths import stand_in_path
from app.core.settings import Settings
from app.inference.backends import CPU, BackendFacts, Readiness
from app.inference.jobs import Ending, LoadOptions, Outcome
from app.inference.loader import ModelLoader
from app.inference.placement_form import PlacementForm
from app.widgets.banner import Banner
from engine.errors import DeviceError, EngineError
from engine.storage import demo_model
from engine.types import ModelInfo

log = logging.getLogger(__name__)


class ModelOpening(QObject):
    """Opens models with forethought.

    ``find_demo`` finds the demo voice; tests give another.

    Signals:
        demo_opening(): the demo voice is being opened.
    """

    demo_opening = Signal()

    def __init__(
        self,
        window: QWidget,
        models: ModelLoader,
        settings: Settings,
        facts: BackendFacts,
        form: PlacementForm,
        banner: Banner,
        actions: Actions,
        messages: Messages,
        find_demo: Callable[[], Path | None] = demo_model,
    ) -> None:
        super().__init__(window)
        self._window, self._models, self._settings = window, models, settings
        self._facts, self._form, self._find_demo = facts, form, find_demo
        self._banner, self._actions, self._messages = banner, actions, messages
        self._offered = False
        self._last: tuple[Path, Path | None] | None = None
        models.opening.connect(self._on_opening)
        models.ended.connect(self._on_ended)
        models.loaded.connect(self._on_model)
        facts.changed.connect(self._offer_accelerator)

    @Slot()
    def ask_open(self) -> None:
        """Ask for a file and open it."""
        kinds = self.tr("GGUF models (*.gguf);;All files (*)")
        dialogs = FileDialogs(self._settings, self._window)
        if path := dialogs.open(keys.FOLDER_MODEL, self.tr("Open model"), kinds):
            self.open(path)

    def open(self, model: Path, tokenizer: Path | None = None) -> None:
        """Open a model; ask first about one that does not fit."""
        if self._models.busy or not self._hold(model, tokenizer):
            self._models.open(model, tokenizer)

    @Slot()
    def reload(self) -> None:
        """Load the model again, with the controls as they are now."""
        if (options := self._models.options) is not None:
            self.open(options.model, options.tokenizer)

    def open_first(self, wanted: Path | None, tokenizer: Path | None) -> None:
        """Open what a start shall begin with; without anything the card shows the way."""
        if wanted is not None:
            self.open(wanted, tokenizer)
            return
        last, unfinished = (
            self._settings.get(keys.LAST_MODEL), self._settings.get(keys.OPENING_MODEL),
        )  # fmt: skip
        if unfinished:
            self._settings.set(keys.OPENING_MODEL, "")
            self._messages.say(
                self.tr(
                    "The program ended while {name} was being opened, so it is not opened again "
                    "by itself."
                ).format(name=Path(unfinished).name),
                self.tr("Open it"),
                lambda: self.open(Path(unfinished)),
            )
            return
        if self._settings.get(keys.REOPEN_MODEL) and last and os.path.isfile(last):
            self.open(Path(last))
        elif (demo := self._find_demo()) is not None:
            self.open(demo)

    def is_demo(self, info: ModelInfo | None) -> bool:
        """Whether the loaded model is the small one that ships with the program."""
        demo = self._find_demo()
        return info is not None and demo is not None and Path(info.path) == demo

    def next_step(self, error: EngineError, job: str) -> tuple[str, Callable[[], None] | None]:
        """What helps against ``error``: a button's text and what it does, or nothing."""
        accelerated = self._settings.get(keys.BACKEND) != CPU
        if isinstance(error, DeviceError) and accelerated and self._last is not None:
            return self.tr("Load on the CPU"), self.load_on_cpu
        if job == "load":
            return self.tr("Open another model…"), self.ask_open
        return "", None

    @Slot()
    def load_on_cpu(self) -> None:
        """Give up the accelerator, visibly, and open the same model again."""
        self._settings.set(keys.BACKEND, CPU)
        if self._last is not None:
            self.open(*self._last)

    @Slot(object)
    def _on_opening(self, options: LoadOptions) -> None:
        log.info("opening %s on %s", options.model.name, options.device)
        self._settings.set(keys.OPENING_MODEL, str(options.model))
        self._settings.sync()
        self._last = options.model, options.tokenizer
        self._facts.inspect(options.model)
        if options.model == self._find_demo():
            self.demo_opening.emit()

    @Slot(object)
    def _on_ended(self, outcome: Outcome) -> None:
        self._settings.set(keys.OPENING_MODEL, "")
        info = self._models.info
        if outcome.ending is not Ending.DONE:
            # The advice is about the model that works on, if there is one.
            self._facts.inspect(Path(info.path) if info is not None else None)

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        """Say plainly when it is no S2 Pro; the note about the demo voice once dismissed stays
        away, that about the stand-in comes again: nobody shall take its noise for a fault."""
        self._banner.hide()
        ways = self.tr("How to get S2 Pro…")
        if info is not None and Path(info.path) == stand_in_path():
            self._banner.say(
                self.tr(
                    "This is a stand-in model: it makes noise, not speech. It is there to look "
                    "around in the studio."
                ),
                ways,
                self._actions.get_model.trigger,
            )
        elif self.is_demo(info) and not self._settings.get(keys.DEMO_SEEN):
            self._banner.say(
                self.tr(
                    "This is the small demo voice that comes with the studio: a robot with two "
                    "speakers. S2 Pro sounds far better and clones voices."
                ),
                ways,
                self._actions.get_model.trigger,
                lambda: self._settings.set(keys.DEMO_SEEN, True),
            )

    def _hold(self, model: Path, tokenizer: Path | None) -> bool:
        """Ask about a model that does not fit; ``True`` keeps it from being opened now."""
        self._facts.refresh()
        self._facts.inspect(model)
        form = self._form
        weighed = form.weigh(form.chosen)
        if weighed is None or weighed.state != "bad":
            return False
        question = QMessageBox(self._window)
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setIcon(QMessageBox.Icon.Warning)
        question.setWindowTitle(self.tr("Open model"))
        question.setText(self.tr("{name} may not fit into the memory.").format(name=model.name))
        question.setInformativeText(
            self.tr(
                "It needs {needed} and {free} are free on {device}. The computer may become "
                "very slow. A smaller file (q4_k_m), fewer max frames or closing other programs "
                "helps."
            ).format(
                needed=gigabytes(weighed.needed), free=gigabytes(weighed.free),
                device=form.chosen_title,
            )
        )  # fmt: skip
        anyway = question.addButton(self.tr("Open anyway"), QMessageBox.ButtonRole.AcceptRole)
        cancel = question.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(cancel)
        anyway.clicked.connect(lambda _=False: self._models.open(model, tokenizer))
        question.finished.connect(question.deleteLater)
        question.open()
        return True

    @Slot()
    def _offer_accelerator(self) -> None:
        """Said once: an accelerator works here and is not in use."""
        facts = self._facts
        if self._offered or not facts.backends_probed:
            return
        self._offered = True
        ready = [b for b in facts.backends if b.readiness is Readiness.READY and b.name != CPU]
        if not ready or self._settings.get(keys.BACKEND) != CPU:
            return
        best = max(ready, key=lambda b: b.free_bytes)
        self._messages.say(
            self.tr("{name} was tried and works. It is usually faster than the CPU.").format(
                name=best.title
            ),
            self.tr("Use it"),
            lambda: self._use(best.name),
        )

    def _use(self, backend: str) -> None:
        self._settings.set(keys.BACKEND, backend)
        if self._models.info is not None:
            self.reload()
