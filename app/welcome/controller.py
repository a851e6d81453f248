"""What the card of the first steps says and does, and what a first start begins with."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from app.core import settings as keys
from app.core.messages import Messages
from app.core.settings import Settings
from app.inference.backends import BackendFacts
from app.model_files.opening import ModelOpening
from app.session import Session
from app.voices.list_model import SHIPPED
from app.welcome.first_run import FIRST_WORDS
from app.window import MainWindow
from engine.types import ModelInfo


class WelcomeController(QObject):
    """Keeps the card true while voices, devices and settings change.

    With the demo voice a first start has everything that a take needs: a model, a voice and
    words, so that the first click on Generate speaks.
    """

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        facts: BackendFacts,
        models: ModelOpening,
        messages: Messages,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._settings = window, session, settings
        self._voices, self._models, self._messages = session.voices, models, messages
        card = window.card
        card.open_model.connect(models.ask_open)
        card.get_model.connect(window.actions_.models.trigger)
        card.record_clip.connect(window.actions_.record.trigger)
        card.open_clip.connect(window.actions_.open_clip.trigger)
        card.choose_device.connect(self._show_device)
        facts.changed.connect(self.tell)
        window.voices.voice_chosen.connect(self._on_voice)
        settings.watch(keys.BACKEND, self._on_device)
        models.demo_opening.connect(self._on_demo)
        session.model_changed.connect(self._on_model)
        session.seed_drawn.connect(self._drop_selection)
        window.voices.choose(settings.get(keys.VOICE))
        self.tell()

    def wants_card(self) -> bool:
        """With the demo voice the card stays until there is something to show in its place."""
        return (
            self._models.is_demo(self._session.info) and self._session.current.list.rowCount() == 0
        )

    @Slot()
    def tell(self) -> None:
        """Say what is chosen."""
        card, key = self._window.card, self._window.voices.key
        row = self._voices.rows[self._voices.row_of(key)]
        card.set_voice(row.title if row.key else "", self._voices.voice_count)
        card.set_device(self._window.engine.form.chosen_title)

    @Slot()
    def _on_demo(self) -> None:
        """Its voices belong into the list by now; a first start takes one, and some words."""
        if self._session.info is None:
            self._voices.offer_shipped(True)
        self._window.card.set_demo(True)
        if self._settings.get(keys.LAST_MODEL):
            return  # not the first start
        shipped = [row.key for row in self._voices.rows if row.key.startswith(SHIPPED)]
        if shipped and not self._window.voices.wish:
            self._window.voices.choose(shipped[0])
        script = self._window.script
        if not script.text:
            script.set_text(FIRST_WORDS)
            # The first key that is typed replaces them.
            script.editor.selectAll()
            script.measure()

    @Slot()
    def _drop_selection(self) -> None:
        """The words were spoken: Space shall not wipe them away when it is meant to play."""
        editor = self._window.script.editor
        cursor = editor.textCursor()
        if cursor.selectedText() == FIRST_WORDS:
            cursor.clearSelection()
            editor.setTextCursor(cursor)

    @Slot(object)
    def _on_model(self, info: ModelInfo | None) -> None:
        """A voice that came with the demo model speaks with no other one; that is said."""
        panel = self._window.voices
        self._window.card.set_demo(self._models.is_demo(info))
        if info is not None and panel.wish.startswith(SHIPPED) and panel.key != panel.wish:
            self._messages.say(
                self.tr("{name} speaks only with the demo model. No voice is chosen now.").format(
                    name=panel.wish.removeprefix(SHIPPED)
                )
            )
        self.tell()

    @Slot(str)
    def _on_voice(self, key: str) -> None:
        self._settings.set(keys.VOICE, self._window.voices.wish)
        self.tell()

    @Slot(object)
    def _on_device(self, _backend: str) -> None:
        self.tell()

    @Slot()
    def _show_device(self) -> None:
        self._window.engine.backend.setFocus()
        self._window.engine.backend.showPopup()
