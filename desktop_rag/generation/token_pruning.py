"""Token pruning: of passages only the words that matter to the question are told.

As in LLMLingua (Jiang et al. 2023, arXiv 2310.05736) and Selective Context (Li et al. 2023, arXiv
2310.06201), which drop what a language model can foresee. Here the built-in reader says of each
token how much it is of use for the question (EfficientRAG's labels, Zhuang et al. 2024). Whole
words stay or go, a passage keeps a share of its own, and a negation stays where what it denies
does. The passages themselves stay whole: sources, quotes and citations are of these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from desktop_rag.core.sentences import Span
from desktop_rag.core.types import Passage
from desktop_rag.generation.extractive_compression import (
    CompressedPassage,
    Identity,
    passage_identity,
)
from desktop_rag.generation.quotes import quotes_of
from desktop_rag.generation.reading_windows import PairRead, ReadingWindow, reading_windows
from desktop_rag.models.pair_reader import PairReading

Numbers = npt.NDArray[np.float64]

_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\w'’]+")
_NEGATIONS = frozenset({
    "not", "no", "never", "without", "neither", "nor", "none", "nobody", "nothing", "cannot",
    "except", "unless", "hardly",
})  # fmt: skip
_DENIED = 3  # words behind a negation, one of which stays
_BESIDE = 0.5  # what a word's neighbours count beside itself: names stay in one piece
_UNREAD = -20.0  # logit of a word that was not read


def prune_tokens(
    question: str, passages: Sequence[Passage], share: float, read: PairRead
) -> dict[Identity, CompressedPassage]:
    """Return the most useful words of each passage, in their order: about a `share` of its text.

    Rows of tables are left out: a value without its column's name says nothing. So is everything
    where nobody reads the question.
    """
    windows = list(_windows(passages))
    readings = read(question, [each.text for each in windows]) if windows else None
    if not readings:
        return {}
    made = {}
    seen = zip(windows, readings, strict=True)
    for n, own in groupby(seen, key=lambda each: each[0].n):
        passage = passages[n - 1]
        made[passage_identity(passage)] = _pruned(passage.text, _usefulness(list(own)), share)
    return made


def _windows(passages: Sequence[Passage]) -> Iterator[ReadingWindow]:
    """Yield what is read of passages that are no rows of tables, in order."""
    for first in {quote.n: quote for quote in reversed(quotes_of(passages))}.values():
        if not first.is_row:
            yield from reading_windows(first)


def _usefulness(seen: Sequence[tuple[ReadingWindow, PairReading]]) -> dict[int, float]:
    """Return the logit of each token that was read, by where it begins in the passage's text."""
    found: dict[int, float] = {}
    for window, reading in seen:
        before = len(window.title) - window.start
        for (begin, _), logit in reading.usefulness():
            if begin >= len(window.title):
                found[begin - before] = logit
    return found


def _pruned(text: str, logits: dict[int, float], share: float) -> CompressedPassage:
    """Keep the best words that fit a share of the text."""
    words = [Span(*found.span()) for found in _WORD.finditer(text)]
    scores = _smoothed([_score(word, logits) for word in words])
    kept, room = set[int](), share * len(text)
    for at in np.argsort(-scores, kind="stable").tolist():
        cost = words[at].end - words[at].start + 1
        if kept and cost > room:
            break
        kept.add(at)
        room -= cost
    kept |= {at for at, word in enumerate(words) if _denies(word.of(text), at, kept)}
    runs = _runs(sorted(kept))
    spans = tuple(Span(words[first].start, words[last].end) for first, last in runs)
    return CompressedPassage(_joined(text, spans), spans, is_pruned=len(kept) < len(words))


def _score(word: Span, logits: dict[int, float]) -> float:
    """Return the logit of a word's most useful token."""
    return max((logits[at] for at in range(word.start, word.end) if at in logits), default=_UNREAD)


def _smoothed(scores: Sequence[float]) -> Numbers:
    own = np.asarray(scores, np.float64)
    around = np.pad(own, 1, mode="edge") if len(own) else np.zeros(2)
    smooth: Numbers = own + _BESIDE * (around[:-2] + around[2:])
    return smooth


def _denies(word: str, at: int, kept: set[int]) -> bool:
    """Tell whether a word denies something that is kept."""
    bare = _LETTERS.sub("", word).casefold()
    is_negation = bare in _NEGATIONS or bare.endswith(("n't", "n’t"))
    return is_negation and any(at + beyond in kept for beyond in range(1, _DENIED + 1))


def _runs(kept: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and last of words that follow one another."""
    for _, run in groupby(enumerate(kept), key=lambda each: each[1] - each[0]):
        places = [at for _, at in run]
        yield places[0], places[-1]


def _joined(text: str, spans: Sequence[Span]) -> str:
    """Join stretches of a text; on lines of their own where a line ended between them."""
    parts: list[str] = []
    end = 0
    for each in spans:
        between = text[end : each.start]
        parts += [("\n" if "\n" in between else " ") if parts else "", each.of(text)]
        end = each.end
    return "".join(parts)
