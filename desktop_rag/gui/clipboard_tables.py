"""Tables for the clipboard: tabs for a spreadsheet, HTML for a text program; no formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextCursor, QTextDocument, QTextDocumentFragment, QTextFrame, QTextTable

from desktop_rag.core.formula_escape import beginnings, escape_formula


def as_table(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows in both forms."""
    made = QMimeData()
    made.setText("\n".join("\t".join(map(_plain, row)) for row in rows) + "\n")
    made.setHtml(f"<table>{''.join(map(_row, rows))}</table>")
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


def _plain(cell: str) -> str:
    return escape_formula(" ".join(cell.split()))


def _row(cells: Sequence[str]) -> str:
    told = (escape(escape_formula(cell)).replace("\n", "<br>") for cell in cells)
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in told)}</tr>"


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
