"""The passages that lie behind what is chosen in a drawing, to be opened one by one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_rag.core.derived_events import SourcePassage
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.derived_texts import document_of_source
from desktop_rag.gui.display_text import join_details, locator_text

_SHOWN = 150  # characters of a passage


class PassageList(QListWidget):
    """Lists passages by their place and first words; `passage_asked` carries an `OpenDocument`."""

    passage_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setSpacing(3)
        self.setAccessibleName(self.tr("Passages"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._open)
        self.itemActivated.connect(self._open)

    def show_passages(self, passages: Sequence[SourcePassage]) -> None:
        """List other passages."""
        self.clear()
        for each in passages:
            words = " ".join(each.text[: 2 * _SHOWN].split())
            short = words if len(words) <= _SHOWN else f"{words[:_SHOWN].rstrip()}…"
            place = join_details(each.title, locator_text(each.place))
            item = QListWidgetItem(f"{sanitize_name(place)}\n{sanitize_name(short)}", self)
            item.setData(Qt.ItemDataRole.UserRole, each)

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem) -> None:
        passage = item.data(Qt.ItemDataRole.UserRole)
        if isinstance(passage, SourcePassage):
            self.passage_asked.emit(document_of_source(passage))
