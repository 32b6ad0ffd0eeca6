"""What is selected of a text document as HTML: headings, lists, tables, bold, links to the web.

Qt's own HTML holds the window's colours and fonts, a dark theme's too, and links that only this
program knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from PySide6.QtGui import (
    QFont,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrame,
    QTextList,
    QTextListFormat,
    QTextTable,
)

from desktop_rag.gui.controllers.table_texts import TABLE

_CHARSET = '<meta charset="utf-8">'  # else some programs take letters for those of Latin-1
_WEB = ("https://", "http://")
_PICTURE = "\ufffc"
_LINE = "\u2028"
_NUMBERED = range(
    QTextListFormat.Style.ListUpperRoman.value, QTextListFormat.Style.ListDecimal.value + 1
)
_QUOTED = QTextFormat.Property.BlockQuoteLevel.value


def clipboard_html(parts: Iterable[str]) -> str:
    """Return pieces of HTML as what is put on the clipboard."""
    return _CHARSET + "".join(parts)


def document_html(document: QTextDocument, citation: str = "") -> str:
    """Return what a document says.

    `citation` is what the address of a citation begins with: its number is put in brackets, and a
    paragraph with another address that only the program knows, a button of its, is left out.
    """
    writer = _Writer(citation)
    writer.write(document.rootFrame().begin())
    writer.close_lists()
    return "".join(writer.parts)


@dataclass(slots=True)
class _Writer:
    """Writes blocks one after the other; `lists` are the open ones, innermost last."""

    citation: str
    parts: list[str] = field(default_factory=list)
    lists: list[tuple[int, str]] = field(default_factory=list)

    def write(self, at: QTextFrame.iterator) -> None:
        while not at.atEnd():
            frame = _frame_at(at)
            if frame is None:
                self._block(at.currentBlock())
            else:
                self.close_lists()
                self._frame(frame)
            at += 1

    def _frame(self, frame: QTextFrame) -> None:
        if not isinstance(frame, QTextTable):
            self.write(frame.begin())
            self.close_lists()
            return
        self.parts.append(TABLE)
        for row in range(frame.rows()):
            self.parts.append("<tr>")
            for column in range(frame.columns()):
                self._cell(frame, row, column)
            self.parts.append("</tr>\n")
        self.parts.append("</table>\n")

    def _cell(self, table: QTextTable, row: int, column: int) -> None:
        cell = table.cellAt(row, column)
        if (cell.row(), cell.column()) != (row, column):
            return  # it reaches here from another place
        spans = "".join(
            f' {name}="{span}"'
            for name, span in (("colspan", cell.columnSpan()), ("rowspan", cell.rowSpan()))
            if span > 1
        )
        inner = _Writer(self.citation)
        inner.write(cell.begin())
        inner.close_lists()
        whole = "".join(inner.parts).strip()
        if whole.count("<p>") == 1 and whole.startswith("<p>") and whole.endswith("</p>"):
            whole = whole.removeprefix("<p>").removesuffix("</p>")
        self.parts.append(f"<td{spans}>{whole}</td>")

    def _block(self, block: QTextBlock) -> None:
        pieces = list(_pieces(block))
        if any(self._is_button(chars) for _, chars in pieces):
            return
        if not block.text().replace(_PICTURE, "").strip():
            return
        if list_of(block) is not None:
            self._item(block, pieces)
            return
        self.close_lists()
        level = block.blockFormat().headingLevel()
        if level:
            tag = f"h{min(level, 6)}"
        elif all(chars.fontFixedPitch() for _, chars in pieces):
            self.parts.append(f"<pre>{escape(block.text()).replace(_LINE, chr(10))}</pre>\n")
            return
        else:
            tag = "blockquote" if block.blockFormat().intProperty(_QUOTED) else "p"
        self.parts.append(f"<{tag}>{self._words(pieces, is_heading=bool(level))}</{tag}>\n")

    def _item(self, block: QTextBlock, pieces: list[tuple[str, QTextCharFormat]]) -> None:
        form = block.textList().format()
        tag = "ol" if form.style().value in _NUMBERED else "ul"
        depth = form.indent()
        while self.lists and self.lists[-1][0] > depth:
            self._close_list()
        if self.lists and self.lists[-1] == (depth, tag):
            self.parts.append("</li>\n")
        else:
            if self.lists and self.lists[-1][0] == depth:
                self._close_list()
            self.lists.append((depth, tag))
            self.parts.append(f"<{tag}>\n")
        self.parts.append(f"<li>{self._words(pieces)}")

    def close_lists(self) -> None:
        """End the lists that are open."""
        while self.lists:
            self._close_list()

    def _close_list(self) -> None:
        _, tag = self.lists.pop()
        self.parts.append(f"</li>\n</{tag}>\n")

    def _words(self, pieces: list[tuple[str, QTextCharFormat]], *, is_heading: bool = False) -> str:
        return "".join(
            self._piece(text, chars, is_heading=is_heading) for text, chars in pieces
        ).strip()

    def _piece(self, text: str, chars: QTextCharFormat, *, is_heading: bool) -> str:
        address, bare = chars.anchorHref(), text.strip()
        if self.citation and address.startswith(self.citation):
            return f"[{bare}]" if bare.isdigit() else escape(text)
        said = escape(text.replace(_PICTURE, "")).replace(_LINE, "<br>")
        looks = (
            ("code", chars.fontFixedPitch()),
            ("i", chars.fontItalic()),
            ("b", chars.fontWeight() >= QFont.Weight.DemiBold and not is_heading),
        )
        for tag, has_look in looks:
            said = f"<{tag}>{said}</{tag}>" if has_look and bare else said
        return f'<a href="{escape(address)}">{said}</a>' if address.startswith(_WEB) else said

    def _is_button(self, chars: QTextCharFormat) -> bool:
        address = chars.anchorHref()
        return bool(self.citation and address) and not address.startswith((*_WEB, self.citation))


def list_of(block: QTextBlock) -> QTextList | None:
    """Return the list a block is in; PySide's stubs do not know that there may be none."""
    return block.textList()


def _frame_at(at: QTextFrame.iterator) -> QTextFrame | None:
    return at.currentFrame()


def _pieces(block: QTextBlock) -> Iterator[tuple[str, QTextCharFormat]]:
    at = block.begin()
    while not at.atEnd():
        piece: QTextFragment = at.fragment()
        yield piece.text(), piece.charFormat()
        at += 1
