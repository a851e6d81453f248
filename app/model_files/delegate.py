"""Paints a model file as a quiet card: name, size, state, fit, and a bar while it moves."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.core.icons import pixmap
from app.core.theme import Theme
from app.model_files.list_model import ModelRole

PAD = 10
GAP = 8
ICON = 16
BAR = 3


class ModelDelegate(QStyledItemDelegate):
    """Cards of two lines; the height follows the font."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        line = option.fontMetrics.height()
        return QSize(120, 2 * line + 2 * PAD + GAP + BAR)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        colors = self._theme.colors
        state, rect = option.state, QRect(option.rect)
        card = QRectF(rect).adjusted(0.5, 0.5, -0.5, -GAP + 0.5)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        hover = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = colors.accent_soft if chosen else colors.hover if hover else colors.panel
        painter.setBrush(QColor(fill))
        edge = colors.accent if chosen or focused else colors.line
        painter.setPen(QPen(QColor(edge), 2 if focused and chosen else 1))
        painter.drawRoundedRect(card, 8, 8)
        self._paint_mark(painter, card, index)
        self._paint_words(painter, card, index, chosen)
        self._paint_share(painter, card, float(index.data(ModelRole.SHARE) or 0.0))
        painter.restore()

    def _color(self, mood: str, plain: str) -> QColor:
        colors = self._theme.colors
        known = {"ok": colors.ok, "warn": colors.warn, "bad": colors.bad}
        return QColor(known.get(mood, plain))

    def _paint_mark(
        self, painter: QPainter, card: QRectF, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        mood = str(index.data(ModelRole.MOOD) or "")
        mark = {"ok": "check", "bad": "warning", "warn": "warning"}.get(mood, "model")
        color = self._color(mood, self._theme.colors.dim).name()
        scale = painter.device().devicePixelRatioF()
        picture = pixmap(mark, color, round(ICON * scale))
        picture.setDevicePixelRatio(scale)
        painter.drawPixmap(int(card.left() + PAD), int(card.top() + PAD - 1), picture)

    def _paint_words(
        self,
        painter: QPainter,
        card: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        chosen: bool,
    ) -> None:
        colors = self._theme.colors
        text = card.adjusted(PAD + ICON + GAP, PAD - 2, -PAD, -PAD + 2 - BAR)
        name, small = QFont(painter.font()), QFont(painter.font())
        small.setPixelSize(max(11, painter.fontInfo().pixelSize() - 2))
        name.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Normal)
        left = Qt.AlignmentFlag.AlignLeft
        right = Qt.AlignmentFlag.AlignRight
        top, bottom = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignBottom
        painter.setFont(small)
        size = str(index.data(ModelRole.SIZE) or "")
        taken = painter.fontMetrics().horizontalAdvance(size)
        painter.setPen(QColor(colors.dim))
        painter.drawText(text.adjusted(0, 2, 0, 0), int(top | right), size)
        fits = str(index.data(ModelRole.FIT) or "")
        fits_width = painter.fontMetrics().horizontalAdvance(fits)
        painter.setPen(self._color(_loud(str(index.data(ModelRole.FIT_MOOD) or "")), colors.dim))
        painter.drawText(text, int(bottom | right), fits)
        mood = str(index.data(ModelRole.MOOD) or "")
        painter.setPen(self._color(mood, colors.dim))
        room = int(text.width()) - fits_width - GAP
        words = painter.fontMetrics().elidedText(
            str(index.data(ModelRole.STATE) or ""), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(text, int(bottom | left), words)
        painter.setFont(name)
        painter.setPen(QColor(colors.text))
        title = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideMiddle, int(text.width()) - taken - GAP
        )
        painter.drawText(text, int(top | left), title)

    def _paint_share(self, painter: QPainter, card: QRectF, share: float) -> None:
        if share < 0:
            return
        colors = self._theme.colors
        bar = QRectF(card.left() + PAD, card.bottom() - BAR - 3, card.width() - 2 * PAD, BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.line))
        painter.drawRoundedRect(bar, BAR / 2, BAR / 2)
        painter.setBrush(QColor(colors.accent))
        bar.setWidth(bar.width() * share)
        painter.drawRoundedRect(bar, BAR / 2, BAR / 2)


def _loud(mood: str) -> str:
    """Colour only what needs attention: most models fit."""
    return mood if mood in ("warn", "bad") else ""
