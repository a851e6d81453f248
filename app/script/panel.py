"""The text to be spoken, its tags and speakers, the seed, and the buttons to start and stop."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRegularExpression, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QRegularExpressionValidator
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.core import settings as keys
from app.core.actions import Actions
from app.core.formats import plain_tip, short
from app.core.settings import Settings
from app.core.theme import Theme
from app.script.analysis import ScriptNote, ScriptReport
from app.script.count_button import CountButton
from app.script.editor import ScriptEditor
from app.script.highlighter import ScriptHighlighter
from app.script.note_line import NoteLine
from app.script.segments_menu import SegmentsButton
from app.script.speaker_row import SpeakerRow
from app.script.tag_palette import TagPalette
from app.widgets.buttons import tool_button
from app.widgets.labels import Heading, label
from app.widgets.layout import in_column, in_row
from engine.types import MAX_SEED

SETTLE_MS = 150
NOTES_SHOWN = 50


class ScriptPanel(QWidget):
    """Editor, tags, speakers, seed and Generate.

    Signals:
        edited(): the text may be another one, a moment after typing; the answer is
            :meth:`show_report`.
    """

    edited = Signal()

    def __init__(
        self,
        settings: Settings,
        actions: Actions,
        theme: Theme,
        voices: Callable[[], list[tuple[str, str]]],
        parent: QWidget | None = None,
    ) -> None:
        """``voices`` gives title and key of each voice that can be chosen."""
        super().__init__(parent)
        self.setObjectName("panel")
        self._settings = settings
        self._actions = actions
        self._voiceless: tuple[int, ...] = ()
        self._spots: list[ScriptNote] = []
        self._build(theme, voices)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self.edited)
        self.editor.textChanged.connect(self._timer.start)
        self.palette_.tag_chosen.connect(self.editor.insert_tag)
        self.notes.jump_requested.connect(self._on_jump)
        self._connect_edit_actions(actions)

    def _build(self, theme: Theme, voices: Callable[[], list[tuple[str, str]]]) -> None:
        self.heading = Heading(self.tr("Script"))
        self.segments = SegmentsButton(self._settings, theme)
        self.editor = ScriptEditor(theme)
        self.editor.setPlaceholderText(
            self.tr("Type or drop the text to be spoken. [ offers tags.")
        )
        self.editor.setMinimumHeight(56)
        self.editor.load_text(self._settings.get(keys.SCRIPT))
        self.highlighter = ScriptHighlighter(self.editor.document(), theme)
        self.notes = NoteLine(theme)
        self.speakers = SpeakerRow(voices)
        top = self.top = in_row((self.heading, 1), self.segments, spacing=4)
        parts = (top, (self.editor, 1), self.notes, self.speakers, self._make_row(theme))
        in_column(*parts, spacing=6, on=self, margins=(12, 6, 12, 12))

    def _make_row(self, theme: Theme) -> QHBoxLayout:
        actions = self._actions
        self.palette_ = TagPalette()
        seed_label = label(self.tr("Seed"), "label")
        self.seed = QLineEdit(self._settings.get(keys.SEED))
        self.seed.setValidator(QRegularExpressionValidator(QRegularExpression(r"\d{0,20}"), self))
        self.seed.setFixedWidth(104)
        self.seed.setAccessibleName(self.tr("Seed"))
        self.seed.setPlaceholderText(self.tr("random"))
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
        self.count = CountButton(self._settings)
        seed = (seed_label, self.seed, self.pin, self.dice)
        return in_row((self.palette_, 1), *seed, self.stop, self.count, self.generate)

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

    def add_to_top(self, widget: QWidget) -> None:
        """Put what belongs to another feature beside the heading."""
        self.top.insertWidget(1, widget)

    @property
    def text(self) -> str:
        """The script."""
        return self.editor.text

    def set_text(self, text: str) -> None:
        """Replace the script so that Undo brings the old one back."""
        cursor = self.editor.textCursor()
        cursor.select(cursor.SelectionType.Document)
        self.editor.put_text(cursor, text)

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

    def set_ready(self, can_generate: bool, can_stop: bool, trouble: str = "") -> None:
        """Enable the buttons with their actions; a grey one says why: ``trouble`` with a voice, or
        there is no model."""
        missing = "" if can_generate else self.tr("Open a model first: Ctrl+O")
        reason = missing or trouble
        can_generate = not reason
        action = self._actions.generate
        action.setEnabled(can_generate)
        self.generate.setEnabled(can_generate)
        self.generate.setToolTip(action.toolTip() if can_generate else plain_tip(reason))
        self.stop.setEnabled(can_stop)

    def measure(self) -> None:
        """Have the text looked at now, and not a moment later."""
        self._timer.stop()
        self.edited.emit()

    def show_report(self, report: ScriptReport) -> None:
        """Show what is known of the text."""
        where = self.editor.places().to_qt
        starts = report.plan.starts if report.plan.split else ()
        self.editor.show_segments([where(start) for start in starts])
        self._spots = [
            ScriptNote(note.kind, where(note.start), where(note.end), note.detail)
            for note in report.notes[:NOTES_SHOWN]
        ]
        self._show_facts(report)
        self._show_notes()

    def set_voiceless(self, numbers: tuple[int, ...]) -> None:
        """Speakers of the script that have no voice while others have one."""
        if numbers != self._voiceless:
            self._voiceless = numbers
            self._show_notes()

    def _show_facts(self, report: ScriptReport) -> None:
        if not report.facts.characters:
            self.heading.set_facts("")
            return
        facts = [
            self.tr("{count:,} characters").format(count=report.facts.characters),
            self.tr("about {seconds}").format(seconds=short(report.facts.seconds)),
        ]
        if report.plan.split:
            facts.append(self.tr("{count} pieces").format(count=len(report.plan.starts)))
        self.heading.set_facts(" · ".join(facts))

    def _show_notes(self) -> None:
        texts = {
            "words": self.tr("There is no word to speak: the model would make noise."),
            "bracket": self.tr("A bracket has no partner: {detail}"),
            "speaker": self.tr("No speaker tag: {detail} · write <|speaker:0|>"),
            "control": self.tr("{detail} means nothing here and is spoken as text."),
            "tag": self.tr("Did you mean [{detail}]?"),
        }
        notes = [texts[note.kind].format(detail=note.detail) for note in self._spots]
        words = self.tr("Speaker {number} has no voice: the model picks one.")
        notes += [words.format(number=number) for number in self._voiceless]
        self.notes.set_notes(notes)

    @Slot(int)
    def _on_jump(self, index: int) -> None:
        if index < len(self._spots):
            self.editor.jump_to(self._spots[index].start, self._spots[index].end)
            return
        number = self._voiceless[index - len(self._spots)]
        if number in self.speakers.boxes:
            self.speakers.boxes[number].setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _on_seed_edited(self, text: str) -> None:
        """A typed seed is meant: keep it until the user lets it go."""
        self._settings.set(keys.SEED, text)
        self._actions.pin_seed.setChecked(bool(text))

    @Slot()
    def _focus_editor(self) -> None:
        self.editor.setFocus(Qt.FocusReason.ShortcutFocusReason)
