"""Read Word and PowerPoint: unstructured's elements, and whatever text it leaves out.

Word has no pages, so its blocks are placed by heading; slides count from 1.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.engine.ingest.parse import ooxml, problems, quiet
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place
from desktop_rag.engine.ingest.parse.markup import table_rows
from desktop_rag.engine.ingest.parse.package import DAMAGE
from desktop_rag.engine.ingest.parse.tables import Row, barred

BODY = Place(LocatorKind.PART, "body")


def parse_docx(path: Path) -> ParsedDocument:
    """Return a Word file's headings, paragraphs, lists and tables in order, then the rest."""
    elements = _elements(quiet.word_elements, path)
    blocks = list(_word_blocks(elements))
    with zipfile.ZipFile(path) as archive:
        title = ooxml.title(archive)
        blocks += _missing(blocks, ooxml.word_paragraphs(archive))
    return ParsedDocument(title, tuple(blocks))


def parse_pptx(path: Path) -> ParsedDocument:
    """Return a PowerPoint file's slides with their titles, texts, tables and notes."""
    elements = _elements(quiet.slide_elements, path)
    blocks = list(_slide_blocks(elements))
    with zipfile.ZipFile(path) as archive:
        title, slides = ooxml.title(archive), ooxml.slide_parts(archive)
        blocks += _missing(blocks, ooxml.slide_paragraphs(archive, slides))
    blocks.sort(key=_slide_number)
    return ParsedDocument(title, tuple(blocks), pages=len(slides))


def _elements(read: Callable[[str], list[Any]], path: Path) -> list[Any]:
    """Return the library's elements; none when it breaks over the file but its XML is whole."""
    try:
        return read(str(path))
    except DAMAGE as error:
        if not ooxml.is_whole(path):
            raise problems.corrupt("The document is damaged.") from error
        return []


def _word_blocks(elements: list[Any]) -> Iterator[Block]:
    place = BODY
    for element in elements:
        text = element.text.strip()
        category = element.category
        if category == "Title" and text:
            level = (element.metadata.category_depth or 0) + 1
            place = Place(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, place, level)
        elif category in {"Header", "Footer"}:
            yield Block(BlockKind.META, text, Place(LocatorKind.PART, category.lower()))
        else:
            yield from _block(element, text, place)


def _slide_blocks(elements: list[Any]) -> Iterator[Block]:
    for element in elements:
        text = element.text.strip()
        place = Place(LocatorKind.SLIDE, element.metadata.page_number or 1)
        if element.category == "Title" and not element.metadata.category_depth and text:
            yield Block(BlockKind.HEADING, text, place, 1)
        else:
            yield from _block(element, text, place)


def _block(element: Any, text: str, place: Place) -> Iterator[Block]:
    if not text:
        return
    html = element.metadata.text_as_html
    if element.category == "Table" and html:
        rows = [Row(at, cells) for at, cells in enumerate(table_rows(html), start=1)]
        yield from barred(rows, place)
        return
    kind = BlockKind.LIST if element.category == "ListItem" else BlockKind.TEXT
    yield Block(kind, text, place)


def _missing(blocks: list[Block], paragraphs: Iterator[tuple[Place, str]]) -> list[Block]:
    """Return the paragraphs whose text is in none of the blocks: text boxes, notes, comments."""
    known = _squeezed("".join(block.text for block in blocks))
    made = []
    for place, text in paragraphs:
        bare = _squeezed(text)
        if bare and bare not in known:
            known += bare
            made.append(Block(BlockKind.TEXT, text, place))
    return made


def _squeezed(text: str) -> str:
    return re.sub(r"[\s|]+", "", text)


def _slide_number(block: Block) -> int:
    return int(block.place.value)
