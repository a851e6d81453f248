"""How fast each model file would speak on this computer, and which one to take."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from app.core.background import Tasks
from app.core.messages import Messages
from app.inference.backends import BackendFacts
from app.inference.placement_form import PlacementForm
from app.model_files.dialog import ModelsDialog
from engine.bench import (
    MachineSpeed,
    measure_speed,
    recommended,
    remember_speed,
    remembered_speed,
)
from engine.errors import EngineError, OutputError
from engine.hub import Variant

CPU = "cpu"


class FitAdvisor(QObject):
    """Measures when it is asked to, remembers it, and tells of it.

    ``path`` is the file that remembers.

    Signals:
        changed(): there is another measurement.
    """

    changed = Signal()

    def __init__(
        self,
        facts: BackendFacts,
        form: PlacementForm,
        path: Path,
        tasks: Tasks,
        messages: Messages,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._facts, self._form = facts, form
        self._tasks, self._messages = tasks, messages
        self._path = path
        self.speed: MachineSpeed | None = remembered_speed(path)
        self.measuring = False
        self._variants: tuple[Variant, ...] = ()
        self._dialog: ModelsDialog | None = None

    def serve(self, dialog: ModelsDialog, variants: tuple[Variant, ...]) -> None:
        """Advise in ``dialog`` while it is shown."""
        self._dialog, self._variants = dialog, variants
        dialog.measure.clicked.connect(self.measure)
        dialog.finished.connect(self._leave)
        self._tell()

    @property
    def best(self) -> Variant | None:
        """The file to take on this computer, once it was measured."""
        if self.speed is None or self._form.chosen.name != CPU:
            return None
        return recommended(self.speed, self._variants, self._facts.backends[0].free_bytes)

    def words(self, variant: Variant | None) -> str:
        """How fast a file would speak; empty while nobody knows."""
        if variant is None or self.speed is None or self._form.chosen.name != CPU:
            return ""
        slowness = self.speed.slowness(variant)
        if slowness is None:
            return ""
        if slowness > 1.3:
            return self.tr("about {n}× slower than speech").format(n=round(slowness))
        if slowness > 0.8:
            return self.tr("about as fast as speech")
        return self.tr("about {n}× faster than speech").format(n=round(1 / slowness))

    @Slot()
    def measure(self) -> None:
        """Measure this computer with the engine's own kernels."""
        if self.measuring:
            return
        self.measuring = True
        self._tell()
        names = [variant.quantisation for variant in self._variants]
        self._tasks.run(lambda: measure_speed(names), self._take, self._fail, "measuring")

    def _take(self, speed: MachineSpeed) -> None:
        self.measuring, self.speed = False, speed
        try:
            remember_speed(speed, self._path)
        except OutputError as error:
            self._messages.say(error.detail)
        self.changed.emit()
        self._tell()

    def _fail(self, error: EngineError) -> None:
        self.measuring = False
        self._tell()
        self._messages.report(error)

    @Slot()
    def _leave(self) -> None:
        self._dialog = None

    def _tell(self) -> None:
        dialog = self._dialog
        if dialog is None:
            return
        dialog.measure.setEnabled(not self.measuring)
        best = self.best
        if self.measuring:
            text = self.tr("Measuring for a few seconds…")
        elif self._form.chosen.name != CPU:
            text = self.tr("On {device} the speed is not guessed.").format(
                device=self._form.chosen_title
            )
        elif self.speed is None:
            text = self.tr("How fast would each of them speak here?")
        elif best is None:
            text = self.tr("None of them fits the memory that is free.")
        else:
            words = self.tr("Recommended here: {title}, {speed}.")
            text = words.format(title=best.title, speed=self.words(best))
        dialog.advice.setText(text)
