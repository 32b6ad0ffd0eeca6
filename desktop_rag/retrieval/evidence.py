"""How surely the passages answer the query: one number, below which nothing was found.

Words decide: how much of what the query asks for, rare words counting most, one passage holds. A
name that no document says is the rarest word of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_rag.core.language import content_runs
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.models.model_card import EvidenceWeights
from desktop_rag.retrieval.query import RankedChunk

EVIDENCE_THRESHOLD = 0.5
"""Below it nothing was found. Fitted on questions with and without their documents."""

_LOOKED_AT = 5


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
class EvidenceFeatures:
    """What speaks for an answer.

    `covered` is the share in [0, 1] of the query's terms, by weight, that the best passage holds;
    `meaning` the best cosine, None where it was not searched or is another model's; `chunks` is
    how many were looked through.
    """

    covered: float
    meaning: float | None
    chunks: int


def content_terms(text: str) -> list[str]:
    """Return the different terms of a text that carry meaning, as the index has them."""
    found = [term for run in content_runs(text) for term in search_terms(run)]
    return list(dict.fromkeys(found))


def evidence_features(
    terms: Sequence[str],
    ranked: Sequence[RankedChunk],
    known: TermStatistics,
    is_calibrated: Callable[[str], bool],
) -> EvidenceFeatures:
    """Return what the best passages say about a query's terms.

    `is_calibrated` tells whether the cosine of a passage of this text means what was fitted.
    """
    best = ranked[:_LOOKED_AT]
    held = [set(search_terms(f"{each.chunk.context}\n{each.chunk.text}")) for each in best]
    weights = {term: known.weight(term) for term in terms}
    whole = sum(weights.values()) or 1.0
    shares = [sum(weights[t] for t in terms if t in each) / whole for each in held]
    cosines = [(e.candidate.dense_score, e.chunk.text) for e in best]
    meanings = [cosine for cosine, text in cosines if cosine is not None and is_calibrated(text)]
    return EvidenceFeatures(max(shares, default=0.0), max(meanings, default=None), known.chunks)


def evidence_score(found: EvidenceFeatures, weights: EvidenceWeights | None) -> float:
    """Return the confidence that the passages answer, in [0, 1]; `EVIDENCE_THRESHOLD` of it is an
    answer.

    A logistic model of what the words and, where it is known what a cosine counts, the meaning say.
    Among more chunks something looks alike sooner by chance, so there more is asked for.
    """
    few = few_chunks(found.chunks)
    if found.meaning is None or weights is None:
        return _logistic(7.8 * found.covered - 3.5 + few)
    told = weights.words * found.covered + weights.cosine * found.meaning + weights.constant
    return _logistic(told + few)


def few_chunks(count: int) -> float:
    """Return what it adds to the sum of signs that so many chunks were looked through."""
    return 0.4 * (4.0 - math.log10(max(count, 1)))


def _logistic(sum_of_signs: float) -> float:
    return 1.0 / (1.0 + math.exp(-sum_of_signs))
