"""Where a model runs: backend, layers on it, threads, memory, codec."""

from __future__ import annotations

import os

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QPushButton

from app.core import settings as keys
from app.core.engine_texts import engine_text
from app.core.formats import gigabytes, sentence
from app.core.settings import Settings
from app.inference.backends import CPU, BackendFact, BackendFacts, Fit, Readiness, fit
from app.inference.controls import AUTO, Controls
from app.inference.memory_bar import MemoryBar
from app.widgets.form import Form, bind_choice, bind_number, spin
from engine.machine import default_threads
from engine.types import ModelInfo


class PlacementForm(Form):
    """The block of the engine panel that counts when a model is loaded.

    Signals:
        reload_requested(): load the model again as it is set up now.
        models_requested(): show which models there are.
    """

    reload_requested = Signal()
    models_requested = Signal()

    def __init__(self, settings: Settings, facts: BackendFacts) -> None:
        super().__init__("")
        self._settings = settings
        self._facts = facts
        self._info: ModelInfo | None = None
        self._loaded_with: tuple[object, ...] | None = None
        self.models = QPushButton(self.tr("Choose or get…"))
        self.models.clicked.connect(self.models_requested)
        self.add(self.tr("Model"), self.models)
        self.backend = QComboBox()
        self.backend_hint = self.add(self.tr("Backend"), self.backend, " ")
        self.backend.currentIndexChanged.connect(self._choose_backend)
        self.gpu_layers = spin(keys.GPU_LAYERS, "", self.tr("all"))
        self.add(self.tr("GPU layers"), self.gpu_layers)
        self.gpu_layers.setToolTip(
            self.tr("Layers that the accelerator takes; fewer need less of its memory.")
        )
        self.gpu_layers.valueChanged.connect(self._choose_layers)
        automatic = self.tr("automatic ({count})").format(count=default_threads())
        self.threads = spin(keys.THREADS, "", automatic)
        self.threads.setMaximum(max(os.cpu_count() or 1, settings.get(keys.THREADS)))
        self.threads.setToolTip(self.tr("Cores that work at once; automatic takes the real ones."))
        self.add(self.tr("Threads"), self.threads)
        bind_number(settings, keys.THREADS, self.threads)
        self._add_arithmetic()
        self.memory = MemoryBar()
        self.add(self.tr("Memory"), self.memory)
        self.codec = QComboBox()
        choices = [
            ("auto", self.tr("Automatic")),
            ("follow", self.tr("Like the backend")),
            ("cpu", self.tr("CPU")),
        ]
        bind_choice(settings, keys.CODEC_POLICY, self.codec, choices)
        self.codec_hint = self.add(self.tr("Codec"), self.codec, " ")
        self.reload = QPushButton(self.tr("Load again to apply"))
        self.reload.clicked.connect(self.reload_requested)
        self.add_full_width(self.reload)
        facts.changed.connect(self.follow)
        self.follow()

    def _add_arithmetic(self) -> None:
        self.arithmetic = QComboBox()
        ways = [("exact", self.tr("Exact")), ("fast", self.tr("Fast"))]
        bind_choice(self._settings, keys.ARITHMETIC, self.arithmetic, ways)
        self.add(self.tr("Prompts"), self.arithmetic)
        self.arithmetic.setToolTip(
            self.tr(
                "How the processor reads a voice and a text: fast rounds to 8 bits on the way, "
                "so the speech differs a little from the exact one's."
            )
        )

    def set_model(self, info: ModelInfo | None) -> None:
        """Show what is loaded and where it really runs."""
        self._info = info
        controls = Controls.from_settings(self._settings)
        self._loaded_with = controls.placement if info else None
        self.follow()

    @property
    def chosen(self) -> BackendFact:
        """The backend that is set, found or not."""
        name = self._settings.get(keys.BACKEND)
        return self._facts.backend(name) or BackendFact(name, name)

    @property
    def chosen_title(self) -> str:
        """Its name for people."""
        return self._title(self.chosen)

    def weigh(self, backend: BackendFact) -> Fit | None:
        """The model's need against ``backend``; ``None`` without a model."""
        if self._facts.needs is None:
            return None
        c = Controls.from_settings(self._settings)
        return fit(self._facts.needs, backend, c.max_frames, c.gpu_layers, c.codec_policy)

    @Slot()
    def follow(self) -> None:
        """Show facts and settings as they are now."""
        c = Controls.from_settings(self._settings)
        self._fill_backends()
        self._follow_layers(c)
        self._follow_memory()
        self.reload.setVisible(self._loaded_with not in (None, c.placement))
        self.backend_hint.setText(self._backend_words())
        if self._info is None:
            self.codec_hint.setText(self.tr("Automatic takes the faster one."))
        elif self._info.codec_reason:
            self.codec_hint.setText(sentence(engine_text(self._info.codec_reason)))
        else:
            self.codec_hint.setText(self._runs_on(self._info.codec_device))

    def _runs_on(self, device: str) -> str:
        return self.tr("Runs on {device}.").format(device=device.upper())

    def _backend_words(self) -> str:
        chosen = self.chosen
        if self._info is not None and not self.reload.isVisibleTo(self):
            return self._runs_on(self._info.device)
        if chosen.readiness is Readiness.BROKEN:
            return sentence(engine_text(chosen.reason))
        if chosen.readiness is Readiness.READY:
            return self.tr("Ready: a test product ran on it.")
        return self.tr("Where the language model runs.")

    def _title(self, backend: BackendFact) -> str:
        if backend.name == CPU:
            count = self._settings.get(keys.THREADS) or default_threads()
            return self.tr("CPU ({count} threads)").format(count=count)
        if backend.readiness is Readiness.BROKEN:
            return self.tr("{name} (does not work)").format(name=backend.title)
        if self._facts.backend(backend.name) is None:
            absent = self.tr("{name} (not found)")
            return (absent if self._facts.backends_probed else backend.name).format(
                name=backend.name
            )
        return backend.title

    def _fill_backends(self) -> None:
        rows = list(self._facts.backends)
        if self.chosen not in rows:
            rows.append(self.chosen)
        wanted = [(self._title(b), b.name, b.reason) for b in rows]
        shown = [
            (self.backend.itemText(i), self.backend.itemData(i), self._tip(i))
            for i in range(self.backend.count())
        ]
        with QSignalBlocker(self.backend):
            if shown != wanted:
                self.backend.clear()
                for index, (title, name, reason) in enumerate(wanted):
                    self.backend.addItem(title, name)
                    self.backend.setItemData(index, reason, Qt.ItemDataRole.ToolTipRole)
                    self._enable(index, rows[index].readiness is not Readiness.BROKEN)
            self.backend.setCurrentIndex(self.backend.findData(self.chosen.name))

    def _tip(self, index: int) -> str:
        return str(self.backend.itemData(index, Qt.ItemDataRole.ToolTipRole) or "")

    def _enable(self, index: int, on: bool) -> None:
        model = self.backend.model()
        if isinstance(model, QStandardItemModel):
            model.item(index).setEnabled(on)

    def _follow_layers(self, c: Controls) -> None:
        """The control says why it does not count instead of just being grey."""
        usable = c.device != CPU
        found = any(b.name != CPU for b in self._facts.backends)
        reason = self.tr("on a GPU only") if found else self.tr("no GPU found")
        with QSignalBlocker(self.gpu_layers):
            layers = self._facts.needs.layers if self._facts.needs else 0
            self.gpu_layers.setMaximum(layers or int(keys.GPU_LAYERS.maximum or 0))
            self.gpu_layers.setSpecialValueText(self.tr("all") if usable else reason)
            self.gpu_layers.setValue(c.gpu_layers if usable else AUTO)
        self.gpu_layers.setEnabled(usable)

    def _follow_memory(self) -> None:
        fitting = self.weigh(self.chosen)
        if fitting is None:
            self.memory.show_free(self.chosen.free_bytes)
            return
        self.memory.show_fit(fitting)
        if fitting.state == "bad" and (other := self._roomier()) is not None:
            words = self.tr("It would fit on {name}: {free} free.")
            tip = words.format(name=self._title(other), free=gigabytes(other.free_bytes))
            self.memory.setToolTip(f"{tip} {self.memory.toolTip()}")

    def _roomier(self) -> BackendFact | None:
        for backend in self._facts.backends:
            weighed = self.weigh(backend)
            ready = backend.readiness is Readiness.READY
            if ready and weighed is not None and weighed.state in ("ok", "warn"):
                return backend
        return None

    @Slot(int)
    def _choose_layers(self, layers: int) -> None:
        self._settings.set(keys.GPU_LAYERS, layers)

    @Slot(int)
    def _choose_backend(self, index: int) -> None:
        name = self.backend.itemData(index)
        if name:
            self._settings.set(keys.BACKEND, str(name))
