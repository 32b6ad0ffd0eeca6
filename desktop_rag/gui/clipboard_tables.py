"""Tables for the clipboard: tabs for a spreadsheet, HTML for a text program; no formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor, QTextDocument, QTextDocumentFragment, QTextFrame, QTextTable

from desktop_rag.core.formula_escape import beginnings
from desktop_rag.gui.controllers.table_texts import TableTexts, table_texts


def as_table(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows in both forms."""
    return table_mime(table_texts(rows))


def table_mime(texts: TableTexts) -> QMimeData:
    """Return texts of a table as what is put on the clipboard."""
    made = QMimeData()
    made.setText(texts.plain)
    made.setHtml(texts.html)
    return made


def selection_mime(selection: QTextDocumentFragment) -> QMimeData | None:
    """Return what is selected of a text with tables in it; None where there is none.

    The plain form stays letter by letter what was selected; the other is what spreadsheets take.
    """
    document = QTextDocument()
    QTextCursor(document).insertFragment(selection)
    tables = list(_tables(document.rootFrame()))
    if not tables:
        return None
    for table in tables:
        for cursor in _lines(table):
            _make_inert(cursor)
    made = QMimeData()
    made.setText(selection.toPlainText())
    made.setHtml(document.toHtml())
    return made


def _make_inert(cursor: QTextCursor) -> None:
    """Make the lines of a paragraph texts, its letters' looks left as they are."""
    start, text = cursor.block().position(), cursor.block().text()
    for at in reversed(beginnings(text)):
        cursor.setPosition(start + len(text[:at].encode("utf-16-le", "surrogatepass")) // 2)
        cursor.insertText("'")


def _tables(frame: QTextFrame) -> Iterator[QTextTable]:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from _tables(child)


def _lines(table: QTextTable) -> Iterator[QTextCursor]:
    """Yield the beginning of each paragraph in a table's cells."""
    for row in range(table.rows()):
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            cursor = cell.firstCursorPosition()
            yield QTextCursor(cursor)
            while cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
                if cursor.position() > cell.lastPosition():
                    break
                yield QTextCursor(cursor)
