"""A document's extracted text with its passage marked, for formats that have no pages to show."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from desktop_rag.app.reader import DocumentText, Opened
from desktop_rag.core.types import Locator
from desktop_rag.ui.theme import Theme

_GAP = 7


class TextView(QTextBrowser):
    """Shows a `DocumentText` with the marks of an `Opened`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = DocumentText("", 0, (), missing=False)
        self.setOpenLinks(False)
        self.document().setUndoRedoEnabled(False)
        self.document().setDocumentMargin(18)
        self.setAccessibleName(self.tr("Text of the document"))

    def show_text(self, text: DocumentText, opened: Opened) -> None:
        """Show a text and scroll to the current mark."""
        self._text = text
        self.setPlainText(text.text)
        self._style()
        self.show_marks(opened)

    def show_marks(self, opened: Opened) -> None:
        """Mark the passages, the current one stronger, and scroll to it."""
        marks = [
            self._selection(mark, "#ffe066" if n == opened.current else "#fff3bf")
            for n, mark in enumerate(opened.marks)
        ]
        self.setExtraSelections([mark for mark in marks if mark is not None])
        cursor = self._cursor(opened.mark)
        if cursor is not None:
            cursor.setPosition(cursor.selectionStart())
            self.setTextCursor(cursor)
            top = self.cursorRect(cursor).top()
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + top - self.viewport().height() // 3)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's
        """Load nothing: a document's pictures are refused, wherever they lie."""
        del kind, name
        return ""

    def _style(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        lines = QTextBlockFormat()
        lines.setLineHeight(135, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        lines.setBottomMargin(4)
        cursor.mergeBlockFormat(lines)
        self._tighten()
        bold = QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        for start, end in self._text.headings:
            found = self._range(start, end)
            if found is not None:
                found.mergeCharFormat(bold)

    def _tighten(self) -> None:
        """Make the empty lines between paragraphs half as high as a line."""
        low = QTextBlockFormat()
        low.setLineHeight(_GAP, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        low.setBottomMargin(0)
        block = self.document().firstBlock()
        while block.isValid():
            if not block.text().strip():
                QTextCursor(block).setBlockFormat(low)
            block = block.next()

    def _selection(self, mark: Locator, color: str) -> QTextEdit.ExtraSelection | None:
        cursor = self._cursor(mark)
        if cursor is None:
            return None
        made = QTextEdit.ExtraSelection()
        made.cursor = cursor
        made.format.setBackground(QColor(color))
        made.format.setForeground(QColor("#1d2321"))
        return made

    def _cursor(self, mark: Locator) -> QTextCursor | None:
        if mark.start is None or mark.end is None:
            return None
        return self._range(mark.start, mark.end)

    def _range(self, start: int, end: int) -> QTextCursor | None:
        """Return a cursor over a range of the whole text; None where it is not shown.

        Qt counts UTF-16 units, the catalog characters.
        """
        shown, offset = self._text.text, self._text.start
        if end <= offset or start >= offset + len(shown):
            return None
        first, last = max(0, start - offset), min(len(shown), end - offset)
        before = _units(shown[:first])
        length = _units(shown[first:last])
        room = self.document().characterCount() - 1
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(before, room))
        cursor.setPosition(min(before + length, room), QTextCursor.MoveMode.KeepAnchor)
        return cursor


def _units(text: str) -> int:
    """Return a text's length in UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)
