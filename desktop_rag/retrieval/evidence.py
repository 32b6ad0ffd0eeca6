"""How surely the passages answer the query: one number, below which nothing was found.

Words decide: how much of what the query asks for, rare words counting most, one passage holds. A
name that no document says is the rarest word of all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.core.language import content_runs, is_same_language, language
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.models.model_card import EvidenceWeights
from desktop_rag.retrieval.query_cleaning import without_command

EVIDENCE_THRESHOLD = 0.5
"""Below it nothing was found. Fitted on questions with and without their documents."""

WORDS_ALONE = EvidenceWeights(words=7.8, cosine=0.0, chunks=-0.4, constant=-1.9)
"""What counts where of the meaning nothing is known."""

_LOOKED_AT = 5
_MOST_CHUNKS = 500  # that count: what is found by chance among 14,000 is hardly more like the query


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """How many of `chunks` hold each term."""

    counts: dict[str, int]
    chunks: int

    def weight(self, term: str) -> float:
        """Return a term's inverse document frequency, as BM25 has it."""
        count = self.counts.get(term, 0)
        return math.log(1.0 + (self.chunks - count + 0.5) / (count + 0.5))


@dataclass(frozen=True, slots=True)
class FoundText:
    """What a search found, as it is read; the cosine is None where it says nothing."""

    text: str
    cosine: float | None


@dataclass(frozen=True, slots=True)
class EvidenceFeatures:
    """What speaks for an answer.

    `covered` is the share in [0, 1] of the query's terms, by weight, that the best passage holds;
    `meaning` the best cosine, None where it was not searched or nothing is known of it; `foreign`
    that of the passages in another language than the query's; `chunks` is how many were looked
    through.
    """

    covered: float
    meaning: float | None
    foreign: float | None
    chunks: int


def content_terms(text: str) -> list[str]:
    """Return the different terms of a query that carry meaning, as the index has them."""
    runs = content_runs(without_command(text))
    found = [term for run in runs for term in search_terms(run)]
    return list(dict.fromkeys(found))


def evidence_features(
    query: str, ranked: Sequence[FoundText], known: TermStatistics
) -> EvidenceFeatures:
    """Return what the best of the texts, best first, say about a query."""
    best = ranked[:_LOOKED_AT]
    weights = {term: known.weight(term) for term in content_terms(query)}
    whole = sum(weights.values()) or 1.0
    held = [weights.keys() & set(search_terms(each.text)) for each in best]
    shares = [sum(weights[term] for term in some) / whole for some in held]
    told = [(each.cosine, each.text) for each in best if each.cosine is not None]
    foreign = [cosine for cosine, text in told if not is_same_language(text, query)]
    return EvidenceFeatures(
        max(shares, default=0.0),
        max((cosine for cosine, _ in told), default=None),
        max(foreign, default=None),
        known.chunks,
    )


def evidence_score(
    found: EvidenceFeatures, measured: Mapping[str, EvidenceWeights], query: str
) -> float:
    """Return the confidence that the passages answer, in [0, 1]; `EVIDENCE_THRESHOLD` of it is an
    answer.

    A logistic model of what the words and, where it was measured what a cosine counts, the meaning
    say; the words of a passage in another language say nothing.
    """
    weights = measured.get("latin" if language(query) == "en" else "cjk")
    if found.meaning is None or weights is None:
        return _logistic(found.covered, 0.0, found.chunks, WORDS_ALONE)
    score = _logistic(found.covered, found.meaning, found.chunks, weights)
    if found.foreign is None or "foreign" not in measured:
        return score
    return max(score, _logistic(0.0, found.foreign, found.chunks, measured["foreign"]))


def _logistic(covered: float, cosine: float, chunks: int, weights: EvidenceWeights) -> float:
    signs = weights.words * covered + weights.cosine * cosine
    size = weights.chunks * math.log10(min(max(chunks, 1), _MOST_CHUNKS))
    return 1.0 / (1.0 + math.exp(-(signs + size + weights.constant)))
