"""The language of the window: shipped translations, chosen by the system or the user.

The source language is English. ``resources/i18n`` holds ``s2studio_<language>.ts`` for
translators and the compiled ``.qm`` beside it.
"""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.core.paths import find_resource
from app.core.settings import LANGUAGE, Settings

# Each under its own name, as everybody finds their language.
LANGUAGES = {"en": "English", "zh_CN": "简体中文"}
SOURCE = "en"


def wanted_language(wish: str, system: list[str]) -> str:
    """The language to use: the wish, or for ``system`` the first one that is shipped.

    ``system`` lists the user's languages, the dearest first, such as ``zh-Hans-CN``.
    """
    if wish in LANGUAGES:
        return wish
    for name in system:
        locale = QLocale(name)
        if locale.language() is QLocale.Language.English:
            return SOURCE
        simplified = locale.script() is QLocale.Script.SimplifiedHanScript
        if locale.language() is QLocale.Language.Chinese and simplified:
            return "zh_CN"
    return SOURCE


class Translation:
    """The translators of one run; must be installed before the first widget is made.

    Attributes:
        language: in use now.
    """

    def __init__(self, app: QApplication, settings: Settings) -> None:
        self._app = app
        self._installed: list[QTranslator] = []
        self.language = wanted_language(settings.get(LANGUAGE), QLocale.system().uiLanguages())
        if self.language == SOURCE:
            return
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._load(f"qtbase_{self.language}", folder)
        own = find_resource("i18n", f"s2studio_{self.language}.qm")
        if own is not None:
            self._load(own.stem, str(own.parent))

    def remove(self) -> None:
        """Back to the source language, for windows made from now on."""
        for translator in self._installed:
            self._app.removeTranslator(translator)
        self._installed.clear()

    def _load(self, name: str, folder: str) -> None:
        translator = QTranslator(self._app)
        if translator.load(name, folder):
            self._app.installTranslator(translator)
            self._installed.append(translator)
