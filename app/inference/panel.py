"""The right column: where the model runs, how it streams, how it draws.

Each control writes its setting at once; :class:`~app.inference.controls.Controls` reads them
when a take is made. Automatic values are the lowest step of a spin box and say so in words.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.core import settings as keys
from app.core.settings import Settings
from app.inference.backends import BackendFacts
from app.inference.controls import AUTO, Controls
from app.inference.placement_form import PlacementForm
from app.widgets.form import Form, bind_choice, bind_number, double_spin, spin
from engine.types import Capabilities, ModelInfo

DEFAULT_FRAME_RATE = 44100 / 2048


class EnginePanel(QWidget):
    """The controls of the engine.

    Signals:
        reload_requested(): load the model again with the chosen backend.
    """

    reload_requested = Signal()

    def __init__(
        self, settings: Settings, facts: BackendFacts, above: QWidget, below: QWidget
    ) -> None:
        """``above`` and ``below`` are what others have to set: before and after our forms."""
        super().__init__()
        self.setObjectName("panel")
        self._settings = settings
        self._frame_rate = DEFAULT_FRAME_RATE
        content = QWidget()
        box = QVBoxLayout(content)
        box.setContentsMargins(12, 12, 12, 4)
        box.setSpacing(12)
        self.form = PlacementForm(settings, facts)
        self.form.reload_requested.connect(self.reload_requested)
        self.backend, self.backend_hint = self.form.backend, self.form.backend_hint
        self.codec, self.codec_hint = self.form.codec, self.form.codec_hint
        self.gpu_layers, self.threads = self.form.gpu_layers, self.form.threads
        self.memory, self.reload = self.form.memory, self.form.reload
        self.streaming = self._make_streaming()
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(above)
        head.addWidget(self.form)
        box.addLayout(head)
        # In a low window the end is below the edge: sampling is set more often than streaming.
        for form in (self._make_sampling(), self.streaming, below):
            box.addWidget(form)
        box.addStretch(1)
        area = QScrollArea()
        area.setWidget(content)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        for setting in keys.ALL:
            if setting.key.split("/")[0] in ("engine", "stream", "sampling"):
                settings.watch(setting, lambda _: self._follow(), owner=self)
        self._follow()

    def set_model(self, info: ModelInfo | None) -> None:
        """Show what is loaded and where it really runs."""
        if info is not None and info.frame_rate > 0:
            self._frame_rate = info.frame_rate
        here = info is None or not info.host
        if here:
            self.form.set_model(info)
        # A server computes and decodes on its own, and takes only some of the sampling.
        self.form.setVisible(here)
        for control in (self.decode, self.stride, self.holdback, self.context):
            self.streaming.show_row(control, here)
        can = info.capabilities if info is not None else Capabilities()
        for name, box in (
            ("temperature", self.temperature),
            ("top_p", self.top_p),
            ("top_k", self.top_k),
            ("max_new_tokens", self.max_frames),
        ):
            box.setEnabled(name in can.sampling)
        self._follow()

    def _make_streaming(self) -> Form:
        form = Form(self.tr("Streaming"))
        s = self._settings
        self.decode = QComboBox()
        modes = [("exact", self.tr("Exact")), ("windowed", self.tr("Windowed"))]
        bind_choice(s, keys.DECODE_MODE, self.decode, modes)
        self.decode_hint = form.add(self.tr("Decode"), self.decode, " ")
        frames = self.tr(" frames")
        self.stride = spin(keys.STRIDE, frames, self.tr("automatic"))
        self.stride_hint = form.add(self.tr("Stride"), self.stride, " ")
        bind_number(s, keys.STRIDE, self.stride)
        self.holdback = spin(keys.HOLDBACK, frames, self.tr("automatic"))
        self.holdback_hint = form.add(self.tr("Holdback"), self.holdback, " ")
        bind_number(s, keys.HOLDBACK, self.holdback)
        self.context = spin(keys.CONTEXT, frames, self.tr("automatic"))
        self.context_hint = form.add(self.tr("Context"), self.context, " ")
        bind_number(s, keys.CONTEXT, self.context)
        self.start_buffer = spin(keys.START_BUFFER, " ms", self.tr("automatic"), step=100)
        self.start_buffer_hint = form.add(self.tr("Start buffer"), self.start_buffer, " ")
        bind_number(s, keys.START_BUFFER, self.start_buffer)
        self.low_latency = QCheckBox(self.tr("Low latency"))
        self.low_latency.setAccessibleName(self.tr("Low latency"))
        self.low_latency.setChecked(s.get(keys.LOW_LATENCY))
        self.low_latency.toggled.connect(self._set_low_latency)
        form.add_full_width(self.low_latency, self.tr("Stride 1, no holdback, no start buffer."))
        return form

    def _make_sampling(self) -> Form:
        form = Form(self.tr("Sampling"))
        s = self._settings
        self.temperature = double_spin(keys.TEMPERATURE, 0.05)
        self.temperature.setToolTip(
            self.tr("Higher is livelier and less sure; 0 is always the likeliest.")
        )
        self.top_p = double_spin(keys.TOP_P, 0.05)
        self.top_p.setToolTip(
            self.tr("Keeps the likeliest codes up to this share; lower is calmer.")
        )
        self.top_k = spin(keys.TOP_K, "", self.tr("no limit"))
        self.top_k.setToolTip(self.tr("Keeps this many of the likeliest codes; 0 is no limit."))
        self.max_frames = spin(keys.MAX_FRAMES, "", step=64)
        self.max_frames.setToolTip(self.tr("A take is cut here, and the window says so."))
        names = (self.tr("Temperature"), self.tr("Top-p"), self.tr("Top-k"), self.tr("Max frames"))
        boxes: tuple[QSpinBox | QDoubleSpinBox, ...] = (
            self.temperature, self.top_p, self.top_k, self.max_frames,
        )  # fmt: skip
        settings = (keys.TEMPERATURE, keys.TOP_P, keys.TOP_K, keys.MAX_FRAMES)
        bound: tuple[keys.Setting[Any], ...] = settings
        for name, box, setting in zip(names, boxes, bound, strict=True):
            form.add(name, box)
            bind_number(s, setting, box)
        return form

    @Slot(bool)
    def _set_low_latency(self, on: bool) -> None:
        self._settings.set(keys.LOW_LATENCY, on)

    def _follow(self) -> None:
        """Show which controls count now, and what they mean in this mode."""
        c = Controls.from_settings(self._settings)
        windowed = c.decode_mode == "windowed"
        self.stride.setEnabled(not c.low_latency)
        self.holdback.setEnabled(not c.low_latency)
        self.start_buffer.setEnabled(not c.low_latency)
        self.context.setEnabled(windowed)
        self.decode_hint.setText(
            self.tr("Decodes a window again, like s2.cpp.")
            if windowed
            else self.tr("Each frame once, nothing held back.")
        )
        self._follow_streaming(c, windowed)
        seconds = c.max_frames / self._frame_rate
        self.max_frames.setSuffix(self.tr("  ({seconds:.0f} s)").format(seconds=seconds))
        self.form.follow()

    def _follow_streaming(self, c: Controls, windowed: bool) -> None:
        self.context_hint.setText(
            self.tr("Frames decoded again for each piece.")
            if windowed
            else self.tr("Counts in windowed mode only.")
        )
        if c.low_latency:
            for hint in (self.stride_hint, self.holdback_hint, self.start_buffer_hint):
                hint.setText(self.tr("Set by low latency."))
            return
        self.stride_hint.setText(self.tr("Larger costs less and reacts later."))
        self.holdback_hint.setText(
            self.tr("Automatic equals the context.")
            if windowed
            else self.tr("Exact needs none; it only delays.")
        )
        self.start_buffer_hint.setText(
            self.tr("Follows the measured speed.")
            if c.start_buffer_ms == AUTO
            else self.tr("Sound at hand before playing starts.")
        )
