"""Read web pages and Markdown into headings, paragraphs, lists, tables and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree, html

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.embedded_pictures import (
    EmbeddedPictures,
    PictureText,
    no_picture_text,
)
from desktop_rag.parsing.formats.html_formulas import write_formulas
from desktop_rag.parsing.formats.html_hidden_text import remove_hidden
from desktop_rag.parsing.formats.latex_notation import gap_notes
from desktop_rag.parsing.metadata_values import iso_date, keywords, people
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table
from desktop_rag.parsing.text_encoding import decode, is_binary

# Below this share of visible text a page is one that scripts or tabs open: it is read whole.
_LEAST_SHOWN = 0.25
_TOLD_FROM = 10  # hidden characters that a note is worth
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_XML_HEAD = re.compile(r"^\s*<\?xml[^>]*>?")  # whole or not: lxml takes no text that has one
_DROPPED = frozenset(
    ("script", "style", "template", "head", "svg", "noscript", "iframe", "object", "datalist")
)
_PICTURES = ("img", "image", "svg:image")
_ADDRESSES = ("src", "href", "xlink:href")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    (
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
        "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
        "header", "hr", "html", "legend", "li", "main", "nav", "ol", "optgroup", "option", "p",
        "section", "select", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
    )
)  # fmt: skip


def parse_html(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a web page's text; scripts, styles and comments are left out."""
    raw = path.read_bytes()
    if is_binary(raw[:65536]):
        raise file_problems.corrupt("The file's name says web page, but its content is not text.")
    return from_html(raw, picture_text=(pictures or EmbeddedPictures()).data_text)


def from_html(
    raw: bytes,
    charset: str | None = None,
    *,
    least_shown: float = _LEAST_SHOWN,
    picture_text: PictureText = no_picture_text,
) -> ParsedDocument:
    """Return the text of a web page's bytes; `charset` is what its carrier declares.

    `picture_text` tells what was recognised on the picture that an address names. What the page
    hides is left out, unless less than the share `least_shown` would be left.
    """
    declared = _CHARSET.search(raw[:4096])
    named = charset or (declared.group(1).decode("ascii", "replace") if declared else None)
    root = _tree(decode(raw, named))
    if root is None:
        return ParsedDocument("", ())
    found = root.find(".//title")
    title = clean("".join(map(str, found.itertext()))) if found is not None else ""
    metadata = _metadata(root)
    gaps = write_formulas(root)
    root, hidden = remove_hidden(root, least_shown)
    notes: tuple[str, ...] = ()
    if hidden >= _TOLD_FROM:
        notes = ("Text that the page hides was not read.",)
    elif hidden <= -_TOLD_FROM:
        notes = ("Most of the page's text is hidden at first; it was read as well.",)
    blocks = tuple(_Walk(picture_text).blocks(root))
    return ParsedDocument(title, blocks, notes=(*notes, *gap_notes(gaps)), metadata=metadata)


def _metadata(root: Any) -> DocumentMetadata:
    """Return what the head of a page says of it, under the names that are in common use."""
    told: dict[str, str] = {}
    for each in root.iter("meta"):
        name = str(each.get("name") or each.get("property") or "").lower()
        told.setdefault(name.rpartition(":")[2], str(each.get("content") or ""))
    published = told.get("published_time") or told.get("date") or told.get("created")
    return DocumentMetadata(
        authors=people(told.get("author") or told.get("creator")),
        keywords=keywords(told.get("keywords")),
        created=iso_date(published),
        modified=iso_date(told.get("modified_time") or told.get("modified")),
    )


def _tree(text: str) -> Any | None:
    text = _XML_HEAD.sub("", text).replace("\0", "")
    parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = html.document_fromstring(text, parser=parser)
        if any("depth" in error.message for error in parser.error_log):
            return html.document_fromstring(_TAG.sub(" ", text))  # the parser gave up on the rest
    except etree.ParserError:
        return None  # nothing but white space, tags and comments
    return root


def _cells(table: Any) -> list[tuple[str, ...]]:
    rows = []
    for row in table.iter("tr"):
        cells: list[str] = []
        for cell in row.iterchildren("td", "th"):
            cells.append(clean(_inner(cell)))
            cells += [""] * (_span(cell) - 1)
        rows.append(tuple(cells))
    return rows


def _span(cell: Any) -> int:
    value = str(cell.get("colspan", "1")).strip()
    return min(int(value), 100) if value.isascii() and value.isdigit() and int(value) else 1


def _inner(element: Any) -> str:
    """Return an element's text, a space where a block or a line ends."""
    pieces: list[str] = []
    skipped: Any = None
    for event, each in etree.iterwalk(element, events=("start", "end")):
        tag = each.tag if isinstance(each.tag, str) else ""
        if skipped is None and tag in _DROPPED:
            skipped = each
        if skipped is None:
            pieces.append(" " if tag in _BLOCKS or tag == "br" else "")
            pieces.append((each.text or "") if event == "start" else "")
        if event == "end" and skipped is each:
            skipped = None
        if event == "end" and skipped is None and each is not element:
            pieces.append(each.tail or "")
    return "".join(pieces)


class _Walk:
    """Goes through a page once, gathering running text until a block begins or ends."""

    def __init__(self, picture_text: PictureText) -> None:
        self._place = BlockLocator(LocatorKind.PART, "body")
        self._picture_text = picture_text
        self._pictured: list[str] = []  # what stands on pictures in the running text
        self._text: list[str] = []
        self._kind = BlockKind.TEXT
        self._level = 0
        self._pre = 0

    def blocks(self, root: Any) -> Iterator[Block]:
        """Yield the page's blocks in order."""
        skipped: Any = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            tag = element.tag.lower() if isinstance(element.tag, str) else ""
            if skipped is not None:
                if event == "end" and element is skipped:
                    skipped = None
                    self._text.append(element.tail or "")
            elif event == "end":
                yield from self._ended(tag)
                self._text.append(element.tail or "")
            elif tag in _DROPPED:
                self._take_pictures(element if tag == "svg" else None)
                skipped = element
            elif tag == "table" and _is_data(element):
                yield from self._flush()
                yield from pipe_table(_numbered(_cells(element)), self._place)
                self._take_pictures(element)
                yield from self._on_pictures()
                skipped = element
            else:
                self._take_pictures(element if tag in _PICTURES else None)
                yield from self._started(tag)
                self._text.append(element.text or "")
        yield from self._flush()

    def _take_pictures(self, element: Any | None) -> None:
        """Take up what was recognised on the pictures in an element, itself one or not."""
        for each in element.iter(*_PICTURES) if element is not None else ():
            address = next(filter(None, map(each.get, _ADDRESSES)), "")
            if text := self._picture_text(address.strip()):
                self._pictured.append(text)

    def _on_pictures(self) -> Iterator[Block]:
        for text in self._pictured:
            yield Block(BlockKind.TEXT, text, self._place)
        self._pictured = []

    def _started(self, tag: str) -> Iterator[Block]:
        if tag in _HEADINGS or tag in _BLOCKS or tag == "pre":
            yield from self._flush()
        if tag in _HEADINGS:
            self._kind, self._level = BlockKind.HEADING, _HEADINGS[tag]
        elif tag in {"li", "dt", "dd"}:
            self._kind = BlockKind.LIST
        elif tag == "pre":
            self._kind, self._pre = BlockKind.CODE, self._pre + 1
        elif tag == "br":
            self._text.append("\n" if self._pre else "\v")

    def _ended(self, tag: str) -> Iterator[Block]:
        if tag in _HEADINGS or tag in _BLOCKS or tag == "pre":
            yield from self._flush()
        if tag == "pre":
            self._pre -= 1

    def _flush(self) -> Iterator[Block]:
        yield from self._running_text()
        yield from self._on_pictures()

    def _running_text(self) -> Iterator[Block]:
        raw, kind, level = "".join(self._text), self._kind, self._level
        self._text, self._level = [], 0
        self._kind = BlockKind.CODE if self._pre else BlockKind.TEXT
        text = raw.strip("\n") if kind is BlockKind.CODE else _lines(raw)
        if not text.strip():
            if kind is not BlockKind.TEXT and level:
                self._kind, self._level = kind, level
            return
        if kind is BlockKind.HEADING:
            text = clean(text)
            self._place = BlockLocator(LocatorKind.SECTION, text)
        yield Block(kind, text, self._place, level)


def _lines(raw: str) -> str:
    """Return text with its white space collapsed, line breaks only where the page has them."""
    return "\n".join(filter(None, map(clean, raw.split("\v"))))


def _numbered(rows: list[tuple[str, ...]]) -> list[CellRow]:
    return [CellRow(at, cells) for at, cells in enumerate(rows, start=1)]


def _is_data(table: Any) -> bool:
    """Say whether a table holds data: none inside it, and no page laid out in its cells."""
    if table.find(".//table") is not None or table.find(".//tr") is None:
        return False
    inside = sum(1 for _ in table.iter("p", "div", "ul", "ol", "h1", "h2", "h3", "h4", "pre"))
    cells = sum(1 for _ in table.iter("td", "th"))
    return cells > 1 and inside <= cells * 2
