"""Bars over a conversation: a language that is not read, another knowledge base than is shown."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from desktop_rag.gui.controllers.language_coverage import LanguageCoverageController
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.banner import Banner


class ScopeBanner(Banner):
    """A conversation goes on asking what it asked, whatever is shown beside it.

    To switch while it is open may mean "and now this one" or a look at other files. To carry the
    conversation over would be wrong for the one, to begin another for both: so it is said, and what
    a click does is the likelier meaning. `acted` asks for a new conversation.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "banner", parent)
        self._told: tuple[tuple[str, ...], str] = ((), "")

    def compare(self, asked: tuple[str, ...], shown: str) -> None:
        """Say what a conversation asks if that is not what is shown; once, if it is dismissed."""
        differs = asked and shown and shown not in asked
        told = (asked, shown) if differs else ((), "")
        if told == self._told:
            return
        self._told = told
        if not told[0]:
            self.hide()
            return
        names = self.tr("”, “").join(map(shown_name, asked))
        text = self.tr("This conversation asks “%1”. Tick “%2” below to ask it too.")
        said = text.replace("%1", names).replace("%2", shown_name(shown))
        self.say(said, self.tr("New conversation"))


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
