"""Which languages the built-in model reads, and one click to a model that reads a hundred."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.language_coverage import MULTILINGUAL, installed
from desktop_rag.gui.controllers.ollama import (
    Download,
    Pulled,
    Pulling,
    Server,
    ServerAbsent,
    ServerFound,
)
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, text_label

_SIZE = 1.2e9  # bytes


class LanguageCard(TitledCard):
    """Tells what the built-in model reads, and fetches and chooses bge-m3."""

    def __init__(self, context: AppContext) -> None:
        super().__init__(self.tr("Languages"))
        self._context = context
        self.said = text_label("", "muted")
        self.use = QPushButton()
        self.use.clicked.connect(context.fit.use_multilingual)
        self._lay_out()
        context.ollama.server_changed.connect(self._show)
        context.ollama.download_changed.connect(self._show)
        context.settings.settings_changed.connect(self._show)
        self._show()

    def _lay_out(self) -> None:
        read = self.tr(
            "The built-in model reads Latin, Chinese, Japanese, Korean, Cyrillic, Greek, Arabic, "
            "Hebrew, Thai and Devanagari letters. bge-m3 is a larger one, which also reads others, "
            "such as Tamil and Georgian ones; every passage is sent to Ollama then, once."
        )
        after = self.tr(
            "After a change, and a new start, every passage is embedded anew in the "
            "background; nothing is read again. Until that is done, the model before goes on "
            "answering, and what is new is found by its words."
        )
        row = QHBoxLayout()
        row.addWidget(self.said, 1)
        row.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addWidget(text_label(read))
        self.column.addLayout(row)
        self.column.addWidget(text_label(after, "muted"))

    @Slot()
    def _show(self) -> None:
        server, download = self._context.ollama.server, self._context.ollama.download
        is_there = bool(installed(self._context.ollama))
        is_here = isinstance(server, ServerFound) and server.is_here and server.is_ollama
        chosen = str(self._context.settings.value("models.embedder"))
        is_chosen = chosen.startswith(f"ollama:{MULTILINGUAL}")
        fetch = self.tr("Fetch and use %1").replace("%1", f"{MULTILINGUAL} ({byte_text(_SIZE)})")
        use = self.tr("Use %1").replace("%1", MULTILINGUAL)
        self.use.setText(use if is_there else fetch)
        self.use.setEnabled(is_here and not isinstance(download, Pulling))
        self.use.setVisible(not (is_chosen and (is_there or not is_here)))
        said = self.tr("%1 is chosen.").replace("%1", MULTILINGUAL) if is_chosen else ""
        self.said.setText(join_sentences(said, self._state(server, download)))

    def _state(self, server: Server, download: Download) -> str:
        """Say what is in the way of the model, or on its way."""
        if isinstance(download, Pulling) and download.name.partition(":")[0] == MULTILINGUAL:
            told = self.tr("%1: %2 of %3").replace("%1", MULTILINGUAL)
            told = told.replace("%2", byte_text(download.completed))
            return told.replace("%3", byte_text(download.total or _SIZE))
        is_other = isinstance(server, ServerFound) and not server.is_ollama
        if isinstance(server, ServerAbsent) or is_other:
            return self.tr("%1 needs Ollama; see the page “Ollama”.").replace("%1", MULTILINGUAL)
        if isinstance(server, ServerFound) and not server.is_here:
            return self.tr("Ollama is on another computer: every passage would go there.")
        if isinstance(download, Pulled) and download.name == MULTILINGUAL:
            return (
                join_sentences(translate_message(download.what), translate_message(download.remedy))
                if download.what
                else ""
            )
        return ""
