"""Quotes: the sentences and table rows of passages, each with its exact place in the document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Locator, LocatorKind, Passage

_ENDED = re.compile(r"[.!?。！？;；,，:：|…]\W*$")
_NUMBER = re.compile(r"\d")
_NUMBERING = re.compile(r"^\W*[\d.]+\W*")
_LONGEST_HEADING = 12  # words
_ROWS = frozenset({LocatorKind.ROW, LocatorKind.SHEET})


@dataclass(frozen=True, slots=True)
class Quote:
    """Characters `start` to `end` of the text of source `n`; `heading` is the line it is under."""

    n: int
    passage: Passage
    start: int
    end: int
    heading: str = ""

    @property
    def text(self) -> str:
        """The quote, word for word."""
        return self.passage.text[self.start : self.end]

    @property
    def locator(self) -> Locator:
        """The place of the quote itself."""
        begin = self.passage.locator.start
        if begin is None:
            return self.passage.locator
        return self.passage.place_of(begin + self.start, begin + self.end)

    @property
    def is_heading(self) -> bool:
        """Whether this looks like a heading: a short line without an end mark or a number."""
        return _is_heading(self.text)

    @property
    def is_row(self) -> bool:
        """Whether this is a row of a table."""
        return self.passage.locator.kind in _ROWS

    def citation(self, sentence: int) -> Citation:
        """Return the citation of sentence number `sentence` of an answer."""
        p = self.passage
        return Citation(self.n, p.chunk_id, p.path, self.locator, self.text, sentence)


def quotes_of(sources: Sequence[Passage]) -> list[Quote]:
    """Return every sentence or row of the numbered sources, in order."""
    return [quote for n, source in enumerate(sources, start=1) for quote in _quotes(n, source)]


def _quotes(n: int, source: Passage) -> list[Quote]:
    heading = source.section
    made = []
    for span in sentences(source.text, by_line=source.locator.kind in _ROWS):
        text = span.of(source.text)
        if _is_heading(text):
            made.append(Quote(n, source, span.start, span.end))
            heading = text
        else:
            made.append(Quote(n, source, span.start, span.end, heading))
    return made


def _is_heading(text: str) -> bool:
    if _ENDED.search(text) or _NUMBER.search(_NUMBERING.sub("", text)):
        return False
    if text.isascii():
        return len(text.split()) <= _LONGEST_HEADING
    return len(text) <= 2 * _LONGEST_HEADING
