"""Read PowerPoint: each slide's title, texts, tables and formulas, its notes, charts and comments.

Slides count from 1. A slide's shapes are read from top to bottom and left to right, as they stand,
not in the order in which they were made; the title goes first.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import ooxml_text
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.latex_notation import GAP
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

_TITLES = frozenset(("title", "ctrTitle"))
_RUNNING = frozenset(("ftr", "hdr", "dt"))  # what stands on each slide
_NO_TEXT = frozenset(("sldNum", "sldImg"))
_SHAPES = frozenset(("sp", "pic", "graphicFrame", "cxnSp", "grpSp"))
_DEEPEST = 40  # groups in groups
_LINE = 90_000  # a quarter of a centimetre: what stands that near in height is side by side
_BULLETS = ("buChar", "buAutoNum", "buBlip")
_BESIDE = ("ppt/notesSlides/", "ppt/diagrams/data", "ppt/charts/", "ppt/comments/")

_ORDER_IS_LOST = "The list of slides is damaged; they may be shown in another order."
# Where placeholders stand, by their index and by their kind: (top, left).
_Positions = dict[tuple[str, str], tuple[int, int]]


def parse_pptx(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return a PowerPoint file's slides with their titles, texts, tables and notes."""
    try:
        with repaired_archive(path) as whole, zipfile.ZipFile(whole) as archive:
            slides, is_sure = ooxml_text.slide_parts(archive)
            walk = _Walk(archive, PackagePictures(archive, pictures or EmbeddedPictures()))
            blocks: list[Block] = []
            lost: list[str] = []
            for number, name in enumerate(slides, start=1):
                root = ooxml_text.text_root(archive, name)
                if root is None:
                    lost.append(Phrase("Slide {0} is damaged and was not read.", number))
                else:
                    blocks += walk.slide(root, name, BlockLocator(LocatorKind.SLIDE, number))
            if len(lost) == len(slides) and (slides or not is_sure):
                raise DamagedPart("there is no whole slide")
            parts = ooxml_text.damaged_parts(archive, slides)
            notes = ooxml_text.damage_notes(parts, is_saved=whole != path)
            if not is_sure:
                notes.append(_ORDER_IS_LOST)
            notes += [*lost, *walk.reader.notes()]
            title, metadata = ooxml_text.title(archive), ooxml_text.metadata(archive)
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        raise file_problems.corrupt("The document is damaged.") from error
    return ParsedDocument(title, tuple(blocks), len(slides), notes=tuple(notes), metadata=metadata)


class _Walk:
    """Goes through the slides; knows where their layouts put what they do not place themselves."""

    def __init__(self, archive: zipfile.ZipFile, pictures: PackagePictures) -> None:
        self._pictures = pictures
        self.reader = ooxml_text.ParagraphReader()
        self._archive = archive
        self._positions: dict[str, _Positions] = {}

    def slide(self, root: etree._Element, name: str, place: BlockLocator) -> Iterator[Block]:
        """Yield a slide's title, what stands on it, its notes, and what belongs to it."""
        beside = list(ooxml_text.targets(self._archive, name).values())
        layout = next((part for part in beside if part.startswith("ppt/slideLayouts/")), "")
        tree = root.find("{*}cSld/{*}spTree")
        shapes = [] if tree is None else list(_in_order(tree, self._placed_by(layout)))
        titles = [shape for shape in shapes if _placeholder(shape)[1] in _TITLES]
        for shape in titles:
            if text := self.reader.all_text(shape):
                yield Block(BlockKind.HEADING, text, place, 1)
        for shape in shapes:
            if shape not in titles:
                yield from self._shape(shape, place)
            yield from self._on_pictures(shape, name, place)
        for background in root.iterfind("{*}cSld/{*}bg"):
            yield from self._on_pictures(background, name, place)
        for part in dict.fromkeys(beside):
            if part.startswith(_BESIDE):
                yield from self._part(part, place)

    def _on_pictures(
        self, element: etree._Element, part: str, place: BlockLocator
    ) -> Iterator[Block]:
        for text in self._pictures.texts(part, element):
            yield Block(BlockKind.TEXT, text, place)

    def _placed_by(self, layout: str) -> _Positions:
        """Return where a layout, and the master under it, put their placeholders."""
        if layout not in self._positions:
            beside = ooxml_text.targets(self._archive, layout).values() if layout else ()
            masters = [part for part in beside if part.startswith("ppt/slideMasters/")]
            positions: _Positions = {}
            for part in filter(None, (*masters, layout)):
                root = ooxml_text.part_root(self._archive, part)
                for shape in root.iter("{*}sp") if root is not None else ():
                    index, kind = _placeholder(shape)
                    position = _position(shape, positions)
                    if position is not None:
                        positions["index", index] = positions["kind", kind] = position
            self._positions[layout] = positions
        return self._positions[layout]

    def _shape(self, shape: etree._Element, place: BlockLocator) -> Iterator[Block]:
        kind = _placeholder(shape)[1]
        if kind in _NO_TEXT:
            return
        walk = etree.iterwalk(shape, events=("start",), tag=("{*}p", "{*}tbl", "{*}oleObj"))
        for _, element in walk:
            if local(element) == "tbl":
                walk.skip_subtree()
                yield from pipe_table(self._rows(element), place)
            elif local(element) == "p":
                if text := self.reader.text(element):
                    yield Block(_kind_of(element, kind), text, place)
            elif ooxml_text.is_equation_object(element):
                self.reader.unread_formulas += 1
                yield Block(BlockKind.TEXT, GAP, place)

    def _rows(self, table: etree._Element) -> list[CellRow]:
        return [
            CellRow(at, tuple(map(self.reader.all_text, children(row, "tc"))))
            for at, row in enumerate(children(table, "tr"), start=1)
        ]

    def _part(self, part: str, place: BlockLocator) -> Iterator[Block]:
        """Yield the texts of a part that belongs to a slide."""
        if part.startswith("ppt/charts/"):
            yield from chart_blocks(self._archive, part, self.reader, place)
            return
        root = ooxml_text.text_root(self._archive, part)
        if root is None:
            return
        if part.startswith("ppt/notesSlides/"):
            for shape in root.iter("{*}sp"):
                yield from self._shape(shape, place)
            return
        for element in root.iter("{*}p", "{*}text"):  # older comments have no paragraphs
            is_paragraph = local(element) == "p"
            text = self.reader.text(element) if is_paragraph else clean(element.text or "")
            if text:
                yield Block(BlockKind.TEXT, text, place)


def _kind_of(paragraph: etree._Element, placeholder: str) -> BlockKind:
    if placeholder in _RUNNING:
        return BlockKind.META
    properties = paragraph.find("{*}pPr")
    is_item = properties is not None and next(children(properties, *_BULLETS), None) is not None
    return BlockKind.LIST if is_item else BlockKind.TEXT


def _in_order(
    parent: etree._Element, positions: _Positions, depth: int = 0
) -> Iterator[etree._Element]:
    """Yield shapes from top to bottom and left to right, a group's where the group stands."""
    placed = [(_position(shape, positions) or (0, 0), shape) for shape in _members(parent)]
    for _, shape in sorted(placed, key=_line_and_left):
        if local(shape) == "grpSp" and depth < _DEEPEST:
            yield from _in_order(shape, positions, depth + 1)
        else:
            yield shape


def _line_and_left(placed: tuple[tuple[int, int], etree._Element]) -> tuple[int, int]:
    top, left = placed[0]
    return top // _LINE, left


def _members(parent: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes of a slide or a group, those for newer versions too."""
    waiting = list(children(parent))[::-1]
    while waiting:
        element = waiting.pop()
        if local(element) in _SHAPES:
            yield element
        elif local(element) in {"AlternateContent", "Choice", "Fallback"}:
            waiting += list(children(element))[::-1]


def _position(shape: etree._Element, positions: _Positions) -> tuple[int, int] | None:
    """Return a shape's top and left, as it states them or as its layout does."""
    for path in ("{*}spPr/{*}xfrm/{*}off", "{*}grpSpPr/{*}xfrm/{*}off", "{*}xfrm/{*}off"):
        stated = shape.find(path)
        if stated is not None:
            return _whole(attribute(stated, "y")), _whole(attribute(stated, "x"))
    index, kind = _placeholder(shape)
    found = positions.get(("index", index)) if index else None
    return found or positions.get(("kind", kind))


def _whole(value: str) -> int:
    digits = value.removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(digits) < 12
    return int(value) if is_number else 0


def _placeholder(shape: etree._Element) -> tuple[str, str]:
    """Return the index and the kind of the placeholder that a shape fills, empty for none."""
    for path in ("nvSpPr", "nvPicPr", "nvGraphicFramePr"):
        found = shape.find(f"{{*}}{path}/{{*}}nvPr/{{*}}ph")
        if found is not None:
            return attribute(found, "idx"), attribute(found, "type") or "obj"
    return "", ""
