"""Says so when the embedding model does not read the language of what is asked."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.controllers.language_coverage import LanguageCoverageController
from desktop_rag.gui.naming import shown_name
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.banner import Banner


class LanguageBanner(Banner):
    """Whose documents are in Spanish should know why some are missed, and what would find them.

    `acted` asks for the models' settings. Once dismissed it never comes again for that knowledge
    base.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "banner", parent)

    def watch(self, fit: LanguageCoverageController) -> None:
        """Follow what is found of the knowledge base that is shown."""
        self._fit = fit
        self.dismiss.clicked.connect(fit.dismiss)
        fit.changed.connect(self._show)
        self._show()

    @Slot()
    def _show(self) -> None:
        unread = self._fit.unread
        if unread is None:
            self.hide()
            return
        text = self.tr(
            "Much of “%1” is in a language that the built-in model does not read: it is found by "
            "its words, by meaning poorly or not at all. Another model reads a hundred languages."
        )
        self.say(text.replace("%1", shown_name(unread.name)), self.tr("Choose a model…"))
