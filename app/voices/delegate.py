"""Paints a voice as a quiet card: name, length, transcript; damage in words and colour."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QMouseEvent, QPainter, QPen
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
from app.voices.list_model import VoiceRole

PAD = 10
GAP = 8
ICON = 16


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
        self.playing = ""
        self.busy = ""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        line = option.fontMetrics.height()
        return QSize(120, 2 * line + 2 * PAD + GAP - 2)

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setMaxLength(120)
        editor.setAccessibleName(self.tr("New name of the voice"))
        return editor

    def updateEditorGeometry(
        self,
        editor: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
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
        index: QModelIndex | QPersistentModelIndex,
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

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        colors = self._theme.colors
        state = option.state
        rect: QRect = option.rect
        card = QRectF(rect).adjusted(0.5, 0.5, -0.5, -GAP + 0.5)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        error = bool(index.data(VoiceRole.ERROR))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        hover = bool(state & QStyle.StateFlag.State_MouseOver)
        fill = colors.accent_soft if chosen else colors.hover if hover else colors.panel
        painter.setBrush(QColor(fill))
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        edge = colors.accent if chosen or focused else colors.line
        painter.setPen(QPen(QColor(edge), 2 if focused and chosen else 1))
        painter.drawRoundedRect(card, 8, 8)
        self._paint_text(painter, card, index, chosen, error)
        painter.restore()

    def _paint_text(
        self,
        painter: QPainter,
        card: QRectF,
        index: QModelIndex | QPersistentModelIndex,
        chosen: bool,
        error: bool,
    ) -> None:
        colors = self._theme.colors
        inner = card.adjusted(PAD, PAD - 2, -PAD, -PAD + 2)
        key = str(index.data(VoiceRole.KEY) or "")
        mark, mark_color = "play" if key else "voice", colors.text if key else colors.dim
        if error:
            mark, mark_color = "warning", colors.bad
        elif key and key == self.playing:
            mark, mark_color = "stop", colors.accent
        scale = painter.device().devicePixelRatioF()
        picture = pixmap(mark, mark_color, round(ICON * scale))
        picture.setDevicePixelRatio(scale)
        painter.drawPixmap(int(inner.left()), int(inner.top() + 1), picture)
        text = inner.adjusted(ICON + GAP, 0, 0, 0)
        small = QFont(painter.font())
        small.setPixelSize(11)
        name = QFont(painter.font())
        name.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Normal)
        length = float(index.data(VoiceRole.LENGTH) or 0.0)
        right = self.tr("damaged") if error else short(length) if length else ""
        if index.data(VoiceRole.FITS) is False:
            right = self.tr("other model")
        if key and key == self.busy:
            right = self.tr("decoding…")
        painter.setFont(small)
        right_width = painter.fontMetrics().horizontalAdvance(right)
        painter.setPen(QColor(colors.dim))
        top = Qt.AlignmentFlag.AlignTop
        painter.drawText(text.adjusted(0, 2, 0, 0), int(top | Qt.AlignmentFlag.AlignRight), right)
        detail = str(index.data(VoiceRole.DETAIL) or "")
        quoted = bool(key) and not error
        detail = f"“{detail}”" if quoted and detail else detail
        painter.setPen(QColor(colors.bad if error else colors.dim))
        shown = painter.fontMetrics().elidedText(
            detail, Qt.TextElideMode.ElideRight, int(text.width())
        )
        painter.drawText(
            text, int(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft), shown
        )
        painter.setFont(name)
        painter.setPen(QColor(colors.dim if index.data(VoiceRole.FITS) is False else colors.text))
        room = int(text.width()) - right_width - GAP
        title = painter.fontMetrics().elidedText(
            str(index.data() or ""), Qt.TextElideMode.ElideRight, room
        )
        painter.drawText(text, int(top | Qt.AlignmentFlag.AlignLeft), title)
