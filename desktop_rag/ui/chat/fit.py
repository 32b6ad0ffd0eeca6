"""Says so when the embedding model does not read the language of what is asked."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.app.fitting import FitController, Unfit
from desktop_rag.ui.naming import shown_name
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.banner import Banner


class FitBanner(Banner):
    """Whose documents are in Spanish should know why some are missed, and what would find them.

    `acted` asks for the models' settings. Once dismissed it never comes again for that knowledge
    base.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "banner", parent)

    def watch(self, fit: FitController) -> None:
        """Follow what is found of the knowledge base that is shown."""
        self.dismiss.clicked.connect(fit.dismiss)
        fit.found.connect(self._show)
        self._show(fit.unfit)

    @Slot(object)
    def _show(self, unfit: Unfit | None) -> None:
        if unfit is None:
            self.hide()
            return
        text = self.tr(
            "Much of “%1” is in a language that the embedding model was not trained on: it is "
            "found by its words, and by meaning poorly. Another model reads a hundred languages."
        )
        self.say(text.replace("%1", shown_name(unfit.name)), self.tr("Choose a model …"))
