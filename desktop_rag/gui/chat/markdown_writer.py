"""Writing an answer's Markdown into a text document: prose, tables, code, and only good links.

Qt reads the Markdown. What it made is looked through afterwards: a link that is neither one of our
citations nor a web address becomes plain words, and a picture is taken out, however either was
written. Our citations are told from forged ones by an address that no answer can guess.
"""

from __future__ import annotations

import secrets
from collections.abc import Container, Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
)

from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.chat.markdown_blocks import MarkdownBlock
from desktop_rag.gui.chat.safe_markdown import CITE, is_web, sanitize_markdown
from desktop_rag.gui.chat.text_style import (
    LINE_HEIGHT,
    PROPORTIONAL,
    SMALL,
    TurnStyle,
    collapse_paragraph,
    paragraph,
)
from desktop_rag.gui.chat.transcript_links import CODE, TABLE

_QUOTED = QTextFormat.Property.BlockQuoteLevel.value
_QUOTE_INDENT = 20  # pixels
_OURS = f"cite-{secrets.token_hex(12)}:"
_FEATURES = QTextDocument.MarkdownFeature
_SAFE = _FEATURES.MarkdownDialectGitHub | _FEATURES.MarkdownNoHTML
_ROOMY = 8  # columns; more of them have their cells narrower


@dataclass(slots=True)
class BlockCounts:
    """How many pieces of code and tables were written before."""

    code: int = 0
    table: int = 0


class MarkdownWriter:
    """Writes pieces at the end of a turn's frame; `known` are the numbers that have a source."""

    def __init__(
        self, frame: QTextFrame, look: TurnStyle, known: Container[int], turn: int
    ) -> None:
        self._frame = frame
        self._look = look
        self._known = known
        self._turn = turn

    def write(self, piece: MarkdownBlock, count: BlockCounts, *, finished: bool) -> None:
        """Write one piece; the link to copy it works once it is `finished`, and stands there."""
        if piece.kind == "code":
            self._code(piece, count.code, finished=finished)
            count.code += 1
            return
        self._markdown(piece.text)
        if piece.kind == "table":
            self._table_link(count.table, finished=finished)
            count.table += 1

    def _markdown(self, text: str) -> None:
        """Have Qt read Markdown, look through what it made of it, and put that at the end.

        That is done aside: within the change of a document Qt does not know its tables yet.
        """
        aside = QTextDocument()
        aside.setDefaultFont(self._look.font)
        aside.setMarkdown(sanitize_markdown(text, self._known, _OURS), _SAFE)
        self._tidy(aside)
        cursor = self._frame.lastCursorPosition()
        cursor.insertBlock(paragraph(), self._look.chars("text"))
        begins = cursor.position()
        cursor.insertFragment(QTextDocumentFragment(aside))
        self._set_in(begins, aside.firstBlock().blockFormat())
        self._lower(begins)
        self._lower(self._frame.lastPosition())

    def _set_in(self, begins: int, first: QTextBlockFormat) -> None:
        """Set in a quotation or heading that comes first: its paragraph was there before it."""
        if first.hasProperty(_QUOTED) or first.headingLevel():
            cursor = self._frame.lastCursorPosition()
            cursor.setPosition(begins)
            cursor.setBlockFormat(first)

    def _lower(self, position: int) -> None:
        """Make the empty paragraph invisible that Qt wants before a list and behind a table."""
        cursor = self._frame.lastCursorPosition()
        cursor.setPosition(position)
        if not cursor.block().text():
            collapse_paragraph(cursor)

    def _tidy(self, aside: QTextDocument) -> None:
        """Look through the links, then give all our line height, headings, and tables."""
        for position, length, chars in reversed(list(_special(aside))):
            self._dress(_selected(aside, position, length), chars)
        block = aside.begin()
        table_end = 0
        while block.isValid():
            cursor = QTextCursor(block)
            table = _table_at(cursor)
            if table is None and block.text():
                self._line(cursor, first=block.position() == 0)
            elif table is None:
                collapse_paragraph(cursor)
            elif block.position() > table_end:
                self._table(table)
                table_end = table.lastPosition()
            block = block.next()

    def _line(self, cursor: QTextCursor, *, first: bool) -> None:
        lines = QTextBlockFormat()
        lines.setLineHeight(LINE_HEIGHT, PROPORTIONAL)
        lines.setBottomMargin(6)
        lines.setNonBreakableLines(False)
        if first:
            lines.setTopMargin(4)
        if level := cursor.blockFormat().intProperty(_QUOTED):
            lines.setLeftMargin(_QUOTE_INDENT * level)
            lines.setRightMargin(0)
        is_heading = bool(cursor.blockFormat().headingLevel())
        if is_heading:
            lines.setTopMargin(10)
        cursor.mergeBlockFormat(lines)
        if is_heading:
            self._heading(cursor)

    def _heading(self, cursor: QTextCursor) -> None:
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        chars = QTextCharFormat()
        chars.setFontPointSize(self._look.font.pointSizeF() * 1.12)
        chars.setFontWeight(QFont.Weight.DemiBold)
        chars.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
        cursor.mergeCharFormat(chars)

    def _dress(self, cursor: QTextCursor, found: QTextCharFormat) -> None:
        """Keep a citation or a web link, dressed; make anything else plain words, or nothing."""
        address = found.anchorHref()
        if found.isImageFormat():
            cursor.removeSelectedText()
        elif address.startswith(_OURS):
            cursor.mergeCharFormat(self._citation(address.removeprefix(_OURS)))
        elif is_web(address):
            chars = QTextCharFormat()
            chars.setFontUnderline(True)
            chars.setForeground(self._look.colors.of("accent_text"))
            chars.setToolTip(address)
            cursor.mergeCharFormat(chars)
        else:
            cursor.setCharFormat(self._look.chars("text"))

    def _citation(self, number: str) -> QTextCharFormat:
        chars = QTextCharFormat()
        chars.setAnchorHref(CITE + number)
        chars.setFontUnderline(False)
        chars.setForeground(self._look.colors.of("accent_text"))
        chars.setBackground(self._look.colors.of("soft"))
        chars.setFontPointSize(self._look.font.pointSizeF() * 0.82)
        chars.setFontWeight(QFont.Weight.DemiBold)
        return chars

    def _table(self, table: QTextTable) -> None:
        look = table.format()
        look.setBorder(1)
        look.setBorderCollapse(True)
        look.setBorderBrush(self._look.colors.of("border"))
        look.setCellPadding(5 if table.columns() <= _ROOMY else 2)
        look.setTopMargin(6)
        look.setBottomMargin(6)
        look.setWidth(QTextLength())
        table.setFormat(look)
        for row in range(table.rows()):
            for column in range(table.columns()):
                self._cell(table, row, column)

    def _cell(self, table: QTextTable, row: int, column: int) -> None:
        """Give a cell its lines, which a collapsed table does not pass on, and tight paragraphs."""
        cell = table.cellAt(row, column)
        lines = QTextTableCellFormat(cell.format().toTableCellFormat())
        lines.setBorder(1)
        lines.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        lines.setBorderBrush(self._look.colors.of("border"))
        if row == 0:
            lines.setBackground(self._look.colors.of("code"))
        cell.setFormat(lines)
        tight = QTextBlockFormat()
        tight.setBottomMargin(0)
        tight.setTopMargin(0)
        tight.setLineHeight(110, PROPORTIONAL)
        cell.firstCursorPosition().mergeBlockFormat(tight)

    def _table_link(self, number: int, *, finished: bool) -> None:
        cursor = self._frame.lastCursorPosition()
        under = paragraph(height=100)
        under.setBottomMargin(6)
        if cursor.block().text():
            cursor.insertBlock(under)
        cursor.setBlockFormat(under)
        address = f"{TABLE}{self._turn}.{number}" if finished else ""
        self._link(cursor, transcript_text.tr("Copy table"), address)

    def _link(self, cursor: QTextCursor, text: str, address: str) -> None:
        """Write a link, or without an address the place of one to come."""
        faint = self._look.chars("faint", SMALL)
        cursor.insertText(text, self._look.link(address) if address else faint)

    def _code(self, piece: MarkdownBlock, number: int, *, finished: bool) -> None:
        cursor = self._frame.lastCursorPosition()
        cursor.insertBlock(paragraph())
        collapse_paragraph(cursor)
        box = QTextFrameFormat()
        box.setBackground(QBrush(self._look.colors.of("code")))
        box.setPadding(8)
        box.setTopMargin(4)
        box.setBottomMargin(8)
        box.setLeftMargin(min(piece.indent, 16) * 5)
        inner = cursor.insertFrame(box).firstCursorPosition()
        head = paragraph(height=100)
        head.setAlignment(Qt.AlignmentFlag.AlignRight)
        inner.setBlockFormat(head)
        self._code_head(inner, piece, number, finished=finished)
        inner.insertBlock()
        inner.setBlockFormat(paragraph(height=125))
        inner.insertText(piece.text.replace("\n", "\u2028"), self._look.code())
        collapse_paragraph(self._frame.lastCursorPosition())

    def _code_head(
        self, cursor: QTextCursor, piece: MarkdownBlock, number: int, *, finished: bool
    ) -> None:
        lead = "   " if piece.language else ""
        cursor.insertText(piece.language + lead, self._look.chars("muted", SMALL))
        address = f"{CODE}{self._turn}.{number}" if finished else ""
        self._link(cursor, transcript_text.tr("Copy code"), address)


def _special(document: QTextDocument) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """Yield place, length and form of every link and picture."""
    block = document.begin()
    while block.isValid():
        each = block.begin()
        while not each.atEnd():
            chars = each.fragment().charFormat()
            if chars.isAnchor() or chars.isImageFormat():
                yield each.fragment().position(), each.fragment().length(), chars
            each += 1
        block = block.next()


def _table_at(cursor: QTextCursor) -> QTextTable | None:
    """Return the table a cursor is in; PySide's stubs do not know that there may be none."""
    return cursor.currentTable()


def _selected(document: QTextDocument, position: int, length: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor
