"""How well quotes answer a question, as far as words and meaning tell."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.generation.answer_type import answer_type_bonus
from desktop_rag.generation.quotes import Quote
from desktop_rag.generation.sentence_ranking import SentenceRanking
from desktop_rag.models.protocols import Embedder

_MATCHED = 0.04  # what standing in the matched small piece is worth


def scores_of(question: str, quotes: Sequence[Quote], embedder: Embedder | None) -> list[float]:
    """Score quotes with the headings they are under: those often hold the question's words."""
    texts = [f"{quote.heading} {quote.text}" for quote in quotes]
    order = SentenceRanking(texts, embedder).scores(question).order
    return [
        float(score) + _MATCHED * _is_matched(quote) + answer_type_bonus(question, quote.text)
        for score, quote in zip(order, quotes, strict=True)
    ]


def _is_matched(quote: Quote) -> bool:
    begin = quote.passage.locator.start or 0
    first, last = quote.passage.match
    return begin + quote.start < last and first < begin + quote.end
