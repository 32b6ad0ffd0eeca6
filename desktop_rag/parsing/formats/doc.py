"""Read Word files of before 2007 (Word 2 to 2003) through office-oxide, which gives structure.

Of the libraries compared on real files (`legacy-doc`, `sharepoint-to-text`) it found the most text,
and it alone tells headings, lists and tables: of 8,600 lines in 180 files it left out 78, most of
them deleted in revisions. A line that its plain text has and its structure has not is added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.compound_file import compound_file, properties_of, stream_bytes
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

# An element of the library's structure: its type, and what that type has.
Element = dict[str, Any]

_BODY = BlockLocator(LocatorKind.PART, "body")
_OLD_WORD = (b"\x9b\xa5", b"\xdb\xa5")  # of before compound files
_WORD_FLAGS, _WORD_ENCRYPTED = 11, 0x01  # the byte of a Word file's head, and the bit in it
_MARGINS = {
    "header": "header", "first_page_header": "header", "even_page_header": "header",
    "footer": "footer", "first_page_footer": "footer", "even_page_footer": "footer",
}  # fmt: skip
_NOTES = {"footnote": "footnotes", "endnote": "endnotes"}
_NO_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\uf000-\uf0ff]+")  # controls, and bullets' symbols
_FORMULA = "Equation Native"  # the stream of an object of the old equation editor
_DEEPEST = 50  # of lists in lists and boxes in boxes
_MOST_CELLS = 1000  # of one row, merged ones counted by their columns


@dataclass(frozen=True, slots=True)
class _Structure:
    title: str
    metadata: DocumentMetadata
    sections: list[dict[str, Any]]
    plain: str


def parse_doc(path: Path) -> ParsedDocument:
    """Return a Word file's headings, paragraphs, lists and tables, then headers and footers."""
    if _word_head(path)[_WORD_FLAGS] & _WORD_ENCRYPTED:
        raise file_problems.encrypted()
    read = _structure(path)
    blocks: list[Block] = []
    place = _BODY
    for section in read.sections:
        for block in _blocks(section["elements"], place, 0):
            if block.kind is BlockKind.HEADING:
                place = BlockLocator(LocatorKind.SECTION, block.text)
            blocks.append(_placed(block, place) if block.place == _BODY else block)
    for section in read.sections:
        blocks += _margins(section)
    every = (*blocks, *_missing(blocks, read.plain))
    return ParsedDocument(read.title, every, notes=_notes(path), metadata=read.metadata)


def _notes(path: Path) -> tuple[str, ...]:
    """Return what to say of formulas, whose objects lie beside the text, without a place in it."""
    try:
        with compound_file(path) as opened:
            count = sum(name[-1] == _FORMULA for name in opened.listdir())
    except ValueError:
        return ()
    said = "Formulas that could not be read and are missing in the text: {0}."
    return (Phrase(said, count),) if count else ()


def _word_head(path: Path) -> bytes:
    """Return the first bytes of a Word file's main stream; the file's own before Word 6."""
    with path.open("rb") as file:
        head = file.read(16)
    if not head.startswith(_OLD_WORD):
        try:
            with compound_file(path) as opened:
                head = stream_bytes(opened, "WordDocument", 16)
        except ValueError as error:
            raise file_problems.corrupt("The document is damaged.") from error
    return head.ljust(16, b"\0")


def _structure(path: Path) -> _Structure:
    """Return what the library reads; `corrupt` when it can't."""
    from office_oxide import Document, OfficeOxideError

    try:
        with Document.from_bytes(path.read_bytes(), "doc") as document:
            read, plain = document.to_ir(), document.plain_text()
    except OfficeOxideError as error:
        raise file_problems.corrupt("The document is damaged.") from error
    title = clean(read["metadata"].get("title") or "")
    return _Structure(title, _metadata(path), read["sections"], plain)


def _metadata(path: Path) -> DocumentMetadata:
    try:
        with compound_file(path) as opened:
            return properties_of(opened).metadata
    except ValueError:  # before Word 6 a file is no compound file
        return NO_METADATA


def _blocks(elements: list[Element], place: BlockLocator, depth: int) -> Iterator[Block]:
    """Yield the blocks of elements, those within lists and boxes too."""
    if depth > _DEEPEST:
        return
    for element in elements:
        kind = element["type"]
        if kind == "heading":
            text = _text(element)
            yield from [Block(BlockKind.HEADING, text, place, element["level"])] if text else []
        elif kind == "paragraph":
            yield from _paragraph(element, BlockKind.TEXT, place)
        elif kind == "list":
            yield from _items(element, place, depth + 1)
        elif kind == "table":
            yield from pipe_table(_rows(element), place)
        elif kind in _NOTES:
            part = BlockLocator(LocatorKind.PART, _NOTES[kind])
            yield from _blocks(element["content"], part, depth + 1)
        elif kind == "text_box":
            yield from _blocks(element["content"], place, depth + 1)


def _paragraph(element: Element, kind: BlockKind, place: BlockLocator) -> Iterator[Block]:
    if text := _text(element):
        yield Block(kind, text, place)


def _items(element: Element, place: BlockLocator, depth: int) -> Iterator[Block]:
    """Yield a list's items, then those of the list within each."""
    for item in element["items"] if depth <= _DEEPEST else ():
        for part in item["content"]:
            if part["type"] == "paragraph":
                yield from _paragraph(part, BlockKind.LIST, place)
            else:
                yield from _blocks([part], place, depth)
        if nested := item.get("nested"):
            yield from _items(nested, place, depth + 1)


def _rows(table: Element) -> list[CellRow]:
    rows = []
    for number, row in enumerate(table["rows"], start=1):
        cells: list[str] = []
        for cell in row["cells"]:
            texts = (block.text for block in _blocks(cell["content"], _BODY, 1))
            cells += [clean(" ".join(texts)), *[""] * (cell.get("col_span", 1) - 1)]
            if len(cells) > _MOST_CELLS:
                break
        rows.append(CellRow(number, tuple(cells)))
    return rows


def _text(element: Element) -> str:
    """Return a paragraph's text on one line."""
    pieces = (
        part["text"] if part["type"] == "text" else " "
        for part in element["content"]
        if part["type"] in {"text", "line_break"}
    )
    return clean(_NO_TEXT.sub(" ", "".join(pieces)))


def _margins(section: dict[str, Any]) -> list[Block]:
    """Return the headers and footers of a section."""
    made = []
    for name, part in _MARGINS.items():
        place = BlockLocator(LocatorKind.PART, part)
        content = (section.get(name) or {}).get("content") or []
        made += [replace(b, kind=BlockKind.META) for b in _blocks(content, place, 0)]
    return made


def _missing(blocks: list[Block], plain: str) -> list[Block]:
    """Return the lines of the plain text that are in none of the blocks."""
    known = _squeezed("".join(block.text for block in blocks))
    made = []
    for line in plain.splitlines():
        text = clean(_NO_TEXT.sub(" ", line))
        bare = _squeezed(text)
        if bare and bare not in known:
            known += bare
            made.append(Block(BlockKind.TEXT, text, _BODY))
    return made


def _squeezed(text: str) -> str:
    return re.sub(r"[\s|]+", "", text)


def _placed(block: Block, place: BlockLocator) -> Block:
    rows = tuple(replace(row, place=place) for row in block.rows)
    return replace(block, place=place, rows=rows)
