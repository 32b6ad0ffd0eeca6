"""In which quote the built-in reader sees the answer."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.engine.answering.quotes import Quote
from desktop_rag.engine.answering.stretches import Read, Stretch, stretches
from desktop_rag.engine.models.pair_reader import Reading


def spotted(question: str, quotes: Sequence[Quote], read: Read) -> int | None:
    """Return which of the quotes most likely holds the answer; None where nobody reads it.

    It is the one whose best stretch of words beats "no answer" by most (Devlin et al. 2019, 4.3).
    """
    read_ones = [stretch for quote in _firsts(quotes) for stretch in stretches(quote)]
    readings = read(question, [stretch.text for stretch in read_ones])
    if not readings:
        return None
    seen = list(zip(read_ones, readings, strict=True))
    margins = [_margin(quote, seen) for quote in quotes]
    return margins.index(max(margins))


def _margin(quote: Quote, seen: Sequence[tuple[Stretch, Reading]]) -> float:
    found = [
        reading.margin_in(_place(quote, stretch)) for stretch, reading in seen if stretch.has(quote)
    ]
    return max(found, default=-float("inf"))


def _place(quote: Quote, stretch: Stretch) -> tuple[int, int]:
    """Return where a quote stands in the text that was read."""
    before = len(stretch.title) - stretch.start
    return quote.start + before, quote.end + before


def _firsts(quotes: Sequence[Quote]) -> list[Quote]:
    """Return one quote of each source."""
    return list({quote.n: quote for quote in quotes}.values())
