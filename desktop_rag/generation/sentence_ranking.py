"""Ranks a few sentences or quotes against a question or a claim, by BM25 and by the embedder.

BM25 comes from rank-bm25, made for collections as small and short-lived as these. The embedder is
asked only where it was trained on the script at hand. `scores_of` scores quotes together with their
headings.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Plus

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.language import content_words
from desktop_rag.generation.answer_type import answer_type_bonus
from desktop_rag.generation.quotes import Quote
from desktop_rag.models.protocols import Embedder, LanguageSupport, Vectors

_log = logging.getLogger(__name__)
Numbers = npt.NDArray[np.float64]
_UNRELATED = 0.15  # cosine of two sentences that have nothing to do with each other
_MATCHED = 0.04  # what standing in the matched small piece is worth


@dataclass(frozen=True, slots=True)
class Scores:
    """One number a sentence. `order` ranks the sentences of one call, best highest.

    `strength` in [0, 1] is comparable between calls: how much of the query's meaning a sentence
    holds; about 0.5 is a good paraphrase, 1 the same words. `coverage` is its lexical half: the
    weighed share of the query's words that the sentence has.
    """

    order: Numbers
    strength: Numbers
    coverage: Numbers


class SentenceRanking:
    """Sentences made ready to be ranked against any number of queries."""

    def __init__(self, texts: Sequence[str], embedder: Embedder | None) -> None:
        self.texts = list(texts)
        self._embedder = embedder
        self._words = [content_words(text) for text in self.texts]

    def scores(self, query: str) -> Scores:
        """Score every sentence against a query."""
        if not self.texts:
            none = np.zeros(0)
            return Scores(none, none, none)
        asked = content_words(query)
        coverage = self._coverage(asked)
        lexical = self._bm25(asked)
        top = float(lexical.max())
        lexical = lexical / top if top > 0 else lexical
        similar = self._similarity(query) if self._embeds(query) else None
        if similar is None:
            return Scores(0.2 * lexical + 0.8 * coverage, coverage, coverage)
        order = 0.15 * lexical + 0.35 * coverage + 0.5 * similar
        return Scores(order, 0.5 * coverage + 0.5 * similar, coverage)

    def _bm25(self, asked: Sequence[str]) -> Numbers:
        """Return BM25 scores; a blank sentence among them shows what having no word is worth."""
        if not asked:
            return np.zeros(len(self.texts))
        scores = np.asarray(self._index.get_scores(list(asked)), dtype=np.float64)
        return np.asarray(scores[:-1] - scores[-1])

    def _coverage(self, asked: Sequence[str]) -> Numbers:
        """Return the share of the query's words that each sentence has, rare words weighing more.

        A word that no sentence has counts like the rarest one: it is what is missing.
        """
        weights = {word: self._weight(word) for word in set(asked)}
        total = sum(weights.values()) or 1.0
        found = [sum(weights[w] for w in set(has) & weights.keys()) for has in self._words]
        return np.asarray(found, dtype=np.float64) / total

    def _weight(self, word: str) -> float:
        return math.log(1 + len(self.texts) / (0.5 + max(1, self._frequency[word])))

    def _similarity(self, query: str) -> Numbers | None:
        """Return how near each sentence's meaning is; None where the model has failed meanwhile."""
        if self._embedder is None:
            return None
        try:
            cosine = np.asarray(self._vectors @ self._embedder.embed_query(query), dtype=np.float64)
        except ModelUnavailable as problem:
            _log.warning("Sentences are compared by their words alone: %s", problem.what)
            self._embedder = None
            return None
        return np.clip((cosine - _UNRELATED) / (1 - _UNRELATED), 0.0, 1.0)

    def _embeds(self, query: str) -> bool:
        return self._embedder is not None and self._embedder.trust(query) is LanguageSupport.GOOD

    @cached_property
    def _index(self) -> BM25Plus:
        return BM25Plus([*(words or [""] for words in self._words), [""]])

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(word for words in self._words for word in set(words))

    @cached_property
    def _vectors(self) -> Vectors:
        if self._embedder is None:
            return np.zeros((len(self.texts), 0), dtype=np.float32)
        return self._embedder.embed(self.texts)


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
