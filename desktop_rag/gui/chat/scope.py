"""Says so when a conversation asks another knowledge base than the one that is shown."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from desktop_rag.gui.naming import shown_name
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
