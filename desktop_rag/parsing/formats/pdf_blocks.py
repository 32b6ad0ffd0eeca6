"""Lines of a page as blocks: headings by their letters, tables by their gaps, paragraphs else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from statistics import median

from desktop_rag.core.types import BlockKind, Box
from desktop_rag.parsing.formats import pdf_tables
from desktop_rag.parsing.formats.pdf_lines import TextLine, latin_length, letter_count
from desktop_rag.parsing.formats.table_reader import TableReader
from desktop_rag.parsing.parsed_document import Block, BlockLocator

BULLET = re.compile(r"[•▪◦●■–—*✓➢\uf0b7-]\s|\(?(\d{1,2}|[a-z])[.)]\s")
_CHINESE_NUMBER = "[一二三四五六七八九十百零〇]+"
_NUMBER = r"([ivx]+|\d+[a-z]?|(?-i:[A-Z]))\b"
# What a document is divided into, by a word and a number; the first ones hold the others.
_PART = re.compile(
    rf"(part|chapter|item|appendix|annex) {_NUMBER}"
    rf"|第\s?(\d+|{_CHINESE_NUMBER})\s?[章篇编編部]|附[录錄件]", re.IGNORECASE,
)  # fmt: skip
NUMBERED = re.compile(
    rf"((\d{{1,2}}(\.\d{{1,2}}){{0,3}}[.、．]?|[IVX]{{1,5}}\.|(section|article|note) {_NUMBER}\.?"
    rf"|第\s?(\d+|{_CHINESE_NUMBER})\s?[节節]|{_CHINESE_NUMBER}[、.．]|[（(]{_CHINESE_NUMBER}[）)])"
    rf"\s*[-–—:：.]?\s*[（(]?([A-Z]|(?![年月日])[\u2e80-\uffef]))|{_PART.pattern}", re.IGNORECASE,
)  # fmt: skip
# Bullets, units, dates and signatures are set like headings, but say nothing of what follows.
_NO_HEADING = re.compile(
    rf"(?![（(]{_CHINESE_NUMBER}[）)])"
    r"([•▪◦●■–—*✓➢(（\[\uf0b7/+<>|-]|[a-z]|.*=|\d+[\s\d%.,年月日-]*$|单位[:：]"
    rf"|(?i:(as of|at|for the|years?|quarters?|months?|ended|{pdf_tables.MONTHS})[\s\d,]*)+$)"
)
_LEAST_LETTERS = 4
WORDY = 15  # letters: fewer are a cell, a label, a part of a formula
NOTE = 0.92  # of running text's size: footnotes are smaller
_LOW = 0.5  # of the text's height: a footnote begins below
_NOTE_SIGN = re.compile(r"[*∗†‡§¶]\w")
_NOTE_MARK = re.compile(r"[*∗†‡§¶¹²³⁰⁴-⁹]|\d{1,2}\)?\s?[^\W\d]")
ENDED = re.compile(r"[.!?:;。！？：；][\"'”’)\]]*$")
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
HYPHEN = "\u2010"
# A word without another hyphen in it, which is one of its parts: "state-of-the-" stays as it is.
_BROKEN_WORD = re.compile(rf"(?<![\w{HYPHEN}-])([^\W\d_]+['’])?[^\W\d_]{{2,}}[-{HYPHEN}]$")
_LONGEST_HEADING = 160
_MOST_HEADING_LINES = 3
_AT_EDGE = 2  # lines: a number of the page, or a mark that a table goes on, may stand there


@dataclass(frozen=True, slots=True)
class Typography:
    """How a document is set: the font height of its running text, and those of its headings."""

    body: float
    bold: bool
    larger: tuple[float, ...]

    @classmethod
    def of(cls, lines: Iterable[TextLine]) -> Typography:
        """Measure lines; each counts by its length."""
        sizes: Counter[float] = Counter()
        bold = total = 0
        for line in lines:
            sizes[_step(line.size)] += len(line.text)
            bold += line.bold * len(line.text)
            total += len(line.text)
        body = sizes.most_common(1)[0][0] if sizes else 0.0
        larger = sorted((size for size in sizes if size > body * 1.12), reverse=True)
        return cls(body, bold * 2 > total, tuple(larger))

    def level(self, line: TextLine) -> int:
        """Return the heading level that a line's letters suggest, 0 for none."""
        size = _step(line.size)
        if size > self.body * 1.12:
            return min(1 + self.larger.index(size), 4) if size in self.larger else 4
        if size < self.body * 0.95:
            return 0
        if line.text.isupper() and sum(map(str.isalpha, line.text)) > 5:
            return 5
        return 6 if line.bold and not self.bold else 0


def _step(size: float) -> float:
    return round(size * 2) / 2


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A block of a page, and the lines that it was made of; those of tables may be shared."""

    block: Block
    lines: tuple[TextLine, ...] = ()


def page_blocks(
    lines: Sequence[TextLine], kind: Typography, place: BlockLocator, tables: TableReader
) -> Iterator[PageBlock]:
    """Yield a page's blocks in order; what goes on in the next column is one.

    `tables` reads those of all pages, one after the other.
    """
    lines = pdf_tables.with_heads_first(_with_notes_last(lines, kind))
    for is_table, run in _runs(lines):
        if is_table:
            titles = _titles(run, kind)
            yield from (PageBlock(_heading([line], kind, place), (line,)) for line in titles)
            rows = run[len(titles) :]
            first, last = rows[0] in lines[:_AT_EDGE], rows[-1] in lines[-_AT_EDGE:]
            found = tables.blocks(rows, place, is_first=first, is_last=last)
            yield from (PageBlock(block, tuple(rows)) for block in found)
            continue
        for group in _groups(run, kind, _pitch(lines)):
            if _is_heading(group, kind):
                block = _heading(group, kind, place)
            else:
                text, boxes = _running(group)
                block = Block(BlockKind.TEXT, text, place, boxes=boxes)
            yield PageBlock(block, tuple(group))


def _heading(group: Sequence[TextLine], kind: Typography, place: BlockLocator) -> Block:
    text, boxes = _running(group)
    return Block(BlockKind.HEADING, text, place, _level(text, group, kind), boxes)


def _with_notes_last(lines: Sequence[TextLine], kind: Typography) -> Sequence[TextLine]:
    """Return lines, footnotes of a column but the last one after the page's text."""
    notes = [span for span in _small_runs(lines, kind) if _are_notes(lines, *span)]
    if not notes:
        return lines
    moved = {at for first, last in notes for at in range(first, last)}
    text = [line for at, line in enumerate(lines) if at not in moved]
    return [*text, *(lines[at] for at in sorted(moved))]


def _small_runs(lines: Sequence[TextLine], kind: Typography) -> Iterator[tuple[int, int]]:
    """Yield the ranges of lines in small letters, one below the other, before the content goes up.

    It goes there to the next column; the last one's are the last lines of the page already.
    """
    first = 0
    for at, line in enumerate(lines):
        if line.size > NOTE * kind.body:
            first = at + 1
        elif at + 1 < len(lines) and lines[at + 1].y1 < line.y0:
            yield first, at + 1
            first = at + 1


def _are_notes(lines: Sequence[TextLine], first: int, last: int) -> bool:
    """Say whether lines begin with a footnote's mark, and stand low on the page."""
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    if first == last or lines[first].y0 < top + _LOW * (bottom - top):
        return False
    wordy = sum(letter_count(line.text) for line in lines[first:last]) >= WORDY
    return wordy and _NOTE_MARK.match(lines[first].text) is not None


def _titles(table: Sequence[TextLine], kind: Typography) -> Sequence[TextLine]:
    """Return the first lines of a table that are headings: what it is called, over its columns."""
    at = 0
    while at < len(table) - 2 and not table[at].ruled and table[at].cells == 1:
        if not _is_heading([table[at]], kind):
            break
        at += 1
    return table[:at]


def _runs(lines: Sequence[TextLine]) -> Iterator[tuple[bool, list[TextLine]]]:
    """Yield the lines in runs that are a table, or are none."""
    inside = pdf_tables.table_numbers(lines)
    for is_table, pairs in groupby(zip(inside, lines, strict=True), key=itemgetter(0)):
        yield is_table is not None, [line for _, line in pairs]


def _pitch(lines: Sequence[TextLine]) -> float:
    """Return the usual distance from one line to the next."""
    steps = [b.y1 - a.y1 for a, b in pairwise(lines) if 0 < b.y1 - a.y1 < 4 * a.height]
    return median(steps) if steps else 0.0


def _groups(lines: Sequence[TextLine], kind: Typography, pitch: float) -> Iterator[list[TextLine]]:
    group: list[TextLine] = []
    for line in lines:
        if group and _parts(group, line, kind, pitch):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def _parts(group: list[TextLine], line: TextLine, kind: Typography, pitch: float) -> bool:
    """Say whether a line begins a block of its own."""
    last = group[-1]
    step = line.y1 - last.y1
    if _goes_on(group, line, kind):
        return False
    if step < -0.3 * line.height or step > 1.45 * max(pitch, line.size):
        return True
    if kind.level(last) != kind.level(line) and (line.bold != last.bold or _differs(last, line)):
        return True
    if BULLET.match(line.text) or _NOTE_SIGN.match(line.text):
        return True
    return _ends_paragraph(group, line)


def _goes_on(group: Sequence[TextLine], line: TextLine, kind: Typography) -> bool:
    """Say whether a sentence goes on at the top of the next column, as running text."""
    last = group[-1]
    is_beside = line.x0 > last.x1 or line.x1 < last.x0
    if len(group) < 2 or line.y1 > last.y0 or not is_beside:
        return False
    if max(kind.level(last), kind.level(line), last.cells - 1, line.cells - 1):
        return False
    if line.bold != last.bold or _differs(last, line):
        return False
    if min(letter_count(last.text), letter_count(line.text)) < WORDY:
        return False
    if ENDED.search(last.text) or BULLET.match(line.text):
        return False
    right = max(each.x1 for each in group)
    is_full = last.x1 > right - 0.3 * (right - min(each.x0 for each in group))
    follows = line.text[:1].islower() or _CJK.match(line.text) is not None
    return follows and (is_full or last.text.endswith(("-", HYPHEN)))


def _differs(one: TextLine, other: TextLine) -> bool:
    return abs(_step(one.size) - _step(other.size)) > 0.1 * one.size


def _ends_paragraph(group: list[TextLine], line: TextLine) -> bool:
    """Say whether the last line ends short with a full stop, or the next one is indented."""
    last = group[-1]
    right = max(each.x1 for each in group)
    short = last.x1 < right - 0.15 * (right - min(each.x0 for each in group))
    indented = line.x0 > last.x0 + 0.8 * line.size and len(group) > 1
    return bool(ENDED.search(last.text)) and (short or indented)


def _is_heading(group: Sequence[TextLine], kind: Typography) -> bool:
    text = " ".join(line.text for line in group)
    if len(group) > _MOST_HEADING_LINES or latin_length(text) > _LONGEST_HEADING:
        return False
    if letter_count(text) < _LEAST_LETTERS and not _CJK.search(text):
        return False
    if _NO_HEADING.match(text) or text.endswith((",", ";", "，", "；", "。")):
        return False
    if not all(kind.level(line) for line in group):
        return False
    return bool(NUMBERED.match(text)) or not text.endswith(".")


def _level(text: str, group: Sequence[TextLine], kind: Typography) -> int:
    """Return a heading's level: parts and items of a report stand over bold lines."""
    level = kind.level(group[0])
    if _PART.match(text):
        return min(level, 4)
    return min(level, 5) if NUMBERED.match(text) else level


def _running(group: Sequence[TextLine]) -> tuple[str, tuple[Box, ...]]:
    """Return lines as running text, words that were broken at line ends made whole."""
    text = ""
    boxes = []
    for line in group:
        text = joint(text, line.text) if text else ""
        boxes.append(line.box(len(text)))
        text += line.text
    return text, tuple(boxes)


def joint(text: str, following: str) -> str:
    """Return the text so far, made ready for the next line to follow."""
    if text.endswith(("-", HYPHEN)):
        whole = following[:1].islower() and _BROKEN_WORD.search(text) is not None
        return text[:-1] if whole else text
    if _CJK.match(text[-1]) and _CJK.match(following):
        return text
    return f"{text} "
