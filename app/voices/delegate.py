"""Paints a voice as a quiet card: name, length, transcript; damage in words and colour."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.core.formats import short
from app.core.icons import pixmap
from app.core.theme import Theme
from app.voices.list_model import Index, VoiceRole
from app.voices.pictures import Pictures
from engine.voices import VoiceNotes

PAD = 10
GAP = 8
ICON = 16
SHADES = {
    "red": "#e5484d", "orange": "#f0883e", "yellow": "#d9a514", "green": "#3fa45b",
    "teal": "#2a9d8f", "blue": "#3b82f6", "violet": "#8b5cf6", "pink": "#d6409f",
}  # fmt: skip
"""What the colours of cards look like, in light and in dark."""


class VoiceDelegate(QStyledItemDelegate):
    """Cards of two lines; the height follows the font. The name is edited in place.

    Attributes:
        playing: key of the voice that sounds.
        busy: key of the voice that is being decoded.

    Signals:
        hear_clicked(str): the sign at the left was clicked.
    """

    hear_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pictures = Pictures()
        self.playing = ""
        self.busy = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = option.fontMetrics.height()
        return QSize(120, 2 * line + 2 * PAD + GAP - 2)

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(120)
        editor.setAccessibleName(self.tr("New name of the voice"))
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        rect: QRect = option.rect
        left = PAD + ICON
        height = editor.sizeHint().height()
        editor.setGeometry(rect.left() + left, rect.top() + 4, rect.width() - left - 4, height)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A click on the sign hears the voice."""
        kinds = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
        key = str(index.data(VoiceRole.KEY) or "")
        if event.type() in kinds and isinstance(event, QMouseEvent) and key:
            rect: QRect = option.rect
            inside = event.position().x() < rect.left() + PAD + ICON + GAP / 2
            left = event.button() is Qt.MouseButton.LeftButton
            if inside and left and not index.data(VoiceRole.ERROR):
                if event.type() is QEvent.Type.MouseButtonRelease:
                    self.hear_clicked.emit(key)
                return True
        return super().editorEvent(event, model, option, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colors = self._theme.colors
        state = option.state
        rect: QRect = option.rect
        card = QRectF(rect).adjusted(0.5, 0.5, -0.5, -GAP + 0.5)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hover = bool(state & QStyle.StateFlag.State_MouseOver)
        fill = colors.accent_soft if chosen else colors.hover if hover else colors.panel
        painter.setBrush(QColor(fill))
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        edge = colors.accent if chosen or focused else colors.line
        painter.setPen(QPen(QColor(edge), 2 if focused and chosen else 1))
        painter.drawRoundedRect(card, 8, 8)
        inner = card.adjusted(PAD, PAD - 2, -PAD, -PAD + 2)
        self._paint_sign(painter, inner, index)
        left = ICON + GAP + self._paint_mark(painter, card, inner, index)
        self._paint_text(painter, inner.adjusted(left, 0, 0, 0), index, chosen)
        painter.restore()

    def _paint_mark(self, painter: QPainter, card: QRectF, inner: QRectF, index: Index) -> float:
        """Colour at the edge and picture beside the sign; gives the width of the picture."""
        notes: VoiceNotes = index.data(VoiceRole.NOTES)
        if notes.color:
            edge = QRectF(card.left() + 3, card.top() + 6, 3, card.height() - 12)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(SHADES[notes.color]))
            painter.drawRoundedRect(edge, 1.5, 1.5)
        path = index.data(VoiceRole.PATH)
        if not notes.picture or path is None:
            return 0.0
        side = inner.height()
        scale = painter.device().devicePixelRatioF()
        picture = self._pictures.get(path, notes, round(side * scale))
        if picture.isNull():
            return 0.0
        place = QRectF(inner.left() + ICON + GAP, inner.top(), side, side)
        painter.save()
        shape = QPainterPath()
        shape.addRoundedRect(place, 4, 4)
        painter.setClipPath(shape)
        painter.drawPixmap(place, picture, QRectF(picture.rect()))
        painter.restore()
        return float(side + GAP)

    def _paint_sign(self, painter: QPainter, inner: QRectF, index: Index) -> None:
        colors, key = self._theme.colors, str(index.data(VoiceRole.KEY) or "")
        sign, color = ("play", colors.text) if key else ("voice", colors.dim)
        if index.data(VoiceRole.ERROR):
            sign, color = "warning", colors.bad
        elif key and key == self.playing:
            sign, color = "stop", colors.accent
        scale = painter.device().devicePixelRatioF()
        picture = pixmap(sign, color, round(ICON * scale))
        picture.setDevicePixelRatio(scale)
        painter.drawPixmap(int(inner.left()), int(inner.top() + 1), picture)

    def _paint_text(self, painter: QPainter, text: QRectF, index: Index, chosen: bool) -> None:
        """Name and length above, the words or what is wrong below."""
        colors, key = self._theme.colors, str(index.data(VoiceRole.KEY) or "")
        error, fits = bool(index.data(VoiceRole.ERROR)), index.data(VoiceRole.FITS) is not False
        small, name = QFont(painter.font()), QFont(painter.font())
        small.setPixelSize(11)
        name.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Normal)
        detail = str(index.data(VoiceRole.DETAIL) or "")
        detail = f"“{detail}”" if key and not error and detail else detail
        painter.setFont(small)
        right = self._facts(index)
        room = int(text.width()) - painter.fontMetrics().horizontalAdvance(right) - GAP
        flags, width = Qt.AlignmentFlag, int(text.width())
        painter.setPen(QColor(colors.dim))
        painter.drawText(text.adjusted(0, 2, 0, 0), int(flags.AlignTop | flags.AlignRight), right)
        painter.setPen(QColor(colors.bad if error else colors.dim))
        _draw_elided(painter, text, flags.AlignBottom, detail, width)
        painter.setFont(name)
        painter.setPen(QColor(colors.text if fits else colors.dim))
        star = "★ " if index.data(VoiceRole.NOTES).star else ""
        _draw_elided(painter, text, flags.AlignTop, f"{star}{index.data() or ''}", room)

    def _facts(self, index: Index) -> str:
        """What stands at the right: how long the voice is, or why it cannot be used."""
        key = index.data(VoiceRole.KEY)
        if key and key == self.busy:
            return self.tr("decoding…")
        if index.data(VoiceRole.FITS) is False:
            return self.tr("other model")
        if index.data(VoiceRole.ERROR):
            return self.tr("damaged")
        length = float(index.data(VoiceRole.LENGTH) or 0.0)
        return short(length) if length else ""


def _draw_elided(
    painter: QPainter, text: QRectF, side: Qt.AlignmentFlag, words: str, width: int
) -> None:
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, width)
    painter.drawText(text, int(side | Qt.AlignmentFlag.AlignLeft), shown)
