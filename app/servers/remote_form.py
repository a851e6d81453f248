"""Where takes are made: on this computer, or by a server that the user names."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from app.core import settings as keys
from app.core.settings import Settings
from app.widgets.form import Form, bind_choice
from app.widgets.labels import label, set_state
from engine.remote import DIALECTS
from engine.types import Capabilities

HERE, SERVER = "here", "server"
CLIP = "\0clip"


class RemoteForm(Form):
    """The choice of the place and, for a server, its address, key, voice and abilities.

    Signals:
        place_chosen(str): :data:`HERE` or :data:`SERVER`, by the user.
        test_requested(): ask the server now.
    """

    place_chosen = Signal(str)
    test_requested = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Engine"), parent)
        self._settings = settings
        self.place = QComboBox()
        self.place.addItem(self.tr("This computer"), HERE)
        self.place.addItem(self.tr("Remote server"), SERVER)
        self.add(self.tr("Speaks on"), self.place)
        self.address = QLineEdit(settings.get(keys.REMOTE_URL))
        self.address.setPlaceholderText("http://127.0.0.1:3030")
        self.add(self.tr("Address"), self.address)
        self.kind = QComboBox()
        kinds = [
            ("auto", self.tr("Ask the server")),
            *((k, d.can.title) for k, d in DIALECTS.items()),
        ]
        bind_choice(settings, keys.REMOTE_KIND, self.kind, kinds)
        self.add(self.tr("Kind"), self.kind)
        self.key = QLineEdit(settings.get(keys.REMOTE_KEY))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText(self.tr("none"))
        self.add(self.tr("API key"), self.key)
        self.keep_key = QCheckBox(self.tr("Keep the key"))
        hint = self.tr("It is kept readable in the settings file, for everyone who can read that.")
        self.keep_key.setToolTip(hint)
        self.keep_key.setChecked(settings.get(keys.REMOTE_KEEP_KEY))
        self.add_full_width(self.keep_key)
        self.voice = QComboBox()
        self.voice.setToolTip(self.tr("Counts while no voice of the library is chosen."))
        self.add(self.tr("Voice there"), self.voice)
        self.test = QPushButton(self.tr("Test connection"))
        self.add_full_width(self.test)
        self.result = label("", "hint")
        self.result.setAccessibleName(self.tr("What the server can do"))
        self.add_text(self.result)
        self._server_rows: tuple[QWidget, ...] = (
            self.address, self.kind, self.key, self.keep_key, self.voice, self.test, self.result,
        )  # fmt: skip
        self._connect()
        self.set_voices(())
        self.show_place(HERE)

    def _connect(self) -> None:
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        for box in (self.kind, self.voice):  # long names must not widen the panel
            box.setSizeAdjustPolicy(policy)
            box.setMinimumContentsLength(6)
        self.place.activated.connect(self._on_place)
        self.address.editingFinished.connect(self._keep_address)
        self.address.returnPressed.connect(self.test_requested)
        self.key.textEdited.connect(self._keep_secret)
        self.keep_key.toggled.connect(self._keep_secret)
        self.voice.activated.connect(self._on_voice)
        self.test.clicked.connect(self.test_requested)

    @property
    def chosen(self) -> str:
        """The place that is shown."""
        return str(self.place.currentData())

    @property
    def voice_there(self) -> str:
        """Name at the server, :data:`CLIP`, or empty for its default."""
        return str(self.voice.currentData() or "")

    def show_place(self, place: str) -> None:
        """Show a place without choosing it."""
        with QSignalBlocker(self.place):
            self.place.setCurrentIndex(self.place.findData(place))
        for control in self._server_rows:
            self.show_row(control, place == SERVER)

    def set_voices(self, names: tuple[str, ...]) -> None:
        """Offer what the server lists, and the clip that is open here."""
        wanted = self._settings.get(keys.REMOTE_VOICE)
        with QSignalBlocker(self.voice):
            self.voice.clear()
            self.voice.addItem(self.tr("its default"), "")
            self.voice.addItem(self.tr("the open clip"), CLIP)
            for name in names:
                self.voice.addItem(name, name)
            self.voice.setCurrentIndex(max(0, self.voice.findData(wanted)))

    def say(self, text: str, state: str = "") -> None:
        """Show what came of the last question; ``state`` as for ``set_state``."""
        self.result.setText(text)
        set_state(self.result, state)

    def describe(self, can: Capabilities, exposed: bool) -> str:
        """What a server can and what not, in the language of the window."""
        has = {
            self.tr("clones a recording"): can.cloning,
            self.tr("streams"): can.streaming,
            self.tr("seed"): can.seed,
            self.tr("temperature"): "temperature" in can.sampling,
            "top-p": "top_p" in can.sampling,
            "top-k": "top_k" in can.sampling,
        }
        yes = ", ".join(name for name, there in has.items() if there) or self.tr("speech only")
        no = ", ".join([*(name for name, there in has.items() if not there), self.tr("codes")])
        words = self.tr("Connected: {kind}, {model}. Can: {yes}. Cannot: {no}.")
        if not can.model:
            words = self.tr("Connected: {kind}. Can: {yes}. Cannot: {no}.")
        text = words.format(kind=can.title, model=can.model, yes=yes, no=no)
        if exposed:
            text += " " + self.tr("The key travels unencrypted.")
        return text

    @Slot(int)
    def _on_place(self, _: int) -> None:
        self.show_place(self.chosen)
        self.place_chosen.emit(self.chosen)

    @Slot()
    def _keep_address(self) -> None:
        self._settings.set(keys.REMOTE_URL, self.address.text().strip())

    @Slot()
    def _keep_secret(self) -> None:
        keep = self.keep_key.isChecked()
        self._settings.set(keys.REMOTE_KEEP_KEY, keep)
        self._settings.set(keys.REMOTE_KEY, self.key.text().strip() if keep else "")

    @Slot(int)
    def _on_voice(self, _: int) -> None:
        self._settings.set(keys.REMOTE_VOICE, self.voice_there)
