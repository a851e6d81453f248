"""The input level in dBFS with ballistics, peak hold, and a clip lamp that stays lit."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.audio.input_callback import FLOOR_DB, Level
from app.core.theme import Theme
from app.widgets.labels import label
from app.widgets.layout import in_row

LOWEST_DB = -60.0
WARN_DB = -12.0
HOT_DB = -3.0
FALL_DB = 1.2
"""How far the bar falls at each reading at most; up it goes at once."""

TICKS_DB = (-48.0, -36.0, -24.0, -12.0)


def place(level_db: float) -> float:
    """Where a level lies on the bar, 0 to 1."""
    return min(1.0, max(0.0, 1 - level_db / LOWEST_DB))


class LevelBar(QWidget):
    """The bar itself: green, amber from -12 dBFS, red from -3 dBFS, a mark for the peak."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.shown_db = FLOOR_DB
        self.hold_db = FLOOR_DB
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(10)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(120, 10)

    def feed(self, level: Level) -> None:
        """Show a reading; the bar falls slowly so that the eye can follow."""
        self.shown_db = max(level.peak_db, self.shown_db - FALL_DB)
        self.hold_db = level.hold_db
        self.update()

    def rest(self) -> None:
        """Nothing is listened to."""
        self.shown_db = self.hold_db = FLOOR_DB
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(self.rect()).adjusted(0, 2, 0, -2)
        shape = QPainterPath()
        shape.addRoundedRect(bar, 3, 3)
        painter.setClipPath(shape)
        painter.fillRect(bar, QColor(colors.line))
        at = 0.0
        level = place(self.shown_db)
        for end_db, color in ((WARN_DB, colors.ok), (HOT_DB, colors.warn), (0.0, colors.bad)):
            end = min(place(end_db), level)
            if end > at:
                painter.fillRect(
                    QRectF(at * bar.width(), bar.top(), (end - at) * bar.width(), bar.height()),
                    QColor(color),
                )
                at = end
        painter.setClipping(False)
        for tick in TICKS_DB:
            painter.fillRect(
                QRectF(place(tick) * bar.width(), bar.top(), 1, bar.height()), QColor(colors.panel)
            )
        if self.hold_db > LOWEST_DB:
            x = min(place(self.hold_db) * bar.width(), bar.width() - 2)
            painter.fillRect(QRectF(x, 0, 2, self.height()), QColor(colors.text))
        painter.end()


class ClipLamp(QWidget):
    """Lights when the input was at full scale, and stays lit until it is clicked.

    Signals:
        clicked(): the user saw it.
    """

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lit = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._font = QFont(self.font())
        self._font.setPixelSize(10)
        self._font.setBold(True)
        width = QFontMetrics(self._font).horizontalAdvance(self.tr("CLIP")) + 12
        self.setFixedSize(width, 18)
        theme.changed.connect(self.update)
        self._name()

    def set_lit(self, lit: bool) -> None:
        """Light it or put it out."""
        if lit != self.lit:
            self.lit = lit
            self._name()
            self.update()

    def _name(self) -> None:
        name = self.tr("Clip lamp: lit") if self.lit else self.tr("Clip lamp: off")
        self.setAccessibleName(name)
        lit = self.tr("The input was clipped. Lower its gain. Click to put the lamp out.")
        self.setToolTip(lit if self.lit else self.tr("Lights when the input is clipped"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5)
        painter.setBrush(QColor(colors.bad) if self.lit else Qt.BrushStyle.NoBrush)
        edge = colors.accent if self.hasFocus() else colors.bad if self.lit else colors.line
        painter.setPen(QColor(edge))
        painter.drawRoundedRect(box, 4, 4)
        painter.setFont(self._font)
        painter.setPen(QColor(colors.bg if self.lit else colors.dim))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.tr("CLIP"))
        painter.end()


class LevelMeter(QWidget):
    """Bar, lamp and the number.

    Signals:
        lamp_clicked(): put the lamp out.
    """

    lamp_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bar = LevelBar(theme)
        self.lamp = ClipLamp(theme)
        self.lamp.clicked.connect(self.lamp_clicked)
        self.number = label("", "hint")
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.number.setMinimumWidth(44)
        in_row((self.bar, 1), self.lamp, self.number, on=self)
        self.setAccessibleName(self.tr("Input level"))
        self.rest()

    def feed(self, level: Level) -> None:
        """Show a reading; the number is the held peak, which can be read."""
        self.bar.feed(level)
        self.lamp.set_lit(level.clipped)
        value = level.hold_db
        silent = value <= LOWEST_DB - 30
        self.number.setText("−∞ dB" if silent else f"{value:.0f} dB".replace("-", "−"))
        self.setAccessibleDescription(self.tr("{db:.0f} dBFS").format(db=value))

    def rest(self) -> None:
        """Nothing is listened to; the lamp stays as it is."""
        self.bar.rest()
        self.number.setText("– dB")
