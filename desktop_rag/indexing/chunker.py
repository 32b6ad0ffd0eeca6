"""Cuts a document along its structure: small pieces to match, bigger ranges around them to read.

A chunk never crosses a page, slide, sheet or named section, so it has one place. Paragraphs are
joined up to the size, long ones cut at sentence ends; table rows stay whole.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from desktop_rag.core.catalog_records import NewChunk
from desktop_rag.core.settings import Chunking
from desktop_rag.core.types import BlockKind, Box, Locator, LocatorKind
from desktop_rag.core.unicode import valid_text
from desktop_rag.indexing.text_units import (
    LETTERS_A_TOKEN,
    CountTokens,
    LaidOutBlock,
    Unit,
    lay_out,
)
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument

VERSION = 3  # raise it when the same document and settings give other chunks than before
UnitGroup = list[Unit]

_CONTEXT_TITLE = 160  # characters of a title or of one heading in a context
_HEADINGS_SHOWN = 4  # the innermost ones
_FLOWING = (LocatorKind.LINE, LocatorKind.ROW)  # places that count on inside one text
_LIKE_HASH = re.compile(r"[0-9a-f-]{16,}|\d+", re.IGNORECASE)


def chunk_document(
    document: ParsedDocument, fallback_title: str, sizes: Chunking, count_tokens: CountTokens
) -> tuple[str, tuple[NewChunk, ...]]:
    """Return the document's text and its chunks, each exactly `text[start:end]` of it.

    `fallback_title` (the file's name) is the title where the document has none.
    """
    title = (document.title, fallback_title)
    pieces = list(iter_chunks(document.blocks, title, sizes, count_tokens))
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    return text, tuple(piece for piece in pieces if isinstance(piece, NewChunk))


def iter_chunks(
    blocks: Iterable[Block], titles: tuple[str, str], sizes: Chunking, count_tokens: CountTokens
) -> Iterator[str | NewChunk]:
    """Yield a document's text, in pieces that make it up, and between them its chunks, as
    `chunk_document`.

    Of a long document only some pages are held at any time. `titles` are its own and the file's.
    """
    window = _Window(lay_out(blocks, titles[0], sizes.small_tokens, count_tokens))
    pieces = _tidied(_packed(window.blocks(), sizes), sizes)
    title = _full_title(*titles)
    for ordinal, (piece, big) in enumerate(_big_ranges(pieces, sizes)):
        yield from window.fresh()
        window.move(piece)
        yield _chunk(ordinal, piece, big, window, title)
    yield from window.fresh()


class _Window:
    """The part of a document's text that the chunks which are being made can still touch."""

    def __init__(self, laid: Iterable[LaidOutBlock]) -> None:
        self._laid = laid
        self._held: deque[LaidOutBlock] = deque()
        self._fresh: list[str] = []
        self._first = 0  # the number of the first block that is held

    def blocks(self) -> Iterator[UnitGroup]:
        """Yield the units of each block that has some; from then on its text is held."""
        for each in self._laid:
            self._held.append(each)
            self._fresh.append(each.parting + each.text)
            if each.units:
                yield list(each.units)

    def fresh(self) -> Iterator[str]:
        """Yield the text that has come since this was asked last."""
        fresh, self._fresh = self._fresh, []
        yield from fresh

    def move(self, piece: UnitGroup) -> None:
        """Let go of what lies before a piece: no later one begins earlier."""
        while self._first < piece[0].block:
            self._held.popleft()
            self._first += 1

    def text(self, start: int, end: int) -> str:
        """Return a range of the text."""
        found = []
        for each in self._held:
            begin = each.start - len(each.parting)
            if begin >= end:
                break
            found.append((each.parting + each.text)[max(start - begin, 0) : end - begin])
        return "".join(found)

    def boxes(self, block: int) -> tuple[Box, ...]:
        """Return the boxes of a block by its number."""
        return self._held[block - self._first].boxes


def _packed(blocks: Iterable[UnitGroup], sizes: Chunking) -> Iterator[UnitGroup]:
    """Fill pieces with units, block by block."""
    current: UnitGroup = []
    for block in blocks:
        if current and _parts(current, block, sizes):
            yield current
            current = []
        for unit in block:
            if current and _is_full(current, unit, sizes):
                yield current
                current = _overlap(current, unit, sizes)
            current.append(unit)
    if current:
        yield current


def _tokens(units: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in units)


def _only_headings(piece: UnitGroup) -> bool:
    return all(unit.is_heading for unit in piece)


def _parts(current: UnitGroup, block: UnitGroup, sizes: Chunking) -> bool:
    """Say whether a new piece must begin before this block."""
    last, first = current[-1], block[0]
    waiting = _only_headings(current)  # headings wait for the text that they stand over
    if not _same_place(last.place, first.place):
        return not (waiting and first.place.kind is LocatorKind.SECTION)
    if waiting:
        return False
    if first.is_heading:
        return _tokens(current) * 3 >= sizes.small_tokens
    if BlockKind.TABLE in (first.kind, last.kind):
        return (first.kind, first.header) != (last.kind, last.header)
    whole = _tokens(block)
    if _tokens(current) + whole <= sizes.small_tokens:
        return False
    return whole <= sizes.small_tokens or first.kind is not BlockKind.TEXT


def _same_place(one: BlockLocator, other: BlockLocator) -> bool:
    if one.kind is not other.kind:
        return False
    return one.kind in _FLOWING or one.value == other.value


def _is_full(current: UnitGroup, unit: Unit, sizes: Chunking) -> bool:
    if unit.end - current[0].start > sizes.small_tokens * LETTERS_A_TOKEN:
        return True  # white space between units counts no tokens
    if _tokens(current) + unit.tokens <= sizes.small_tokens:
        return False
    return not (_only_headings(current) and _tokens(current) * 2 <= sizes.small_tokens)


def _overlap(current: UnitGroup, following: Unit, sizes: Chunking) -> UnitGroup:
    """Return the last sentences of a running text, to stand again before the following ones."""
    taken: UnitGroup = []
    for unit in reversed(current[1:]):
        fits = _tokens(taken) + unit.tokens <= sizes.overlap_tokens
        running = unit.kind is following.kind is BlockKind.TEXT
        if not (fits and running):
            break
        taken.insert(0, unit)
    return taken if _tokens(taken) + following.tokens <= sizes.small_tokens else []


def _tidied(pieces: Iterable[UnitGroup], sizes: Chunking) -> Iterator[UnitGroup]:
    """Join what is too small to stand alone to the piece before it: late headings, short tails."""
    last: UnitGroup = []
    for piece in pieces:
        if last and _belongs_to(last, piece, sizes):
            known = last[-1].end
            last.extend(unit for unit in piece if unit.start >= known)
            continue
        if last:
            yield last
        last = list(piece)  # its own: units of `piece` may be taken for the next one's overlap
    if last:
        yield last


def _belongs_to(before: UnitGroup, piece: UnitGroup, sizes: Chunking) -> bool:
    last, first = before[-1], piece[0]
    if not _same_place(last.place, first.place) or last.header != first.header:
        return False
    if _tokens(before) + _tokens(piece) > sizes.small_tokens * 6 // 5:
        return False
    if _only_headings(piece):
        return True
    tail = _tokens(piece) * 5 < sizes.small_tokens
    return tail and last.path == first.path and not first.is_heading


def _big_ranges(
    pieces: Iterable[UnitGroup], sizes: Chunking
) -> Iterator[tuple[UnitGroup, tuple[int, int]]]:
    """Yield each piece with the range of the bigger one around it, which neighbours share.

    A bigger range stays in its place; where a section of a page fills less than half of it, the
    next section is read together with it.
    """
    group: list[UnitGroup] = []
    for piece in pieces:
        if group and not _reads_on(group, piece, sizes):
            yield from _with_range(group)
            group = []
        group.append(piece)
    if group:
        yield from _with_range(group)


def _with_range(group: Sequence[UnitGroup]) -> Iterator[tuple[UnitGroup, tuple[int, int]]]:
    big = (group[0][0].start, max(piece[-1].end for piece in group))
    for piece in group:
        yield piece, big


def _reads_on(group: Sequence[UnitGroup], piece: UnitGroup, sizes: Chunking) -> bool:
    first, last = group[0], group[-1]
    if not _same_place(_body(first).place, _body(piece).place):
        return False
    if piece[-1].end - first[0].start > sizes.big_tokens * LETTERS_A_TOKEN:
        return False
    tokens = sum(_tokens(each) for each in group)
    if tokens + _tokens(piece) > sizes.big_tokens:
        return False
    return _body(last).path == _body(piece).path or tokens * 2 < sizes.big_tokens


def _body(piece: UnitGroup) -> Unit:
    """Return the unit that a piece's place, kind and section are taken from."""
    return next((unit for unit in piece if not unit.is_heading), piece[-1])


def _chunk(
    ordinal: int, piece: UnitGroup, big: tuple[int, int], window: _Window, title: str
) -> NewChunk:
    body = _body(piece)
    start, end = piece[0].start, piece[-1].end
    text, context = window.text(start, end), _context(piece, title)
    return NewChunk(
        ordinal=ordinal,
        kind=body.kind,
        text=text,
        context=context,
        section=" > ".join(body.path),
        locator=_locator(piece, window),
        big=big,
        embed_key=embed_key(context, text),
    )


def embed_key(context: str, text: str) -> str:
    """Return the name of a chunk's embedding: the hash of what the embedder reads it from."""
    read = f"{context}\n{text}".encode()
    return hashlib.blake2b(read, digest_size=16).hexdigest()


def _full_title(title: str, file_name: str) -> str:
    """Return the title, with the file's name where that says more, such as company and year."""
    title = " ".join(title.split())[:_CONTEXT_TITLE]
    name = re.sub(r"[_\W]+", " ", file_name).strip()[:_CONTEXT_TITLE]
    if not title or not name or _LIKE_HASH.fullmatch(file_name):
        return title or name
    known = title.casefold()
    return title if all(word in known for word in name.casefold().split()) else f"{title} ({name})"


def _context(piece: UnitGroup, title: str) -> str:
    """Return the title, the headings that the piece does not hold, and a table's header and row."""
    body = _body(piece)
    held = [unit.path[-1] for unit in piece if unit.is_heading and unit.path]
    above = [name[:_CONTEXT_TITLE] for name in body.path if name not in held]
    if body.place.kind is LocatorKind.SHEET and str(body.place.value) not in above:
        above.append(str(body.place.value))
    lines = (title, " > ".join(above[-_HEADINGS_SHOWN:]), body.header, body.row)
    return valid_text("\n".join(line for line in lines if line))


def _locator(piece: UnitGroup, window: _Window) -> Locator:
    first, body = piece[0], _body(piece)
    place = first.place if body.place.kind in _FLOWING else body.place
    boxes = tuple(
        box for block in sorted({unit.block for unit in piece}) for box in window.boxes(block)
    )
    whole = Locator(place.kind, place.value, boxes=boxes, cells=_cells(piece))
    return whole.narrowed(first.start, piece[-1].end)


def _cells(piece: UnitGroup) -> str | None:
    """Return the range around all cells of the piece: `A2:F2` and `A3:F3` make `A2:F3`."""
    corners = [
        corner
        for unit in piece
        if unit.place.cells
        for corner in re.findall(r"([A-Z]+)(\d+)", unit.place.cells)
    ]
    if not corners:
        return None
    columns = sorted({column for column, _ in corners}, key=_column_order)
    rows = sorted(int(row) for _, row in corners)
    return f"{columns[0]}{rows[0]}:{columns[-1]}{rows[-1]}"


def _column_order(letters: str) -> tuple[int, str]:
    return len(letters), letters
