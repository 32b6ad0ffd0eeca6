"""What was derived from a document, as a tree: texts over texts, passages at the bottom.

Children are made when their parent is opened; passages are asked for then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import DerivedOutline, SourcePassage
from desktop_rag.core.types import ChunkId, DerivedId
from desktop_rag.gui.controllers.derived_texts import SourcePassages
from desktop_rag.gui.display_text import fill, locator_text

_Index = QModelIndex | QPersistentModelIndex
_LONGEST = 160  # characters of a text in its row
_NOWHERE = QModelIndex()


@dataclass(eq=False, slots=True)
class DerivedNode:
    """A row: a derived text or a passage. `children` is None while nobody opened it."""

    content: DerivedText | SourcePassage
    parent: DerivedNode | None
    row: int
    children: list[DerivedNode] | None = None
    is_waiting: bool = field(default=False)


class DerivedTreeModel(QAbstractItemModel):
    """Rows of `DerivedNode`s; `passages_wanted` carries the `DerivedText` that was opened."""

    passages_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title = ""
        self._texts: dict[DerivedId, DerivedText] = {}
        self._tops: list[DerivedNode] = []
        self._waiting: dict[tuple[ChunkId, ...], list[DerivedNode]] = {}

    def show_outline(self, outline: DerivedOutline | None, title: str = "") -> None:
        """Show another document's texts, without its title in each row; None shows nothing."""
        self._title = title
        self.beginResetModel()
        texts = () if outline is None else outline.texts
        self._texts = {each.derived_id: each for each in texts}
        self._waiting.clear()
        tops = () if outline is None else outline.tops
        self._tops = [DerivedNode(self._texts[each], None, at) for at, each in enumerate(tops)]
        self.endResetModel()

    def take_passages(self, came: SourcePassages) -> None:
        """Put the passages under each row of a text that was made of them."""
        for node in self._waiting.pop(came.chunks, []):
            node.is_waiting = False
            self._insert(node, list(came.passages))

    def node(self, index: _Index) -> DerivedNode | None:
        """Return the row's node; None outside of all rows."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, DerivedNode) else None

    def index(self, row: int, column: int, parent: _Index = _NOWHERE) -> QModelIndex:
        """Return the index of a row."""
        rows = self._rows(parent)
        if column or not 0 <= row < len(rows):
            return QModelIndex()
        return self.createIndex(row, 0, rows[row])

    def parent(self, index: _Index = _NOWHERE) -> QModelIndex:  # type: ignore[override]
        """Return what a row stands under."""
        node = self.node(index)
        above = None if node is None else node.parent
        return QModelIndex() if above is None else self.createIndex(above.row, 0, above)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt's
        """Return how many rows stand under one."""
        return len(self._rows(parent))

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: ARG002, N802 - Qt's
        """Return one."""
        return 1

    def hasChildren(self, parent: _Index = _NOWHERE) -> bool:  # noqa: N802 - Qt's
        """Tell whether a row can be opened; only passages cannot."""
        node = self.node(parent)
        if node is None:
            return bool(self._tops)
        is_text = isinstance(node.content, DerivedText)
        return is_text if node.children is None else bool(node.children)

    def canFetchMore(self, parent: _Index) -> bool:  # noqa: N802 - Qt's
        """Tell whether a row was not opened yet."""
        node = self.node(parent)
        if node is None or node.is_waiting or not isinstance(node.content, DerivedText):
            return False
        return node.children is None

    def fetchMore(self, parent: _Index) -> None:  # noqa: N802 - Qt's
        """Make the rows under one that is opened, or ask for them."""
        node = self.node(parent)
        if node is None or not isinstance(node.content, DerivedText):
            return
        text = node.content
        if text.children:
            known = [self._texts[each] for each in text.children if each in self._texts]
            known.sort(key=lambda each: min(each.sources, default=0))
            self._insert(node, known)
            return
        node.is_waiting = True
        others = self._waiting.setdefault(text.sources, [])
        others.append(node)
        if len(others) == 1:
            self.passages_wanted.emit(text)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row's text, shortened; what a screen reader says of it has its kind before."""
        node = self.node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.line(node)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self.kind(node.content)}. {self.line(node)}"
        return None

    def line(self, node: DerivedNode) -> str:
        """Return a row's text on one line."""
        words = " ".join(node.content.text[: 4 * _LONGEST].split())
        words = words.removeprefix(f"{self._title}: ")
        short = words if len(words) <= _LONGEST else f"{words[:_LONGEST].rstrip()}…"
        if isinstance(node.content, SourcePassage):
            where = locator_text(node.content.place)
            return f"{where} · {short}" if where else short
        return short

    def kind(self, content: DerivedText | SourcePassage) -> str:
        """Return what a row is: a passage, or a text of a layer and what it was made of."""
        if isinstance(content, SourcePassage):
            return fill(self.tr("Passage, %1"), locator_text(content.place))
        made_of = self.tr("made of %n passage(s)", "", len(content.sources))
        if content.children:
            below = self.tr("made of %n text(s)", "", len(content.children))
            return f"{fill(self.tr('Layer %1'), str(content.level))} · {below}"
        if content.level:
            return f"{fill(self.tr('Layer %1'), str(content.level))} · {made_of}"
        return made_of

    def _rows(self, parent: _Index) -> list[DerivedNode]:
        node = self.node(parent)
        return self._tops if node is None else node.children or []

    def _insert(self, node: DerivedNode, contents: Sequence[DerivedText | SourcePassage]) -> None:
        made = [DerivedNode(each, node, at) for at, each in enumerate(contents)]
        if made:
            self.beginInsertRows(self.createIndex(node.row, 0, node), 0, len(made) - 1)
            node.children = made
            self.endInsertRows()
        else:
            node.children = []
