r"""Read RTF: control words (`\par`), groups (`{…}`) and text, told apart in one pass over bytes.

What a group inherits and forgets is a state that `{` copies and `}` restores. A group that holds no
text (fonts, pictures, fields' codes) is passed over; a header, a footnote or a comment has a story
of its own. Compared on real files: `striprtf` gives the same text, but neither headings nor lists,
and its rows of tables can't be told from text between bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from lxml import etree

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import BlockKind, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats import rtf_formulas
from desktop_rag.parsing.formats.docx_styles import HEADING_NAME
from desktop_rag.parsing.formats.embedded_pictures import EmbeddedPictures
from desktop_rag.parsing.formats.latex_notation import GAP, LONGEST, gap_notes
from desktop_rag.parsing.formats.rtf_encodings import (
    CHARSETS,
    PLATFORMS,
    SIGNS,
    SYMBOL_FONT,
    SYMBOLS,
    bytes_of,
    codepage,
    text_of,
    whole,
)
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.parsing.table_blocks import CellRow, clean, pipe_table

_LARGEST = 200_000_000  # bytes
_DEEPEST = 5_000  # of groups in groups
_MOST_CELLS = 1_000  # of one row
_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])"
    rb"|([^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)
_HIDDEN_NOTED = 10  # hidden characters that a note is worth
_LEAST_SHOWN = 0.1  # below this share of visible text a document is read whole

# Groups without text for a reader, and those with a story of their own: its place.
_PASSED_OVER = frozenset(
    b"colortbl pict mmathPict objdata objname bkmkstart bkmkend xe tc themedata"
    b" colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator"
    b" filetbl revtbl xmlnstbl pgptbl mmathPr nonshppict sp pn pntext listtext listname author"
    b" operator atnid atnauthor atnref atndate atntime atnicn template keywords password ftnsep"
    b" ftnsepc ftncn aftnsep aftnsepc aftncn upr background falt panose fname blipuid userprops"
    b" private nextfile txe rxe datafield formfield wgrffmtfilter defchp defpap".split()
)  # fmt: skip
_STORIES = {
    b"header": "header", b"headerl": "header", b"headerr": "header", b"headerf": "header",
    b"footer": "footer", b"footerl": "footer", b"footerr": "footer", b"footerf": "footer",
    b"footnote": "footnotes", b"annotation": "comments",
}  # fmt: skip
_STARRED = frozenset(  # groups that are marked as "pass over if unknown", and are known here
    b"moMathPara annotation shpinst shptxt fldrslt background shppict ud ftnsep".split()
)
_ENDS = frozenset((b"par", b"sect", b"page", b"cell", b"row"))  # of what a formula stands in
_CODES = frozenset((b"fldinst", b"objclass"))  # what a field computes, what made an object
_DRAWINGS = frozenset(  # and bitmaps without a head: kinds of pictures that are not looked at
    b"emfblip macpict pmmetafile wmetafile dibitmap wbitmap".split()
)
_OF_PARAGRAPHS = frozenset(b"pard intbl ls s outlinelevel".split())
_LEVELS = 9  # of an outline


@dataclass(frozen=True, slots=True)
class _Shown:
    """A picture where the document shows it, in hexadecimal digits."""

    digits: bytes
    place: BlockLocator


@dataclass(slots=True)
class _Story:
    """The main text, or that of headers, footers, notes or comments, as it is gathered."""

    kind: BlockKind
    place: BlockLocator
    pieces: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    rows: list[CellRow] = field(default_factory=list)
    blocks: list[Block | _Shown] = field(default_factory=list)
    shown: list[bytes] = field(default_factory=list)  # pictures of the paragraph or the cell
    shown_in_table: list[bytes] = field(default_factory=list)

    def paragraph_ends(self, state: _State) -> None:
        """Take up a paragraph; one within a cell goes on in it."""
        if state.is_in_table and (self.pieces or self.cells):
            self.pieces.append(" ")
            return
        text = self._taken()
        if text or self.shown:
            self.table_ends()
        if text:
            self._add_paragraph(text, state)
        self.blocks += [_Shown(picture, self.place) for picture in self.shown]
        self.shown = []

    def _add_paragraph(self, text: str, state: _State) -> None:
        kind = BlockKind.LIST if state.is_item and self.kind is BlockKind.TEXT else self.kind
        if state.level and self.kind is BlockKind.TEXT:
            kind, self.place = BlockKind.HEADING, BlockLocator(LocatorKind.SECTION, text)
        level = state.level if kind is BlockKind.HEADING else 0
        self.blocks.append(Block(kind, text, self.place, level))

    def cell_ends(self) -> None:
        """Take up a cell."""
        if len(self.cells) >= _MOST_CELLS:
            self.row_ends()
        self.cells.append(self._taken())
        self.shown_in_table += self.shown
        self.shown = []

    def row_ends(self) -> None:
        """Take up a row."""
        if any(self.cells):
            self.rows.append(CellRow(len(self.rows) + 1, tuple(self.cells)))
        self.cells = []

    def table_ends(self) -> None:
        """Take up the rows that follow upon each other as a table."""
        self.row_ends()
        self.blocks += pipe_table(self.rows, self.place)
        self.blocks += [_Shown(picture, self.place) for picture in self.shown_in_table]
        self.rows, self.shown_in_table = [], []

    def _taken(self) -> str:
        text, self.pieces = whole("".join(self.pieces)), []
        return clean(text.replace("\0", ""))


@dataclass(slots=True)
class _State:
    """What holds within a group."""

    story: _Story
    is_passed_over: bool = False
    is_hidden: bool = False
    is_in_table: bool = False
    is_item: bool = False
    level: int = 0  # of a heading
    fallback: int = 1  # characters that stand for a Unicode character after it
    codec: str = ""
    picture: bytearray | None = None  # the digits of the picture that a group is
    # The table of fonts or styles, the facts, the title, or the code of a field that a group is.
    table: bytes = b""
    formula: etree._Element | None = None  # the part of a formula that a group is

    def inherited(self) -> _State:
        """Return the state in which a group within this one begins."""
        return _State(
            self.story, self.is_passed_over, self.is_hidden, self.is_in_table, self.is_item,
            self.level, self.fallback, self.codec, table=self.table, formula=self.formula,
        )  # fmt: skip


@dataclass(slots=True)
class _Entry:
    """A font or a style, as its table tells it."""

    number: int = 0
    codec: str = ""
    level: int = 0
    name: str = ""


def parse_rtf(path: Path, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return an RTF file's headings, paragraphs, lists and tables, then what stands beside them."""
    if path.stat().st_size > _LARGEST:
        raise file_problems.too_large(
            Phrase("The file is larger than {0} MB.", _LARGEST // 1_000_000)
        )
    return from_rtf(path.read_bytes(), pictures)


def from_rtf(raw: bytes, pictures: EmbeddedPictures | None = None) -> ParsedDocument:
    """Return the text of an RTF document's bytes."""
    reader = _Reader(raw, is_all_read=False)
    reader.read()
    notes: tuple[str, ...] = ()
    if reader.hidden and reader.shown < (reader.shown + reader.hidden) * _LEAST_SHOWN:
        reader = _Reader(raw, is_all_read=True)
        reader.read()
        notes = ("Most of the document's text is hidden; it was read as well.",)
    elif reader.hidden >= _HIDDEN_NOTED:
        notes = ("Text that the document hides was not read.",)
    blocks = tuple(reader.blocks(pictures or EmbeddedPictures()))
    return ParsedDocument(reader.title, blocks, notes=(*notes, *gap_notes(reader.gaps)))


class _Reader:
    """Goes through a document once."""

    def __init__(self, raw: bytes, *, is_all_read: bool) -> None:
        self.title = ""
        self.hidden = self.shown = 0  # characters
        self._raw = raw
        self._is_all_read = is_all_read
        self._codec = "cp1252"
        self._fonts: dict[int, _Entry] = {}
        self._styles: dict[int, _Entry] = {}
        self._entry = _Entry()
        self._main = _Story(BlockKind.TEXT, BlockLocator(LocatorKind.PART, "body"))
        self._beside: list[_Story] = []
        self._state = _State(self._main)
        self._above: list[_State] = []
        self._bytes = bytearray()  # of text that is not decoded yet
        self._is_starred = False
        self.gaps = 0  # formulas that could not be read
        self._code = ""  # of the field or the object that is read
        self._left_out = 0  # characters still to come that stand for a Unicode one

    def blocks(self, pictures: EmbeddedPictures) -> Iterator[Block]:
        """Yield the main text, then the other stories, a text that comes again once."""
        beside = dict.fromkeys(block for story in self._beside for block in story.blocks)
        for block in (*self._main.blocks, *beside):
            if isinstance(block, Block):
                yield block
            elif text := pictures.text(bytes_of(block.digits)):
                yield Block(BlockKind.TEXT, text, block.place)

    def read(self) -> None:
        """Read the document to its end."""
        at, raw = 0, self._raw
        while (found := _TOKEN.match(raw, at)) is not None:
            at = found.end()
            word, number, byte, symbol, brace, text = found.groups()
            if text is not None:
                self._take_bytes(text)
            elif byte is not None:
                self._take_bytes(bytes.fromhex(byte.decode()))
            elif word is not None:
                if word == b"bin":
                    end = at + max(0, int(number or 0))
                    self._take_digits(raw[at:end].hex().encode())
                    at = end
                self._decode()
                self._word(word, None if number is None else int(number))
            elif brace is not None:
                self._decode()
                self._brace(brace)
            elif symbol is not None:
                self._symbol(symbol)
        self._decode()
        self._cut_formula()
        for story in (self._main, *self._beside):
            story.paragraph_ends(replace(self._state, is_in_table=False))
            story.table_ends()

    def _brace(self, brace: bytes) -> None:
        self._is_starred, self._left_out = False, 0
        if brace == b"{":
            if len(self._above) >= _DEEPEST:
                raise file_problems.corrupt("The file has parts in parts without end.")
            self._above.append(self._state)
            self._state = self._state.inherited()
        elif self._above:
            left, self._state = self._state, self._above.pop()
            if left.picture:
                left.story.shown.append(bytes(left.picture))
            self._end_formula(left)
            if left.story is not self._state.story:
                left.story.paragraph_ends(replace(left, is_in_table=False))
                left.story.table_ends()

    def _end_formula(self, left: _State) -> None:
        """Put what a group was that a formula or the code of one ends with."""
        said = ""
        if left.formula is not None and self._state.formula is None:
            said = rtf_formulas.written(left.formula)
        elif left.table in _CODES and self._state.table != left.table:
            code, self._code = self._code, ""
            said = rtf_formulas.said_by(code, left.table)
        self.gaps += said == GAP
        self._put(said)

    def _cut_formula(self) -> None:
        """End a formula where its paragraph does, which has no end of its own."""
        formula = self._state.formula
        if formula is None or self._state.is_passed_over:
            return
        for state in (self._state, *self._above):
            state.formula = None
        said = rtf_formulas.written(formula.getroottree().getroot())
        self.gaps += said == GAP
        self._put(said)

    def _symbol(self, symbol: bytes) -> None:
        if self._left_out:
            self._left_out -= 1
        elif symbol == b"*":
            self._is_starred = True
        elif symbol in b"\r\n":
            self._decode()
            self._cut_formula()
            self._end_paragraph()
        elif symbol in SYMBOLS:
            self._decode()
            self._put(SYMBOLS[symbol])

    def _word(self, word: bytes, number: int | None) -> None:
        """Do what a control word says."""
        is_starred, self._is_starred = self._is_starred, False
        if self._left_out and word != b"u":
            self._left_out -= 1
            return
        if self._is_of_formula(word, number):
            return
        if word in _PASSED_OVER or (is_starred and word not in _STARRED):
            self._pass_over(word)
        elif word in _DRAWINGS:
            self._state.picture = None
        elif word in {b"fonttbl", b"stylesheet", b"info", b"title"}:
            self._state.table, self._entry = word, _Entry()
        elif self._state.table:
            self._table_word(word, number)
        elif word in _STORIES:
            self._begin_story(_STORIES[word])
        elif word in SIGNS:
            self._put(SIGNS[word])
        elif not self._break(word):
            self._property(word, number)

    def _is_of_formula(self, word: bytes, number: int | None) -> bool:
        """Take up a word that begins a formula or a part of one, or says how it looks."""
        state, outer = self._state, self._above[-1].formula if self._above else None
        if word in _CODES:
            state.table = word
            return True
        if word in _ENDS:
            self._cut_formula()
        if state.formula is None and word not in {b"moMath", b"moMathPara"}:
            return False
        if state.formula is None:
            state.formula = rtf_formulas.begun(word)
        elif word == b"u":
            self._put_unicode(number or 0)
        elif word == b"mmathPict":
            state.is_passed_over = True
        elif word.startswith(b"m") and state.formula is outer:
            state.formula = rtf_formulas.part_of(outer, word)
        elif word in {b"msty", b"mscr", b"mnor"}:
            rtf_formulas.set_property(state.formula, word, number)
        return True

    def _pass_over(self, word: bytes) -> None:
        """Read no text in this group; of a picture in the main text gather the content."""
        state = self._state
        is_hidden = state.is_passed_over or (state.is_hidden and not self._is_all_read)
        if word == b"pict" and state.story is self._main and not is_hidden:
            state.picture = bytearray()
        state.is_passed_over = True

    def _take_digits(self, digits: bytes) -> None:
        if self._state.picture is not None:
            self._state.picture += digits

    def _table_word(self, word: bytes, number: int | None) -> None:
        """Take up what is said of a font or a style."""
        entry = self._entry
        if word in {b"f", b"s"} and number is not None:
            entry.number = number
        elif word == b"fcharset" and number is not None:
            entry.codec = SYMBOL_FONT if number == 2 else CHARSETS.get(number, "")
        elif word == b"cpg" and number:
            entry.codec = codepage(number) or entry.codec
        elif word == b"outlinelevel" and number is not None and 0 <= number < 9:
            entry.level = number + 1
        elif word == b"u" and number is not None:
            self._put_unicode(number)

    def _begin_story(self, part: str) -> None:
        kind = BlockKind.META if part in {"header", "footer"} else BlockKind.TEXT
        story = _Story(kind, BlockLocator(LocatorKind.PART, part))
        self._beside.append(story)
        self._state = replace(self._state, story=story, is_in_table=False, is_item=False, level=0)

    def _break(self, word: bytes) -> bool:
        """End a paragraph, a cell or a row; return whether the word says so."""
        if self._state.is_passed_over:
            return False
        if word in {b"par", b"sect", b"page"}:
            self._end_paragraph()
        elif word == b"cell":
            self._state.story.cell_ends()
        elif word == b"row":
            self._state.story.row_ends()
        else:
            return False
        return True

    def _end_paragraph(self) -> None:
        if not self._state.is_passed_over:
            self._state.story.paragraph_ends(self._state)

    def _property(self, word: bytes, number: int | None) -> None:
        """Change what holds within the group, or for the document."""
        value = 1 if number is None else number
        if word == b"u":
            self._put_unicode(value)
        elif word == b"ud":
            self._state.is_passed_over = False  # the form in Unicode, beside one without
        elif word == b"ansicpg":
            self._codec = codepage(value) or self._codec
        elif word in PLATFORMS:
            self._codec = PLATFORMS[word]
        elif word in _OF_PARAGRAPHS:
            self._paragraph_property(word, value)
        else:
            self._text_property(word, value)

    def _paragraph_property(self, word: bytes, value: int) -> None:
        state = self._state
        if word == b"pard":
            state.is_in_table = state.is_item = False
            state.level = 0
        elif word == b"intbl":
            state.is_in_table = bool(value)
        elif word == b"ls":
            state.is_item = value > 0
        elif word == b"s":
            state.level = self._styles.get(value, _Entry()).level
        else:  # its level in the outline
            state.level = value + 1 if 0 <= value < _LEVELS else 0

    def _text_property(self, word: bytes, value: int) -> None:
        state = self._state
        if word in {b"v", b"deleted"}:
            state.is_hidden = bool(value)
        elif word == b"plain":
            state.is_hidden, state.codec = False, ""
        elif word == b"f":
            state.codec = self._fonts.get(value, _Entry()).codec
        elif word == b"uc":
            state.fallback = min(max(value, 0), 100)

    def _put_unicode(self, number: int) -> None:
        if -0x8000 <= number < 0x110000:
            self._put(chr(number & 0xFFFF if number < 0 else number))
        self._left_out = self._state.fallback

    def _take_bytes(self, raw: bytes) -> None:
        if self._left_out:
            left_out = min(self._left_out, len(raw))
            self._left_out -= left_out
            raw = raw[left_out:]
        self._take_digits(raw)
        if not self._state.is_passed_over:
            self._bytes += raw

    def _decode(self) -> None:
        """Turn the bytes that came into text: they may be halves of characters each."""
        if self._bytes:
            raw, self._bytes = bytes(self._bytes), bytearray()
            self._put(text_of(raw, self._state.codec or self._codec))

    def _put(self, text: str) -> None:
        state = self._state
        if state.is_passed_over or not text:
            return
        if state.formula is not None:
            rtf_formulas.add_text(state.formula, text)
        elif state.table:
            self._put_in_table(text)
        elif state.is_hidden and not self._is_all_read:
            self.hidden += len(text)
        else:
            self.shown += len(text)
            state.story.pieces.append(text)

    def _put_in_table(self, text: str) -> None:
        """Take up a name; a semicolon ends what is said of a font or a style."""
        table, entry = self._state.table, self._entry
        if table in _CODES:
            self._code = (self._code + text)[: 2 * LONGEST]
        if table == b"title":
            self.title = clean(f"{self.title}{text}")[:200]
        if table not in {b"fonttbl", b"stylesheet"}:
            return
        entry.name = (entry.name + text)[:200]
        if not text.rstrip().endswith(";"):
            return
        if table == b"fonttbl":
            self._fonts[entry.number] = entry
        else:
            match = HEADING_NAME.search(entry.name)
            entry.level = entry.level or (int(match.group(1)) if match else 0)
            self._styles[entry.number] = entry
        self._entry = _Entry()
