"""Which voices are listed, and in which order."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.voices.list_model import VoiceListModel, VoiceRole
from engine.voices import VoiceNotes, name_key

ORDERS = ("name", "length", "date")


class VoiceFilter(QSortFilterProxyModel):
    """Matches name and transcript and sorts; the entry for no voice always comes first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._words = ""
        self._order = "name"
        self._starred = False
        self._tag = ""
        self.sort(0)

    def filterAcceptsRow(self, row: int, parent: QModelIndex | QPersistentModelIndex) -> bool:
        index = self.sourceModel().index(row, 0, parent)
        if not index.data(VoiceRole.KEY):
            return True
        notes: VoiceNotes = index.data(VoiceRole.NOTES)
        tags = [name_key(tag) for tag in notes.tags]
        if (self._starred and not notes.star) or (self._tag and self._tag not in tags):
            return False
        parts = (str(index.data()), str(index.data(VoiceRole.DETAIL)), *notes.tags)
        return self._words in name_key(" ".join(parts))

    def lessThan(
        self,
        left: QModelIndex | QPersistentModelIndex,
        right: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        return self._rank(left) < self._rank(right)

    def _rank(self, index: QModelIndex | QPersistentModelIndex) -> tuple[bool, float, str, int]:
        value = 0.0
        if self._order == "length":
            value = -float(index.data(VoiceRole.LENGTH) or 0)
        elif self._order == "date":
            value = -float(index.data(VoiceRole.MADE) or 0)
        return bool(index.data(VoiceRole.KEY)), value, str(index.data()).casefold(), index.row()

    def set_words(self, text: str) -> None:
        """Show entries that contain ``text``."""
        self._words = name_key(text.strip())
        self.invalidate()

    def set_only(self, starred: bool, tag: str) -> None:
        """Show only voices with a star, or with a tag; empty for any."""
        self._starred, self._tag = starred, name_key(tag)
        self.invalidate()

    @property
    def narrowed(self) -> bool:
        """Voices are left out by star or tag."""
        return self._starred or bool(self._tag)

    def set_order(self, order: str) -> None:
        """Sort by ``name``, ``length`` (longest first) or ``date`` (newest first)."""
        self._order = order
        self.invalidate()


class FilterMenu:
    """The menu's part that leaves voices out: those without a star, or without a tag.

    Attributes:
        starred: its first entry.
    """

    def __init__(self, menu: QMenu, words: VoiceFilter, model: VoiceListModel, title: str) -> None:
        """``title`` names the first entry."""
        self._menu, self._filter, self._model = menu, words, model
        menu.addSeparator()
        self.starred = menu.addAction(title)
        self.starred.setCheckable(True)
        self.starred.toggled.connect(lambda _: self._apply())
        self._tags = QActionGroup(menu)
        self._tags.setExclusionPolicy(QActionGroup.ExclusionPolicy.ExclusiveOptional)
        menu.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """List the tags that there are now."""
        chosen = self.tag
        for old in self._tags.actions():
            self._tags.removeAction(old)
            self._menu.removeAction(old)
        found = {name_key(tag): tag for row in self._model.rows for tag in row.notes.tags}
        for key in sorted(found):
            action = QAction(found[key], self._tags)
            action.setCheckable(True)
            action.setChecked(name_key(chosen) == key)
            action.triggered.connect(lambda _=False: self._apply())
            self._menu.addAction(action)

    def clear(self) -> None:
        """Leave nothing out."""
        self.starred.setChecked(False)
        checked = self._tags.checkedAction()
        if checked is not None:
            checked.setChecked(False)
        self._apply()

    @property
    def tag(self) -> str:
        """The tag that is asked for, empty for any."""
        checked = self._tags.checkedAction()
        return checked.text() if checked is not None else ""

    def _apply(self) -> None:
        self._filter.set_only(self.starred.isChecked(), self.tag)
