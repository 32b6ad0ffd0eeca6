"""A parsed document as one text and its units: sentences, list items, table rows.

Knows nothing of chunks; `chunk.py` packs units into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.engine.ingest.parse.blocks import Block, ParsedDocument, Place
from desktop_rag.store.spelling import valid_text

CountTokens = Callable[[Sequence[str]], list[int]]
Span = tuple[int, int]

BETWEEN = "\n\n"  # what joins the blocks of a document's text
HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)
_HEADER_CHARACTERS = 400  # of a table's header, repeated in the context of each of its pieces
_CAPTION_CHARACTERS = 200
_ROW_CHARACTERS = 120  # of the cell that names a row, repeated in the contexts of its later parts
_CAPTION = re.compile(
    r"(table|tab\.|exhibit|schedule|表|圖表|图表)\s*[\d０-９一二三四五六七八九十A-Z]", re.IGNORECASE
)
_CELL_END = re.compile(r"\s*[|\t;]\s*")
_RULE = re.compile(r"([_\-=.*~·])\1{3,}")
_LINE_END = re.compile(r"\n\s*")
_WORD_END = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A range of the document's text that stays whole: a heading, sentence, list item or row.

    `block` numbers its block, `path` are the headings above it (a heading's own included), and
    `header` is a table's caption and column names, `row` the first cell of a row that was too long
    to stay whole, in its later parts.
    """

    start: int
    end: int
    kind: BlockKind
    place: Place
    block: int
    path: tuple[str, ...]
    header: str = ""
    tokens: int = 0
    row: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether this is a heading or the title."""
        return self.kind in HEADINGS


@dataclass(frozen=True, slots=True)
class Layout:
    """A document's text, its units in order, and each block's boxes at the text's offsets."""

    text: str
    units: tuple[Unit, ...]
    boxes: tuple[tuple[Box, ...], ...]


def lay_out(document: ParsedDocument, most_tokens: int, count_tokens: CountTokens) -> Layout:
    """Join the blocks into one text and cut it into units of at most `most_tokens` each."""
    blocks = [_storable(block) for block in document.blocks if block.text.strip()]
    starts, at = [], 0
    for block in blocks:
        starts.append(at)
        at += len(block.text) + len(BETWEEN)
    text = BETWEEN.join(block.text for block in blocks)
    units = list(_units(blocks, starts, document.title))
    counts = count_tokens([text[unit.start : unit.end] for unit in units]) if units else []
    counted = (replace(unit, tokens=count) for unit, count in zip(units, counts, strict=True))
    small = tuple(part for unit in counted for part in _shortened(unit, text, most_tokens))
    boxes = tuple(_shifted(block.boxes, at) for block, at in zip(blocks, starts, strict=True))
    return Layout(text, small, boxes)


def _storable(block: Block) -> Block:
    """Replace what no database can hold (lone surrogates, NUL), keeping every offset."""
    clean = valid_text(block.text).replace("\0", " ")
    return block if clean == block.text else replace(block, text=clean)


def _shifted(boxes: tuple[Box, ...], by: int) -> tuple[Box, ...]:
    return tuple(replace(box, start=box.start + by, end=box.end + by) for box in boxes)


def _units(blocks: Sequence[Block], starts: Sequence[int], title: str) -> Iterator[Unit]:
    """Yield every block's units, with the headings above them; tokens are not counted yet."""
    above: list[tuple[int, str]] = []
    for number, (block, start) in enumerate(zip(blocks, starts, strict=True)):
        if block.kind in HEADINGS:
            level = 0 if block.kind is BlockKind.TITLE else max(block.level, 1)
            above = [each for each in above if each[0] < level]
            if _one_line(block.text) != _one_line(title):
                above.append((level, _one_line(block.text)))
        path = tuple(name for _, name in above)
        header = _header(blocks, number) if block.kind is BlockKind.TABLE else ""
        for span, place in _parts(block):
            begin, end = _trimmed(block.text, *span)
            yield Unit(start + begin, start + end, block.kind, place, number, path, header)


def _one_line(text: str) -> str:
    """Return text for a context: in one line, without rules drawn of characters."""
    return " ".join(_RULE.sub(" ", text).split())


def _header(blocks: Sequence[Block], number: int) -> str:
    """Return a table's column names, after its caption if the paragraph before is one."""
    names = _one_line(blocks[number].header)[:_HEADER_CHARACTERS]
    before = blocks[number - 1] if number else None
    if before is None or before.kind is not BlockKind.TEXT:
        return names
    caption = _one_line(before.text)
    short = len(caption) <= _CAPTION_CHARACTERS
    if short and (_CAPTION.match(caption) or caption.endswith((":", "："))):
        return f"{caption}\n{names}".strip()
    return names


def _parts(block: Block) -> Iterator[tuple[Span, Place]]:
    """Yield the ranges of a block's units, in the block's own offsets, with their places."""
    if block.kind is BlockKind.TABLE and block.rows:
        yield from _rows(block)
        return
    if block.kind is BlockKind.TEXT:
        spans = [(each.start, each.end) for each in sentences(block.text)]
    elif block.kind in HEADINGS:
        spans = [(0, len(block.text))]
    else:
        spans = _split_at(block.text, _LINE_END)
    for span in spans:
        yield span, _line_of(block, span[0])


def _rows(block: Block) -> Iterator[tuple[Span, Place]]:
    """Find each row in the table's text; what stands between rows belongs to the next one."""
    at = 0
    for row in block.rows:
        if not row.text.strip():
            continue
        found = block.text.find(row.text, at)
        if found < 0:
            continue
        yield (at if block.text[at:found].strip() else found, found + len(row.text)), row.place
        at = found + len(row.text)
    if block.text[at:].strip():
        yield (at, len(block.text)), block.rows[-1].place


def _line_of(block: Block, offset: int) -> Place:
    """Return the place of an offset: where a block starts at a line, lines are counted on."""
    place = block.place
    if place.kind is LocatorKind.LINE and isinstance(place.value, int) and offset:
        return replace(place, value=place.value + block.text.count("\n", 0, offset))
    return place


def _split_at(text: str, ends: re.Pattern[str]) -> list[Span]:
    """Return the ranges between the matches of `ends`, without white space around them."""
    spans, at = [], 0
    for match in ends.finditer(text):
        spans.append((at, match.end()))
        at = match.end()
    spans.append((at, len(text)))
    trimmed = (_trimmed(text, start, end) for start, end in spans)
    return [(start, end) for start, end in trimmed if start < end]


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _shortened(unit: Unit, text: str, most: int) -> Iterator[Unit]:
    """Yield the unit, cut where it has more than `most` tokens: at cells or lines, else words."""
    if unit.tokens <= most:
        yield unit
        return
    size = max(1, (unit.end - unit.start) * most // unit.tokens)
    piece = text[unit.start : unit.end]
    best = _CELL_END if unit.kind is BlockKind.TABLE else _LINE_END
    for start, end in _windows(piece, size, (best, _WORD_END)):
        tokens = max(1, unit.tokens * (end - start) // len(piece))
        span = (unit.start + start, unit.start + end)
        row = _first_cell(piece) if start and unit.kind is BlockKind.TABLE else ""
        yield replace(unit, start=span[0], end=span[1], tokens=tokens, row=row)


def _first_cell(row: str) -> str:
    """Return what names a row: the text before its first border."""
    return _one_line(_CELL_END.split(row.strip(), maxsplit=1)[0])[:_ROW_CHARACTERS]


def _windows(text: str, size: int, ends: Sequence[re.Pattern[str]]) -> Iterator[Span]:
    """Yield ranges of at most `size` characters, cut where one of `ends` matches late in each."""
    at = 0
    while at < len(text):
        end = min(at + size, len(text))
        if end < len(text):
            end = _last_end(text, at + size // 2, end, ends)
        start, stop = _trimmed(text, at, end)
        if start < stop:
            yield start, stop
        at = end


def _last_end(text: str, low: int, high: int, ends: Sequence[re.Pattern[str]]) -> int:
    for pattern in ends:
        found = [match.end() for match in pattern.finditer(text, low, high) if match.end() > low]
        if found:
            return found[-1]
    return high
