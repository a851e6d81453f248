"""All actions of the window in one place, with their texts, keys and tips."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.core import settings as keys
from app.core.settings import Settings
from app.core.theme import Theme


class Actions(QObject):
    """The window's actions; each is an attribute. Who does the work connects ``triggered``.

    Shortcuts belong to the window, so they work wherever the focus is; printable keys are
    taken by text fields first.
    """

    def __init__(self, window: QWidget, settings: Settings, theme: Theme) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._theme = theme
        self._make_files()
        self._make_speaking()
        self._make_takes()
        self._make_help()
        self.themes = self._make_themes()

    def _make_files(self) -> None:
        make = self._make
        self.open_model = make(self.tr("Open model…"), "Ctrl+O", "folder")
        self.models = make(self.tr("Models…"), "Ctrl+Shift+M", "model")
        self.reload_model = make(self.tr("Load the model again"), "", "refresh")
        self.open_text = make(self.tr("Open text…"), "Ctrl+T", "text")
        self.save_text = make(self.tr("Save text…"), "Ctrl+Shift+T", "save")
        self.quit = make(self.tr("Quit"), "Ctrl+Q")
        self.quit.setMenuRole(QAction.MenuRole.QuitRole)
        self.undo = make(self.tr("Undo"), "")
        self.redo = make(self.tr("Redo"), "")
        self.select_script = make(self.tr("Go to the script"), "Ctrl+E")
        self.pronunciations = make(self.tr("Pronunciations…"), "")
        self.record = make(self.tr("Record a clip, or stop recording"), "Ctrl+M", "record")
        self.open_clip = make(self.tr("Open a clip…"), "Ctrl+Shift+O", "folder")
        self.import_voice = make(self.tr("Import voice…"), "Ctrl+I", "import")
        self.find_voice = make(self.tr("Search voices"), "Ctrl+F", "search")
        self.reveal_voices = make(self.tr("Open the voices folder"), "", "folder")
        self.refresh_voices = make(self.tr("Read the voices folder again"), "F5", "refresh")

    def _make_speaking(self) -> None:
        make = self._make
        self.generate = make(self.tr("Generate"), "Ctrl+Return", "wave")
        self.generate.setShortcuts([QKeySequence("Ctrl+Return"), QKeySequence("Ctrl+Enter")])
        self.stop = make(self.tr("Stop"), "Esc", "stop")
        self.pin_seed = make(self.tr("Keep this seed"), "Ctrl+K", "pin")
        self.new_seed = make(self.tr("Draw a new seed"), "Ctrl+R", "dice")
        self.play_pause = make(self.tr("Play or pause"), "Space", "play")
        self.play_start = make(self.tr("Play from the start"), "Shift+Space", "start")
        self.stop_playing = make(self.tr("Stop playing"), "Ctrl+.", "stop")
        self.play_live = make(self.tr("Play while generating"), "Ctrl+L")
        self.loop = make(self.tr("Loop the selection"), "Ctrl+Shift+L", "loop")
        self.loop.setCheckable(True)
        self.rescan_audio = make(self.tr("Look for sound devices again"), "", "refresh")
        self.follow = make(self.tr("Light what is spoken"), "")
        self._bind_toggle(self.follow, keys.FOLLOW_SPOKEN)
        self._bind_toggle(self.pin_seed, keys.SEED_PINNED)
        self._bind_toggle(self.play_live, keys.PLAY_LIVE)

    def _make_takes(self) -> None:
        make = self._make
        self.export = make(self.tr("Export take…"), "Ctrl+Shift+S", "export")
        self.take_settings = make(self.tr("Put text and settings back"), "Ctrl+B", "restore")
        self.take_again = make(self.tr("Same seed again"), "", "refresh")
        self.take_next = make(self.tr("Next seed"), "Ctrl+Shift+R", "next")
        self.take_go_on = make(self.tr("Go on from where it stopped"), "Ctrl+Shift+G", "next")
        self.take_star = make(self.tr("Star or unstar the take"), "Ctrl+D", "star")
        self.take_rename = make(self.tr("Rename the take…"), "", "text")
        self.take_delete = make(self.tr("Delete the take"), "", "trash")
        self.take_room = make(self.tr("Room for takes…"), "")
        self.save_take = make(self.tr("Save take…"), "Ctrl+S", "save")
        self.zoom_in = make(self.tr("Zoom in"), "Ctrl++")
        self.zoom_in.setShortcuts([QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")])
        self.zoom_out = make(self.tr("Zoom out"), "Ctrl+-")
        self.fit_peak = make(self.tr("Draw quiet takes higher"), "")
        self._bind_toggle(self.fit_peak, keys.FIT_PEAK)
        self.spectrogram = make(self.tr("Show the spectrogram"), "Ctrl+Shift+F")
        self._bind_toggle(self.spectrogram, keys.SPECTROGRAM)
        self.zoom_all = make(self.tr("Show the whole take"), "Ctrl+0")

    def _make_help(self) -> None:
        make = self._make
        self.open_settings = make(self.tr("Settings…"), "Ctrl+,")
        self.open_settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.manual = make(self.tr("Manual"), "F1")
        self.shortcuts = make(self.tr("Keys"), "?")
        self.get_model = make(self.tr("How to get S2 Pro…"), "")
        self.report = make(self.tr("Report…"), "", "copy")
        self.about = make(self.tr("About"), "")
        self.about.setMenuRole(QAction.MenuRole.AboutRole)

    def _make(self, text: str, keys_text: str, icon: str = "") -> QAction:
        action = QAction(text, self._window)
        plain = text.replace("…", "")
        if keys_text:
            action.setShortcut(QKeySequence(keys_text))
            shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{plain} ({shown})")
        else:
            action.setToolTip(plain)
        if icon:
            self._theme.set_icon(action, icon)
        self._window.addAction(action)
        return action

    def _bind_toggle(self, action: QAction, setting: keys.Setting[bool]) -> None:
        action.setCheckable(True)
        action.setChecked(self._settings.get(setting))
        action.toggled.connect(lambda on: self._settings.set(setting, on))
        self._settings.watch(setting, action.setChecked)

    def _make_themes(self) -> list[QAction]:
        group = QActionGroup(self)
        result = []
        names = {
            "system": self.tr("Like the system"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        for value, title in names.items():
            action = QAction(title, group)
            action.setCheckable(True)
            action.setChecked(self._settings.get(keys.THEME) == value)
            action.triggered.connect(lambda _=False, v=value: self._settings.set(keys.THEME, v))
            action.setData(value)
            result.append(action)
        self._settings.watch(keys.THEME, self._show_theme)
        return result

    def _show_theme(self, theme: str) -> None:
        for action in self.themes:
            action.setChecked(action.data() == theme)

    def all(self) -> list[QAction]:
        """Every action that has a key, for the list of keys."""
        return [a for a in self._window.actions() if not a.shortcut().isEmpty()]

    def fill(self, bar: QMenuBar) -> tuple[QMenu, QMenu]:
        """Put the menus into ``bar``; returns the (empty) menus of recent models and clips."""
        file = bar.addMenu(self.tr("&File"))
        _add(file, self.open_model, self.models)
        recent = file.addMenu(self.tr("Recent models"))
        _add(
            file,
            self.reload_model,
            None,
            self.open_text,
            self.save_text,
            None,
            self.save_take,
            self.export,
            None,
            self.quit,
        )
        edit = bar.addMenu(self.tr("&Edit"))
        _add(edit, self.undo, self.redo, None, self.select_script, self.pronunciations, None)
        _add(edit, self.open_settings)
        voice = bar.addMenu(self.tr("&Voice"))
        _add(voice, self.record, self.open_clip)
        clips = voice.addMenu(self.tr("Recent clips"))
        _add(voice, None, self.import_voice, self.find_voice, None)
        _add(voice, self.reveal_voices, self.refresh_voices)
        generate = bar.addMenu(self.tr("&Generate"))
        _add(generate, self.generate, self.stop, None, self.pin_seed, self.new_seed, None)
        _add(generate, self.play_pause, self.play_start, self.stop_playing, None)
        _add(generate, self.loop, self.play_live, self.rescan_audio)
        take = bar.addMenu(self.tr("&Take"))
        _add(take, self.take_again, self.take_next, self.take_go_on, self.take_settings, None)
        _add(take, self.take_star)
        _add(take, self.take_rename, self.take_delete, None, self.take_room)
        view = bar.addMenu(self.tr("Vie&w"))
        _add(view, self.zoom_in, self.zoom_out, self.zoom_all, None)
        _add(view, self.fit_peak, self.spectrogram, self.follow)
        theme = view.addMenu(self.tr("Theme"))
        theme.addActions(self.themes)
        help_ = bar.addMenu(self.tr("&Help"))
        _add(help_, self.manual, self.shortcuts, self.get_model, self.report, None, self.about)
        return recent, clips


def _add(menu: QMenu, *actions: QAction | None) -> None:
    for action in actions:
        if action is None:
            menu.addSeparator()
        else:
            menu.addAction(action)
