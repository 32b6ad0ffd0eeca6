"""Fetching a model: by name, or one that suits this computer; with progress, to be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from desktop_rag.gui.controllers.ollama import (
    Download,
    OllamaController,
    Pulled,
    Pulling,
    Server,
    ServerFound,
    best_suggestion,
    suggestions,
)
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, text_label

if TYPE_CHECKING:
    from desktop_rag.models.ollama.model_suggestions import Suggestion

_PERMILLE = 1000


class DownloadCard(TitledCard):
    """A name, a button, a bar; and a list of models to choose from."""

    def __init__(self, ollama: OllamaController) -> None:
        super().__init__(self.tr("Fetch a model"))
        self._ollama = ollama
        self.name = QLineEdit()
        self.name.setPlaceholderText(best_suggestion().name)
        self.name.setAccessibleName(self.tr("Name of the model to fetch"))
        self.fetch = QPushButton(self.tr("Fetch"))
        self.cancel = QPushButton(self.tr("Stop"))
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, _PERMILLE)
        self.said = text_label("", "muted")
        self.offered = [SuggestionRow(each) for each in suggestions()]
        self._lay_out()
        self.fetch.clicked.connect(self._fetch)
        self.name.returnPressed.connect(self._fetch)
        self.cancel.clicked.connect(ollama.cancel_pull)
        for row in self.offered:
            row.wanted.connect(self._pull)
        ollama.download_changed.connect(self.show_download)
        ollama.server_changed.connect(self.show_server)
        self.show_download(ollama.download)
        self.show_server(ollama.server)

    @Slot(object)
    def show_server(self, server: Server) -> None:
        """Let models be fetched where there is a server."""
        there = isinstance(server, ServerFound)
        names = {each.name for each in server.models} if isinstance(server, ServerFound) else set()
        self._show_possible(possible=there and not isinstance(self._ollama.download, Pulling))
        for row in self.offered:
            row.show_there(is_there=bool({row.name, f"{row.name}:latest"} & names))

    @Slot(object)
    def show_download(self, download: Download) -> None:
        """Show how far the download is, or how it ended."""
        running = isinstance(download, Pulling)
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        there = isinstance(self._ollama.server, ServerFound)
        self._show_possible(possible=there and not running)
        if isinstance(download, Pulling):
            self._show_progress(download)
        elif isinstance(download, Pulled):
            self.said.setText(self._ended(download))
        self.said.setVisible(bool(self.said.text()))

    def _show_possible(self, *, possible: bool) -> None:
        self.fetch.setEnabled(possible)
        for row in self.offered:
            row.fetch.setEnabled(possible)

    def _show_progress(self, download: Pulling) -> None:
        done, total = download.completed, download.total
        self.bar.setRange(0, _PERMILLE if total else 0)
        self.bar.setValue(int(done * _PERMILLE / total) if total else 0)
        if total:
            text = self.tr("%1: %2 of %3")
            text = text.replace("%2", byte_text(done)).replace("%3", byte_text(total))
        else:
            text = self.tr("%1: asking for it…")
        self.said.setText(text.replace("%1", download.name))

    def _ended(self, end: Pulled) -> str:
        if end.is_whole:
            return self.tr("%1 is there.").replace("%1", end.name)
        if end.what:
            return join_sentences(translate_message(end.what), translate_message(end.remedy))
        stopped = self.tr("Stopped. What has come of %1 is kept: fetch it again to go on.")
        return stopped.replace("%1", end.name)

    @Slot()
    def _fetch(self) -> None:
        if self.fetch.isEnabled():
            self._ollama.pull(self.name.text())

    @Slot(object)
    def _pull(self, name: str) -> None:
        self.name.setText(name)
        self._ollama.pull(name)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.name, 1)
        line.addWidget(self.fetch)
        line.addWidget(self.cancel)
        self.column.addLayout(line)
        self.column.addWidget(self.bar)
        self.column.addWidget(self.said)
        for row in self.offered:
            self.column.addWidget(row)
        about = self.tr(
            "Ollama fetches it from its library on the internet; this program itself does not. "
            "To get a model where there is no internet, copy Ollama's models folder."
        )
        self.column.addWidget(text_label(about, "muted"))


class SuggestionRow(QWidget):
    """A model that can be fetched; `wanted` carries its name."""

    wanted = Signal(object)

    def __init__(self, suggestion: Suggestion) -> None:
        super().__init__()
        self.name = suggestion.name
        name = QLabel(suggestion.name)
        name.setObjectName("heading")
        self.fetch = QPushButton(self.tr("Fetch"))
        self.fetch.setObjectName("quiet")
        self.fetch.setAccessibleName(self.tr("Fetch %1").replace("%1", suggestion.name))
        self.fetch.clicked.connect(self._want)
        self.there = QLabel(self.tr("installed"))
        self.there.setObjectName("muted")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(0, 1)
        grid.addWidget(name, 0, 0)
        grid.addWidget(text_label(self._about(suggestion), "muted"), 1, 0)
        for widget in (self.fetch, self.there):
            grid.addWidget(widget, 0, 1, 2, 1, Qt.AlignmentFlag.AlignVCenter)

    def show_there(self, *, is_there: bool) -> None:
        """Say that it is installed, or offer to fetch it."""
        self.there.setVisible(is_there)
        self.fetch.setVisible(not is_there)

    def _about(self, suggestion: Suggestion) -> str:
        facts = self.tr("%1 to fetch, for %2 of memory.")
        facts = facts.replace("%1", byte_text(suggestion.size))
        facts = facts.replace("%2", f"{suggestion.memory / 1e9:.0f} GB")
        more = "" if suggestion.fits else self.tr("This computer has less.")
        if suggestion == best_suggestion():
            more = self.tr("A good choice for this computer.")
        title = self.tr("%1.").replace("%1", translate_message(suggestion.title))
        return join_sentences(title, facts, more)

    @Slot()
    def _want(self) -> None:
        self.wanted.emit(self.name)
