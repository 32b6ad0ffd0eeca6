"""Stretches of passages that the built-in reader takes in at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.quotes import Quote
from desktop_rag.models.pair_reader import PairReading

PairRead = Callable[[str, Sequence[str]], Sequence[PairReading] | None]
"""Reads a question, or a claim, with each text; None where there is no reader for it."""

_STRETCH = 900  # characters: with its title and a question about what is read of a pair


@dataclass(frozen=True, slots=True)
class ReadingWindow:
    """Sentences of source `n` that are read together; characters `start` to `end` of its text."""

    n: int
    passage: Passage
    start: int
    end: int

    @property
    def title(self) -> str:
        """The title of the document, above what is read of it."""
        return f"{self.passage.title}\n" if self.passage.title else ""

    @property
    def text(self) -> str:
        """What is read."""
        return self.title + self.passage.text[self.start : self.end]

    def has(self, quote: Quote) -> bool:
        """Say whether a quote stands in it."""
        return self.n == quote.n and self.start <= quote.start and quote.end <= self.end


def reading_windows(quote: Quote) -> Iterator[ReadingWindow]:
    """Cut a quote's passage into runs of whole sentences, each short enough to be read."""
    passage = quote.passage
    spans = sentences(passage.text, by_line=quote.is_row)
    start = spans[0].start if spans else 0
    for this, following in zip(spans, [*spans[1:], None], strict=True):
        if following is None or following.end - start > _STRETCH:
            yield ReadingWindow(quote.n, passage, start, this.end)
            start = following.start if following is not None else this.end
