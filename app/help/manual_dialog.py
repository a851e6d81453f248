"""Help: the manual that ships with the program, by chapters, with a search."""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.core.paths import find_resource, read_resource
from app.widgets.labels import label

SIZE = (940, 640)
CHAPTERS_WIDTH = 230
MARGIN = 16
CELL = 6
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_WRAPPED_HAN = re.compile("(?<=[\u3000-\u9fff\uff00-\uffef])\n(?=[\u3000-\u9fff\uff00-\uffef])")
_PLACE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of the manual: its title and its Markdown, title included."""

    title: str
    text: str


def read_manual(language: str) -> list[Chapter]:
    """The chapters in a language, or in English where there is no such manual."""
    text = read_resource("manual", f"{language}.md") or read_resource("manual", "en.md")
    text = _WRAPPED_HAN.sub("", text)  # Chinese has no spaces where its lines are wrapped
    starts = [*_HEADING.finditer(text)]
    ends = [*(m.start() for m in starts[1:]), len(text)]
    return [
        Chapter(m.group(1), text[m.start() : end].strip())
        for m, end in zip(starts, ends, strict=True)
    ]


class _Page(QTextBrowser):
    """A page whose pictures are never wider than itself.

    Signals:
        narrowed(): its width changed, so pictures must be fitted again.
    """

    narrowed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._width = 0
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(0)
        self._settled.timeout.connect(self.narrowed)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        found = super().loadResource(kind, name)
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return found
        image = found if isinstance(found, QImage) else QImage.fromData(found)
        room = self.viewport().width() - 2 * MARGIN
        if image.isNull() or image.width() <= room:
            return image
        ratio = self.devicePixelRatioF()
        fitted = image.scaledToWidth(
            round(room * ratio), Qt.TransformationMode.SmoothTransformation
        )
        fitted.setDevicePixelRatio(ratio)
        return fitted

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.viewport().width() != self._width:
            self._width = self.viewport().width()
            self._settled.start()


class ManualDialog(QDialog):
    """The manual beside the window: it does not block, so that one can do what one reads."""

    def __init__(self, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Manual"))
        self.setModal(False)
        self.resize(*SIZE)
        self._all = read_manual(language)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search the manual"))
        self.search.setAccessibleName(self.tr("Search the manual"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._narrow)
        self.search.returnPressed.connect(self._find_next)
        self.chapters = QListWidget()
        self.chapters.setAccessibleName(self.tr("Chapters"))
        self.chapters.setSpacing(3)
        self.chapters.currentItemChanged.connect(self._show)
        self.nothing = label(self.tr("No chapter has this word."), "hint", wrap=True)
        self.nothing.hide()
        self.page = _Page()
        self.page.setAccessibleName(self.tr("Text of the chapter"))
        self.page.setOpenLinks(False)
        self.page.anchorClicked.connect(self._follow)
        self.page.narrowed.connect(self._fit)
        folder = find_resource("manual")
        if folder is not None:
            self.page.setSearchPaths([str(folder)])
        self._build()
        self._narrow("")
        QShortcut(QKeySequence("Ctrl+F"), self, self.search.setFocus)

    def _build(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.chapters, 1)
        column.addWidget(self.nothing)
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        both.addWidget(left)
        both.addWidget(self.page)
        both.setStretchFactor(1, 1)
        both.setSizes([CHAPTERS_WIDTH, SIZE[0] - CHAPTERS_WIDTH])
        box = QHBoxLayout(self)
        box.setContentsMargins(16, 16, 16, 16)
        box.addWidget(both)

    @Slot(str)
    def _narrow(self, words: str) -> None:
        """List the chapters that hold the words; the first of them is shown."""
        wanted = words.casefold().strip()
        self.chapters.clear()
        for index, chapter in enumerate(self._all):
            if wanted in chapter.text.casefold():
                item = QListWidgetItem(chapter.title)
                item.setData(_PLACE, index)
                self.chapters.addItem(item)
        self.nothing.setVisible(self.chapters.count() == 0)
        if self.chapters.count():
            self.chapters.setCurrentRow(0)
        else:
            self.page.clear()

    @Slot()
    def _find_next(self) -> None:
        """The next place of the words on the page, from the top again after the last."""
        words = self.search.text().strip()
        if words and not self.page.find(words):
            self.page.moveCursor(QTextCursor.MoveOperation.Start)
            self.page.find(words)

    @Slot()
    def _show(self) -> None:
        item = self.chapters.currentItem()
        if item is None:
            return
        self._write(self._all[int(item.data(_PLACE))])
        self.page.moveCursor(QTextCursor.MoveOperation.Start)
        self._find_next()

    def _write(self, chapter: Chapter) -> None:
        document = self.page.document()
        document.clear()  # also forgets pictures in the size of before
        document.setDocumentMargin(MARGIN)
        document.setMarkdown(chapter.text, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = frame.format()
                form.setCellPadding(CELL)
                form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
                form.setBorderCollapse(True)
                form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
                frame.setFormat(form)

    @Slot()
    def _fit(self) -> None:
        """Pictures in the page's new width, the reader's place kept."""
        item = self.chapters.currentItem()
        if item is None:
            return
        bar = self.page.verticalScrollBar()
        place = bar.value()
        self._write(self._all[int(item.data(_PLACE))])
        bar.setValue(place)

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        """A link to a chapter goes there; any other is opened outside."""
        if url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
            return
        wanted = anchor(url.fragment() or url.toString())
        for index, chapter in enumerate(self._all):
            if anchor(chapter.title) == wanted:
                self.search.clear()
                self.chapters.setCurrentRow(index)
                return


def anchor(title: str) -> str:
    """What a Markdown page calls the place of a heading."""
    return re.sub(r"[^\w]+", "-", title.casefold()).strip("-")
