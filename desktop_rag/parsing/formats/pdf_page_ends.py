"""Sentences over a page's end, told whole on the page where they begin.

The rest of such a sentence, to its full stop, moves from the first running text of the next page
to the last one of the page before; its boxes say on which page they lie. What stands between the
two (footnotes, captions, tables, the page's number) stays where it is. Where it is in doubt
whether a sentence goes on, pages are left as they are (decision 50).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from desktop_rag.core.sentences import STARTER, sentences
from desktop_rag.core.types import BlockKind, Box
from desktop_rag.parsing.formats.pdf_blocks import (
    BULLET,
    ENDED,
    HYPHEN,
    NOTE,
    NUMBERED,
    WORDY,
    PageBlock,
    Typography,
    joint,
)
from desktop_rag.parsing.formats.pdf_lines import TextLine, letter_count
from desktop_rag.parsing.parsed_document import Block
from desktop_rag.parsing.reading_order import TALL

_LONGEST = 400  # characters of the rest of a sentence
_LEAST_LETTERS = 4  # of running text: fewer are a page's number, or a mark
_CLOSE = 0.6  # of a line's height: what is as close below a table or a caption belongs to it
_NEAREST = 60  # lines of tables and captions that a text is compared with
_CAPTION = re.compile(
    r"(fig(ure|s?\.)|tab(le|\.)|exhibit|chart)\s+(\d|(?-i:[A-Z]))"
    r"|[图表圖]\s*[\d一二三四五六七八九十]",
    re.IGNORECASE,
)
# Scripts without capitals: Chinese, Japanese, Korean.
_CASELESS = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
# What no English sentence ends with: a name may follow it on the next page.
_OPEN = re.compile(
    r"\b(a|an|the|of|and|or|in|on|at|by|to|for|from|with|as|that|which|is|are|was|were|be|its"
    r"|their|our|his|her|this|these|those|under|between|than|per|into|not|has|have|had)$"
)
_CONTINUED = re.compile(r"\(cont(inued|['’]?d)?\.?\)$|[（(]续[）)]$", re.IGNORECASE)
_NOTE_MARK = re.compile(r"[*∗†‡§¶¹²³⁰⁴-⁹]|\d{1,2}\s?[^\W\d]")
_OPENING = "\"'“‘「『《（(["  # what a sentence's next word may stand behind


@dataclass(frozen=True, slots=True)
class _PageEnd:
    """The last running text of a page and the first one of the next page, by their blocks.

    `beside` and `below` are the lines of those pages' running text, `passed` what lies between.
    """

    before: PageBlock
    after: PageBlock
    beside: tuple[TextLine, ...]
    below: tuple[TextLine, ...]
    passed: tuple[PageBlock, ...]

    @property
    def last(self) -> TextLine:
        """The last line before the page's end."""
        return self.before.lines[-1]

    @property
    def first(self) -> TextLine:
        """The first line after it."""
        return self.after.lines[0]


def with_whole_sentences(pages: Iterable[Sequence[PageBlock]], kind: Typography) -> list[Block]:
    """Return all pages' blocks in order, those sentences made whole that a page's end cut."""
    made = [list(page) for page in pages]
    heads = set[str]()
    for page, following in pairwise(made):
        heads.update(_letters(each.block.text) for each in page if _may_be_head(each, page))
        here, there = _running(page, kind), _running(following, kind)
        last, first = _last(page, here), _first(following, there, heads)
        if last is None or first is None:
            continue
        before, after = page[last], following[first]
        end = _PageEnd(
            before,
            after,
            beside=_text_lines(page[at] for at in here if at <= last),
            below=_text_lines(following[at] for at in there if at >= first),
            passed=(*page[last + 1 :], *following[:first]),
        )
        length = _rest(before.block, after.block) if _goes_on(end) else 0
        if length:
            page[last] = replace(before, block=_longer(before.block, after.block, length))
            following[first] = replace(after, block=_shorter(after.block, length))
    return [each.block for page in made for each in page if each.block.text]


def _running(page: Sequence[PageBlock], kind: Typography) -> list[int]:
    """Return the numbers of a page's running text and headings: what no sentence reaches over."""
    return [at for at, each in enumerate(page) if _is_running(each, kind)]


def _is_running(each: PageBlock, kind: Typography) -> bool:
    if each.block.kind not in (BlockKind.TEXT, BlockKind.HEADING):
        return False
    if letter_count(each.block.text) < _LEAST_LETTERS or _CAPTION.match(each.block.text):
        return False
    upright = [line for line in each.lines if line.height <= TALL * (line.x1 - line.x0)]
    return max((line.size for line in upright), default=0.0) > NOTE * kind.body


def _text_lines(blocks: Iterable[PageBlock]) -> tuple[TextLine, ...]:
    text = (each for each in blocks if each.block.kind is BlockKind.TEXT)
    return tuple(line for each in text for line in each.lines)


def _last(page: Sequence[PageBlock], running: Sequence[int]) -> int | None:
    """Return the number of a page's last running text.

    That is no footnote, in letters as large as the text's, and no heading that stands over text
    told before it.
    """
    lines = _text_lines(page[at] for at in running)
    for at in reversed(running):
        if page[at].block.kind is BlockKind.TEXT:
            if not _NOTE_MARK.match(page[at].block.text):
                return at
        elif not any(_is_under(line, page[at].lines[-1]) for line in lines):
            return at
    return None


def _first(page: Sequence[PageBlock], running: Sequence[int], heads: Collection[str]) -> int | None:
    """Return the number of a page's first running text.

    That is no rest of a caption, and no head that stands over earlier pages as well.
    """
    known, passed = set(running), deque[TextLine](maxlen=_NEAREST)
    for at, each in enumerate(page):
        is_again = _may_be_head(each, page) and (
            _letters(each.block.text) in heads or _CONTINUED.search(each.block.text)
        )
        if at not in known:
            passed += each.lines
        elif not is_again and not any(_is_close(line, each.lines[0]) for line in passed):
            return at
    return None


def _may_be_head(each: PageBlock, page: Sequence[PageBlock]) -> bool:
    """Say whether a block is a heading, or a line at the top of its page."""
    return each.block.kind is BlockKind.HEADING or (each is page[0] and len(each.lines) == 1)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text)).casefold()


def _is_under(one: TextLine, other: TextLine) -> bool:
    return one.y0 >= other.y1 and _share_a_column(one, other)


def _is_close(above: TextLine, below: TextLine) -> bool:
    """Say whether a line stands as near under another one as those of a paragraph."""
    gap = (below.y0 - above.y1) / below.size if below.size else 0.0
    return -0.5 < gap < _CLOSE and _share_a_column(above, below)


def _share_a_column(one: TextLine, other: TextLine) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def _goes_on(end: _PageEnd) -> bool:
    """Say whether a sentence goes on over the end of its page."""
    text, rest = end.before.block.text, end.after.block.text
    start = rest.lstrip(_OPENING)[:1]
    if not (_are_alike(end) and _are_outermost(end) and start.isalnum()):
        return False
    if ENDED.search(text) or BULLET.match(rest):
        return False
    is_next = len(end.before.lines) > 1 and not any(map(_stands_between, end.passed))
    if start.islower():
        return is_next or text.endswith(("-", HYPHEN)) or _is_full(end, end.before.lines)
    if _CASELESS.search(end.last.text) and _CASELESS.search(end.first.text):
        return not NUMBERED.match(rest) and _is_full(end, end.before.lines)
    is_open = _OPEN.search(text) is not None and not STARTER.match(rest)
    return is_next and is_open and _is_full(end, end.beside)


def _stands_between(passed: PageBlock) -> bool:
    """Say whether something was passed that is more than a running head or a page's number."""
    if passed.block.kind in (BlockKind.META, BlockKind.HEADING):
        return False
    return letter_count(passed.block.text) >= _LEAST_LETTERS


def _are_alike(end: _PageEnd) -> bool:
    """Say whether two lines are set as one running text."""
    last, first = end.last, end.first
    if not end.before.block.kind is end.after.block.kind is BlockKind.TEXT:
        return False
    if last.bold != first.bold or max(last.cells, first.cells) > 1:
        return False
    return (
        abs(last.size - first.size) <= 0.1 * max(last.size, first.size)
        and letter_count(end.before.block.text) >= WORDY
    )


def _are_outermost(end: _PageEnd) -> bool:
    """Say whether nothing of the text stands below or right of a page's end, or before the next.

    A table close under the last line may be the text's next lines, taken for one.
    """
    last, first = end.last, end.first
    for line in end.beside:
        if _is_under(line, last) or (line.x0 > last.x1 and line.y1 > last.y0):
            return False
    for line in end.below:
        if _is_under(first, line) or (line.x1 < first.x0 and line.y0 < first.y1):
            return False
    tables = (each for each in end.passed if each.block.kind is BlockKind.TABLE)
    here = (each for each in tables if each.block.place == end.before.block.place)
    return not any(_is_close(last, line) for each in here for line in each.lines)


def _is_full(end: _PageEnd, lines: Sequence[TextLine]) -> bool:
    """Say whether the next word would not have found room in the last of lines.

    What they leave open, there being one, those of the page tell.
    """
    last, rest = end.last, end.after.block.text
    lines = lines if len(lines) > 1 else end.beside
    right = max(line.x1 for line in lines if _share_a_column(line, last))
    word = 1 if _CASELESS.match(rest) else len(rest.split(maxsplit=1)[0])
    return right - last.x1 <= (word + 2) * (last.x1 - last.x0) / len(last.text)


def _rest(before: Block, after: Block) -> int:
    """Return how many characters of a text belong to the last sentence of the one before it."""
    text = joint(before.text, after.text)
    for span in sentences(text + after.text):
        if span.end > len(text):
            length = span.end - len(text)
            return length if span.start < len(text.rstrip()) and length <= _LONGEST else 0
    return 0


def _longer(before: Block, after: Block, length: int) -> Block:
    """Return a text with the first characters of the next page's."""
    text = joint(before.text, after.text)
    page = int(after.place.value)
    boxes = tuple(
        replace(_moved(box.clipped(0, length), len(text), len(text) + length), page=page)
        for box in after.boxes
        if box.start < length
    )
    return replace(before, text=text + after.text[:length], boxes=before.boxes + boxes)


def _shorter(block: Block, length: int) -> Block:
    """Return a text without its first characters."""
    rest = block.text[length:].lstrip()
    cut = len(block.text) - len(rest)
    boxes = tuple(
        _moved(box.clipped(cut, box.end), -cut, len(rest)) for box in block.boxes if box.end > cut
    )
    return replace(block, text=rest, boxes=boxes)


def _moved(box: Box, by: int, most: int) -> Box:
    """Return a box whose range is moved, from 0 to `most` at the most."""
    return replace(box, start=max(0, box.start + by), end=min(box.end + by, most))
