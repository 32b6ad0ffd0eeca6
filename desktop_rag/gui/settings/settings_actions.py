"""What opens the settings over a window, and asks for consent there."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.chat.chat_pane import ChatPane
from desktop_rag.gui.consent_dialog import ConsentDialog
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.llm_health import Missing
from desktop_rag.gui.controllers.privacy import ConsentRequest
from desktop_rag.gui.controllers.transcript import Transcript
from desktop_rag.gui.theme import Theme


class SettingsActions(QObject):
    """Opens dialogs over `window`."""

    def __init__(self, theme: Theme, context: AppContext, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._context = context
        self._window = window
        self._box: ConsentDialog | None = None
        context.privacy.wanted.connect(self.ask_consent)
        context.chat.transcript_changed.connect(self._drop_question)

    @Slot()
    def open(self) -> None:
        """Show the settings."""
        self._show("")

    @Slot()
    def open_ollama(self) -> None:
        """Show what is known of Ollama and how to set it up; or what may be allowed."""
        health = self._context.health.health
        self._context.health.look()
        is_refused = isinstance(health, Missing) and health.is_refused
        self._show("privacy" if is_refused else "ollama")

    @Slot()
    def open_models(self) -> None:
        """Show which model reads the documents, and which others could."""
        self._context.ollama.look()
        self._show("models")

    @Slot()
    def open_setup(self) -> None:
        """Set a language model up, step by step."""
        from desktop_rag.gui.model_setup.model_setup_dialog import ModelSetupDialog

        self._context.health.look()
        ModelSetupDialog(self._context, self._window).open()

    def serve(self, chat: ChatPane) -> None:
        """Open what the hints beside a conversation offer."""
        chat.health_wanted.connect(self.open_setup)
        chat.fit.acted.connect(self.open_models)

    def speak_anew(self) -> None:
        """Show the settings in another language, where they were; the keyboard stays, too."""
        from desktop_rag.gui.settings.settings_dialog import SettingsDialog

        before = self._window.findChild(SettingsDialog)
        if before is None:
            return
        dialog = SettingsDialog(self._theme, self._context, self._window)
        before.hand_over(dialog)
        before.close()
        dialog.open()

    @Slot(object)
    def ask_consent(self, wanted: ConsentRequest) -> None:
        """Ask before passages leave this computer."""
        self._box = ConsentDialog(wanted, self._window)
        self._box.finished.connect(self._forget_box)
        self._box.open()

    @Slot(object)
    def _drop_question(self, transcript: Transcript) -> None:
        """Close the question for consent when nobody waits for its answer any more."""
        if self._box is not None and not transcript.running:
            self._box.reject()

    @Slot(int)
    def _forget_box(self, result: int) -> None:
        del result
        self._box = None

    def _show(self, section: str) -> None:
        from desktop_rag.gui.settings.settings_dialog import SettingsDialog

        dialog = self._window.findChild(SettingsDialog)
        if dialog is None:
            dialog = SettingsDialog(self._theme, self._context, self._window)
            dialog.open()
        if section:
            dialog.show_page(section)
