"""Tables and selected text for the clipboard: HTML beside the plain form; no formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument, QTextFrame, QTextTable

from desktop_rag.core.formula_escape import beginnings
from desktop_rag.gui.controllers.table_texts import TableTexts, table_texts
from desktop_rag.gui.selection_html import clipboard_html, document_html, list_of


def as_table(rows: Sequence[Sequence[str]]) -> QMimeData:
    """Return rows in both forms."""
    return table_mime(table_texts(rows))


def table_mime(texts: TableTexts) -> QMimeData:
    """Return texts of a table as what is put on the clipboard."""
    made = QMimeData()
    made.setText(texts.plain)
    made.setHtml(texts.html)
    return made


def selection_mime(selection: QTextCursor) -> QMimeData:
    """Return what is selected of a text, as text and as HTML without the window's looks.

    The plain form stays letter by letter what was selected; the other is what spreadsheets take.
    """
    made = QMimeData()
    made.setText(selection.selection().toPlainText())
    made.setHtml(clipboard_html([inert_html(selection)]))
    return made


def inert_html(selection: QTextCursor, citation: str = "") -> str:
    """Return what is selected as HTML, no cell a formula; for `citation` see `document_html`."""
    document = QTextDocument()
    QTextCursor(document).insertFragment(selection.selection())
    _restore_first_block(document, selection)
    for table in _tables(document.rootFrame()):
        for cursor in _lines(table):
            _make_inert(cursor)
    return document_html(document, citation)


def _restore_first_block(document: QTextDocument, selection: QTextCursor) -> None:
    """Let the first paragraph be what it was: Qt puts its letters into one that is there."""
    origin = selection.document().findBlock(selection.selectionStart())
    cursor = QTextCursor(document)
    if _is_in_table(cursor) or origin.contains(selection.selectionEnd()):
        return
    listed = list_of(origin)
    if listed is not None:
        cursor.createList(listed.format())
    elif origin.blockFormat().headingLevel():
        look = QTextBlockFormat()
        look.setHeadingLevel(origin.blockFormat().headingLevel())
        cursor.setBlockFormat(look)


def _is_in_table(cursor: QTextCursor) -> bool:
    return cursor.currentTable() is not None


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
