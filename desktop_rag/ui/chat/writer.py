"""Writing one turn of a conversation into a text document."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableCellFormat,
)

from desktop_rag.app.transcript import Failed, Running, Turn
from desktop_rag.ui.chat import phrases
from desktop_rag.ui.chat.markdown import CITE, STEPS, prepared
from desktop_rag.ui.theme import Colors

COPY = "copy:"
_FEATURES = QTextDocument.MarkdownFeature
_SAFE = _FEATURES.MarkdownDialectGitHub | _FEATURES.MarkdownNoHTML
_LINE_HEIGHT = 140


@dataclass(frozen=True, slots=True)
class Look:
    """Colours and the font that a turn is written in.

    Notices already told, and those that begin with `known` (what the banner says), are left out;
    the latter are among the steps.
    """

    colors: Colors
    font: QFont
    told: frozenset[str] = frozenset()
    known: str = ""

    def leaves_out(self, notice: str) -> bool:
        """Return whether the banner says what a notice says."""
        return bool(self.known) and notice.startswith(self.known)


class TurnWriter:
    """Writes a turn into its frame, which it empties first; returns the question's frame."""

    def __init__(self, frame: QTextFrame, turn: Turn, look: Look) -> None:
        self._turn = turn
        self._look = look
        self._cursor = emptied(frame)
        self._frame = frame

    def write(self, number: int, *, steps_open: bool) -> QTextFrame:
        """Write everything; `number` is the turn's, for its links."""
        question = self._question()
        self._notices()
        self._answer()
        self._footer(number, steps_open=steps_open)
        if steps_open:
            self._steps()
        return question

    def _question(self) -> QTextFrame:
        bubble = QTextFrameFormat()
        bubble.setPadding(11)
        bubble.setTopMargin(2)
        bubble.setBottomMargin(4)
        frame = self._cursor.insertFrame(bubble)
        inner = frame.firstCursorPosition()
        inner.setBlockFormat(_block(height=115))
        inner.insertText(self._turn.question, self._chars("text", weight=QFont.Weight.DemiBold))
        self._cursor = self._frame.lastCursorPosition()
        squash(self._cursor)
        return frame

    def _notices(self) -> None:
        for notice in self._turn.notices:
            if notice in self._look.told or self._look.leaves_out(notice):
                continue
            self._paragraph(notice, self._chars("muted", scale=0.92))

    def _answer(self) -> None:
        outcome = self._turn.outcome
        if self._turn.text:
            self._markdown(self._turn.text)
        elif isinstance(outcome, Running):
            self._paragraph(phrases.stage(outcome), self._chars("muted"))
        if isinstance(outcome, Failed):
            self._paragraph(outcome.what, self._chars("bad"))
            self._paragraph(outcome.remedy, self._chars("text"))

    def _markdown(self, text: str) -> None:
        known = range(1, len(self._turn.sources) + 1)
        self._cursor.insertBlock(_block(), self._chars("text"))
        squash(self._cursor)  # Markdown begins a paragraph of its own
        self._cursor.insertBlock(_block(), self._chars("text"))
        start = self._cursor.position()
        self._cursor.insertMarkdown(prepared(text, known), _SAFE)
        self._cursor = self._frame.lastCursorPosition()
        self._drop_empty_end(start)
        self._tidy(start, self._cursor.position())

    def _drop_empty_end(self, start: int) -> None:
        """Delete the empty paragraphs that Markdown leaves; the one after a table must stay."""
        cursor = self._cursor
        while cursor.position() > start and not cursor.block().text():
            before = cursor.position()
            cursor.deletePreviousChar()
            if cursor.position() == before:
                squash(cursor)
                return

    def _footer(self, number: int, *, steps_open: bool) -> None:
        turn = self._turn
        if turn.running and not turn.trace:
            return
        word, role = phrases.badge(turn)
        small = 0.86
        self._cursor.insertBlock(_block(top=8), self._chars("muted", scale=small))
        if word:
            chars = self._chars(role, scale=small, weight=QFont.Weight.DemiBold)
            self._cursor.insertText(word, chars)
        parts = [] if turn.running else [phrases.made_by(turn)]
        text = " · ".join(part for part in (*parts, phrases.figures(turn)) if part)
        lead = "   " if word else ""
        self._cursor.insertText(lead + text, self._chars("muted", scale=small))
        if turn.trace:
            sign = "▾" if steps_open else "▸"
            self._link(f"   {sign}\u00a0{phrases.tr('Steps')}", f"{STEPS}{number}", small)
        if turn.text and not turn.running:
            self._link(f"   {phrases.tr('Copy')}", f"{COPY}{number}", small)

    def _steps(self) -> None:
        left_out = filter(self._look.leaves_out, self._turn.notices)
        notices = [(phrases.tr("Notice"), notice) for notice in left_out]
        for kind, text in [*notices, *map(phrases.step, self._turn.trace)]:
            self._cursor.insertBlock(_block(top=2, indent=14), self._chars("muted"))
            bold = self._chars("muted", scale=0.88, weight=QFont.Weight.DemiBold)
            self._cursor.insertText(f"{kind}  ", bold)
            self._cursor.insertText(text, self._chars("muted", scale=0.88))

    def _paragraph(self, text: str, chars: QTextCharFormat) -> None:
        self._cursor.insertBlock(_block(top=4), chars)
        self._cursor.insertText(text, chars)

    def _link(self, text: str, address: str, scale: float) -> None:
        chars = self._chars("accent", scale=scale)
        chars.setAnchor(True)
        chars.setAnchorHref(address)
        self._cursor.insertText(text, chars)

    def _chars(
        self, role: str, scale: float = 1.0, weight: QFont.Weight = QFont.Weight.Normal
    ) -> QTextCharFormat:
        made = QTextCharFormat()
        font = QFont(self._look.font)
        font.setPointSizeF(font.pointSizeF() * scale)
        font.setWeight(weight)
        made.setFont(font)
        made.setForeground(self._look.colors.of(role))
        return made

    def _tidy(self, start: int, end: int) -> None:
        """Give what Markdown made our line height, headings, citations and tables."""
        document = self._frame.document()
        block = document.findBlock(start)
        while block.isValid() and block.position() <= end:
            cursor = QTextCursor(block)
            lines = QTextBlockFormat()
            lines.setLineHeight(_LINE_HEIGHT, _PROPORTIONAL)
            lines.setBottomMargin(6)
            if block.position() <= start:
                lines.setTopMargin(4)
            cursor.mergeBlockFormat(lines)
            if block.blockFormat().headingLevel():
                self._heading(cursor)
            block = block.next()
        for position, length in _anchors(document, start, end):
            self._dress_anchor(position, length)
        for child in self._frame.childFrames():
            if isinstance(child, QTextTable):
                self._table(child)

    def _heading(self, cursor: QTextCursor) -> None:
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        chars = QTextCharFormat()
        chars.setFontPointSize(self._look.font.pointSizeF() * 1.12)
        chars.setFontWeight(QFont.Weight.DemiBold)
        chars.setProperty(QTextCharFormat.Property.FontSizeAdjustment, 0)
        cursor.mergeCharFormat(chars)

    def _dress_anchor(self, position: int, length: int) -> None:
        cursor = QTextCursor(self._frame.document())
        cursor.setPosition(position)
        cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
        chars = QTextCharFormat()
        chars.setFontUnderline(not cursor.charFormat().anchorHref().startswith(CITE))
        chars.setForeground(self._look.colors.of("accent_text"))
        if cursor.charFormat().anchorHref().startswith(CITE):
            chars.setBackground(self._look.colors.of("soft"))
            chars.setFontPointSize(self._look.font.pointSizeF() * 0.82)
            chars.setFontWeight(QFont.Weight.DemiBold)
        cursor.mergeCharFormat(chars)

    def _table(self, table: QTextTable) -> None:
        look = table.format()
        look.setBorder(1)
        look.setBorderCollapse(True)
        look.setBorderBrush(self._look.colors.of("border"))
        look.setCellPadding(5)
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
        tight.setLineHeight(110, _PROPORTIONAL)
        cell.firstCursorPosition().mergeBlockFormat(tight)


_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


def _block(top: int = 0, indent: int = 0, height: int = _LINE_HEIGHT) -> QTextBlockFormat:
    made = QTextBlockFormat()
    made.setLineHeight(height, _PROPORTIONAL)
    made.setTopMargin(top)
    made.setLeftMargin(indent)
    made.setAlignment(Qt.AlignmentFlag.AlignLeft)
    return made


def squash(cursor: QTextCursor) -> None:
    """Make the empty paragraph, which Qt wants around a frame, as good as invisible."""
    low = QTextBlockFormat()
    low.setLineHeight(1, _FIXED)
    cursor.setBlockFormat(low)


def emptied(frame: QTextFrame) -> QTextCursor:
    """Delete everything in a frame and return a cursor in it."""
    cursor = frame.firstCursorPosition()
    cursor.setPosition(frame.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor = frame.firstCursorPosition()
    cursor.setCharFormat(QTextCharFormat())
    cursor.setBlockFormat(QTextBlockFormat())
    squash(cursor)
    return cursor


def _anchors(document: QTextDocument, start: int, end: int) -> list[tuple[int, int]]:
    """Return the ranges of links between two positions."""
    found = []
    block = document.findBlock(start)
    while block.isValid() and block.position() <= end:
        each = block.begin()
        while not each.atEnd():
            fragment = each.fragment()
            if fragment.charFormat().isAnchor():
                found.append((fragment.position(), fragment.length()))
            each += 1
        block = block.next()
    return found
