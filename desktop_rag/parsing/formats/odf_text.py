"""Read OpenDocument texts and presentations: headings, paragraphs, lists, tables, notes.

A text has no pages, so its blocks are placed by heading; slides count from 1. Deleted text that is
kept for a review, and text that is hidden, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.latex_notation import GAP, gap_notes
from desktop_rag.parsing.formats.odf_package import HIDDEN, OdfFile, OdfStyles, formula_of, open_odf
from desktop_rag.parsing.formats.odf_pictures import OdfPictures, odf_pictures
from desktop_rag.parsing.formats.xml_tree import (
    attribute,
    children,
    descendants,
    local,
    whole_text,
)
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

BODY = BlockLocator(LocatorKind.PART, "body")
_DEEPEST = 40
_MOST_REPEATED = 100  # a cell or a row that is written once and stands there several times
_MOST_COLUMNS = 1000
_PARAGRAPHS = frozenset(("p", "h"))
_LISTS = frozenset(("list", "ordered-list", "unordered-list"))
_ITEMS = frozenset(("list-item", "list-header"))
# What is not text: how it is made, what was deleted, what is said elsewhere or only if asked.
_DROPPED = frozenset(
    (
        "tracked-changes", "forms", "annotation-end", "ruby-text", "event-listeners",
        "variable-decls", "sequence-decls", "user-field-decls", "dde-source",
        "note-citation", "footnote-citation", "endnote-citation", "notes",
        "table-of-content-source", "alphabetical-index-source", "illustration-index-source",
        "table-index-source", "object-index-source", "user-index-source", "bibliography-source",
        "image-map", "animations", "par", "alphabetical-index-auto-mark-file", "scripts",
    )
)  # fmt: skip
_NOTES = {
    "note": "footnotes", "footnote": "footnotes", "endnote": "endnotes", "annotation": "comments",
}  # fmt: skip
_HEADS_AND_FEET = frozenset(
    ("header", "footer", "header-first", "footer-first", "header-left", "footer-left")
)
_SHAPES = frozenset(
    (
        "frame", "text-box", "custom-shape", "rect", "ellipse", "circle", "line", "polyline",
        "polygon", "path", "regular-polygon", "connector", "measure", "caption", "g", "a",
    )
)  # fmt: skip


def parse_odt(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a text's headings, paragraphs, lists and tables in order, its notes after them."""
    file = open_odf(path)
    with odf_pictures(path, pictures) as shown:
        walk = _Walk(file, shown)
        blocks = list(walk.blocks(file.body("text"), 0))
    blocks += walk.aside
    blocks += _heads_and_feet(file, walk)
    blocks += _form_labels(file)
    told = _notes(file, walk)
    return ParsedDocument(clean(file.title), tuple(blocks), notes=told, metadata=file.metadata)


def parse_odp(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a presentation's slides with their titles, texts, tables and notes."""
    file = open_odf(path)
    slides = list(children(file.body("presentation"), "page"))
    with odf_pictures(path, pictures) as shown:
        walk = _Walk(file, shown)
        blocks = list(_slides(slides, walk))
    blocks += _slide_feet(file, walk)
    title, notes = clean(file.title), _notes(file, walk)
    return ParsedDocument(title, tuple(blocks), len(slides), notes, metadata=file.metadata)


def _slides(slides: list[etree._Element], walk: _Walk) -> Iterator[Block]:
    for number, slide in enumerate(slides, start=1):
        walk.place = BlockLocator(LocatorKind.SLIDE, number)
        yield from walk.blocks(slide, 0)
        for spoken in children(slide, "notes"):
            yield from walk.blocks(spoken, 0)
        yield from walk.aside
        walk.aside.clear()


def _notes(file: OdfFile, walk: _Walk) -> tuple[str, ...]:
    hidden = (HIDDEN,) if walk.has_hidden else ()
    return (*file.notes, *hidden, *gap_notes(len(walk.gaps)))


class _Walk:
    """Goes through a body once; `aside` gathers what stands beside it: footnotes and comments."""

    def __init__(self, file: OdfFile, pictures: OdfPictures) -> None:
        self.place = BODY
        self.aside: list[Block] = []
        self.has_hidden = False
        self.gaps: set[etree._Element] = set()  # frames of formulas that can't be read
        self._styles = OdfStyles(file)
        self._formulas, self._pictures = file.formulas, pictures

    def blocks(self, parent: etree._Element, depth: int, kind: str = "") -> Iterator[Block]:
        """Yield the blocks of an element's children; `kind` is `list` or `title` inside of one."""
        for element in children(parent):
            name = local(element)
            if name in _DROPPED or self._is_hidden(element):
                continue
            if name in _PARAGRAPHS:
                yield from self._paragraph(element, name, depth, kind)
            elif name == "table":
                yield from self._table(element)
            elif name == "image":
                yield from self._picture(element)
            elif name in _NOTES:
                self._note(element)
            elif formula := self._formula(element):
                yield Block(BlockKind.TEXT, formula, self.place)
            elif depth < _DEEPEST:
                yield from self.blocks(element, depth + 1, _kind_inside(element, name, kind))
            elif text := whole_text(element):
                yield Block(BlockKind.TEXT, text, self.place)

    def _picture(self, image: etree._Element) -> Iterator[Block]:
        if text := self._pictures.text(image):
            yield Block(BlockKind.TEXT, text, self.place)

    def text(self, element: etree._Element) -> str:
        """Return an element's own text: without shapes, notes and hidden spans."""
        return "\n".join(filter(None, map(clean, "".join(self._pieces(element)).split("\n"))))

    def _paragraph(
        self, element: etree._Element, name: str, depth: int, kind: str
    ) -> Iterator[Block]:
        text = self.text(element)
        level = _outline_level(element) if name == "h" else self._styles.level(element)
        if kind == "title" and not level:
            level = 1
        if text and level:
            text = clean(text)
            if self.place.kind is not LocatorKind.SLIDE:
                self.place = BlockLocator(LocatorKind.SECTION, text)
            yield Block(BlockKind.HEADING, text, self.place, level)
        elif text:
            yield Block(BlockKind.LIST if kind == "list" else BlockKind.TEXT, text, self.place)
        for shape in self._inside(element):
            if depth < _DEEPEST:
                yield from self.blocks(shape, depth + 1)
            elif text := whole_text(shape):
                yield Block(BlockKind.TEXT, text, self.place)

    def _inside(self, paragraph: etree._Element) -> list[etree._Element]:
        """Return the shapes that are anchored in a paragraph, and take up its notes."""
        shapes: list[etree._Element] = []
        for element in _outermost(paragraph, _SHAPES | _NOTES.keys() | _DROPPED):
            if self._is_hidden(element):
                continue
            name = local(element)
            if name in _NOTES:
                self._note(element)
            elif name in _SHAPES and not self._formula(element):
                shapes += [element] if name != "a" or len(element) else []
        return shapes

    def _pieces(self, element: etree._Element) -> Iterator[str]:
        skipped = _SHAPES - {"a"} | _NOTES.keys() | _DROPPED
        hidden: etree._Element | None = None
        for event, each, is_outer in _walked(element, skipped):
            name = local(each)
            if hidden is None and is_outer is None and event == "start":
                if each is not element and self._is_hidden(each):
                    hidden = each
                else:
                    yield _SIGNS.get(name, "") + (each.text or "")
            if event == "start" and hidden is None and is_outer:
                yield self._formula(each)
            if event == "end":
                is_end = hidden is each
                hidden = None if is_end else hidden
                if hidden is None and is_outer is not False and each is not element:
                    yield _ENDS.get(name, "") + (each.tail or "")

    def _formula(self, frame: etree._Element) -> str:
        """Return the formula that a frame holds, in the file or as an object beside it."""
        if local(frame) != "frame":
            return ""
        for held in children(frame, "object", "object-ole"):
            inside = next(children(held, "math"), None)
            folder = attribute(held, "href").removeprefix("./")
            found = formula_of(inside) if inside is not None else self._formulas.get(folder, "")
            if found == GAP:
                self.gaps.add(frame)
            if found:
                return found
        return ""

    def _note(self, element: etree._Element) -> None:
        name = _NOTES[local(element)]
        if attribute(element, "note-class") == "endnote":
            name = "endnotes"
        texts = [self.text(each) for each in _outermost(element, _PARAGRAPHS)]
        is_slide = self.place.kind is LocatorKind.SLIDE
        place = self.place if is_slide else BlockLocator(LocatorKind.PART, name)
        if text := "\n".join(filter(None, texts)):
            self.aside.append(Block(BlockKind.TEXT, text, place))

    def _table(self, table: etree._Element) -> Iterator[Block]:
        rows: list[CellRow] = []
        for row in _rows_of(table):
            cells = tuple(self._cells(row))
            times = _repeated(row, "number-rows-repeated") if any(cells) else 1
            rows += [CellRow(len(rows) + at, cells) for at in range(1, times + 1)]
        yield from pipe_table(rows, self.place)
        for image in descendants(table, "image"):
            frame = image.getparent()
            if frame is not None and not self._formula(frame):
                yield from self._picture(image)

    def _cells(self, row: etree._Element) -> Iterator[str]:
        room = _MOST_COLUMNS
        for cell in children(row, "table-cell", "covered-table-cell"):
            text = self._cell_text(cell)
            for _ in range(min(room, _repeated(cell, "number-columns-repeated"))):
                yield text
                room -= 1

    def _cell_text(self, cell: etree._Element) -> str:
        """Return a cell's text, that of tables and shapes in it too, and take up its notes."""
        pieces: list[str] = []
        for element in _outermost(cell, _PARAGRAPHS | _NOTES.keys() | {"tracked-changes"}):
            if local(element) in _NOTES:
                self._note(element)
            elif local(element) in _PARAGRAPHS and not self._is_hidden(element):
                pieces.append(self.text(element))
                pieces += map(whole_text, self._inside(element))
        return clean(" ".join(pieces))

    def _is_hidden(self, element: etree._Element) -> bool:
        name = local(element)
        is_hidden = (
            (name == "section" and attribute(element, "display") == "none")
            or (name in {"hidden-text", "hidden-paragraph"} and _is_true(element, "is-hidden"))
            or self._styles.is_hidden(element)
        )
        if is_hidden and any(str(text).strip() for text in element.itertext()):
            self.has_hidden = True
        return is_hidden


_SIGNS = {"s": " ", "tab": " ", "line-break": "\n"}
_ENDS = {"p": "\n", "h": "\n", "list-item": "\n", "table-cell": " "}


def _walked(
    root: etree._Element, names: frozenset[str] | set[str]
) -> Iterator[tuple[str, etree._Element, bool | None]]:
    """Yield the starts and ends of all elements; `None` is said of those outside of any named.

    For one of the names it is True if it is in no other; what is inside of one is False.
    """
    inside: etree._Element | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if inside is None:
            is_named = event == "start" and element is not root and local(element) in names
            inside = element if is_named else None
            yield event, element, True if is_named else None
        elif inside is element:
            inside = None
            yield event, element, True
        else:
            yield event, element, False


def _outermost(root: etree._Element, names: frozenset[str] | set[str]) -> Iterator[etree._Element]:
    """Yield the elements of some names below a root that are in no other of them."""
    for event, element, is_outer in _walked(root, names):
        if event == "start" and is_outer:
            yield element


def _kind_inside(element: etree._Element, name: str, kind: str) -> str:
    if name in _LISTS or name in _ITEMS:
        return "list"
    if attribute(element, "class") == "title":
        return "title"
    return kind if name in {"text-box", "section", "g", "a"} else ""


def _outline_level(heading: etree._Element) -> int:
    level = attribute(heading, "outline-level") or attribute(heading, "level")
    return min(int(level), 9) if level.isdecimal() and len(level) < 3 and int(level) else 1


def _rows_of(table: etree._Element) -> Iterator[etree._Element]:
    """Yield a table's own rows, in whatever groups, not those of tables in its cells."""
    waiting = list(children(table))[::-1]
    while waiting:
        element = waiting.pop()
        name = local(element)
        if name == "table-row":
            yield element
        elif name in {"table-header-rows", "table-rows", "table-row-group"}:
            waiting += list(children(element))[::-1]


def _repeated(element: etree._Element, name: str) -> int:
    times = attribute(element, name)
    return min(int(times), _MOST_REPEATED) if times.isdecimal() and len(times) < 9 else 1


def _is_true(element: etree._Element, name: str) -> bool:
    return attribute(element, name) == "true"


def _heads_and_feet(file: OdfFile, walk: _Walk) -> Iterator[Block]:
    """Yield what stands above and below the pages, each text once."""
    known = set()
    for element in file.all(*_HEADS_AND_FEET):
        above = element.getparent()
        if above is not None and local(above) in _HEADS_AND_FEET:
            continue
        text = " ".join(filter(None, map(walk.text, _outermost(element, _PARAGRAPHS))))
        if text and text not in known:
            known.add(text)
            part = local(element).partition("-")[0]
            yield Block(BlockKind.META, text, BlockLocator(LocatorKind.PART, part))


def _slide_feet(file: OdfFile, walk: _Walk) -> Iterator[Block]:
    """Yield what stands above and below the slides, each text once."""
    texts = {walk.text(each): each for each in file.all("header-decl", "footer-decl")}
    for text, element in texts.items():
        if text:
            part = local(element).partition("-")[0]
            yield Block(BlockKind.META, text, BlockLocator(LocatorKind.PART, part))


def _form_labels(file: OdfFile) -> Iterator[Block]:
    """Yield what stands on and in a form's fields."""
    place = BlockLocator(LocatorKind.PART, "form")
    for form in file.all("forms"):
        for field in form.iter("{*}*"):
            words = (attribute(field, "label"), attribute(field, "current-value"))
            if text := clean(": ".join(filter(None, words))):
                yield Block(BlockKind.TEXT, text, place)
