"""A text of quotes, each with its source's number, as it is put together line by line."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.document_table import plain, shown_quote
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation, Passage
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.quotes import Quote
from desktop_rag.whole_documents.cited_draft import MOST_SOURCES


class QuotedText:
    """Grows by headings and lines; sources are numbered as they come."""

    def __init__(self) -> None:
        self._text = ""
        self._citations: list[Citation] = []
        self._numbers: dict[tuple[int, str, int], int] = {}
        self.sources: list[Passage] = []

    @property
    def made(self) -> CitedText:
        """The text so far with its citations."""
        return CitedText(self._text.strip(), tuple(self._citations), ())

    def heading(self, text: str) -> None:
        """Add a heading, where it says anything."""
        if text.strip():
            parting = "" if not self._text or self._text.endswith("\n\n") else "\n"
            self._text += f"{parting}### {plain(text)}\n\n"

    def line(self, quotes: Sequence[Quote], form: str = "{0}", parting: str = "\n\n") -> None:
        """Add a line of quotes, which fill the gaps `{0}`, `{1}` … of a form, in their order.

        Nothing is added where there is no number left for a source.
        """
        if len(self.sources) + len(quotes) > MOST_SOURCES:
            return
        left = form
        for gap, quote in enumerate(quotes):
            head, _, left = left.partition(f"{{{gap}}}")
            n = self._number(quote.passage)
            self._text += f"{head}“{shown_quote(quote.text)}” [{n}]"
            cited = Quote(n, quote.passage, quote.start, quote.end)
            self._citations.append(cited.citation(len(sentences(self._text)) - 1))
        self._text += left + parting

    def words(self, text: str) -> None:
        """Add words that are no quote."""
        self._text += text

    def _number(self, passage: Passage) -> int:
        key = int(passage.document_id), passage.path, passage.rank
        if key not in self._numbers:
            self.sources.append(passage)
            self._numbers[key] = len(self.sources)
        return self._numbers[key]
