"""The voices to choose from, as a list model.

Reads profiles from the user's folder and from the shipped one. A damaged file is an entry of
its own that says what is wrong; it never hides the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from app.core.formats import plain_tip
from engine.errors import EngineError
from engine.voices import Codec, VoiceLibrary, VoiceNotes, VoiceProfile, name_key

Index = QModelIndex | QPersistentModelIndex
DEFAULT_FRAME_S = 2048 / 44100
SHIPPED = "shipped:"


class VoiceRole(IntEnum):
    """Data of an entry besides its title."""

    KEY = Qt.ItemDataRole.UserRole + 1
    DETAIL = Qt.ItemDataRole.UserRole + 2
    LENGTH = Qt.ItemDataRole.UserRole + 3
    ERROR = Qt.ItemDataRole.UserRole + 4
    MADE = Qt.ItemDataRole.UserRole + 5
    OWN = Qt.ItemDataRole.UserRole + 6
    FITS = Qt.ItemDataRole.UserRole + 7
    NOTES = Qt.ItemDataRole.UserRole + 8
    PATH = Qt.ItemDataRole.UserRole + 9


@dataclass(frozen=True, slots=True)
class VoiceRow:
    """One entry of the list.

    Attributes:
        key: unique; the id in the user's library, ``shipped:<id>`` for a shipped voice, empty
            for no voice.
        title: shown name.
        detail: transcript, or what is wrong.
        frames: length in codec frames.
        path: the profile's file; ``None`` for no voice.
        error: the file is damaged.
        made: time of the file, seconds since 1970.
        own: in the user's library, so it can be renamed and deleted.
        codecs: what it can speak with; none for no voice or a damaged file.
        notes: what is known about it.
    """

    key: str
    title: str
    detail: str = ""
    frames: int = 0
    path: Path | None = None
    error: bool = False
    made: float = 0.0
    own: bool = False
    codecs: tuple[Codec, ...] = ()
    notes: VoiceNotes = field(default_factory=VoiceNotes)


class VoiceListModel(QAbstractListModel):
    """All voices, the entry for no voice first.

    A voice that came with the program was made for the model that came with it: it is in the
    list only while that model, or one of the same codec, is open or about to be.

    Attributes:
        rows: the entries.
        codec: of the open model, ``None`` without one.
        frame_s: seconds a frame, set when a model is loaded.

    Signals:
        rename_requested(str, str): the user typed another name for a key.
        codec_changed(): another model is open, or none is.
    """

    rename_requested = Signal(str, str)
    codec_changed = Signal()

    def __init__(
        self, library: Path, shipped: Path | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.library = VoiceLibrary(library)
        self._shipped = VoiceLibrary(shipped) if shipped is not None else None
        self.frame_s = DEFAULT_FRAME_S
        self.codec: Codec | None = None
        self._offered = False
        self.rows: list[VoiceRow] = [self._no_voice()]

    def _no_voice(self) -> VoiceRow:
        return VoiceRow("", self.tr("No voice"), self.tr("The model picks one for each take"))

    def refresh(self) -> None:
        """Read both folders again."""
        rows = [self._no_voice(), *read_library(self.library, "")]
        if self._shipped is not None:
            shipped = read_library(self._shipped, SHIPPED)
            rows += [row for row in shipped if self._shows(row)]
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def _shows(self, row: VoiceRow) -> bool:
        """Whether a shipped voice belongs into the list now."""
        return self._offered if self.codec is None else self.codec in row.codecs

    def offer_shipped(self, on: bool) -> None:
        """Without a model: the one that came with the program is on its way."""
        self._offered = on
        self.refresh()

    def set_codec(self, codec: Codec | None) -> None:
        """Another model is open, or none is."""
        self.codec = codec
        self._offered = False
        self.refresh()
        last = self.index(len(self.rows) - 1)
        self.dataChanged.emit(self.index(0), last, [int(VoiceRole.FITS)])
        self.codec_changed.emit()

    def fits(self, row: VoiceRow) -> bool:
        """Whether the open model can speak with a voice; without a model all may be fine."""
        return self.codec is None or not row.codecs or self.codec in row.codecs

    @property
    def shipped_keys(self) -> list[str]:
        """Keys of the voices that came with the program and are listed."""
        return [row.key for row in self.rows if row.key.startswith(SHIPPED)]

    def title_of(self, key: str) -> str:
        """Shown name of the voice with that key; empty where none is meant."""
        row = self.rows[self.row_of(key)]
        return row.title if row.key else ""

    def is_shipped(self, voice_id: str) -> bool:
        """Whether the voice of that name is one that came with the program."""
        return self.row_for(voice_id) is None and self.row_for(SHIPPED + voice_id) is not None

    def usable(self) -> list[tuple[str, str]]:
        """Title and key of each entry that can be chosen."""
        return [(row.title, row.key) for row in self.rows if not row.error]

    def set_frame_seconds(self, seconds: float) -> None:
        """Lengths depend on the model's frame rate."""
        if seconds > 0 and seconds != self.frame_s:
            self.frame_s = seconds
            last = self.index(len(self.rows) - 1)
            self.dataChanged.emit(self.index(0), last, [int(VoiceRole.LENGTH)])

    def row_for(self, key: str) -> VoiceRow | None:
        """The entry of a key; ``None`` when it is not there."""
        return next((row for row in self.rows if row.key == key), None)

    @property
    def voice_count(self) -> int:
        """Voices without the entry for none."""
        return len(self.rows) - 1

    def row_of(self, key: str) -> int:
        """The row of a key; 0 (no voice) when it is not there."""
        return next((i for i, row in enumerate(self.rows) if row.key == key), 0)

    def load(self, key: str) -> VoiceProfile | None:
        """The profile of an entry, ``None`` for no voice.

        Raises:
            VoiceError: the file is gone or damaged. Speaking in another voice instead would
                be a lie.
        """
        if not key:
            return None
        library, voice_id = self.library, key
        if key.startswith(SHIPPED) and self._shipped is not None:
            library, voice_id = self._shipped, key.removeprefix(SHIPPED)
        return library.load(voice_id, self.codec)

    def find(self, name: str) -> str:
        """Key of the listed voice of that id or name, the user's own first; empty when there is
        none."""
        keys = (name, SHIPPED + name) if name else ()
        rows = [self.row_for(key) for key in keys]
        rows += [row for row in self.rows if row.key and name_key(row.title) == name_key(name)]
        return next((row.key for row in rows if row is not None and not row.error), "")

    def load_named(self, name: str) -> VoiceProfile | None:
        """The voice of that name, listed or not; ``None`` when it is gone or damaged."""
        for key in (name, SHIPPED + name) if name else ():
            try:
                return self.load(key)
            except EngineError:
                continue
        return None

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or not 0 <= index.row() < len(self.rows):
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.title
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            tags = [", ".join(row.notes.tags)] if row.notes.tags else []
            words = "\n".join([row.detail, *tags])
            return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words
        if role == VoiceRole.KEY:
            return row.key
        if role == VoiceRole.DETAIL:
            return row.detail
        if role == VoiceRole.LENGTH:
            return row.frames * self.frame_s
        if role == VoiceRole.ERROR:
            return row.error
        if role == VoiceRole.MADE:
            return row.made
        if role == VoiceRole.OWN:
            return row.own
        if role == VoiceRole.FITS:
            return self.fits(row)
        if role == VoiceRole.NOTES:
            return row.notes
        if role == VoiceRole.PATH:
            return row.path
        if role == Qt.ItemDataRole.EditRole:
            return row.title
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """A new name is a wish: files are renamed, and the list is read again after it."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        row, wish = self.rows[index.row()], " ".join(str(value).split())
        if not row.own or not wish or wish == row.title:
            return False
        self.rename_requested.emit(row.key, wish)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row, flags = self.rows[index.row()], Qt.ItemFlag.ItemIsEnabled
        if row.own:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags if row.error else flags | Qt.ItemFlag.ItemIsSelectable


def read_library(library: VoiceLibrary, prefix: str) -> list[VoiceRow]:
    """Entries of a folder, sorted by name; a folder that is not there is empty."""
    entries = sorted(library.list(), key=lambda entry: entry.name.casefold())
    return [
        VoiceRow(
            prefix + e.id, e.name, e.error or e.preview, e.frames, e.path, bool(e.error), e.mtime,
            own=not prefix, codecs=e.codecs, notes=e.notes,
        )
        for e in entries
    ]  # fmt: skip
