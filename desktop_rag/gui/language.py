"""The language of the window: English or Chinese, that of the system unless one is chosen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QObject,
    QTranslator,
    Signal,
    Slot,
)

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings

_KEPT = "language of the window"
_LOCALES = {
    "en": QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom),
    "zh": QLocale(QLocale.Language.Chinese, QLocale.Country.China),
}


class Language(QObject):
    """Speaks the language that is chosen; `changed` says that it is another one than before."""

    changed = Signal()

    def __init__(self, app: QCoreApplication, choice: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._app = app
        self._choice = choice
        speak(app, choice)

    @Slot(object)
    def adapt(self, settings: Settings) -> None:
        """Take over the language that is chosen in the settings."""
        if settings.window.language == self._choice:
            return
        before, self._choice = code(), settings.window.language
        speak(self._app, self._choice)
        if code() != before:
            self.changed.emit()


def code() -> str:
    """Return the language that the window speaks: `en` or `zh`."""
    return QCoreApplication.translate("Language", "en", "the code of this language")


def resolved(choice: str, system: QLocale) -> str:
    """Return the language of a choice; `auto` takes the first of the system's that there is."""
    if choice in _LOCALES:
        return choice
    for name in system.uiLanguages():
        language = name.replace("_", "-").partition("-")[0].lower()
        if language in _LOCALES:
            return language
    return "en"


def speak(app: QCoreApplication, choice: str) -> None:
    """Let everything that is made from now on speak a language: our strings, and Qt's own."""
    language = resolved(choice, QLocale.system())
    for former in app.findChildren(QTranslator, _KEPT):
        app.removeTranslator(former)
        former.deleteLater()
    system = QLocale.system()
    is_at_home = system.language() != QLocale.Language.C and resolved("auto", system) == language
    QLocale.setDefault(system if is_at_home else _LOCALES[language])
    if language == "zh":
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        _install(app, "qtbase_zh_CN", qt)
    _install(app, f"desktop_rag_{language}", str(resources() / "translations"))


def _install(app: QObject, name: str, folder: str) -> None:
    """Install a file of translations; without it the window speaks English.

    It is read, not mapped into memory as Qt would do with a name: a file that an update replaces
    under an open window would end the program.
    """
    try:
        translations = (Path(folder) / f"{name}.qm").read_bytes()
    except OSError:
        return
    translator = _Translator(app, translations)
    if translator.load(translations):
        QCoreApplication.installTranslator(translator)
    else:
        translator.deleteLater()


class _Translator(QTranslator):
    """Holds the bytes that Qt reads where they lie."""

    def __init__(self, app: QObject, translations: bytes) -> None:
        super().__init__(app)
        self.setObjectName(_KEPT)
        self._translations = translations
