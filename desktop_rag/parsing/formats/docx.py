"""Read Word: headings, paragraphs, lists, tables and formulas, and what stands beside the text.

Word has no pages, so blocks are placed by heading. Only the main text has to be whole: styles,
numbering and the rest may be damaged.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.docx_hidden_text import remove_hidden_runs
from desktop_rag.parsing.formats.docx_numbering import WordNumbering
from desktop_rag.parsing.formats.docx_styles import WordStyles
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.ooxml_charts import chart_blocks
from desktop_rag.parsing.formats.ooxml_package import (
    DAMAGE,
    DamagedPart,
    is_disk_error,
    repaired_archive,
)
from desktop_rag.parsing.formats.ooxml_pictures import PackagePictures
from desktop_rag.parsing.formats.xml_tree import attribute, children, local
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

BODY = BlockLocator(LocatorKind.PART, "body")
_BULLET = re.compile(r"[•●▪■◦○‣·□➢✓]\s*")
_MOST_COLUMNS = 200
_HEADS_AND_FEET = ("header", "footer")
_ASIDE = ("footnotes", "endnotes", "comments")


def parse_docx(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a Word file's headings, paragraphs, lists and tables in order, then its notes."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            mains = [n for n, kind in ooxml_text.word_parts(archive).items() if kind == "document"]
            roots = _roots(archive)
            hidden = remove_hidden_runs([root for found in roots.values() for root in found])
            shown = PackagePictures(archive, pictures or EmbeddedPictures())
            walk = _Walk(archive, mains[0], shown)
            blocks = tuple(_blocks(walk, roots))
            parts = ooxml_text.damaged_parts(archive, mains)
            notes = ooxml_text.damage_notes(parts, is_saved=whole != path) + walk.reader.notes()
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The document is damaged.") from error
    return ParsedDocument(title, blocks, notes=(*notes, *hidden), metadata=metadata)


def _roots(archive: zipfile.ZipFile) -> dict[str, list[etree._Element]]:
    """Return the parts that hold text by their kind; `DamagedPart` without a main text."""
    found: dict[str, list[etree._Element]] = {}
    for name, kind in ooxml_text.word_parts(archive).items():
        root = ooxml_text.text_root(archive, name)
        if root is not None:
            found.setdefault(kind, []).append(root)
    if "document" not in found:
        raise DamagedPart("there is no whole document")
    return found


def _blocks(walk: _Walk, roots: dict[str, list[etree._Element]]) -> Iterator[Block]:
    for part in _HEADS_AND_FEET:
        yield from _running(walk, roots.get(part, []), part)
    for root in roots["document"][:1]:
        yield from walk.blocks(root)
    for part in _ASIDE:
        place = BlockLocator(LocatorKind.PART, part)
        for root in roots.get(part, []):
            for paragraph in root.iter("{*}p"):
                if text := walk.reader.text(paragraph):
                    yield Block(BlockKind.TEXT, text, place)


def _running(walk: _Walk, roots: list[etree._Element], part: str) -> Iterator[Block]:
    """Yield what stands above or below the pages, each text once."""
    known = set()
    for root in roots:
        text = "\n".join(filter(None, map(walk.reader.text, root.iter("{*}p"))))
        if text and text not in known:
            known.add(text)
            yield Block(BlockKind.META, text, BlockLocator(LocatorKind.PART, part))


class _Walk:
    """Goes through a main text once, counting its numbered paragraphs."""

    def __init__(self, archive: zipfile.ZipFile, main: str, pictures: PackagePictures) -> None:
        self._archive, self._main, self._pictures = archive, main, pictures
        self._linked = ooxml_text.targets(archive, main)
        self._charted: set[str] = set()
        self.reader = ooxml_text.ParagraphReader()
        self._styles = WordStyles(ooxml_text.part_root(archive, "word/styles.xml"))
        numbering = ooxml_text.part_root(archive, "word/numbering.xml")
        self._numbering = WordNumbering(numbering, self._styles)
        self._place = BODY

    def blocks(self, root: etree._Element) -> Iterator[Block]:
        """Yield the paragraphs and tables; text boxes follow the paragraph that they are in."""
        walk = etree.iterwalk(root, events=("start",), tag=("{*}p", "{*}tbl"))
        for _, element in walk:
            if local(element) == "p":
                yield from self._paragraph(element)
            elif _is_frame(element):
                continue
            else:
                walk.skip_subtree()
                yield from pipe_table(list(self._rows(element)), self._place)
            for text in self._pictures.texts(self._main, element):
                yield Block(BlockKind.TEXT, text, self._place)
            yield from self._charts(element)

    def _charts(self, element: etree._Element) -> Iterator[Block]:
        """Yield the charts that a paragraph or a table shows."""
        for drawn in element.iter("{*}chart"):
            name = self._linked.get(attribute(drawn, "id"), "")
            if name and name not in self._charted:
                self._charted.add(name)
                yield from chart_blocks(self._archive, name, self.reader, self._place)

    def _paragraph(self, paragraph: etree._Element) -> Iterator[Block]:
        text = self.reader.text(paragraph)
        label = self._numbering.label(paragraph)  # a blank one counts, too
        if not text:
            return
        level = self._styles.level(paragraph)
        marked = _BULLET.match(text)
        is_item = label is not None or marked or self._styles.is_list(paragraph)
        if marked and not level:
            text = text[marked.end() :]
        text = f"{label} {text}" if label else text
        if level:
            text = clean(text)
            self._place = BlockLocator(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, self._place, level)
        elif text:
            yield Block(BlockKind.LIST if is_item else BlockKind.TEXT, text, self._place)

    def _rows(self, table: etree._Element) -> Iterator[CellRow]:
        for at, row in enumerate(_inside(table, "tr"), start=1):
            cells: list[str] = []
            for cell in (row, *_inside(row, "tc")):
                is_row = cell is row
                if not is_row:
                    cells.append(self._cell(cell))
                blank = _whole(cell, "trPr/{*}gridBefore" if is_row else "tcPr/{*}gridSpan")
                room = _MOST_COLUMNS - len(cells)
                cells += [""] * min(blank if is_row else blank - 1, max(room, 0))
            yield CellRow(at, tuple(cells))

    def _cell(self, cell: etree._Element) -> str:
        """Return a cell's text on one line, with the numbers of its paragraphs."""
        pieces = []
        for paragraph in cell.iter("{*}p"):
            if text := self.reader.text(paragraph):
                label = self._numbering.label(paragraph)
                pieces.append(f"{label} {text}" if label else text)
        return clean(" ".join(pieces))


def _is_frame(table: etree._Element) -> bool:
    """Say whether a table is one cell, a frame around text."""
    rows = list(_inside(table, "tr"))
    return len(rows) == 1 and len(list(_inside(rows[0], "tc"))) <= 1


def _inside(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield a table's rows, or a row's cells, also those in content controls."""
    waiting = list(children(element))[::-1]
    while waiting:
        each = waiting.pop()
        if local(each) == name:
            yield each
        elif local(each) in {"sdt", "sdtContent", "customXml", "ins", "moveTo"}:
            waiting += list(children(each))[::-1]


def _whole(element: etree._Element, path: str) -> int:
    """Return a number in an element's properties, 0 where there is none."""
    found = element.find(f"{{*}}{path}")
    value = "" if found is None else attribute(found, "val")
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 5 else 0
