"""Read Word and PowerPoint: unstructured's elements, and whatever text it leaves out.

Word has no pages, so its blocks are placed by heading; slides count from 1. A file over which the
library breaks is read from its XML alone: only the main text has to be whole; styles, numbering,
layouts and the rest may be damaged.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lxml import etree

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import ooxml_text, unstructured_offline
from desktop_rag.parsing.formats.docx_hidden_text import without_hidden_runs
from desktop_rag.parsing.formats.html import table_rows
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    DamagedPart,
    is_disk_error,
    repaired_archive,
)
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_MAIN = re.compile(r"word/document\d*\.xml|ppt/slides/slide\d+\.xml", re.IGNORECASE)
HEADING_NAME = re.compile(r"(?:heading|berschrift|titre|titolo|标题|標題)[ _]*(\d)", re.IGNORECASE)
_CONTAINERS = frozenset(("sdt", "sdtContent", "customXml", "ins", "smartTag"))
_TITLES = frozenset(("title", "ctrTitle"))
BODY = BlockLocator(LocatorKind.PART, "body")


def is_main(name: str) -> bool:
    """Say whether a part holds main text, whose damage is told otherwise."""
    return _MAIN.fullmatch(name) is not None


def docx_blocks_from_xml(archive: zipfile.ZipFile) -> Iterator[Block]:
    """Yield a Word file's headings, paragraphs, lists and tables; `DamagedPart` without a main
    text.
    """
    mains = [name for name in archive.namelist() if is_main(name)]
    root = ooxml_text.part_root(archive, mains[0]) if mains else None
    body = None if root is None else root.find("{*}body")
    if body is None:
        raise DamagedPart("there is no whole document")
    names = _style_names(archive)
    place = BlockLocator(LocatorKind.PART, "body")
    for element in _content(body):
        if etree.QName(element).localname == "tbl":
            yield from _table(element, place)
            continue
        text = ooxml_text.paragraph_text(element)
        level = _level(element, names)
        if text and level:
            place = BlockLocator(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, place, level)
        elif text:
            is_item = element.find("{*}pPr/{*}numPr") is not None
            yield Block(BlockKind.LIST if is_item else BlockKind.TEXT, text, place)


def pptx_blocks_from_xml(archive: zipfile.ZipFile, slides: list[str]) -> Iterator[Block]:
    """Yield the slides' titles and tables; what else they hold is found by its paragraphs."""
    roots = [ooxml_text.part_root(archive, slide) for slide in slides]
    if all(root is None for root in roots):
        raise DamagedPart("there is no whole slide")
    for number, root in enumerate(roots, start=1):
        if root is None:
            continue
        place = BlockLocator(LocatorKind.SLIDE, number)
        for shape in root.iter("{*}sp"):
            kind = next(shape.iterfind("{*}nvSpPr/{*}nvPr/{*}ph"), None)
            if kind is not None and kind.get("type") in _TITLES:
                text = clean(" ".join(map(ooxml_text.paragraph_text, shape.iter("{*}p"))))
                if text:
                    yield Block(BlockKind.HEADING, text, place, 1)
        for table in root.iter("{*}tbl"):
            yield from _table(table, place)


def lost_slides(archive: zipfile.ZipFile, slides: list[str]) -> list[str]:
    """Return a note for each slide that can't be read."""
    return [
        Phrase("Slide {0} is damaged and was not read.", number)
        for number, slide in enumerate(slides, start=1)
        if ooxml_text.part_root(archive, slide) is None
    ]


def _content(parent: etree._Element) -> Iterator[etree._Element]:
    """Yield the paragraphs and tables of a body, those in content controls too."""
    for element in parent.iterchildren("{*}*"):
        tag = etree.QName(element).localname
        if tag in {"p", "tbl"}:
            yield element
        elif tag in _CONTAINERS:
            yield from _content(element)


def _table(table: etree._Element, place: BlockLocator) -> Iterator[Block]:
    rows = []
    for at, row in enumerate(table.iterchildren("{*}tr"), start=1):
        cells = [
            clean(" ".join(map(ooxml_text.paragraph_text, cell.iter("{*}p"))))
            for cell in row.iterchildren("{*}tc")
        ]
        rows.append(CellRow(at, tuple(cells)))
    yield from pipe_table(rows, place)


def _style_names(archive: zipfile.ZipFile) -> dict[str, str]:
    """Return the styles' names by their ids, which differ by language; none if they are lost."""
    root = ooxml_text.part_root(archive, "word/styles.xml")
    names = {}
    for style in root.iter("{*}style") if root is not None else ():
        name = style.find("{*}name")
        if name is not None:
            names[_value(style, "styleId")] = _value(name, "val")
    return names


def _level(paragraph: etree._Element, names: dict[str, str]) -> int:
    """Return a heading's level, 0 for what is none."""
    properties = paragraph.find("{*}pPr")
    if properties is None:
        return 0
    style = properties.find("{*}pStyle")
    key = "" if style is None else _value(style, "val")
    name = names.get(key, key)
    match = HEADING_NAME.search(name)
    if match:
        return int(match.group(1))
    if name.lower() == "title":
        return 1
    outline = properties.find("{*}outlineLvl")
    level = "9" if outline is None else _value(outline, "val")
    return int(level) + 1 if level.isdecimal() and len(level) == 1 and level != "9" else 0


def _value(element: etree._Element, name: str) -> str:
    """Return an attribute, in whichever namespace."""
    return next((str(v) for k, v in element.attrib.items() if str(k).endswith(name)), "")


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
            read = docx_blocks_from_xml(archive) if elements is None else _word_blocks(elements)
            blocks = list(read)
            blocks += _missing(blocks, ooxml_text.word_paragraphs(archive))
            with zipfile.ZipFile(whole) as own:
                notes = _notes(own, elements, is_saved=whole != path)
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
            notes += hidden
            return ParsedDocument(title, tuple(blocks), notes=tuple(notes), metadata=metadata)
    except DAMAGE as error:
        raise _problem(error) from error


def parse_pptx(path: Path) -> ParsedDocument:
    """Return a PowerPoint file's slides with their titles, texts, tables and notes."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            elements = _elements(unstructured_offline.slide_elements, whole)
            slides = ooxml_text.slide_parts(archive)
            if elements is None:
                blocks = list(pptx_blocks_from_xml(archive, slides))
            else:
                blocks = list(_slide_blocks(elements))
            blocks += _missing(blocks, ooxml_text.slide_paragraphs(archive, slides))
            notes = _notes(archive, elements, is_saved=whole != path)
            notes += lost_slides(archive, slides)
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
    except DAMAGE as error:
        raise _problem(error) from error
    blocks.sort(key=_slide_number)
    told = tuple(notes)
    return ParsedDocument(title, tuple(blocks), pages=len(slides), notes=told, metadata=metadata)


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
        if (elements is None or name in names) and not is_main(name)
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
