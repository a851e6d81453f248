"""What the card of the first steps says and does, and what a first start begins with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QPlainTextEdit

from app.core import settings as keys
from app.core.actions import Actions
from app.core.messages import Messages
from app.core.paths import SHIPPED
from app.core.settings import Settings
from app.inference.backends import BackendFacts
from app.inference.loader import ModelLoader
from app.inference.placement_form import PlacementForm
from app.welcome.card import WelcomeCard
from app.welcome.first_run import FIRST_WORDS
from engine.types import ModelInfo


class VoiceChoice(Protocol):
    """Where a voice is chosen: the one in use, and the one that was last wished for."""

    wish: str

    @property
    def key(self) -> str: ...

    def choose(self, key: str) -> None: ...


class Voices(Protocol):
    """The voices that there are."""

    @property
    def voice_count(self) -> int: ...

    @property
    def shipped_keys(self) -> list[str]: ...

    def title_of(self, key: str) -> str: ...

    def offer_shipped(self, on: bool) -> None: ...


class Script(Protocol):
    """Where the text is."""

    @property
    def editor(self) -> QPlainTextEdit: ...

    @property
    def text(self) -> str: ...

    def set_text(self, text: str) -> None: ...

    def measure(self) -> None: ...


class WelcomeController(QObject):
    """Keeps the card true while voices, devices and settings change.

    With the demo voice a first start has everything that a take needs: a model, a voice and
    words, so that the first click on Generate speaks.
    """

    def __init__(
        self,
        card: WelcomeCard,
        actions: Actions,
        choice: VoiceChoice,
        script: Script,
        form: PlacementForm,
        voices: Voices,
        models: ModelLoader,
        is_demo: Callable[[ModelInfo | None], bool],
        facts: BackendFacts,
        settings: Settings,
        messages: Messages,
    ) -> None:
        super().__init__(card)
        self._card, self._choice, self._script, self._form = card, choice, script, form
        self._voices, self._models, self._is_demo = voices, models, is_demo
        self._settings, self._messages = settings, messages
        card.get_model.connect(actions.models.trigger)
        card.open_model.connect(actions.open_model.trigger)
        card.record_clip.connect(actions.record.trigger)
        card.open_clip.connect(actions.open_clip.trigger)
        card.choose_device.connect(self._show_device)
        facts.changed.connect(self.tell)
        settings.watch(keys.BACKEND, lambda _: self.tell(), owner=self)
        choice.choose(settings.get(keys.VOICE))
        self.tell()

    def wants_card(self, takes: int) -> bool:
        """With the demo voice the card stays until there is something to show in its place."""
        return takes == 0 and self._is_demo(self._models.info)

    @Slot()
    def tell(self) -> None:
        """Say what is chosen."""
        card, key = self._card, self._choice.key
        card.set_voice(self._voices.title_of(key), self._voices.voice_count)
        card.set_device(self._form.chosen_title)

    @Slot()
    def begin_demo(self) -> None:
        """Its voices belong into the list by now; a first start takes one, and some words."""
        if self._models.info is None:
            self._voices.offer_shipped(True)
        self._card.set_demo(True)
        if self._settings.get(keys.LAST_MODEL):
            return  # not the first start
        shipped = self._voices.shipped_keys
        if shipped and not self._choice.wish:
            self._choice.choose(shipped[0])
        script = self._script
        if not script.text:
            script.set_text(FIRST_WORDS)
            # The first key that is typed replaces them.
            script.editor.selectAll()
            script.measure()

    @Slot()
    def drop_selection(self) -> None:
        """The words were spoken: Space shall not wipe them away when it is meant to play."""
        editor = self._script.editor
        cursor = editor.textCursor()
        if cursor.selectedText() == FIRST_WORDS:
            cursor.clearSelection()
            editor.setTextCursor(cursor)

    @Slot(object)
    def on_model(self, info: ModelInfo | None) -> None:
        """A voice that came with the demo model speaks with no other one; that is said."""
        choice = self._choice
        self._card.set_demo(self._is_demo(info))
        if info is not None and choice.wish.startswith(SHIPPED) and choice.key != choice.wish:
            self._messages.say(
                self.tr("{name} speaks only with the demo model. No voice is chosen now.").format(
                    name=choice.wish.removeprefix(SHIPPED)
                )
            )
        self.tell()

    @Slot(str)
    def on_voice(self, key: str) -> None:
        self._settings.set(keys.VOICE, self._choice.wish)
        self.tell()

    @Slot()
    def _show_device(self) -> None:
        self._form.backend.setFocus()
        self._form.backend.showPopup()
