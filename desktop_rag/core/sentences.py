"""Cut a text into sentences, each with its place in the text.

Rules only, for English and other Latin scripts, Chinese and Japanese: abbreviations, decimals,
initials, quotes, list items, rows of a table, and lines that a page has wrapped. A citation such
as ` [2]` that follows a full stop belongs to the sentence before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CLOSERS = "\"'”’」』）)】》\\]"
_CITED = r"(?:[ \t]?\[\d{1,3}\])*"
# What looks behind lets a run of marks be tried once, not from each of its marks again.
_END_WIDE = re.compile(rf"(?<![。！？｡…!?])[。！？｡…!?]*[。！？｡][{_CLOSERS}]*{_CITED}")
_END_NARROW = re.compile(rf"(?<![.!?])[.!?]+[{_CLOSERS}]*{_CITED}(?=\s|$)|…(?=\s|$)")
_END = re.compile(f"{_END_WIDE.pattern}|{_END_NARROW.pattern}")
_AT_END = re.compile(f"(?:{_END.pattern})$")
_ITEM = re.compile(
    r"\s*(?:[-*•·▪◦‣–—●■□◆]\s|\(?\d{1,3}[.)、）]\s?|[（(][一二三四五六七八九十\d]+[)）]"
    r"|[一二三四五六七八九十]+、|[a-zA-Z][.)]\s|#{1,6}\s|\|)"
)
_NUMBERED = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})\.$")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[“\"'])(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Sen|Rep|Gov|Capt|"
    r"Lt|Col|Sgt|St|Jr|Sr|Fig|Figs|Eq|Eqs|Sec|Ch|Vol|vol|Ed|eds|ed|pp|p|cf|vs|v|al|approx|ca|est|"
    r"Inc|Ltd|Co|Corp|Bros|Dept|Univ|Assn|Ave|Blvd|Rd|Mt|Ft|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|"
    r"Oct|Nov|Dec|No|Nos|Nr|Art|Abs|bzw|ggf|usw|z\.B|incl|excl|max|min|resp)\.$"
)
_MAY_END = re.compile(r"(?:\bInc|\bLtd|\bCo|\bCorp|\bJr|\bSr|\bNo|\bal|\ba\.m|\bp\.m|\bU\.S)\.$")
STARTER = re.compile(
    r"(?:The|A|An|It|He|She|They|We|I|You|This|That|These|Those|In|On|At|For|As|If|When|But|And|"
    r"However|There|Its|His|Her|Their|Our)\b"
)
_SPACE = re.compile(r"\s*")
_LONGEST_ABBREVIATION = 64
_WRAPPED_FROM = 40
_WRAPPED_FROM_WIDE = 18


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: character offsets, `end` exclusive."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the stretch itself."""
        return text[self.start : self.end]


def is_ended(text: str) -> bool:
    """Whether a text ends where a sentence does, and not with an abbreviation."""
    end = text.rstrip()[-_LONGEST_ABBREVIATION:]
    found = _AT_END.search(end)
    return found is not None and (_MAY_END.search(end) is not None or not _ABBREVIATION.search(end))


def sentences(text: str, *, by_line: bool = False) -> list[Span]:
    """Return the sentences of a text in order, blank ones left out, edges trimmed.

    `by_line` takes each line whole: the rows of a table.
    """
    pieces = _lines(text) if by_line else _within(text)
    trimmed = (_trim(text, piece) for piece in pieces)
    return [span for span in trimmed if span.start < span.end]


def _within(text: str) -> Iterator[Span]:
    for paragraph in _paragraphs(text):
        yield from _cut(text, paragraph)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield Span(start, start + len(line))
        start += len(line)


def _paragraphs(text: str) -> Iterator[Span]:
    """Join the lines that a page has wrapped; list items, headings and rows stay apart."""
    begin = end = 0
    former = ""
    for line in _lines(text):
        if begin < line.start and not _goes_on(former, line.of(text)):
            yield Span(begin, end)
            begin = line.start
        former, end = line.of(text), line.end
    yield Span(begin, end)


def _goes_on(line: str, following: str) -> bool:
    """Tell whether the next line continues this one's sentence."""
    line, following = line.rstrip(), following.strip()
    if not line or not following or _ITEM.match(following) or _is_row(line) or _is_row(following):
        return False
    if line[-1] in ".!?。！？:：;；|":
        return False
    if following[0].islower() or line[-1] in ",，、-":
        return True
    return len(line) >= (_WRAPPED_FROM if line.isascii() else _WRAPPED_FROM_WIDE)


def _is_row(line: str) -> bool:
    return " | " in line or "\t" in line.strip()


def _cut(text: str, paragraph: Span) -> Iterator[Span]:
    start = paragraph.start
    for end in _END.finditer(text, paragraph.start, paragraph.end):
        if _ends(text, start, end, paragraph.end):
            yield Span(start, end.end())
            start = end.end()
    yield Span(start, paragraph.end)


def _ends(text: str, start: int, end: re.Match[str], limit: int) -> bool:
    """Tell whether a mark that could end a sentence does."""
    if any(mark in "。！？｡" for mark in end.group()):
        return True
    ahead = _SPACE.match(text, end.end(), limit)
    at = ahead.end() if ahead else limit
    if text[at : min(at + 1, limit)].islower():
        return False
    if not end.group().startswith(".") or end.group().startswith(".."):
        return True
    stop = end.start() + 1
    if _NUMBERED.match(text, start, stop):
        return False
    so_far = text[max(start, stop - _LONGEST_ABBREVIATION) : stop]
    if stop - start > _LONGEST_ABBREVIATION:
        so_far = f"_{so_far}"  # its first word may be the end of one
    if not _ABBREVIATION.search(so_far):
        return True
    return bool(_MAY_END.search(so_far) and STARTER.match(text, at, limit))


def _trim(text: str, span: Span) -> Span:
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, max(start, span.start + len(piece.rstrip())))
