"""SQLite's trees and records, read so that damage in one place costs no other.

See https://sqlite.org/fileformat2.html: a tree's inner pages name their children, its leaves hold
records, and what does not fit on a page goes on in a chain of overflow pages.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag.catalog.sqlite_pages import HEADER, DatabasePages

SqlValue = int | float | str | bytes | None
INNER_INDEX, INNER_TABLE, LEAF_INDEX, LEAF_TABLE = 0x02, 0x05, 0x0A, 0x0D
_KINDS = {LEAF_TABLE: INNER_TABLE, LEAF_INDEX: INNER_INDEX}
_LONGEST = 1 << 30
_FIXED = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 0: 0, 8: 0, 9: 0}
_FLOAT = 7


class BrokenPageError(ValueError):
    """These bytes are not what they should be."""


@dataclass(frozen=True, slots=True)
class BtreeCell:
    """One entry: a table's row with its number, or an index's entry, without one."""

    rowid: int
    payload: bytes


class BtreeReader:
    """Reads the trees of an image; a page belongs to the first tree that reaches it."""

    def __init__(self, image: DatabasePages) -> None:
        self._image = image
        self.claimed: set[int] = set()

    def walk(self, root: int, leaf: int) -> Iterator[int | None]:
        """Yield the pages of a tree, `leaf` being its leaves' kind; None for each that is broken.

        An index's inner pages are yielded as well: they hold entries, too.
        """
        waiting = [root]
        while waiting:
            number = waiting.pop()
            page = self._taken(number)
            kind = page[self._start(number)] if page else 0
            if kind == leaf:
                yield number
            elif kind == _KINDS[leaf]:
                children, is_whole = self._children(number, page)
                waiting += children
                if leaf == LEAF_INDEX:
                    yield number
                if not is_whole:
                    yield None
            else:
                self.claimed.discard(number)  # another tree's, perhaps
                yield None

    def orphans(self) -> Iterator[int]:
        """Yield the leaves of tables that no tree reached."""
        for number in range(1, self._image.pages + 1):
            kind = self._image.page(number)[self._start(number)]
            if number not in self.claimed and kind == LEAF_TABLE:
                yield number

    def cells(self, number: int) -> Iterator[BtreeCell | None]:
        """Yield a page's cells; None for one that can't be read."""
        page = self._image.page(number)
        kind = page[self._start(number)]
        try:
            pointers = self._pointers(number, page)
        except BrokenPageError:
            yield None
            return
        for at in pointers:
            try:
                yield self._cell(page, at, kind)
            except (BrokenPageError, IndexError, struct.error):
                yield None

    def _taken(self, number: int) -> bytes:
        """Return a page and claim it; nothing where there is none, or another tree has it."""
        if not 1 <= number <= self._image.pages or number in self.claimed:
            return b""
        self.claimed.add(number)
        return self._image.page(number)

    @staticmethod
    def _start(number: int) -> int:
        return HEADER if number == 1 else 0

    def _pointers(self, number: int, page: bytes) -> tuple[int, ...]:
        """Return where the page's cells begin."""
        start = self._start(number)
        is_leaf = page[start] in _KINDS
        count = int.from_bytes(page[start + 3 : start + 5], "big")
        first = start + (8 if is_leaf else 12)
        if first + 2 * count > len(page):
            raise BrokenPageError("more cells than a page has room for")
        return struct.unpack(f">{count}H", page[first : first + 2 * count])

    def _children(self, number: int, page: bytes) -> tuple[list[int], bool]:
        """Return the children that an inner page names, and whether none is missing."""
        start = self._start(number)
        last = int.from_bytes(page[start + 8 : start + 12], "big")
        try:
            pointers = self._pointers(number, page)
        except BrokenPageError:
            return [last], False
        inside = [at for at in pointers if at + 4 <= len(page)]
        found = [int.from_bytes(page[at : at + 4], "big") for at in inside]
        return [last, *found], len(inside) == len(pointers)

    def _cell(self, page: bytes, at: int, kind: int) -> BtreeCell:
        rowid = 0
        if kind == INNER_INDEX:
            at += 4
        size, at = varint(page, at)
        if kind == LEAF_TABLE:
            rowid, at = varint(page, at)
        if not 0 < size < _LONGEST:
            raise BrokenPageError("a record of no length")
        local = self._local(size, is_table=kind == LEAF_TABLE)
        payload = page[at : at + local]
        if len(payload) != local:
            raise BrokenPageError("a record goes beyond its page")
        if local < size:
            payload += self._overflow(page[at + local : at + local + 4], size - local)
        return BtreeCell(rowid, payload)

    def _local(self, size: int, *, is_table: bool) -> int:
        """Return how many bytes of a record stand on its page."""
        usable = self._image.page_size
        most = usable - 35 if is_table else (usable - 12) * 64 // 255 - 23
        if size <= most:
            return size
        least = (usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (usable - 4)
        return local if local <= most else least

    def _overflow(self, pointer: bytes, size: int) -> bytes:
        """Return the rest of a record; a chain that runs in a circle ends with its length."""
        parts: list[bytes] = []
        number = int.from_bytes(pointer, "big")
        if size > self._image.pages * self._image.page_size:
            raise BrokenPageError("a record is longer than its file")
        chain: set[int] = set()
        while size > 0:
            if not 1 < number <= self._image.pages or number in chain or number in self.claimed:
                raise BrokenPageError("a record goes on nowhere")
            chain.add(number)
            page = self._image.page(number)
            parts.append(page[4 : 4 + size])
            size -= len(parts[-1])
            number = int.from_bytes(page[:4], "big")
        if number:
            raise BrokenPageError("a record does not end")
        return b"".join(parts)


def varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of SQLite's variable length, and where it ends."""
    value = 0
    for place in range(9):
        byte = data[at + place]
        if place == 8:
            value = value << 8 | byte
            break
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    else:  # pragma: no cover - the ninth byte always ends it
        place = 8
    return value - (1 << 64) if value >> 63 else value, at + place + 1


def values(payload: bytes) -> list[SqlValue]:
    """Return a record's values; a `BrokenPageError` where it is none."""
    try:
        end, at = varint(payload, 0)
        kinds: list[int] = []
        while at < end:
            kind, at = varint(payload, at)
            kinds.append(kind)
        if at != end:
            raise BrokenPageError("a record's head is too long")
        made = []
        for kind in kinds:
            value, at = _value(payload, at, kind)
            made.append(value)
    except (IndexError, UnicodeDecodeError) as error:
        raise BrokenPageError("a record is no record") from error
    if at != len(payload):
        raise BrokenPageError("a record has another length")
    return made


def _value(payload: bytes, at: int, kind: int) -> tuple[SqlValue, int]:
    if kind >= 12:
        length = (kind - 12) // 2
        raw = payload[at : at + length]
        if len(raw) != length:
            raise BrokenPageError("a value is cut")
        return (raw.decode("utf-8") if kind % 2 else raw), at + length
    if kind == 0:
        return None, at
    if kind in (8, 9):
        return kind - 8, at
    length = _FIXED.get(kind, 0)
    raw = payload[at : at + length]
    if not length or len(raw) != length:
        raise BrokenPageError("a value is of no kind")
    if kind == _FLOAT:
        return struct.unpack(">d", raw)[0], at + length
    return int.from_bytes(raw, "big", signed=True), at + length
