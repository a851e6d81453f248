"""The rows of the reference panel: microphone, clip, transcript, saving."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.audio.device_box import DeviceBox
from app.audio.devices import Device
from app.cloning.level_meter import LevelMeter
from app.core.theme import Theme
from app.widgets.buttons import icon_button, menu_button
from app.widgets.labels import ElidedLabel, label, languages
from app.widgets.layout import in_column, in_row


class Inner(QWidget):
    """Its least height is that at its width, not that at its least width, which is far more.

    Signals:
        relaid(): something in it needs more or less room.
    """

    relaid = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self.relaid.emit()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        return QSize(least.width(), 0) if self.hasHeightForWidth() else least


class MicrophoneRow(QWidget):
    """Choose a microphone, look for new ones, watch its level.

    Signals:
        device_chosen(str): key of an input.
        rescan_requested(), armed(bool), lamp_clicked()
    """

    device_chosen = Signal(str)
    rescan_requested = Signal()
    armed = Signal(bool)
    lamp_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.device = DeviceBox(self.tr("Microphone"), self.tr("No microphone"))
        self.device.setMinimumContentsLength(6)
        self.device.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.device.device_chosen.connect(self.device_chosen)
        self.rescan = icon_button(theme, "refresh", self.tr("Look for microphones again"))
        self.rescan.clicked.connect(self.rescan_requested)
        self.listen = icon_button(
            theme, "mic", self.tr("Listen: show the level before recording"), checkable=True
        )
        self.listen.toggled.connect(self.armed)
        self.meter = LevelMeter(theme)
        self.meter.lamp_clicked.connect(self.lamp_clicked)
        row = in_row((self.device, 1), self.listen, self.rescan, spacing=4)
        in_column(row, self.meter, spacing=6, on=self)

    def set_devices(self, devices: list[Device], key: str, problem: str) -> None:
        """Fill the list; a wish that is not there stays visible as missing."""
        self.device.set_devices(devices, key, problem)
        self.listen.setEnabled(bool(devices))

    def set_armed(self, on: bool) -> None:
        """Show whether the microphone is open."""
        self.listen.blockSignals(True)
        self.listen.setChecked(on)
        self.listen.blockSignals(False)
        if not on:
            self.meter.rest()


class _Editor(QPlainTextEdit):
    """Wants room for three lines and takes more where there is some."""

    def sizeHint(self) -> QSize:
        return QSize(120, 3 * self.fontMetrics().lineSpacing() + 16)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 2 * self.fontMetrics().lineSpacing() + 12)


class TranscriptBox(QWidget):
    """What is said in the clip, and the question whether it belongs to it.

    Signals:
        edited(str): the user typed.
        kept(), cleared(): the answers to the question.
        transcribe_requested(), cancel_requested()
        language_chosen(str): code, empty for detection.
        folder_requested(): the user wants to choose the folder of a model.
    """

    edited = Signal(str)
    kept = Signal()
    cleared = Signal()
    transcribe_requested = Signal()
    cancel_requested = Signal()
    language_chosen = Signal(str)
    folder_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = _Editor()
        self.editor.setAccessibleName(self.tr("What is said in the clip"))
        self.editor.setPlaceholderText(self.tr("Type every word that is said in the clip"))
        self.editor.setTabChangesFocus(True)
        self.editor.textChanged.connect(self._on_text)
        self.question = self._make_question()
        self._working = False
        self.title = self._make_title(theme)
        in_column(self.title, self.question, (self.editor, 1), spacing=4, on=self)
        self.set_working(False)

    def _make_title(self, theme: Theme) -> QWidget:
        area = QWidget()
        name = label(self.tr("Said in the clip"), "hint")
        name.setBuddy(self.editor)
        self.button = QPushButton()
        self.button.setProperty("role", "small")
        self.button.clicked.connect(self._on_button)
        name_of_menu = self.tr("Language and model of transcribing")
        self.options, menu = menu_button(theme, "more", name_of_menu)
        self._fill_menu(menu)
        in_row((name, 1), self.button, self.options, spacing=2, on=area)
        return area

    def _make_question(self) -> QWidget:
        area = QWidget()
        words = ElidedLabel(self.tr("From the clip before."), "hint")
        words.setProperty("state", "warn")
        self.keep = QPushButton(self.tr("It fits"))
        self.keep.setToolTip(self.tr("The same words are said in this clip"))
        self.clear = QPushButton(self.tr("Clear"))
        for button in (self.keep, self.clear):
            button.setProperty("role", "small")
        self.keep.clicked.connect(self.kept)
        self.clear.clicked.connect(self.cleared)
        in_row((words, 1), self.keep, self.clear, spacing=4, on=area)
        area.hide()
        return area

    def _fill_menu(self, menu: QMenu) -> None:
        part = menu.addMenu(self.tr("Language of the clip"))
        self._group = QActionGroup(self)
        choices = ("", self.tr("Detect")), *languages().items()
        for code, title in choices:
            action = QAction(title, self._group)
            action.setCheckable(True)
            action.setData(code)
            action.triggered.connect(lambda _=False, c=code: self.language_chosen.emit(c))
            part.addAction(action)
        menu.addAction(self.tr("Folder of the transcription model…")).triggered.connect(
            lambda _=False: self.folder_requested.emit()
        )

    def set_language(self, code: str) -> None:
        """Show the chosen language."""
        for action in self._group.actions():
            action.setChecked(action.data() == code)

    def set_text(self, text: str, questioned: bool) -> None:
        """Show a text; Undo in the editor brings the old one back."""
        if text != self.editor.toPlainText():
            self.editor.blockSignals(True)
            cursor = self.editor.textCursor()
            cursor.select(cursor.SelectionType.Document)
            cursor.insertText(text)
            self.editor.blockSignals(False)
        self.question.setVisible(questioned)
        self.title.setVisible(not questioned)

    def set_working(self, on: bool, text: str = "") -> None:
        """Show that a transcription runs, and how far it is."""
        self._working = on
        self.button.setText(text if on else self.tr("Transcribe"))
        name = self.tr("Stop transcribing") if on else self.tr("Transcribe the clip")
        self.button.setAccessibleName(name)
        self.button.setToolTip(name)
        self.editor.setReadOnly(on)

    @Slot()
    def _on_text(self) -> None:
        self.edited.emit(self.editor.toPlainText())

    @Slot()
    def _on_button(self) -> None:
        (self.cancel_requested if self._working else self.transcribe_requested).emit()


class SaveRow(QWidget):
    """Name and save, or how far saving is.

    Signals:
        save_requested(str): the name in the field.
        cancel_requested()
    """

    save_requested = Signal(str)
    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("Name"))
        self.name.setAccessibleName(self.tr("Name of the voice"))
        self.name.setMaxLength(120)
        self.name.returnPressed.connect(self._on_save)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Making the voice"))
        self.stage: QLabel = ElidedLabel("", "hint")
        self.save = QPushButton(self.tr("Save voice"))
        self.save.setProperty("role", "primary")
        self.save.clicked.connect(self._on_save)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.clicked.connect(self.cancel_requested)
        working = self._working = QWidget()
        in_column(self.stage, self.progress, spacing=2, on=working)
        # A line of its own: names are longer than a button leaves room for.
        in_column(self.name, working, self.save, self.cancel, spacing=6, on=self)
        self.set_working(False)

    def set_working(self, on: bool) -> None:
        """Show the progress in place of the name. The focus stays in this row: Qt would give
        that of a hidden widget to whichever comes next in the window."""
        leaving = (self.name, self.save) if on else (self.cancel,)
        focused = any(widget.hasFocus() for widget in leaving)
        coming = (self._working, self.cancel) if on else (self.name, self.save)
        for widget in coming:
            widget.show()
        if focused:
            coming[1].setFocus(Qt.FocusReason.OtherFocusReason)
        for widget in (self.name, self.save, self._working, self.cancel):
            widget.setVisible(widget in coming)

    def set_progress(self, text: str, done: int, total: int) -> None:
        """How far it is; a total of 0 means that nobody knows."""
        self.stage.setText(text)
        self.progress.setRange(0, total)
        self.progress.setValue(done)

    @Slot()
    def _on_save(self) -> None:
        self.save_requested.emit(self.name.text())
