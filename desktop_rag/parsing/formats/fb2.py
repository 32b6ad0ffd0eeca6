"""Read a FictionBook: its description, then its sections by their titles, its notes last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures, decoded
from desktop_rag.parsing.formats.odf_package import SAVED
from desktop_rag.parsing.formats.xml_tree import (
    attribute,
    children,
    descendants,
    local,
    read_tree,
    whole_text,
)
from desktop_rag.parsing.metadata_values import iso_date, keywords, names
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_TOLD = {
    "book-title": "Title", "author": "Author", "translator": "Translator", "sequence": "Series",
    "annotation": "Description", "publisher": "Publisher", "year": "Year", "isbn": "ISBN",
}  # fmt: skip
_DEEPEST = 100
_MOST_COLUMNS = 100
_LINES = frozenset(("p", "v", "subtitle", "text-author", "date"))


def parse_fb2(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a book's sections in order."""
    root, is_whole = read_tree(path.read_bytes())
    if root is None or local(root) != "FictionBook":
        raise file_problems.corrupt("The book is damaged.")
    blocks = list(_description(root))
    walk = _Walk(root, pictures or EmbeddedPictures())
    for body in children(root, "body"):
        blocks += walk.blocks(body, 0)
    title = next(descendants(root, "book-title"), None)
    name = "" if title is None else whole_text(title)
    notes = () if is_whole else (SAVED,)
    return ParsedDocument(name, tuple(blocks), notes=notes, metadata=_metadata(root))


def _metadata(root: etree._Element) -> DocumentMetadata:
    """Return what the book says of itself."""
    told: dict[str, list[str]] = {}
    for described in list(descendants(root, "title-info"))[:1]:
        for element in children(described):
            parts = " ".join(filter(None, map(whole_text, children(element))))
            told.setdefault(local(element), []).append(parts or whole_text(element))
    return DocumentMetadata(
        authors=names(told.get("author", ())),
        keywords=keywords(*told.get("keywords", ()), *told.get("genre", ())),
        created=iso_date("".join(told.get("date", ())[:1])),
    )


def _description(root: etree._Element) -> Iterator[Block]:
    lines = []
    for description in children(root, "description"):
        for part in children(description, "title-info", "publish-info"):
            for element in children(part):
                words = " ".join(filter(None, map(whole_text, children(element))))
                text = words or whole_text(element) or str(element.get("name") or "")
                if local(element) in _TOLD and text:
                    lines.append(f"{_TOLD[local(element)]}: {text}")
    if lines:
        place = BlockLocator(LocatorKind.PART, "head")
        yield Block(BlockKind.META, "\n".join(lines), place)


class _Walk:
    """Goes through the bodies once, with the title of the section that it is in."""

    def __init__(self, root: etree._Element, pictures: EmbeddedPictures) -> None:
        self._place = BlockLocator(LocatorKind.PART, "body")
        self._pictures = pictures
        held = children(root, "binary")
        self._binaries = {attribute(each, "id"): each for each in held}

    def blocks(self, parent: etree._Element, depth: int) -> Iterator[Block]:
        """Yield the blocks of an element's children."""
        for element in children(parent):
            name = local(element)
            if name == "title":
                yield from self._title(element, depth + 1)
            elif name in _LINES:
                if text := whole_text(element):
                    yield Block(BlockKind.TEXT, text, self._place)
                yield from self._shown(element)
            elif name == "table":
                rows = [_row(at, row) for at, row in enumerate(descendants(element, "tr"), start=1)]
                yield from pipe_table(rows, self._place)
                yield from self._shown(element)
            elif name == "image":
                yield from self._shown(element)
            elif depth < _DEEPEST and len(element):
                yield from self.blocks(element, depth + 1)
            elif text := whole_text(element):
                yield Block(BlockKind.TEXT, text, self._place)

    def _shown(self, element: etree._Element) -> Iterator[Block]:
        """Yield what was recognised on the pictures that an element shows."""
        for each in descendants(element, "image"):
            held = self._binaries.pop(attribute(each, "href").removeprefix("#"), None)
            text = "" if held is None else self._pictures.text(decoded(held.text or ""))
            if text:
                yield Block(BlockKind.TEXT, text, self._place)

    def _title(self, element: etree._Element, level: int) -> Iterator[Block]:
        text = clean(" ".join(map(whole_text, children(element, "p")))) or whole_text(element)
        if text:
            self._place = BlockLocator(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, self._place, min(level, 9))
        yield from self._shown(element)


def _row(at: int, row: etree._Element) -> CellRow:
    cells = list(children(row, "td", "th"))[:_MOST_COLUMNS]
    return CellRow(at, tuple(clean(whole_text(cell)) for cell in cells))
