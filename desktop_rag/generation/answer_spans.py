"""In which quotes the built-in reader sees the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.core.types import Passage
from desktop_rag.generation.quotes import Quote, quotes_of
from desktop_rag.generation.reading_windows import PairRead, ReadingWindow, reading_windows
from desktop_rag.models.pair_reader import PairReading

_FOLLOWED = 2  # passages that are read on from
_MOST_WORDS = 60  # of what one of them says
_SHORT = 3  # characters of a title that may be a word like another


def find_answer_quotes(
    question: str, quotes: Sequence[Quote], scores: Sequence[float], read: PairRead
) -> list[int]:
    """Return which of the quotes most likely hold the answer: none where nobody reads it.

    The first is the one whose best stretch of words beats "no answer" by most (Devlin et al. 2019,
    4.3). Another is behind it where the reader is surer of that once it knows what one of the best
    two passages says: the answer of a question in two steps stands where the first one leads.
    `scores` tell which quote of those passages comes nearest to the question.
    """
    alone = _margins(question, quotes, read)
    if alone is None:
        return []
    found, surest = [alone.index(max(alone))], max(alone)
    for told, beyond in _steps(quotes, scores):
        margins = _margins(f"{question} {told}", beyond, read) or []
        if margins and max(margins) > surest:
            surest = max(margins)
            found = [found[0], quotes.index(beyond[margins.index(surest)])]
    return list(dict.fromkeys(found))


def answer_margin(question: str, sources: Sequence[Passage], read: PairRead) -> float | None:
    """Return by how much the best words of the sources beat "no answer"; None where nobody reads.

    Where it is far below 0 the reader is sure that they hold no answer.
    """
    margins = _margins(question, quotes_of(sources), read)
    return max(margins, default=None) if margins else None


def _steps(quotes: Sequence[Quote], scores: Sequence[float]) -> Iterator[tuple[str, list[Quote]]]:
    """Yield what one of the best passages says, and the quotes of the others to read with it."""
    for near in range(1, _FOLLOWED + 1):
        said = [at for at, quote in enumerate(quotes) if quote.n == near]
        if not said:
            continue
        best = quotes[max(said, key=lambda at: scores[at])]
        beyond: dict[str, list[Quote]] = {}
        for far in quotes:
            if far.n != near:
                naming = [quotes[at] for at in said if _names(quotes[at], far.passage.title)]
                beyond.setdefault(_told(naming or [best]), []).append(far)
        yield from beyond.items()


def _names(quote: Quote, title: str) -> bool:
    """Tell whether a quote names a title, which may have something in brackets behind it."""
    name = title.partition(" (")[0]
    return len(name) > _SHORT and name in quote.text


def _told(said: Sequence[Quote]) -> str:
    """Return what a passage says, as the reader was taught to be told of it."""
    text = " ".join(quote.text for quote in said)
    return " ".join(f"{said[0].passage.title}: {text}".split()[:_MOST_WORDS])


def _margins(question: str, quotes: Sequence[Quote], read: PairRead) -> list[float] | None:
    """Return by how much the best words of each quote beat "no answer"."""
    read_ones = [stretch for quote in _firsts(quotes) for stretch in reading_windows(quote)]
    readings = read(question, [stretch.text for stretch in read_ones])
    if not readings:
        return None
    seen = list(zip(read_ones, readings, strict=True))
    return [_margin(quote, seen) for quote in quotes]


def _margin(quote: Quote, seen: Sequence[tuple[ReadingWindow, PairReading]]) -> float:
    found = [
        reading.margin_in(_place(quote, stretch)) for stretch, reading in seen if stretch.has(quote)
    ]
    return max(found, default=-float("inf"))


def _place(quote: Quote, stretch: ReadingWindow) -> tuple[int, int]:
    """Return where a quote stands in the text that was read."""
    before = len(stretch.title) - stretch.start
    return quote.start + before, quote.end + before


def _firsts(quotes: Sequence[Quote]) -> list[Quote]:
    """Return one quote of each source."""
    return list({quote.n: quote for quote in quotes}.values())
