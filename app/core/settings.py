"""All settings of the window, each declared once: key, type, default, title.

They are kept in a JSON file in the user's configuration folder. A damaged file is put aside
and said, a damaged value falls back to its default: settings never stop a start.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QTimer, Signal, Slot

from app.core.settings_file import DamagedError, SettingsFile
from engine.errors import OutputError
from engine.remote import KINDS
from engine.storage import free_name
from engine.types import VOICE_CACHE_MB as DEFAULT_VOICE_CACHE_MB

T = TypeVar("T")

SAVE_AFTER_MS = 500
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Setting(Generic[T]):
    """One declared setting.

    Attributes:
        key: group and name, as the file has them.
        default: value when there is none; its type is the setting's type.
        title: what it is, for lists and messages.
        minimum, maximum: range of a number; values outside fall back to the default.
        choices: allowed values of a text; empty allows all.
    """

    key: str
    default: T
    title: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> T:
        """The stored value as the setting's type, or the default when it does not fit."""
        kind: Any = type(self.default)
        result = value
        try:
            if kind is QByteArray and isinstance(value, str):
                result = QByteArray(base64.b64decode(value, validate=True))
            elif kind is float and type(value) is int:
                result = float(value)
        except (OverflowError, ValueError):
            return self.default
        if type(result) is not kind:
            return self.default
        if kind is list and not all(isinstance(item, str) for item in result):
            return self.default
        low, high = self.minimum, self.maximum
        outside = (low is not None and not result >= low) or (
            high is not None and not result <= high
        )
        unknown = bool(self.choices) and result not in self.choices
        return self.default if outside or unknown else result


GEOMETRY = Setting("window/geometry", QByteArray(), "Window position")
SPLIT_COLUMNS = Setting("window/columns", QByteArray(), "Column widths")
SPLIT_MIDDLE = Setting("window/middle", QByteArray(), "Height of script and take")
THEME = Setting("window/theme", "system", "Theme", choices=("system", "light", "dark"))
LANGUAGE = Setting("window/language", "system", "Language", choices=("system", "en", "zh_CN"))
SCRIPT = Setting("script/text", "", "Unsent text")
SPEAKERS: Setting[list[str]] = Setting("script/cast", [], "Voices of the speakers")
SPLIT_MODE = Setting("script/split", "auto", "Cut", choices=("auto", "always", "never"))
PAUSE_MS = Setting("script/pause_ms", 180, "Pause", 0, 5000)
CARRY_ON = Setting("script/carry_on", False, "Carry the melody on")
VOICE = Setting("voice/selected", "", "Selected voice")
LAST_MODEL = Setting("model/last", "", "Last model")
RECENT_MODELS: Setting[list[str]] = Setting("model/recent", [], "Recent models")
REOPEN_MODEL = Setting("model/reopen", True, "Open the last model at the start")
OPENING_MODEL = Setting("model/opening", "", "Model that was being opened when the program ended")
MODELS_FOLDER = Setting("models/folder", "", "Folder of the models")
MODELS_MIRROR = Setting("models/mirror", "", "Mirror of the hub")
MODELS_TOKEN = Setting("models/token", "", "Access token of the hub")
MODELS_OFFLINE = Setting("models/offline", False, "Offline mode")
DEMO_SEEN = Setting("model/demo_seen", False, "The demo voice was explained")
BACKEND = Setting("engine/backend", "cpu", "Backend")
GPU_LAYERS = Setting("engine/gpu_layers", -1, "Layers on the accelerator", -1, 1024)
THREADS = Setting("engine/threads", 0, "Threads", 0, 256)
ARITHMETIC = Setting("engine/arithmetic", "exact", "Prompts", choices=("exact", "fast"))
VOICE_CACHE_MB = Setting(
    "engine/voice_cache_mb", DEFAULT_VOICE_CACHE_MB, "Known voices", 0, 1_000_000
)
CODEC_POLICY = Setting("engine/codec", "auto", "Codec", choices=("auto", "follow", "cpu"))
DECODE_MODE = Setting("stream/decode", "exact", "Decode", choices=("exact", "windowed"))
STRIDE = Setting("stream/stride", 4, "Stride", 0, 512)
HOLDBACK = Setting("stream/holdback", -1, "Holdback", -1, 4096)
CONTEXT = Setting("stream/context", -1, "Context", -1, 4096)
START_BUFFER = Setting("stream/start_buffer_ms", -1, "Start buffer", -1, 60_000)
LOW_LATENCY = Setting("stream/low_latency", False, "Low latency")
READINGS = Setting("takes/at_once", 1, "Takes of one press", 1, 16)
READINGS_SPREAD = Setting("takes/spread", 0.0, "Spread of the temperature", 0.0, 0.5)
TEMPERATURE = Setting("sampling/temperature", 0.8, "Temperature", 0.0, 1.99)
TOP_P = Setting("sampling/top_p", 0.8, "Top-p", 0.01, 1.0)
TOP_K = Setting("sampling/top_k", 30, "Top-k", 0, 4096)
MAX_FRAMES = Setting("sampling/max_frames", 1024, "Max frames", 1, 32_768)
SEED = Setting("sampling/seed", "", "Seed")
SEED_PINNED = Setting("sampling/seed_pinned", False, "Keep the seed")
PLAY_LIVE = Setting("player/live", True, "Play while generating")
FIT_PEAK = Setting("takes/fit_peak", True, "Draw quiet takes higher")
SPECTROGRAM = Setting("takes/spectrogram", False, "Spectrogram")
FOLLOW_SPOKEN = Setting("script/follow", True, "Light what is spoken")
VOLUME = Setting("player/volume", 80, "Volume", 0, 100)
OUTPUT_DEVICE = Setting("player/device", "", "Output device")
TRANSCRIBE_MODEL = Setting("transcribe/model", "", "Folder of the transcription model")
VOICE_LIBRARY = Setting("voices/library", "", "Folder of the voice library")
INPUT_DEVICE = Setting("recorder/device", "", "Microphone")
RECORD_LIMIT = Setting("recorder/limit_s", 60, "Longest recording", 5, 180)
TRANSCRIBE_LANGUAGE = Setting("transcribe/language", "", "Language of clips")
CONSENT_ASKED = Setting("voice/consent_asked", False, "Consent was asked for")
VOICE_SORT = Setting("voice/sort", "name", "Order of voices", choices=("name", "length", "date"))
LEFT_HEIGHT = Setting("window/reference_height", 0, "Height of the reference", 0, 4000)
RECENT_CLIPS: Setting[list[str]] = Setting("reference/recent", [], "Recent clips")
FOLDER_CLIP = Setting("folders/clip", "", "Last clip folder")
TAKES_LIMIT_MB = Setting("takes/limit_mb", 2048, "Room for takes", 16, 1_000_000)
EXPORT_FORMAT = Setting("export/format", "wav24", "Format")
EXPORT_TEMPLATE = Setting("export/template", "{date}_{voice}_{seed}_{text}", "Name")
REMOTE_ON = Setting("remote/on", False, "Speak through a server")
REMOTE_URL = Setting("remote/address", "", "Address of the server")
REMOTE_KIND = Setting("remote/kind", "auto", "Kind of server", choices=KINDS)
REMOTE_KEEP_KEY = Setting("remote/keep_key", False, "Keep the server's key")
REMOTE_KEY = Setting("remote/key", "", "Key of the server")
REMOTE_VOICE = Setting("remote/voice", "", "Voice of the server")
SERVE_PORT = Setting("server/port", 3030, "Port", 1024, 65_535)
SERVE_OPEN = Setting("server/open", False, "Serve other computers too")
FOLDER_MODEL = Setting("folders/model", "", "Last model folder")
FOLDER_VOICE = Setting("folders/voice", "", "Last voice folder")
FOLDER_SAVE = Setting("folders/save", "", "Last export folder")
FOLDER_TEXT = Setting("folders/text", "", "Last text folder")

ALL: tuple[Setting[Any], ...] = tuple(v for v in globals().values() if isinstance(v, Setting))


class _Notifier(QObject):
    """Tells who watches one setting."""

    changed = Signal(object)


class Settings(QObject):
    """The stored values of the declared settings.

    Attributes:
        notice: a sentence for the user when a damaged file was put aside, else empty.

    Signals:
        failed(OutputError): they could not be written; said once, until it works again.
    """

    failed = Signal(object)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self.notice = ""
        self._said = False
        self._notifiers: dict[str, _Notifier] = {}
        self._file = self._open()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SAVE_AFTER_MS)
        self._later.timeout.connect(self.sync)

    def _open(self) -> SettingsFile:
        try:
            file = SettingsFile(self.path)
        except DamagedError:
            aside = free_name(self.path.with_suffix(".damaged.json"), " {}")
            try:
                self.path.replace(aside)
                self.notice = self.tr(
                    "The settings file was damaged. It was kept as {name}; defaults are in use."
                ).format(name=aside.name)
            except OSError:
                self.notice = self.tr("The settings file is damaged and could not be put aside.")
            file = SettingsFile(self.path, empty=True)
        if not file.writable():
            self.notice = self.tr(
                "The settings cannot be written to {folder}; changes end with the window."
            ).format(folder=self.path.parent)
        return file

    def get(self, setting: Setting[T]) -> T:
        """The stored value, checked, or the default."""
        value = setting.check(self._file.get(setting.key))
        return list(value) if isinstance(value, list) else value  # type: ignore[return-value]

    def set(self, setting: Setting[T], value: T) -> None:
        """Keep ``value``; who watches it hears when it differs. It is soon written."""
        if self.get(setting) != value:
            self._file.set(setting.key, _stored(value))
            self._later.start()
            if setting.key in self._notifiers:
                self._notifiers[setting.key].changed.emit(self.get(setting))

    def watch(
        self, setting: Setting[T], callback: Callable[[T], object], owner: QObject | None = None
    ) -> None:
        """Call ``callback`` with the new value whenever ``setting`` changes.

        A method is not called beyond the life of its object; anything else is kept until
        ``owner`` is destroyed, and for ever without one.
        """
        notifier = self._notifiers.setdefault(setting.key, _Notifier(self))
        connection = notifier.changed.connect(callback)
        if owner is not None:
            owner.destroyed.connect(lambda: QObject.disconnect(connection))

    @Slot()
    def sync(self) -> None:
        """Write to the file now."""
        self._later.stop()
        try:
            self._file.save()
        except OutputError as error:
            log.warning("the settings could not be saved: %s", error.detail)
            if not self._said:
                self._said = True
                self.failed.emit(error)
        else:
            self._said = False


def _stored(value: Any) -> Any:
    """``value`` as JSON holds it."""
    if isinstance(value, QByteArray):
        return base64.b64encode(value.data()).decode("ascii")
    return list(value) if isinstance(value, list) else value
