"""Servers of language models that were found on this computer, each with a button to use it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from desktop_rag.core.usual_servers import FoundServer
from desktop_rag.gui.controllers.model_setup import ModelSetupController
from desktop_rag.gui.controllers.ollama import OllamaController, ServerFound
from desktop_rag.gui.display_text import fill, join_list
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.cards import TitledCard, text_label

_MOST_NAMES = 3  # models that are named; the others are counted
_LONGEST = 60  # characters of a name, which may be the path of a file


class FoundServerRow(QWidget):
    """A server with its address and models; `wanted` carries it."""

    wanted = Signal(object)

    def __init__(self, server: FoundServer) -> None:
        super().__init__()
        self.server = server
        self.use = QPushButton(self.tr("Use this one"))
        self.use.setAccessibleName(fill(self.tr("Use %1"), server.title))
        self.use.setEnabled(bool(server.models))
        self.use.clicked.connect(self._want)
        where = fill(self.tr("%1 at %2"), server.title, server.url.removeprefix("http://"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(0, 1)
        grid.addWidget(text_label(where), 0, 0)
        grid.addWidget(text_label(self._models(), "muted"), 1, 0)
        grid.addWidget(self.use, 0, 1, 2, 1)

    def _models(self) -> str:
        names = [_short(each) for each in self.server.models]
        if not names:
            return self.tr("No model is loaded in it: load one there, then open this again.")
        more = len(names) - _MOST_NAMES
        rest = [self.tr("%n more", "", more)] if more > 0 else []
        return join_list([*names[:_MOST_NAMES], *rest])

    @Slot()
    def _want(self) -> None:
        self.wanted.emit(self.server)


class FoundServersCard(TitledCard):
    """The servers beside the one that is used; hidden where there are none.

    `rows_changed` says that others are shown.
    """

    rows_changed = Signal()

    def __init__(self, setup: ModelSetupController, ollama: OllamaController) -> None:
        super().__init__()
        self._setup, self._ollama = setup, ollama
        self._shown: tuple[FoundServer, ...] = ()
        self.rows: list[FoundServerRow] = []
        self.heading = text_label(self.tr("Also running on this computer"), "heading")
        self.refusal = text_label("", "note")
        self.column.addWidget(self.heading)
        self.column.addWidget(self.refusal)
        setup.search.found_changed.connect(self.show_found)
        setup.search.refused.connect(self._refuse)
        setup.access_changed.connect(self.show_found)
        ollama.server_changed.connect(self.show_found)
        self.refusal.hide()
        self.show_found()

    @Slot()
    def show_found(self) -> None:
        """Show what was found beside what is used."""
        server = self._ollama.server
        used = server.url if isinstance(server, ServerFound) else self._setup.place
        found = [each for each in self._setup.search.found if each.url != _bare(used)]
        self.setVisible(bool(found))
        if tuple(found) == self._shown:
            return
        self._shown = tuple(found)
        self.refusal.hide()
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = [FoundServerRow(each) for each in found]
        for row in self.rows:
            row.wanted.connect(self._use)
            self.column.addWidget(row)
        self.rows_changed.emit()

    @Slot(object)
    def _use(self, server: FoundServer) -> None:
        self._setup.search.use(server)

    @Slot(object)
    def _refuse(self, sentence: str) -> None:
        self.refusal.setText(translate_message(sentence))
        self.refusal.show()


def _bare(url: str) -> str:
    return url.removesuffix("/v1")


def _short(name: str) -> str:
    """Return a model's name; of a file's path, as llama.cpp names one, the end."""
    return name if len(name) <= _LONGEST else f"…{name[1 - _LONGEST :]}"
