"""In which quote the built-in reader sees the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.engine.answering.quotes import Quote
from desktop_rag.engine.models.pair_reader import Reading

Read = Callable[[str, Sequence[str]], Sequence[Reading] | None]
"""Reads a question with each text; None where there is no reader for it."""

_STRETCH = 900  # characters: with its title and a question about what is read of a pair


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Sentences of source `n` that are read together; characters `start` to `end` of its text."""

    n: int
    passage: Passage
    start: int
    end: int

    @property
    def title(self) -> str:
        return f"{self.passage.title}\n" if self.passage.title else ""

    @property
    def text(self) -> str:
        return self.title + self.passage.text[self.start : self.end]

    def has(self, quote: Quote) -> bool:
        return self.n == quote.n and self.start <= quote.start and quote.end <= self.end


def spotted(question: str, quotes: Sequence[Quote], read: Read) -> int | None:
    """Return which of the quotes most likely holds the answer; None where nobody reads it.

    It is the one whose best stretch of words beats "no answer" by most (Devlin et al. 2019, 4.3).
    """
    stretches = [stretch for quote in _firsts(quotes) for stretch in _stretches(quote)]
    readings = read(question, [stretch.text for stretch in stretches])
    if not readings:
        return None
    seen = list(zip(stretches, readings, strict=True))
    margins = [_margin(quote, seen) for quote in quotes]
    return margins.index(max(margins))


def _margin(quote: Quote, seen: Sequence[tuple[_Stretch, Reading]]) -> float:
    found = [
        reading.margin_in(_place(quote, stretch)) for stretch, reading in seen if stretch.has(quote)
    ]
    return max(found, default=-float("inf"))


def _place(quote: Quote, stretch: _Stretch) -> tuple[int, int]:
    """Return where a quote stands in the text that was read."""
    before = len(stretch.title) - stretch.start
    return quote.start + before, quote.end + before


def _firsts(quotes: Sequence[Quote]) -> list[Quote]:
    """Return one quote of each source."""
    return list({quote.n: quote for quote in quotes}.values())


def _stretches(quote: Quote) -> Iterator[_Stretch]:
    """Cut a quote's passage into runs of whole sentences, each short enough to be read."""
    passage = quote.passage
    spans = sentences(passage.text, by_line=quote.is_row)
    start = spans[0].start if spans else 0
    for this, following in zip(spans, [*spans[1:], None], strict=True):
        if following is None or following.end - start > _STRETCH:
            yield _Stretch(quote.n, passage, start, this.end)
            start = following.start if following is not None else this.end
