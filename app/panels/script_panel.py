"""The text to be spoken, the seed, and the buttons to start and stop."""

from __future__ import annotations

from PySide6.QtCore import QRegularExpression, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QRegularExpressionValidator
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import settings as keys
from app.actions import Actions
from app.models.script import ScriptFacts
from app.settings import Settings
from app.theme import Theme
from app.widgets.labels import Heading, label
from app.widgets.script_highlighter import ScriptHighlighter
from app.widgets.transport_bar import tool_button
from app.wording import short
from engine.types import MAX_SEED

FACTS_MS = 150


class ScriptPanel(QWidget):
    """Editor, seed and Generate.

    Signals:
        facts_changed(ScriptFacts): the text was measured anew, a moment after typing.
    """

    facts_changed = Signal(object)

    def __init__(
        self, settings: Settings, actions: Actions, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self._settings = settings
        self._actions = actions
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 12, 12, 12)
        box.setSpacing(8)
        self.heading = Heading(self.tr("Script"))
        self.editor = QPlainTextEdit()
        self.editor.setObjectName("script")
        self.editor.setAccessibleName(self.tr("Script"))
        self.editor.setPlaceholderText(self.tr("Type or drop the text to be spoken"))
        self.editor.setTabChangesFocus(True)
        self.editor.setMinimumHeight(72)
        self.editor.setPlainText(settings.get(keys.SCRIPT))
        self.highlighter = ScriptHighlighter(self.editor.document(), theme)
        box.addWidget(self.heading)
        box.addWidget(self.editor, 1)
        box.addLayout(self._make_row(theme))
        self.facts = ScriptFacts.of(self.text)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FACTS_MS)
        self._timer.timeout.connect(self.measure)
        self.editor.textChanged.connect(self._timer.start)
        self._connect_edit_actions(actions)
        self.measure()

    def _make_row(self, theme: Theme) -> QHBoxLayout:
        actions = self._actions
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        seed_label = label(self.tr("Seed"), "label")
        self.seed = QLineEdit(self._settings.get(keys.SEED))
        self.seed.setValidator(QRegularExpressionValidator(QRegularExpression(r"\d{0,20}"), self))
        self.seed.setFixedWidth(120)
        self.seed.setAccessibleName(self.tr("Seed"))
        self.seed.setPlaceholderText(self.tr("new each time"))
        self.seed.setToolTip(self.tr("The same seed, text and voice give the same take."))
        self.seed.textEdited.connect(self._on_seed_edited)
        self.pin = tool_button(actions.pin_seed, self.tr("Keep this seed"))
        self.dice = tool_button(actions.new_seed, self.tr("Draw a new seed"))
        self.stop = QPushButton(self._with_key(actions.stop))
        self.generate = QPushButton(f" {self._with_key(actions.generate)}")
        self.generate.setProperty("role", "primary")
        theme.set_icon(self.generate, "wave", "on_accent")
        self.generate.setIconSize(QSize(16, 16))
        for button, action in ((self.stop, actions.stop), (self.generate, actions.generate)):
            button.setToolTip(action.toolTip())
            button.setAccessibleName(action.text())
            button.clicked.connect(action.trigger)
        for widget in (seed_label, self.seed, self.pin, self.dice):
            row.addWidget(widget)
        row.addSpacing(8)
        row.addWidget(self.stop)
        row.addWidget(self.generate)
        return row

    @staticmethod
    def _with_key(action: QAction) -> str:
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        return f"{action.text()}  {key.replace('Return', '↵')}"

    def _connect_edit_actions(self, actions: Actions) -> None:
        editor = self.editor
        actions.undo.triggered.connect(editor.undo)
        actions.redo.triggered.connect(editor.redo)
        editor.undoAvailable.connect(actions.undo.setEnabled)
        editor.redoAvailable.connect(actions.redo.setEnabled)
        actions.undo.setEnabled(False)
        actions.redo.setEnabled(False)
        actions.select_script.triggered.connect(self._focus_editor)

    @property
    def text(self) -> str:
        """The script."""
        return self.editor.toPlainText()

    def set_text(self, text: str) -> None:
        """Replace the script so that Undo brings the old one back."""
        cursor = self.editor.textCursor()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)

    @property
    def seed_value(self) -> int | None:
        """The seed in the field, or ``None`` when it is empty or too large."""
        text = self.seed.text()
        value = int(text) if text else -1
        return value if 0 <= value <= MAX_SEED else None

    def show_seed(self, seed: int) -> None:
        """Show the seed of a take."""
        self.seed.setText(str(seed))
        self._settings.set(keys.SEED, str(seed))

    def set_ready(self, can_generate: bool, can_stop: bool) -> None:
        """Enable the buttons with their actions."""
        self._actions.generate.setEnabled(can_generate)
        self.generate.setEnabled(can_generate)
        self.stop.setEnabled(can_stop)

    @Slot()
    def measure(self) -> None:
        """Measure the text and keep it."""
        text = self.text
        self.facts = ScriptFacts.of(text)
        self._settings.set(keys.SCRIPT, text)
        if self.facts.characters:
            words = self.tr("{count} characters · about {seconds}")
            self.heading.set_facts(
                words.format(count=self.facts.characters, seconds=short(self.facts.seconds))
            )
        else:
            self.heading.set_facts("")
        self.facts_changed.emit(self.facts)

    @Slot(str)
    def _on_seed_edited(self, text: str) -> None:
        """A typed seed is meant: keep it until the user lets it go."""
        self._settings.set(keys.SEED, text)
        self._actions.pin_seed.setChecked(bool(text))

    @Slot()
    def _focus_editor(self) -> None:
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
