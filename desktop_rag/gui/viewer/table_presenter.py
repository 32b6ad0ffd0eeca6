"""A document as its tables: which one is shown, which rows are marked, what is found in them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from desktop_rag.core.types import Locator
from desktop_rag.gui.clipboard_tables import table_mime
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.reading_places import ReadingPlace
from desktop_rag.gui.controllers.table_outline import (
    CellArea,
    CellHit,
    CellHits,
    DocumentTables,
    TableOutline,
    TableRows,
)
from desktop_rag.gui.controllers.table_texts import TableTexts
from desktop_rag.gui.controllers.viewer import ViewerController
from desktop_rag.gui.display_text import fill
from desktop_rag.gui.viewer.search_hits import SearchHits
from desktop_rag.gui.viewer.table_view import DocumentTableView, used_text

Place = tuple[int, int]
"""A table's number, and a row of it."""


class TablePresenter(QObject):
    """`counted` says that words were found, `shown` that a table is there, or another mark.

    `empty` says that the document turned out to have no table.
    """

    counted = Signal()
    shown = Signal()
    empty = Signal()

    def __init__(self, view: DocumentTableView, reader: ViewerController) -> None:
        super().__init__(view)
        self.view = view
        self.found: SearchHits[CellHit] = SearchHits()
        self._reader = reader
        self._opened: OpenDocument | None = None
        self._tables: tuple[TableOutline, ...] = ()
        self._marked: tuple[Place, ...] = ()
        self._current: Place | None = None
        self._left: ReadingPlace | None = None  # until it is gone to
        reader.tables_came.connect(self._take_tables)
        reader.rows_came.connect(self._take_rows)
        reader.cells_found.connect(self._take_hits)
        reader.copied.connect(self._take_copy)
        view.rows_wanted.connect(self._want)
        view.chosen.connect(self._choose)
        view.cells.copy_asked.connect(self._copy)

    @property
    def widget(self) -> QWidget:
        """What shows it."""
        return self.view

    def open(self, opened: OpenDocument, left: ReadingPlace) -> None:
        """Show a document's table at its current mark, else where it was left.

        The tables of the same document stay.
        """
        self._left = left
        before, self._opened = self._opened, opened
        if before is not None and self._tables and _same(before, opened):
            self._left = None
            self._mark()
            return
        self.found.begin()
        self._tables, self._marked, self._current = (), (), None
        self.view.show_tables(())
        self._reader.want_tables(opened)

    def leave(self) -> None:
        """Let go of the document."""
        self._opened, self._tables = None, ()
        self._marked, self._current = (), None
        self.view.show_tables(())

    def left_at(self, place: ReadingPlace) -> ReadingPlace:
        """Return a place with what is looked at now."""
        outline = self.view.model.outline
        if self._opened is None or outline is None or self._left is not None:
            return place
        view = self.view
        return replace(place, table=outline.index, row=view.row, column=view.column)

    def find(self, words: str) -> None:
        """Look for words in all cells of all tables."""
        self.found.begin()
        self.found.done = not words
        self._tell()
        if self._opened is not None and words:
            self._reader.want_cells(self._opened, self._tables, words)

    def step(self, by: int) -> None:
        """Go to the next place that was found, or back."""
        self.found.step(by)
        self._show_hit()
        self._tell()

    @property
    def marks(self) -> tuple[int, int]:
        """Which mark is the current one, from 0, and how many there are."""
        at = 0 if self._current is None else bisect_left(self._marked, self._current)
        return min(at, max(0, len(self._marked) - 1)), len(self._marked)

    def step_mark(self, by: int) -> None:
        """Go to the next marked row, or back, around at the ends."""
        if self._marked:
            at, count = self.marks
            self._current = self._marked[(at + by) % count]
            self._show_mark()

    @Slot(object)
    def _take_tables(self, came: DocumentTables) -> None:
        if self._opened is None or came.document_id != self._opened.document_id:
            return
        if not came.tables:
            self.empty.emit()
            return
        self._tables = came.tables
        self.view.show_tables(came.tables)
        self._mark()

    def _mark(self) -> None:
        """Mark what the document says, and go to the current mark."""
        if self._opened is None:
            return
        mark = self._opened.mark
        marked = set(_marked_rows(self._opened, self._tables))
        self._marked = tuple(sorted(marked))
        cited = [] if mark is None else list(_rows_of(self._tables, [mark]))
        known = [each for each in cited if each in marked] or cited or self._marked
        self._current = known[0] if known else None
        self._show_mark()

    def _show_mark(self) -> None:
        """Show the current mark; without one, where the document was left when it is opened."""
        left, self._left = self._left, None
        if self._current is not None:
            self._show_table(self._current[0])
            self.view.show_row(self._current[1])
        elif left is not None and left.table < len(self._tables):
            self._show_table(left.table)
            self.view.show_corner(left.row, left.column)
        else:
            shown = self.view.model.outline
            self._show_table(0 if shown is None else shown.index)
        self.shown.emit()

    def _show_table(self, number: int) -> None:
        """Show a table with what is marked in it; it stays where it is if it is there already."""
        outline = self._tables[number]
        if self.view.model.outline is not outline:
            self.view.show_table(outline)
            self.view.model.set_hits(self.found.places, self.found.current)
        rows = {row for table, row in self._marked if table == number}
        table, row = self._current or (-1, -1)
        is_by_column = outline.used is not None and not outline.used.by_row
        self.view.model.mark(set() if is_by_column else rows, row if table == number else -1)
        self.view.say("" if outline.used is None else used_text(outline.used))

    def _show_hit(self) -> None:
        hit = self.found.current
        if hit is not None:
            self._show_table(hit.table)
            self.view.show_row(hit.row, hit.column)

    def _tell(self) -> None:
        self.view.model.set_hits(self.found.places, self.found.current)
        self.counted.emit()

    @Slot(object)
    def _choose(self, number: int) -> None:
        """Show the table that was picked, at its first mark."""
        outline = self.view.model.outline
        if outline is not None and outline.index != number:
            self._current = next((each for each in self._marked if each[0] == number), None)
            self._show_table(number)
            if self._current is not None:
                self.view.show_row(self._current[1])
            self.shown.emit()

    @Slot(object)
    def _want(self, rows: range) -> None:
        outline = self.view.model.outline
        if self._opened is not None and outline is not None:
            self._reader.want_rows(self._opened, outline, rows)

    @Slot(object)
    def _take_rows(self, came: TableRows) -> None:
        outline = self.view.model.outline
        is_ours = self._opened is not None and came.document_id == self._opened.document_id
        if is_ours and outline is not None and outline.index == came.table:
            self.view.add(came)
            self.shown.emit()

    @Slot(object)
    def _take_hits(self, came: CellHits) -> None:
        """Go to the first place after what is read, as soon as it is known."""
        outline = self.view.model.outline
        if outline is None:
            return
        here = (outline.starts[self.view.row] if outline.size else 0, 0)
        before = self.found.current
        self.found.add(list(came.places), done=came.done)
        if self.found.places and (before is None or before.order < here):
            self.found.prefer(here)
        if self.found.current is not before:
            self._show_hit()
        self._tell()

    @Slot(object)
    def _copy(self, area: CellArea) -> None:
        outline = self.view.model.outline
        if self._opened is not None and outline is not None:
            self._reader.want_copy(self._opened, outline, area)

    @Slot(object)
    def _take_copy(self, texts: TableTexts) -> None:
        QGuiApplication.clipboard().setMimeData(table_mime(texts))
        if texts.left_out:
            said = self.tr("Too many cells were selected: %1 rows were not copied.")
            self.view.say(fill(said, f"{texts.left_out:,}"))


def _marked_rows(opened: OpenDocument, tables: Sequence[TableOutline]) -> list[Place]:
    """Return the rows that are marked: those that a result was made from, where they are told.

    Where columns are marked in their place, it is the rows that are quoted.
    """
    used = [each for each in tables if each.used is not None]
    if any(each.used is not None and each.used.by_row for each in used):
        return [(t.index, row) for t in used if t.used is not None for row in t.used.rows]
    return list(_rows_of(tables, opened.marks))


def _rows_of(tables: Sequence[TableOutline], marks: Iterable[Locator]) -> Iterator[Place]:
    """Yield the rows that marks touch; of one that is above a table's rows, the first of them."""
    for mark in marks:
        if mark.start is None or mark.end is None:
            continue
        start, end = mark.start, mark.end
        found = [(each.index, row) for each in tables for row in each.rows_in(start, end)]
        below = [each for each in tables if each.size and each.starts[-1] >= end]
        if not found and below:
            found = [(below[0].index, bisect_left(below[0].starts, end))]
        yield from found


def _same(one: OpenDocument, other: OpenDocument) -> bool:
    """Say whether two are one reading of one file, and of one answer."""
    return (one.path, one.document_id, one.used) == (other.path, other.document_id, other.used)
