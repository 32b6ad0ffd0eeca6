"""Read PowerPoint presentations of before 2007: slides with titles, texts, tables, notes, comments.

The records are read here, as [MS-PPT] describes them. Compared on 250 real files: office-oxide, the
library that `doc` uses, loses the body of slides whose title is empty, and knows no tables.
What is shown of the file is told by the directory of its last save; earlier saves lie beside it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.compound_file import compound_file, properties_of, stream_bytes
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_HEAD = struct.Struct("<HHI")
_CONTAINER = 0xF  # the lower bits of a record's first number, where records lie within it
_DEEPEST = 40
_MOST_SAVES = 10_000
_MOST_COLUMNS = 100  # of a table whose empty cells are shown
# Records' kinds.
_DOCUMENT, _SLIDE, _SLIDE_FACTS, _NOTES, _NOTES_FACTS = 1000, 1006, 1007, 1008, 1009
_SLIDE_ENTRY, _MASTER, _TAG_DATA, _PLACEHOLDER = 1011, 1016, 5003, 3011
_OUTLINE_TEXT, _TEXT_KIND, _WIDE_TEXT, _NARROW_TEXT, _LABEL = 3998, 3999, 4000, 4008, 4026
_MARGINS, _SLIDE_LIST, _SAVE, _DIRECTORY, _COMMENT = 4057, 4080, 4085, 6002, 12000
_GROUP, _SHAPE, _TEXT_BOX, _PLACE_IN_GROUP, _MORE_PROPERTIES = (
    0xF003,
    0xF004,
    0xF00D,
    0xF00F,
    0xF122,
)
_TABLE = struct.pack("<H", 0x039F)  # the property that makes a group of shapes a table
_TITLES, _BODIES = {0, 6}, {1, 5, 7, 8}  # kinds of texts
_TOKEN, _ENCRYPTED = slice(12, 16), b"\xdf\xc4\xd1\xf3"  # in the stream "Current User"
_LAST_SAVE = slice(16, 20)
_PARAGRAPHS = re.compile(r"[\r\n]+")
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f\uf000-\uf0ff]+")  # controls, and symbols of bullets
_NUMBER_OR_DATE = "*"  # stands where a slide's number or date is shown
_MASTER_PLACE = BlockLocator(LocatorKind.PART, "slide master")
_COMMENT_TEXT = 1  # the comment itself, beside its author and the initials


@dataclass(frozen=True, slots=True)
class _Record:
    kind: int
    instance: int
    start: int
    end: int
    is_container: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """A text and its kind: a title, a body, notes, another."""

    kind: int
    text: str


@dataclass(slots=True)
class _SlideEntry:
    """What the document says of a slide: where it is, its id, and the texts of its outline."""

    reference: int
    number: int
    texts: list[_Text] = field(default_factory=list)


def parse_ppt(path: Path) -> ParsedDocument:
    """Return a presentation's slides."""
    try:
        with compound_file(path) as opened:
            folder = "PP97_DUALSTORAGE/" if opened.exists("PP97_DUALSTORAGE") else ""
            user = stream_bytes(opened, f"{folder}Current User", 100)
            stream = stream_bytes(opened, f"{folder}PowerPoint Document")
            told = properties_of(opened)
    except ValueError as error:
        raise file_problems.corrupt("The document is damaged.") from error
    if user[_TOKEN] == _ENCRYPTED:
        raise file_problems.encrypted()
    reader = _Presentation(stream, int.from_bytes(user[_LAST_SAVE], "little"))
    blocks = tuple(reader.blocks())
    if not blocks and not reader.has_document:
        raise file_problems.corrupt("The document is damaged.")
    notes = () if reader.is_whole else ("The file is damaged; what could be saved of it was read.",)
    pages = len(reader.slides) or None
    return ParsedDocument(told.title, blocks, pages, notes, metadata=told.metadata)


class _Presentation:
    """Reads one presentation's stream of records."""

    def __init__(self, stream: bytes, last_save: int) -> None:
        self._stream = stream
        self._places, document = self._directory(last_save)
        found = self._record(self._places.get(document, -1), _DOCUMENT)
        self.is_whole = found is not None
        if found is None:  # the directory is lost: the last document, and all slides, as they lie
            tops = list(self._within(0, len(stream)))
            found = next((each for each in reversed(tops) if each.kind == _DOCUMENT), None)
            self._in_order = [each.start - _HEAD.size for each in tops if each.kind == _SLIDE]
        self._document = found
        self.slides = self._entries(0)

    @property
    def has_document(self) -> bool:
        """Whether the list of the slides was found."""
        return self._document is not None

    def blocks(self) -> Iterator[Block]:
        """Yield the slides' blocks, each slide's notes behind it, then what all slides show."""
        notes = self._notes()
        for number, entry in enumerate(self.slides, start=1):
            place = BlockLocator(LocatorKind.SLIDE, number)
            slide = self._slide(entry, number)
            shown = list(self._shapes(slide, entry.texts, place)) if slide else []
            known = {block.text for block in shown}
            for text in entry.texts:  # those to which no shape refers
                shown += [b for b in _text_blocks(text, place) if b.text not in known]
            shown.sort(key=lambda block: block.kind is not BlockKind.HEADING)
            yield from shown
            for text in notes.get(entry.number, ()):
                yield from _text_blocks(text, place)
            yield from self._comments(slide, place)
        yield from self._shown_on_all()

    def _directory(self, last_save: int) -> tuple[dict[int, int], int]:
        """Return where each part lies by its number, and the document's number."""
        places: dict[int, int] = {}
        document, at, seen = -1, last_save, set[int]()
        while (save := self._record(at, _SAVE)) and at not in seen and len(seen) < _MOST_SAVES:
            seen.add(at)
            words = self._words(save, 5)
            if len(words) < 5:
                break
            at, listed, document = words[2], words[3], words[4] if document < 0 else document
            self._list_places(listed, places)
        return places, document

    def _list_places(self, at: int, places: dict[int, int]) -> None:
        """Add the places that one save lists; those of later saves stay."""
        record = self._record(at, _DIRECTORY)
        words = self._words(record, (record.end - record.start) // 4) if record else ()
        at = 0
        while at < len(words):
            first, count = words[at] & 0xFFFFF, words[at] >> 20
            for number, place in enumerate(words[at + 1 : at + 1 + count], start=first):
                places.setdefault(number, place)
            at += 1 + count

    def _entries(self, instance: int) -> list[_SlideEntry]:
        """Return what a list of the document names: 0 lists the slides, 2 the notes."""
        entries: list[_SlideEntry] = []
        for listed in self._children(self._document, _SLIDE_LIST):
            if listed.instance != instance:
                continue
            kind, is_open = 4, False
            for record in self._within(listed.start, listed.end):
                if record.kind == _SLIDE_ENTRY:
                    words = self._words(record, 4)
                    if len(words) == 4:
                        entries.append(_SlideEntry(words[0], words[3]))
                elif record.kind == _TEXT_KIND and entries:
                    kind = next(iter(self._words(record, 1)), 4)
                    entries[-1].texts.append(_Text(kind, ""))
                    is_open = True
                elif is_open and (text := self._text(record)) is not None:
                    entries[-1].texts[-1] = _Text(kind, text)
                    is_open = False
        return entries

    def _slide(self, entry: _SlideEntry, number: int) -> _Record | None:
        if self.is_whole:
            return self._record(self._places.pop(entry.reference, -1), _SLIDE)
        in_order = self._in_order[number - 1 : number]
        return self._record(in_order[0], _SLIDE) if in_order else None

    def _notes(self) -> dict[int, list[_Text]]:
        """Return the texts of the notes' pages by the id of the slide that they belong to."""
        made: dict[int, list[_Text]] = {}
        for entry in self._entries(2):
            page = self._record(self._places.pop(entry.reference, -1), _NOTES)
            facts = next(self._children(page, _NOTES_FACTS), None)
            words = self._words(facts, 1) if facts else ()
            if page and words:
                texts = [text for box in self._all(page, _TEXT_BOX) for text in self._own(box, [])]
                made.setdefault(words[0], []).extend(texts)
        return made

    def _shapes(
        self, within: _Record, outline: list[_Text], place: BlockLocator
    ) -> Iterator[Block]:
        """Yield the texts of a slide's shapes, and its tables."""
        tables: list[_Record] = []
        for record in self._all(within, _GROUP, _TEXT_BOX):
            if any(table.start <= record.start < table.end for table in tables[-1:]):
                continue
            if record.kind == _TEXT_BOX:
                for text in self._own(record, outline):
                    yield from _text_blocks(text, place)
            elif self._is_table(record):
                tables.append(record)
                yield from pipe_table(self._rows(record, outline), place)

    def _is_table(self, group: _Record) -> bool:
        first = next(self._children(group, _SHAPE), None)
        properties = next(self._children(first, _MORE_PROPERTIES), None)
        return properties is not None and _TABLE in self._stream[properties.start : properties.end]

    def _rows(self, table: _Record, outline: list[_Text]) -> list[CellRow]:
        """Return a table's cells, which are shapes: their places make the rows and columns."""
        cells: list[tuple[int, int, str]] = []
        for shape in self._children(table, _SHAPE):
            anchor = next(self._children(shape, _PLACE_IN_GROUP), None)
            box = next(self._children(shape, _TEXT_BOX), None)
            left, top, *_ = (*self._words(anchor, 2), 0, 0) if anchor else (0, 0)
            if box is not None:
                text = " ".join(each.text for each in self._own(box, outline))
                cells.append((_signed(top), _signed(left), clean(_NO_TEXT.sub(" ", text))))
        columns = {left: at for at, left in enumerate(sorted({left for _, left, _ in cells}))}
        rows = []
        for number, (_, row) in enumerate(groupby(sorted(cells), lambda cell: cell[0]), start=1):
            filled = [(columns[left], text) for _, left, text in row]
            if len(columns) <= _MOST_COLUMNS:
                by_column = dict(filled)
                filled = [(at, by_column.get(at, "")) for at in columns.values()]
            rows.append(CellRow(number, tuple(text for _, text in filled)))
        return rows

    def _own(self, box: _Record, outline: list[_Text]) -> Iterator[_Text]:
        """Yield a text box's texts: its own, or that of the outline to which it refers."""
        kind = 4
        for record in self._within(box.start, box.end):
            if record.kind == _OUTLINE_TEXT:
                at = next(iter(self._words(record, 1)), len(outline))
                yield from outline[at : at + 1]
            elif record.kind == _TEXT_KIND:
                kind = next(iter(self._words(record, 1)), kind)
            elif (text := self._text(record)) is not None:
                yield _Text(kind, text)

    def _comments(self, slide: _Record | None, place: BlockLocator) -> Iterator[Block]:
        for comment in self._all(slide, _COMMENT) if slide else ():
            for label in self._children(comment, _LABEL):
                if label.instance == _COMMENT_TEXT:
                    yield from _text_blocks(_Text(4, self._wide(label)), place)

    def _shown_on_all(self) -> Iterator[Block]:
        """Yield headers, footers, and what masters show beside their placeholders, once each."""
        texts: list[str] = []
        for place in sorted(self._places.values()):
            master = self._record(place, _MASTER)
            for shape in self._all(master, _SHAPE) if master else ():
                is_free = next(self._all(shape, _PLACEHOLDER), None) is None
                boxes = self._children(shape, _TEXT_BOX) if is_free else ()
                texts += [text.text for box in boxes for text in self._own(box, [])]
        if self._document:
            for margins in self._children(self._document, _MARGINS):
                texts += [self._wide(label) for label in self._children(margins, _LABEL)]
        for text in dict.fromkeys(texts):
            yield from _text_blocks(_Text(4, text), _MASTER_PLACE)

    def _record(self, at: int, kind: int) -> _Record | None:
        """Return the record of a kind that begins at a place; None when there is another."""
        found = next(self._within(at, len(self._stream)), None) if at >= 0 else None
        return found if found is not None and found.kind == kind else None

    def _within(self, start: int, end: int) -> Iterator[_Record]:
        """Yield the records that lie one after the other."""
        while start + _HEAD.size <= end:
            version, kind, length = _HEAD.unpack_from(self._stream, start)
            start += _HEAD.size
            last = min(start + length, end)
            is_container = version & _CONTAINER == _CONTAINER or kind == _TAG_DATA
            yield _Record(kind, version >> 4, start, last, is_container)
            start += length

    def _children(self, within: _Record | None, kind: int) -> Iterator[_Record]:
        records = self._within(within.start, within.end) if within else iter(())
        return (each for each in records if each.kind == kind)

    def _all(self, within: _Record, *kinds: int) -> Iterator[_Record]:
        """Yield the records of some kinds at any depth, in the order of the file."""
        waiting = [self._within(within.start, within.end)]
        while waiting:
            record = next(waiting[-1], None)
            if record is None:
                waiting.pop()
                continue
            if record.kind in kinds:
                yield record
            if record.is_container and len(waiting) < _DEEPEST:
                waiting.append(self._within(record.start, record.end))

    def _words(self, record: _Record, most: int) -> tuple[int, ...]:
        count = min(most, (record.end - record.start) // 4)
        return struct.unpack_from(f"<{count}I", self._stream, record.start)

    def _text(self, record: _Record) -> str | None:
        """Return the text of a record that is one."""
        if record.kind == _WIDE_TEXT:
            return self._wide(record)
        if record.kind == _NARROW_TEXT:
            return self._stream[record.start : record.end].decode("latin-1")
        return None

    def _wide(self, record: _Record) -> str:
        return self._stream[record.start : record.end].decode("utf-16-le", "replace")


def _signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def _text_blocks(text: _Text, place: BlockLocator) -> Iterator[Block]:
    """Yield a text's paragraphs; a title is one heading."""
    if text.kind in _TITLES:
        title = clean(_NO_TEXT.sub(" ", text.text))
        yield from [Block(BlockKind.HEADING, title, place, 1)] if title else []
        return
    kind = BlockKind.LIST if text.kind in _BODIES else BlockKind.TEXT
    for paragraph in _PARAGRAPHS.split(text.text):
        line = clean(_NO_TEXT.sub(" ", paragraph))
        if line and line != _NUMBER_OR_DATE:
            yield Block(kind, line, place)
