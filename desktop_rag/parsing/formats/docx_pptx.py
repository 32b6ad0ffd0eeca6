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
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import office_xml, ooxml_text, unstructured_offline
from desktop_rag.parsing.formats.docx_hidden_text import without_hidden_runs
from desktop_rag.parsing.formats.html import table_rows
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, is_disk_error, repaired_archive
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, pipe_table

BODY = BlockLocator(LocatorKind.PART, "body")


def parse_docx(path: Path) -> ParsedDocument:
    """Return a Word file's headings, paragraphs, lists and tables in order, then the rest."""
    try:
        with (
            repaired_archive(path) as whole,
            without_hidden_runs(whole) as (shown, hidden),
            zipfile.ZipFile(shown) as archive,
        ):
            is_linked = ooxml_text.is_linked(archive)
            elements = _elements(unstructured_offline.word_elements, shown) if is_linked else None
            read = (
                office_xml.docx_blocks_from_xml(archive)
                if elements is None
                else _word_blocks(elements)
            )
            blocks = list(read)
            blocks += _missing(blocks, ooxml_text.word_paragraphs(archive))
            with zipfile.ZipFile(whole) as own:
                notes = _notes(own, elements, is_saved=whole != path)
            return ParsedDocument(ooxml_text.title(archive), tuple(blocks), notes=(*notes, *hidden))
    except DAMAGE as error:
        raise _problem(error) from error


def parse_pptx(path: Path) -> ParsedDocument:
    """Return a PowerPoint file's slides with their titles, texts, tables and notes."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            elements = _elements(unstructured_offline.slide_elements, whole)
            slides = ooxml_text.slide_parts(archive)
            if elements is None:
                blocks = list(office_xml.pptx_blocks_from_xml(archive, slides))
            else:
                blocks = list(_slide_blocks(elements))
            blocks += _missing(blocks, ooxml_text.slide_paragraphs(archive, slides))
            notes = _notes(archive, elements, is_saved=whole != path)
            notes += office_xml.lost_slides(archive, slides)
            title = ooxml_text.title(archive)
    except DAMAGE as error:
        raise _problem(error) from error
    blocks.sort(key=_slide_number)
    return ParsedDocument(title, tuple(blocks), pages=len(slides), notes=tuple(notes))


def _elements(read: Callable[[str], list[Any]], path: Path) -> list[Any] | None:
    """Return the library's elements; None when it breaks over the file."""
    try:
        return read(str(path))
    except DAMAGE as error:
        if is_disk_error(error) and not isinstance(error, FileNotFoundError):
            raise
        return None


def _notes(archive: zipfile.ZipFile, elements: list[Any] | None, *, is_saved: bool) -> list[str]:
    """Return what is damaged beside the text; what is missing counts if it stopped the library."""
    names = set(archive.namelist())
    parts = [
        name for name in ooxml_text.damaged(archive)
        if (elements is None or name in names) and not office_xml.is_main(name)
    ]  # fmt: skip
    return ooxml_text.damage_notes(parts, is_saved=is_saved)


def _problem(error: BaseException) -> BaseException:
    return error if is_disk_error(error) else file_problems.corrupt("The document is damaged.")


def _word_blocks(elements: list[Any]) -> Iterator[Block]:
    place = BODY
    for element in elements:
        text = element.text.strip()
        category = element.category
        if category == "Title" and text:
            level = (element.metadata.category_depth or 0) + 1
            place = BlockLocator(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, place, level)
        elif category in {"Header", "Footer"}:
            yield Block(BlockKind.META, text, BlockLocator(LocatorKind.PART, category.lower()))
        else:
            yield from _block(element, text, place)


def _slide_blocks(elements: list[Any]) -> Iterator[Block]:
    for element in elements:
        text = element.text.strip()
        place = BlockLocator(LocatorKind.SLIDE, element.metadata.page_number or 1)
        if element.category == "Title" and not element.metadata.category_depth and text:
            yield Block(BlockKind.HEADING, text, place, 1)
        else:
            yield from _block(element, text, place)


def _block(element: Any, text: str, place: BlockLocator) -> Iterator[Block]:
    if not text:
        return
    html = element.metadata.text_as_html
    if element.category == "Table" and html:
        rows = [CellRow(at, cells) for at, cells in enumerate(table_rows(html), start=1)]
        yield from pipe_table(rows, place)
        return
    kind = BlockKind.LIST if element.category == "ListItem" else BlockKind.TEXT
    yield Block(kind, text, place)


def _missing(blocks: list[Block], paragraphs: Iterator[tuple[BlockLocator, str]]) -> list[Block]:
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
