"""Text set as a document: headings, paragraphs, real tables; every character's place is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
    QTextTableFormat,
)

from desktop_rag.core.types import BlockKind
from desktop_rag.gui.controllers.open_document import DocumentLine, DocumentTable, DocumentText
from desktop_rag.gui.theme import Theme

_GAP = 7
_LINE_PERCENT = 135


@dataclass(frozen=True, slots=True)
class _Set:
    """A run of characters that stand together: its range in the text, its position, its text."""

    start: int
    end: int
    position: int
    text: str


class DocumentWriter:
    """Fills a `QTextDocument` with stretches of text that follow each other."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        self._document = document
        self._theme = theme
        self._runs: list[_Set] = []
        self._starts: list[int] = []
        self._plain, self._faint = _letters(bold=False), _letters(bold=False)
        self.start = self.end = 0

    def clear(self) -> None:
        """Take everything out."""
        self._runs, self._starts = [], []
        self.start = self.end = 0
        self._document.clear()

    def begin(self, text: DocumentText) -> None:
        """Show a stretch alone."""
        self.clear()
        self.start = text.start
        self.end = text.start
        self.append(text)

    def append(self, text: DocumentText) -> None:
        """Add the stretch that follows."""
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._runs += self._set(cursor, text, joining=self.end > self.start)
        self.end = text.end
        self._index()

    def prepend(self, text: DocumentText) -> None:
        """Add the stretch that comes before."""
        before = self._document.characterCount()
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        cursor.insertBlock()
        cursor.setPosition(0)
        cursor.setBlockFormat(QTextBlockFormat())
        made = self._set(cursor, text, joining=False)
        cursor.endEditBlock()
        moved = self._document.characterCount() - before
        self._runs = made + [replace(run, position=run.position + moved) for run in self._runs]
        self.start = text.start
        self._index()

    def cursors(self, start: int, end: int) -> Iterator[QTextCursor]:
        """Yield a cursor over each run that a range of the text touches.

        Qt counts UTF-16 units, the catalog characters.
        """
        at = max(0, bisect_right(self._starts, start) - 1)
        for run in self._runs[at:]:
            if run.start >= end:
                return
            first, last = max(start, run.start) - run.start, min(end, run.end) - run.start
            if first < last:
                cursor = QTextCursor(self._document)
                cursor.setPosition(run.position + _units(run.text[:first]))
                length = _units(run.text[first:last])
                keep = QTextCursor.MoveMode.KeepAnchor
                cursor.setPosition(cursor.position() + length, keep)
                yield cursor

    def offset(self, position: int) -> int:
        """Return the place in the text of a position of the document, or of what is before it."""
        positions = [run.position for run in self._runs]
        at = bisect_right(positions, position) - 1
        if at < 0:
            return self.start
        run = self._runs[at]
        return min(run.end, run.start + position - run.position)

    def _index(self) -> None:
        self._runs = [run for run in self._runs if run.end > run.start]
        self._starts = [run.start for run in self._runs]

    def _set(self, cursor: QTextCursor, text: DocumentText, *, joining: bool) -> list[_Set]:
        self._faint.setForeground(QBrush(self._theme.colors.of("muted")))
        cursor.beginEditBlock()
        made: list[_Set] = []
        fresh = not joining  # whether the cursor stands in an empty block that may be used
        for block in text.blocks:
            if isinstance(block, DocumentTable):
                made += self._set_table(cursor, text, block, fresh=fresh)
                fresh = True
            else:
                made.append(self._set_line(cursor, text, block, fresh=fresh))
                fresh = False
        cursor.endEditBlock()
        return made

    def _set_line(
        self, cursor: QTextCursor, text: DocumentText, line: DocumentLine, *, fresh: bool
    ) -> _Set:
        said = text.text[line.start - text.start : line.end - text.start]
        heading = line.kind is BlockKind.HEADING
        shape = _paragraph(heading=heading) if said.strip() else _empty()
        letters = _title() if heading else _letters(bold=False)
        if fresh:
            cursor.setBlockFormat(shape)
            cursor.setBlockCharFormat(letters)
        else:
            cursor.insertBlock(shape, letters)
        position = cursor.position()
        cursor.insertText(said, letters)
        return _Set(line.start, line.end, position, said)

    def _set_table(
        self, cursor: QTextCursor, text: DocumentText, table: DocumentTable, *, fresh: bool
    ) -> Iterator[_Set]:
        if table.caption:
            self._set_caption(cursor, table.caption, fresh=fresh)
            fresh = False
        if not fresh:
            cursor.insertBlock(_empty(), _letters(bold=False))
        numbered = any(row.number is not None for row in table.rows)
        most = max((cell.column + 1 for row in table.rows for cell in row.cells), default=1)
        columns = max(most, len(table.names)) + numbered
        headed = bool(table.names) and not table.headed
        made = cursor.insertTable(len(table.rows) + headed, columns, self._format())
        for column, name in enumerate(table.names if headed else ()):
            self._write(made, (0, column + numbered), name, faint=True)
        for at, row in enumerate(table.rows, start=int(headed)):
            if numbered and row.number is not None:
                self._write(made, (at, 0), str(row.number), faint=True)
            faint = table.headed and row is table.rows[0]
            for cell in row.cells:
                said = text.text[cell.start - text.start : cell.end - text.start]
                place = (at, cell.column + numbered)
                yield _Set(cell.start, cell.end, self._write(made, place, said, faint=faint), said)
        cursor.setPosition(made.lastPosition() + 1)

    def _set_caption(self, cursor: QTextCursor, caption: str, *, fresh: bool) -> None:
        if not fresh:
            cursor.insertBlock()
        cursor.setBlockFormat(_paragraph(heading=True))
        cursor.insertText(caption, _letters(bold=True))

    def _write(self, table: QTextTable, at: tuple[int, int], said: str, *, faint: bool) -> int:
        cursor = table.cellAt(*at).firstCursorPosition()
        position = cursor.position()
        cursor.insertText(said, self._faint if faint else self._plain)
        return position

    def _format(self) -> QTextTableFormat:
        """Return the look of a table: a thin line around every cell."""
        made = QTextTableFormat()
        made.setBorder(1)
        made.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
        made.setBorderBrush(QBrush(self._theme.colors.of("border")))
        made.setBorderCollapse(True)
        made.setCellPadding(5)
        made.setCellSpacing(0)
        made.setTopMargin(4)
        made.setBottomMargin(8)
        return made


def _paragraph(*, heading: bool) -> QTextBlockFormat:
    made = QTextBlockFormat()
    kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    made.setLineHeight(_LINE_PERCENT, kind)
    made.setTopMargin(10 if heading else 0)
    made.setBottomMargin(4)
    return made


def _empty() -> QTextBlockFormat:
    """Return the format of an empty line: half as high as a line with text."""
    made = QTextBlockFormat()
    made.setLineHeight(_GAP, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    return made


def _letters(*, bold: bool) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFontWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return made


def _title() -> QTextCharFormat:
    """Return the format of a heading: bold, and a step larger."""
    made = _letters(bold=True)
    made.setProperty(QTextFormat.Property.FontSizeAdjustment, 1)
    return made


def _units(text: str) -> int:
    """Return a text's length in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def mark_format(color: str) -> QTextCharFormat:
    """Return the format of marked text: dark on a marker's colour, whatever the theme."""
    made = QTextCharFormat()
    made.setBackground(QColor(color))
    made.setForeground(QColor("#1d2321"))
    return made
