"""What opens the settings over a window, and asks for consent there."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.app.desk import Desk
from desktop_rag.app.settings_privacy import Wanted
from desktop_rag.ui.settings.consent_box import ConsentBox
from desktop_rag.ui.theme import Theme


class SettingsDoor(QObject):
    """Opens dialogs over `window`."""

    def __init__(self, theme: Theme, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._desk = desk
        self._window = window
        desk.privacy.wanted.connect(self.ask_consent)

    @Slot()
    def open(self) -> None:
        """Show the settings."""
        self._show("")

    @Slot()
    def open_ollama(self) -> None:
        """Show what is known of Ollama, asked anew, and how to set it up."""
        self._desk.health.look()
        self._show("ollama")

    @Slot(object)
    def ask_consent(self, wanted: Wanted) -> None:
        """Ask before passages leave this computer."""
        ConsentBox(wanted, self._window).open()

    def _show(self, section: str) -> None:
        from desktop_rag.ui.settings.dialog import SettingsDialog

        dialog = self._window.findChild(SettingsDialog)
        if dialog is None:
            dialog = SettingsDialog(self._theme, self._desk, self._window)
            dialog.open()
        if section:
            dialog.show_page(section)
