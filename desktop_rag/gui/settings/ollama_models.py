"""Ollama's models as a table: what each is, and whether it is loaded, with how much context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from desktop_rag.gui.controllers.ollama import ServerFound
from desktop_rag.gui.widgets.cards import byte_text
from desktop_rag.gui.widgets.tooltips import tip

if TYPE_CHECKING:
    from desktop_rag.models.ollama import InstalledModel

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
PARAMETERS, CONTEXT, STATE = 1, 3, 4


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
