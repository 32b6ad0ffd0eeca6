"""Which languages the embedding model reads, and one click to a model that reads a hundred."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from desktop_rag.app.desk import Desk
from desktop_rag.app.settings_ollama import Download, Found, Pulled, Pulling, Server
from desktop_rag.ui.settings.cards import Card, gigabytes, text_label
from desktop_rag.ui.spoken import joined, spoken

_KEY = "models.embedder"
_NAME = "bge-m3"
_SIZE = 1.2e9  # bytes


class LanguagesCard(Card):
    """Tells what the built-in model reads, and fetches and chooses bge-m3."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(self.tr("Languages"))
        self._desk = desk
        self._wanted = False
        self.said = text_label("", "muted")
        self.use = QPushButton()
        self.use.clicked.connect(self._use)
        self._lay_out()
        desk.ollama.server_changed.connect(self._show)
        desk.ollama.download_changed.connect(self._follow)
        desk.settings.settings_changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        read = self.tr(
            "The built-in model reads English, and Chinese word by word. Documents in other "
            "languages are found by their words, in the same way, and by meaning less well. "
            "bge-m3 reads a hundred languages; every passage is sent to Ollama then, once."
        )
        after = self.tr(
            "After a change, and a new start, every passage is embedded anew in the "
            "background; nothing is read again. Until that is done, passages are found by "
            "their words, and by meaning as far as it has come."
        )
        row = QHBoxLayout()
        row.addWidget(self.said, 1)
        row.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addWidget(text_label(read))
        self.column.addLayout(row)
        self.column.addWidget(text_label(after, "muted"))

    @Slot()
    def _show(self) -> None:
        server, download = self._desk.ollama.server, self._desk.ollama.download
        name = _installed(server)
        is_coming = isinstance(download, Pulling)
        is_chosen = str(self._desk.settings.value(_KEY)).startswith(f"ollama:{_NAME}")
        fetch = self.tr("Fetch and use %1").replace("%1", f"{_NAME} ({gigabytes(_SIZE)})")
        self.use.setText(self.tr("Use %1").replace("%1", _NAME) if name else fetch)
        self.use.setEnabled(isinstance(server, Found) and not is_coming)
        self.use.setVisible(not is_chosen)
        self.said.setText(self._state(server, download, is_chosen=is_chosen))

    def _state(self, server: Server, download: Download, *, is_chosen: bool) -> str:
        if is_chosen:
            return self.tr("%1 is chosen.").replace("%1", _NAME)
        if isinstance(download, Pulling) and download.name == _NAME:
            told = self.tr("%1: %2 of %3").replace("%1", _NAME)
            told = told.replace("%2", gigabytes(download.completed))
            return told.replace("%3", gigabytes(download.total or _SIZE))
        if isinstance(download, Pulled) and download.name == _NAME and download.what:
            return joined(spoken(download.what), spoken(download.remedy))
        if not isinstance(server, Found):
            return self.tr("%1 needs Ollama; see the page “Ollama”.").replace("%1", _NAME)
        return ""

    @Slot()
    def _use(self) -> None:
        """Choose the model; fetch it first where it is not there."""
        if name := _installed(self._desk.ollama.server):
            self._desk.settings.change(_KEY, f"ollama:{name}")
            return
        self._wanted = True
        self._desk.ollama.pull(_NAME)

    @Slot(object)
    def _follow(self, download: Download) -> None:
        """Choose what was fetched from here once it has come."""
        if self._wanted and isinstance(download, Pulled) and download.name == _NAME:
            self._wanted = False
            if download.is_whole:
                self._desk.settings.change(_KEY, f"ollama:{_NAME}")
        self._show()


def _installed(server: Server) -> str:
    """Return the name under which a server has the model, empty where it has not."""
    names = [model.name for model in server.models] if isinstance(server, Found) else []
    return next((name for name in names if name.partition(":")[0] == _NAME), "")
