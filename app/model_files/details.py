"""All about the chosen model file, and the buttons for what can be done with it now."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.engine_texts import engine_text
from app.core.formats import gigabytes
from app.inference.memory_bar import MemoryBar
from app.model_files.downloads import DownloadTask
from app.model_files.list_model import ModelListModel, ModelRow
from app.widgets.labels import ElidedLabel, label, set_state
from engine.hub import Phase, Place, Presence, Transfer

STEPS = 1000


class ModelDetails(QWidget):
    """Facts, progress in real bytes, and at most five buttons.

    Signals:
        asked(str): ``open``, ``download``, ``pause``, ``discard``, ``verify``, ``remove`` or
            ``reveal`` was clicked.
    """

    asked = Signal(str)

    def __init__(self, model: ModelListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._offline = False
        self._does = ""
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        self.title = label("", "title", wrap=True)
        self.use = label("", "value", wrap=True)
        self.state = label("", "value", wrap=True)
        box.addWidget(self.title)
        box.addWidget(self.use)
        box.addWidget(self.state)
        self.bar = QProgressBar()
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the download"))
        self.bytes = label("", "hint", wrap=True)
        box.addWidget(self.bar)
        box.addWidget(self.bytes)
        box.addSpacing(4)
        box.addLayout(self._make_facts())
        box.addSpacing(8)
        box.addLayout(self._make_buttons())

    def _make_facts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        self.amount, self.source = ElidedLabel("", "value"), ElidedLabel("", "value")
        self.digest, self.place = ElidedLabel("", "value"), ElidedLabel("", "value")
        self.memory = MemoryBar()
        for number, (name, widget) in enumerate(
            (
                (self.tr("Size"), self.amount),
                (self.tr("Memory"), self.memory),
                (self.tr("From"), self.source),
                (self.tr("SHA-256"), self.digest),
                (self.tr("File"), self.place),
            )
        ):
            grid.addWidget(label(name, "label"), number, 0)
            grid.addWidget(widget, number, 1)
        return grid

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.primary = QPushButton()
        self.primary.setProperty("role", "primary")
        self.primary.clicked.connect(lambda: self.asked.emit(self._does))
        row.addWidget(self.primary)
        self.buttons: dict[str, QPushButton] = {}
        for name, text in (
            ("pause", self.tr("Pause")),
            ("discard", self.tr("Throw away")),
            ("verify", self.tr("Check")),
            ("remove", self.tr("Remove")),
            ("reveal", self.tr("Show in folder")),
        ):
            button = QPushButton(text)
            button.clicked.connect(lambda _=False, n=name: self.asked.emit(n))
            self.buttons[name] = button
            row.addWidget(button)
        self.buttons["verify"].setToolTip(
            self.tr("Reads the whole file and compares its SHA-256 with the published one.")
        )
        self.buttons["remove"].setToolTip(self.tr("Moves the file to the trash."))
        for button in (self.primary, *self.buttons.values()):
            button.setAutoDefault(False)
        row.addStretch(1)
        return row

    def set_offline(self, on: bool) -> None:
        """Offline mode: nothing can be fetched."""
        self._offline = on

    def show_row(self, row: ModelRow | None) -> None:
        """Show one entry; ``None`` shows nothing."""
        self.setVisible(row is not None)
        if row is None:
            return
        entry, variant = row.entry, row.entry.variant
        self.title.setText(row.title)
        self.use.setText(self._model.use(variant))
        self.state.setText(self._state_words(row))
        damaged = entry.presence is Presence.DAMAGED and row.task is None
        set_state(self.state, "bad" if damaged else "")
        self.amount.setText(self._size_words(row))
        self.source.setText(variant.file.repository if variant else self.tr("this machine"))
        self.digest.setText(self._hash_words(row))
        self.place.setText(str(entry.path))
        if row.fit is not None:
            self.memory.show_fit(row.fit)
        self._show_progress(row)
        self._show_buttons(row)

    def _state_words(self, row: ModelRow) -> str:
        if row.task is None and row.entry.presence is Presence.DAMAGED:
            return self.tr("Damaged: it is not the file that was published.")
        words = self._model.state(row)
        fits = self._model.fit_words(row)
        text = " · ".join(part for part in (words, fits, row.speed) if part)
        return text[:1].upper() + text[1:]

    def _size_words(self, row: ModelRow) -> str:
        variant, size = row.entry.variant, gigabytes(row.entry.size)
        if variant is None:
            return size
        with_rest = self.tr("{size}, {quantisation}, and {rest} of tokenizer and license")
        rest = variant.size - variant.file.size
        return with_rest.format(size=size, quantisation=variant.quantisation, rest=gigabytes(rest))

    def _hash_words(self, row: ModelRow) -> str:
        variant = row.entry.variant
        if variant is None:
            return self.tr("not published")
        if variant.file.sha256:
            return variant.file.sha256
        return self.tr("told by the hub when it is fetched, and checked then")

    def _show_progress(self, row: ModelRow) -> None:
        share = row.share
        self.bar.setVisible(share >= 0)
        self.bytes.setVisible(share >= 0)
        if share < 0:
            return
        self.bar.setValue(round(share * STEPS))
        words = self._bytes_words(row)
        self.bytes.setText(words)
        self.bar.setAccessibleDescription(words)

    def _bytes_words(self, row: ModelRow) -> str:
        transfer = row.transfer
        if transfer is None:
            if row.task is not None:
                return ""
            return self.tr("{done} of {total}, kept for going on").format(
                done=exact(row.entry.done), total=exact(row.entry.size)
            )
        return self._transfer_words(transfer)

    def _transfer_words(self, transfer: Transfer) -> str:
        """How far a transfer is: real bytes, speed, time left, or why it waits."""
        amount = self.tr("{done} of {total}").format(
            done=exact(transfer.done), total=exact(transfer.total)
        )
        parts = [f"{transfer.file}: {amount}" if transfer.total else transfer.file]
        if transfer.phase is Phase.WAITING:
            again = self.tr("trying again in {seconds} s")
            parts += [
                engine_text(transfer.reason),
                again.format(seconds=max(1, round(transfer.wait_s))),
            ]
        if transfer.speed > 0:
            parts.append(f"{transfer.speed / 1e6:.1f} MB/s")
        if transfer.left_s is not None and transfer.phase is not Phase.WAITING:
            parts.append(self._left_words(transfer.left_s))
        return " · ".join(parts)

    def _left_words(self, seconds: float) -> str:
        if seconds < 90:
            return self.tr("{count} s left").format(count=max(1, round(seconds)))
        if seconds < 5400:
            return self.tr("{count} min left").format(count=round(seconds / 60))
        return self.tr("{count} h left").format(count=f"{seconds / 3600:.1f}")

    def _show_buttons(self, row: ModelRow) -> None:
        entry, idle = row.entry, row.task is None
        known, here = entry.variant is not None, entry.usable
        damaged = entry.presence is Presence.DAMAGED
        partial = entry.presence is Presence.PARTIAL
        self._does, text = "", ""
        if here:
            self._does, text = "open", self.tr("Open")
        elif known and partial:
            self._does, text = "download", self.tr("Go on")
        elif known and damaged:
            self._does, text = "download", self.tr("Download again")
        elif known:
            size = gigabytes(entry.variant.size) if entry.variant else ""
            self._does, text = "download", self.tr("Download {size}").format(size=size)
        fetching = self._does == "download"
        self.primary.setText(text)
        self.primary.setVisible(idle and bool(text))
        self.primary.setEnabled(not (row.is_open or (fetching and self._offline)))
        self.primary.setToolTip(
            self.tr("Offline mode is on.") if fetching and self._offline else ""
        )
        ours, file_here = entry.place is Place.FOLDER, here or damaged
        pause = self.tr("Stop") if row.task is DownloadTask.VERIFY else self.tr("Pause")
        self.buttons["pause"].setText(pause)
        for name, on in (
            ("pause", not idle),
            ("discard", partial or row.task is DownloadTask.DOWNLOAD),
            ("verify", idle and file_here),
            ("remove", idle and file_here and ours and not row.is_open),
            ("reveal", idle and file_here),
        ):
            self.buttons[name].setVisible(on)

    def do_primary(self) -> None:
        """What Enter and a double click do."""
        if self.primary.isVisibleTo(self) and self.primary.isEnabled():
            self.asked.emit(self._does)


def exact(count: int) -> str:
    """Bytes so that one sees them move: ``1.234 GB`` or ``12.3 MB``."""
    return f"{count / 1e9:.3f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
