"""The parts of Ollama's page: fetching a model, the models that are there, and the server.

A model is fetched by its name or chosen from those that suit this computer, with progress and a
stop. The table says what each installed model is, and whether it is loaded, with how much context.
The server's card says whether Ollama answers, and what its context costs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QTableView,
    QWidget,
)

from desktop_rag.gui.controllers.ollama import (
    Download,
    OllamaController,
    Pulled,
    Pulling,
    Server,
    ServerAbsent,
    ServerFound,
    best_suggestion,
    suggestions,
)
from desktop_rag.gui.controllers.settings import SettingsController
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.cards import TitledCard, byte_text, text_label
from desktop_rag.gui.widgets.tooltips import tip

if TYPE_CHECKING:
    from desktop_rag.core.ollama_records import InstalledModel, Suggestion

_PERMILLE = 1000
_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
PARAMETERS, CONTEXT, STATE = 1, 3, 4
_MOST_ROWS = 6
_ROOMY = 520  # pixels that all columns need


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
        self.elsewhere = text_label(
            self.tr("The server that answers fetches no models from here: load them in it."), "note"
        )
        self.elsewhere.hide()
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
        there = isinstance(server, ServerFound) and server.is_ollama
        names = {each.name for each in server.models} if isinstance(server, ServerFound) else set()
        is_other = isinstance(server, ServerFound) and not server.is_ollama
        self.elsewhere.setVisible(is_other)
        for row in self.offered:
            row.setVisible(not is_other)
        self._show_possible(possible=there and not isinstance(self._ollama.download, Pulling))
        for row in self.offered:
            row.show_there(is_there=bool({row.name, f"{row.name}:latest"} & names))

    @Slot(object)
    def show_download(self, download: Download) -> None:
        """Show how far the download is, or how it ended."""
        running = isinstance(download, Pulling)
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        server = self._ollama.server
        there = isinstance(server, ServerFound) and server.is_ollama
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
        self.column.addWidget(self.elsewhere)
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


class OllamaModelTable(QAbstractTableModel):
    """A row for each installed model."""

    def __init__(self) -> None:
        super().__init__()
        self._found: ServerFound | None = None
        self._wanted = 0

    def show_found(self, found: ServerFound | None, wanted_context: int) -> None:
        """Show what a server has; `wanted_context` is what the settings ask for."""
        self.beginResetModel()
        self._found, self._wanted = found, wanted_context
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt's
        """Return how many there are."""
        return 0 if parent.isValid() or self._found is None else len(self._found.models)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt's
        """Return how many columns there are."""
        return 0 if parent.isValid() else 5

    def headerData(  # noqa: N802 - Qt's
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the columns' names."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (
            self.tr("Model"),
            self.tr("Parameters"),
            self.tr("On disk"),
            self.tr("Context"),
            self.tr("State"),
        )[section]

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell."""
        if not index.isValid() or self._found is None:
            return None
        model = self._found.models[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cells(model)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(self._tip(model, index.column()))
        return None

    def _cells(self, model: InstalledModel) -> tuple[str, ...]:
        context = model.context_length
        tokens = f"{context:,}" if context else ""
        size = byte_text(model.size) if model.size else ""
        return model.name, model.parameters, size, tokens, self._state(model)

    def _tip(self, model: InstalledModel, column: int) -> str:
        """Say in full what a cell may have cut, or what its number means."""
        if column == CONTEXT and model.context_length:
            text = self.tr("Tokens of context that the model was made for")
            return f"{text}: {model.context_length:,}"
        return self._cells(model)[column]

    def _state(self, model: InstalledModel) -> str:
        if model.runs_elsewhere:
            return self.tr("runs at %1").replace("%1", model.cloud)
        running = [] if self._found is None else self._found.running
        loaded = [each for each in running if each.name == model.name]
        if not loaded:
            return "" if model.can_chat else self.tr("for embedding")
        context = loaded[0].context_length
        if not context:
            return self.tr("loaded")
        wanted = min(self._wanted, model.context_length or self._wanted)
        if model.can_chat and context < wanted:
            short = self.tr("loaded with %1 of %2")
            return short.replace("%1", f"{context:,}").replace("%2", f"{wanted:,}")
        return self.tr("loaded with %1").replace("%1", f"{context:,}")


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
        text = self.tr("%1 answers at %2 within %3 ms, with %n model(s).", "", len(found.models))
        text = text.replace("%1", found.name).replace("%2", found.url)
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
            self.advice.setText(self._no_model(found))
        else:
            self.advice.setText(self._advice(chosen[0]) if chosen else self._no_answers())
        self.advice.setVisible(bool(self.advice.text()))

    def _no_model(self, found: ServerFound) -> str:
        if not found.is_ollama:
            return self.tr("No model is loaded in it: load one there, then press Test.")
        return self.tr("It has no model yet: fetch one below.")

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
