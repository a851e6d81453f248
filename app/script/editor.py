"""The script's editor: completion of tags, numbers of segments in the margin, plain text only."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import cast

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QRect,
    QSize,
    QStringListModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from app.core.theme import Theme
from app.script import long_paragraphs
from app.script.tags import ALL_TAGS
from engine.text import speaker_tag

GUTTER = 30
LOOK_BACK = 40
SPEAKERS = 4
LARGE_TEXT = 2000
PARAGRAPH_END = "\u2029"
ENDLESS = 1000
_ENDLESS = re.compile(rf"[^\s\u2e80-\uffff]{{{ENDLESS}}}")
ACCEPT = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class ScriptEditor(QPlainTextEdit):
    """Plain text with tags.

    Typing ``[`` offers style tags, ``<|`` offers speakers; Enter or Tab takes one, Escape or
    typing on lets the list be. Files dropped on it go to the window.

    Signals:
        play_requested(int): the take shall be heard from this character on: Ctrl+click, or the
            menu.
    """

    play_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._starts: list[int] = []
        self.setObjectName("script")
        self.setAccessibleName(self.tr("Script"))
        self.setTabChangesFocus(True)
        self.gutter = _Gutter(self)
        self.gutter.hide()
        self.updateRequest.connect(self._on_update)
        words = [f"[{tag}]" for tag in sorted(ALL_TAGS)]
        words += [speaker_tag(number) for number in range(SPEAKERS)]
        self.completer = QCompleter(self)
        self.completer.setModel(QStringListModel(words, self.completer))
        self.completer.setWidget(self)
        self.completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        # The completer makes and ends its own list: one given to it would have two owners.
        self.popup = cast(QAbstractItemView, self.completer.popup())
        self.popup.setObjectName("tags")
        self.popup.setAccessibleName(self.tr("Tags"))
        self.popup.installEventFilter(self)
        self.completer.activated.connect(self._complete)

    def insert_tag(self, tag: str) -> None:
        """Put a tag at the cursor, with blanks where words would touch it."""
        cursor = self.textCursor()
        text = cursor.block().text()
        at = cursor.selectionStart() - cursor.block().position()
        before = text[at - 1 : at] if 0 < at <= len(text) else ""
        after = self.document().characterAt(cursor.selectionEnd())
        lead = " " if before and not before.isspace() and not tag.startswith("<") else ""
        ends = after != PARAGRAPH_END and (after.isspace() or after in ".,;:!?")
        trail = "" if ends else " "
        cursor.insertText(f"{lead}{tag}{trail}")
        self.setTextCursor(cursor)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def jump_to(self, start: int, end: int) -> None:
        """Select from one position of the document to another and show it."""
        cursor = self.textCursor()
        cursor.setPosition(min(start, self.document().characterCount() - 1))
        last = min(end, self.document().characterCount() - 1)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def light(self, span: tuple[int, int] | None) -> None:
        """Light what is spoken now, from one character of the text to another, and bring it into
        view; the cursor stays where it is."""
        if span is None:
            self.setExtraSelections([])
            return
        places = self.places()
        cursor = self.textCursor()
        cursor.setPosition(places.to_qt(span[1]))
        cursor.setPosition(places.to_qt(span[0]), QTextCursor.MoveMode.KeepAnchor)
        lit = QTextEdit.ExtraSelection()
        lit.cursor = cursor
        lit.format.setBackground(QColor(self._theme.colors.accent_soft))
        self.setExtraSelections([lit])
        place, height = self.cursorRect(cursor), self.viewport().height()
        if place.top() < 0 or place.bottom() > height:
            block = cursor.block()
            inside = block.layout().lineForTextPosition(cursor.positionInBlock()).lineNumber()
            above = height // 4 // max(1, place.height())
            self.verticalScrollBar().setValue(block.firstLineNumber() + inside - above)

    def _ask_to_play(self, place: QPoint) -> None:
        cursor = self.cursorForPosition(place)
        cursor.setPosition(0, QTextCursor.MoveMode.KeepAnchor)
        self.play_requested.emit(len(long_paragraphs.unsewn(cursor.selectedText())))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.button() is Qt.MouseButton.LeftButton:
            self._ask_to_play(event.position().toPoint())
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = self.createStandardContextMenu()
        menu.addSeparator()
        entry = menu.addAction(self.tr("Play from here (Ctrl+click)"))
        place = event.pos()
        entry.triggered.connect(lambda: self._ask_to_play(place))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def show_segments(self, starts: list[int]) -> None:
        """Number the segments that begin at these positions; none hides the margin."""
        if starts != self._starts:
            self._starts = starts
            shown = bool(starts)
            if shown == self.gutter.isHidden():
                self.setViewportMargins(GUTTER if shown else 0, 0, 0, 0)
                self.gutter.setVisible(shown)
                self._place_gutter()
            self.gutter.update()
            self.viewport().update()

    @property
    def segments_shown(self) -> int:
        """How many segments have numbers."""
        return len(self._starts)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Plain text, with line ends and a byte order mark as a text file may have them."""
        text = source.text().replace("\r\n", "\n").replace("\ufeff", "").replace("\0", "")
        self.put_text(self.textCursor(), text)
        self.ensureCursorVisible()

    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(long_paragraphs.unsewn(self.textCursor().selectedText()))
        return data

    @property
    def text(self) -> str:
        """The script."""
        return long_paragraphs.unsewn(self.toPlainText())

    def put_text(self, cursor: QTextCursor, text: str) -> None:
        """Insert ``text`` in place of the cursor's selection, as one step of Undo."""
        self.fit_wrapping(text)
        long_paragraphs.insert(cursor, text)

    def load_text(self, text: str) -> None:
        """Begin with ``text``; Undo does not go back before it."""
        self.setUndoRedoEnabled(False)
        self.put_text(QTextCursor(self.document()), text)
        self.setUndoRedoEnabled(True)

    def places(self) -> long_paragraphs.Places:
        """Where the characters of :attr:`text` lie in the document."""
        return long_paragraphs.Places(self.toPlainText())

    def fit_wrapping(self, text: str) -> None:
        """Wrap at words, except where one would never end: looking for its end takes Qt seconds
        for a few hundred thousand characters."""
        modes = QTextOption.WrapMode
        steps = range(0, len(text), ENDLESS)  # each word twice as long holds a whole step
        endless = any(_ENDLESS.match(text, at) for at in steps)
        mode = modes.WrapAnywhere if endless else modes.WrapAtWordBoundaryOrAnywhere
        if mode is not self.wordWrapMode() and (endless or len(text) > LARGE_TEXT):
            self.setWordWrapMode(mode)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self.popup
        if popup.isVisible() and event.key() in ACCEPT:
            event.ignore()  # the completer takes it
            return
        if self._edit_seam(event):
            return
        super().keyPressEvent(event)
        typed = event.text()
        if popup.isVisible() or (typed and typed in "[|"):
            self._offer()

    def _edit_seam(self, event: QKeyEvent) -> bool:
        """The keys that would only take away a seam in a long paragraph."""
        back = event.key() == Qt.Key.Key_Backspace
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if not plain or not (back or event.key() == Qt.Key.Key_Delete):
            return False
        cursor = self.textCursor()
        if not long_paragraphs.delete_at_seam(cursor, back):
            return False
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        event.accept()
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape closes the list of tags; without this it would stop the engine."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        pressed = event.type() in kinds and isinstance(event, QKeyEvent)
        if watched is self.popup and pressed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]
            event.accept()
            self.popup.hide()
            return True
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.completer.setWidget(self)
        super().focusInEvent(event)

    def _prefix(self) -> str:
        """The tag that is being typed at the cursor, from its first character on."""
        cursor = self.textCursor()
        at = cursor.positionInBlock()
        text = cursor.block().text()[max(0, at - LOOK_BACK) : at]
        start = max(text.rfind("["), text.rfind("<|"))
        return "" if start < 0 or "]" in text[start:] or "|>" in text[start:] else text[start:]

    def _offer(self) -> None:
        prefix, popup = self._prefix(), self.popup
        if not prefix:
            popup.hide()
            return
        if prefix != self.completer.completionPrefix():
            self.completer.setCompletionPrefix(prefix)
        popup.setCurrentIndex(self.completer.completionModel().index(0, 0))
        if self.completer.completionCount() == 0:
            popup.hide()
            return
        rect = self.cursorRect().translated(self.viewport().pos())
        rect.setWidth(
            popup.sizeHintForColumn(0) + popup.verticalScrollBar().sizeHint().width() + 32
        )
        self.completer.complete(rect)

    @Slot(str)
    def _complete(self, word: str) -> None:
        cursor = self.textCursor()
        for _ in self._prefix():
            cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(word)
        self.setTextCursor(cursor)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_gutter()

    def _place_gutter(self) -> None:
        frame = self.viewport().geometry()
        self.gutter.setGeometry(QRect(frame.left() - GUTTER, frame.top(), GUTTER, frame.height()))

    @Slot(QRect, int)
    def _on_update(self, rect: QRect, dy: int) -> None:
        if not self.gutter.isHidden():
            self.gutter.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._starts:
            painter = QPainter(self.viewport())
            painter.setPen(QColor(self._theme.colors.accent))
            for _, place in self.visible_segments():
                x = max(0, place.left() - 2)
                painter.drawLine(x, place.top() + 3, x, place.bottom() - 2)
            painter.end()

    def visible_segments(self) -> list[tuple[int, QRect]]:
        """Number and place of the segments that begin in view."""
        height = self.viewport().height()
        first = self.cursorForPosition(self.viewport().rect().topLeft()).position()
        result = []
        limit = self.document().characterCount() - 1
        for index in range(bisect_left(self._starts, first), len(self._starts)):
            if self._starts[index] > limit:
                break
            cursor = self.textCursor()
            cursor.setPosition(self._starts[index])
            place = self.cursorRect(cursor)
            if place.top() > height:
                break
            result.append((index + 1, place))
        return result


class _Gutter(QWidget):
    """The margin with the numbers of the segments."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(GUTTER, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        font = self.font()
        font.setPixelSize(10)
        painter.setFont(font)
        painter.setPen(QColor(self._editor._theme.colors.dim))
        last = -100
        for number, place in self._editor.visible_segments():
            if place.top() > last:
                box = QRect(0, place.top(), GUTTER - 8, place.height())
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(box, int(flags), str(number))
                last = place.top()
        painter.end()
