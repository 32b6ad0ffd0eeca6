"""Whether Ollama is there, what it has, and what its context costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QPushButton, QTableView

from desktop_rag.gui.controllers.ollama import OllamaController, Server, ServerAbsent, ServerFound
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.settings.ollama_models import PARAMETERS, STATE, OllamaModelTable
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, text_label

if TYPE_CHECKING:
    from desktop_rag.models.ollama import InstalledModel

_MOST_ROWS = 6
_ROOMY = 520  # pixels that all columns need


class ServerCard(TitledCard):
    """The state of the server, with the button that tests it, and its models."""

    def __init__(self, ollama: OllamaController, settings: SettingsController) -> None:
        super().__init__()
        self._ollama = ollama
        self._settings = settings
        self.state = text_label()
        self.advice = text_label("", "muted")
        self.test = QPushButton(self.tr("Test"))
        self.test.setToolTip(self.tr("Ask Ollama for its version and models; no text is sent"))
        self.models = OllamaModelTable()
        self.table = QTableView()
        self._lay_out()
        self.test.clicked.connect(ollama.test)
        ollama.server_changed.connect(self.show_server)
        settings.applied.connect(self._look_again)
        settings.settings_changed.connect(self._show_cost)
        self._host = settings.settings.ollama.host
        self.show_server(ollama.server)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Leave out what is least needed where there is little room."""
        super().resizeEvent(event)
        self.table.setColumnHidden(PARAMETERS, event.size().width() < _ROOMY)

    @Slot(object)
    def show_server(self, server: Server) -> None:
        """Show what is known of the server."""
        self.test.setEnabled(True)
        found = server if isinstance(server, ServerFound) else None
        self.models.show_found(found, self._settings.settings.ollama.num_ctx)
        self.table.setVisible(bool(found and found.models))
        self._fit()
        if found is not None:
            self._show_found(found)
        elif isinstance(server, ServerAbsent):
            self.state.setText(translate_message(server.what))
            without = self.tr("Without a language model, answers are quotes from your documents.")
            self.advice.setText(join_sentences(translate_message(server.remedy), without))
        else:
            self.state.setText(self.tr("Looking for Ollama…"))
            self.advice.setText("")
        self.advice.setVisible(bool(self.advice.text()))

    def _show_found(self, found: ServerFound) -> None:
        text = self.tr(
            "Ollama %1 answers at %2 within %3 ms, with %n model(s).", "", len(found.models)
        )
        text = text.replace("%1", found.version).replace("%2", found.url)
        if not found.is_here:
            text = join_sentences(text, self.tr("It is another computer."))
        self.state.setText(text.replace("%3", f"{found.latency_ms:,}"))
        self._show_cost()

    @Slot()
    def _show_cost(self) -> None:
        """Say what the context takes of the memory, for the model that answers."""
        found = self._ollama.server
        if not isinstance(found, ServerFound):
            return
        settings = self._settings.settings.ollama
        able = [each for each in found.models if each.can_chat]
        here = [each for each in able if not each.runs_elsewhere]
        chosen = [each for each in able if each.name == settings.model] or here[:1]
        if not found.models:
            self.advice.setText(self.tr("It has no model yet: fetch one below."))
        else:
            self.advice.setText(self._advice(chosen[0]) if chosen else self._no_answers())
        self.advice.setVisible(bool(self.advice.text()))

    def _no_answers(self) -> str:
        return self.tr("None of its models can answer: fetch one below, or allow one in a cloud.")

    def _advice(self, model: InstalledModel) -> str:
        """Say which model answers where that is another than chosen, and what its context costs."""
        wanted, context = self._settings.settings.ollama.model, model.context_length
        absent = short = ""
        if wanted not in ("", model.name):
            absent = self.tr("%1 is not among its models: %2 answers.")
            absent = fill(absent, wanted, model.name)
        if context and self._settings.settings.ollama.num_ctx > context:
            short = self.tr("%1 was made for %2 tokens of context; it gets no more.")
            short = fill(short, model.name, f"{context:,}")
        return join_sentences(absent, short, self._cost(model))

    def _cost(self, model: InstalledModel) -> str:
        if not model.token_bytes:
            return ""
        wanted = self._settings.settings.ollama.num_ctx
        context = min(wanted, model.context_length or wanted)
        text = self.tr("%1 takes about %2 of memory; a context of %3 tokens takes about %4 more.")
        more = byte_text(context * model.token_bytes)
        return fill(text, model.name, byte_text(model.size), f"{context:,}", more)

    @Slot(object)
    def _look_again(self) -> None:
        """Look at another address when there is one."""
        host = self._settings.settings.ollama.host
        if host != self._host:
            self._host = host
            self._ollama.look()

    def _fit(self) -> None:
        """Make the table as high as its rows."""
        rows = min(_MOST_ROWS, self.models.rowCount())
        header = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(
            header + rows * self.table.verticalHeader().defaultSectionSize() + 6
        )

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.state, 1)
        top.addWidget(self.test, 0, Qt.AlignmentFlag.AlignTop)
        table = self.table
        table.setObjectName("list")
        table.setModel(self.models)
        table.setAccessibleName(self.tr("Models of Ollama"))
        table.setSelectionMode(QTableView.SelectionMode.NoSelection)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(STATE, QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(50)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.setWordWrap(False)
        self.column.addLayout(top)
        self.column.addWidget(self.advice)
        self.column.addWidget(table)
