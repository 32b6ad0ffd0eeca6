"""Quotes: the sentences and table rows of passages, each with its exact place in the document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Locator, LocatorKind, Passage

_ROWS = frozenset({LocatorKind.ROW, LocatorKind.SHEET})


@dataclass(frozen=True, slots=True)
class Quote:
    """Characters `start` to `end` of the text of source `n`."""

    n: int
    passage: Passage
    start: int
    end: int

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
        return self.passage.locator.narrowed(begin + self.start, begin + self.end)

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
    spans = sentences(source.text, by_line=source.locator.kind in _ROWS)
    return [Quote(n, source, span.start, span.end) for span in spans]
