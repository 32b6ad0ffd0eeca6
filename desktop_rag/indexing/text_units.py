"""A document's blocks laid out as one text, each with its units: sentences, list items, table rows.

Block by block, so that a long document is never held as a whole. Knows nothing of chunks;
`chunker.py` packs units into them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.table_rows import bare_cells
from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.core.unicode import valid_text
from desktop_rag.parsing.parsed_document import LONGEST_NAME, Block, BlockLocator

CountTokens = Callable[[Sequence[str]], list[int]]
OffsetRange = tuple[int, int]

_COUNTED_UNITS, _COUNTED_LETTERS = 512, 100_000  # whose tokens are counted at once, about
# A word counts as one token however long it is; so does what a tokenizer passes over.
LETTERS_A_TOKEN = 64
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
    `header` is a table's caption and column names, or what a piece of code defines, `row` the first
    cell of a row that was too long to stay whole, in its later parts.
    """

    start: int
    end: int
    kind: BlockKind
    place: BlockLocator
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
class LaidOutBlock:
    """A block in its document's text: `text` stands at `start`, after what parts it from the last.

    Its units and its boxes are counted in the document's text.
    """

    start: int
    parting: str
    text: str
    units: tuple[Unit, ...]
    boxes: tuple[Box, ...]


def lay_out(
    blocks: Iterable[Block], title: str, most_tokens: int, count_tokens: CountTokens
) -> Iterator[LaidOutBlock]:
    """Yield the blocks one after the other, cut into units of at most `most_tokens` each."""
    outline, waiting = _Outline(title), list[LaidOutBlock]()
    for block in blocks:
        if not block.text.strip():
            continue
        waiting.append(outline.laid(_storable(block)))
        units = sum(len(laid.units) for laid in waiting)
        if units >= _COUNTED_UNITS or sum(len(laid.text) for laid in waiting) >= _COUNTED_LETTERS:
            yield from _counted(waiting, most_tokens, count_tokens)
            waiting = []
    yield from _counted(waiting, most_tokens, count_tokens)


def _counted(
    waiting: list[LaidOutBlock], most: int, count_tokens: CountTokens
) -> Iterator[LaidOutBlock]:
    """Yield blocks with their units' tokens counted, and those cut that have too many."""
    texts = [_counted_text(unit, laid) for laid in waiting for unit in laid.units]
    counts = iter(count_tokens(texts) if texts else [])
    for laid in waiting:
        small: list[Unit] = []
        for unit in laid.units:
            tokens = max(next(counts), (unit.end - unit.start) // LETTERS_A_TOKEN)
            small += _shortened(replace(unit, tokens=tokens), laid, most)
        yield replace(laid, units=tuple(small))


def _counted_text(unit: Unit, laid: LaidOutBlock) -> str:
    """Return a unit's text as search reads it."""
    text = laid.text[unit.start - laid.start : unit.end - laid.start]
    return bare_cells(text, unit.header) if unit.kind is BlockKind.TABLE else text


def _storable(block: Block) -> Block:
    """Replace what no database can hold (lone surrogates, NUL), keeping every offset."""
    clean = valid_text(block.text).replace("\0", " ")
    return block if clean == block.text else replace(block, text=clean)


class _Outline:
    """Gives each block its place in the text, and its units the headings above them."""

    def __init__(self, title: str) -> None:
        self._title = _one_line(title)
        self._above: list[tuple[int, str]] = []
        self._before: Block | None = None
        self._header = ""
        self._end = self._number = 0

    def laid(self, block: Block) -> LaidOutBlock:
        """Return the next block, its units' tokens not counted yet."""
        is_first = self._before is None
        parting = "" if is_first or block.goes_on else BETWEEN
        start = self._end + len(parting)
        self._enter(block)
        path = tuple(name for _, name in self._above)
        units = []
        for span, place in _parts(block):
            begin, end = (start + at for at in _trimmed(block.text, *span))
            units.append(Unit(begin, end, block.kind, place, self._number, path, self._header))
        boxes = tuple(
            replace(box, start=box.start + start, end=box.end + start) for box in block.boxes
        )
        self._before, self._end = block, start + len(block.text)
        self._number += 1
        return LaidOutBlock(start, parting, block.text, tuple(units), boxes)

    def _enter(self, block: Block) -> None:
        """Note the heading or the table's header that a block brings."""
        if block.kind in HEADINGS:
            level = 0 if block.kind is BlockKind.TITLE else max(block.level, 1)
            self._above = [each for each in self._above if each[0] < level]
            name = _one_line(block.text)
            if name != self._title:
                self._above.append((level, name[:LONGEST_NAME]))
        if block.kind is BlockKind.CODE:
            self._header = _one_line(block.header)[:_HEADER_CHARACTERS]
        elif block.kind is not BlockKind.TABLE:
            self._header = ""
        elif not block.goes_on:
            self._header = _header(block, self._before)


def _one_line(text: str) -> str:
    """Return text for a context: in one line, without rules drawn of characters."""
    return " ".join(_RULE.sub(" ", text).split())


def _header(block: Block, before: Block | None) -> str:
    """Return a table's column names, after its caption if the paragraph before is one."""
    names = _one_line(block.header)[:_HEADER_CHARACTERS]
    if before is None or before.kind is not BlockKind.TEXT:
        return names
    caption = _one_line(before.text)
    short = len(caption) <= _CAPTION_CHARACTERS
    if short and (_CAPTION.match(caption) or caption.endswith((":", "："))):
        return f"{caption}\n{names}".strip()
    return names


def _parts(block: Block) -> Iterator[tuple[OffsetRange, BlockLocator]]:
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


def _rows(block: Block) -> Iterator[tuple[OffsetRange, BlockLocator]]:
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


def _line_of(block: Block, offset: int) -> BlockLocator:
    """Return the place of an offset: where a block starts at a line, lines are counted on."""
    place = block.place
    if place.kind is LocatorKind.LINE and isinstance(place.value, int) and offset:
        return replace(place, value=place.value + block.text.count("\n", 0, offset))
    return place


def _split_at(text: str, ends: re.Pattern[str]) -> list[OffsetRange]:
    """Return the ranges between the matches of `ends`, without white space around them."""
    spans, at = [], 0
    for match in ends.finditer(text):
        spans.append((at, match.end()))
        at = match.end()
    spans.append((at, len(text)))
    trimmed = (_trimmed(text, start, end) for start, end in spans)
    return [(start, end) for start, end in trimmed if start < end]


def _trimmed(text: str, start: int, end: int) -> OffsetRange:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _shortened(unit: Unit, laid: LaidOutBlock, most: int) -> Iterator[Unit]:
    """Yield the unit, cut where it has more than `most` tokens: at cells or lines, else words."""
    if unit.tokens <= most:
        yield unit
        return
    size = max(1, (unit.end - unit.start) * most // unit.tokens)
    piece = laid.text[unit.start - laid.start : unit.end - laid.start]
    best = _CELL_END if unit.kind is BlockKind.TABLE else _LINE_END
    for start, end in _windows(piece, size, (best, _WORD_END)):
        tokens = max(1, unit.tokens * (end - start) // len(piece))
        span = (unit.start + start, unit.start + end)
        row = _first_cell(piece) if start and unit.kind is BlockKind.TABLE else ""
        yield replace(unit, start=span[0], end=span[1], tokens=tokens, row=row)


def _first_cell(row: str) -> str:
    """Return what names a row: the text before its first border."""
    start = row.strip()[: _ROW_CHARACTERS * 8]
    return _one_line(_CELL_END.split(start, maxsplit=1)[0])[:_ROW_CHARACTERS]


def _windows(text: str, size: int, ends: Sequence[re.Pattern[str]]) -> Iterator[OffsetRange]:
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
