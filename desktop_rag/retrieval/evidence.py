"""How surely the passages answer the query: one number, below which nothing was found.

Words decide: how much of what the query asks for, rare words counting most, one passage holds. A
name that no document says is the rarest word of all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from desktop_rag.core.language import content_runs, is_same_language, language
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.models.model_card import EvidenceWeights
from desktop_rag.retrieval.query_cleaning import without_command

EVIDENCE_THRESHOLD = 0.5
"""Below it nothing was found. Fitted on questions with and without their documents."""

WORDS_ALONE = EvidenceWeights(words=7.8, cosine=0.0, chunks=-0.4, constant=-1.9)
"""What counts where of the meaning nothing is known."""

LEAD = "{}_lead"
"""Names the weights of a script that count a lead."""

_LOOKED_AT = 5
_BACKGROUND = slice(10, 30)  # ranks of what is found for any query
_FEWEST_BEHIND = 10
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
    through; `background` the mean cosine of what is found for any query, None where too few chunks
    were compared.
    """

    covered: float
    meaning: float | None
    foreign: float | None
    chunks: int
    background: float | None = None


def content_terms(text: str) -> list[str]:
    """Return the different terms of a query that carry meaning, as the index has them."""
    runs = content_runs(without_command(text))
    found = [term for run in runs for term in search_terms(run)]
    return list(dict.fromkeys(found))


def background_cosine(cosines: Sequence[float]) -> float | None:
    """Return the mean cosine of the chunks ranked 11th to 30th; None where there are not ten.

    How far the best are above it says how well a query's answer is known, whatever the query, the
    language and the documents: weighted information gain (Zhou & Croft 2007).
    """
    behind = sorted(cosines, reverse=True)[_BACKGROUND]
    return sum(behind) / len(behind) if len(behind) >= _FEWEST_BEHIND else None


def evidence_features(
    query: str,
    ranked: Iterable[FoundText],
    known: TermStatistics,
    background: float | None = None,
) -> EvidenceFeatures:
    """Return what the best of the texts, best first, say about a query; only those are taken."""
    best = list(islice(ranked, _LOOKED_AT))
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
        background,
    )


def evidence_score(
    found: EvidenceFeatures, measured: Mapping[str, EvidenceWeights], query: str
) -> float:
    """Return the confidence that the passages answer, in [0, 1]; `EVIDENCE_THRESHOLD` of it is an
    answer.

    A logistic model of what the words and, where it was measured what a cosine counts, the meaning
    say; the words of a passage in another language say nothing. Of the models with and without the
    lead the one that is surer decides: in a small or uniform knowledge base nothing leads.
    """
    script = "latin" if language(query) == "en" else "cjk"
    if found.meaning is None or script not in measured:
        return _logistic(found, found.covered, 0.0, WORDS_ALONE)
    score = _surest(found, found.covered, found.meaning, measured, script)
    if found.foreign is None or "foreign" not in measured:
        return score
    return max(score, _surest(found, 0.0, found.foreign, measured, "foreign"))


def _surest(
    found: EvidenceFeatures,
    covered: float,
    cosine: float,
    measured: Mapping[str, EvidenceWeights],
    script: str,
) -> float:
    """Return the confidence without the lead or with it, whichever is more."""
    score = _logistic(found, covered, cosine, measured[script])
    with_lead = measured.get(LEAD.format(script))
    if found.background is None or with_lead is None:
        return score
    return max(score, _logistic(found, covered, cosine, with_lead))


def _logistic(
    found: EvidenceFeatures, covered: float, cosine: float, weights: EvidenceWeights
) -> float:
    signs = weights.words * covered + weights.cosine * cosine
    if found.background is not None:
        signs += weights.lead * (cosine - found.background)
    size = weights.chunks * math.log10(min(max(found.chunks, 1), _MOST_CHUNKS))
    return 1.0 / (1.0 + math.exp(-(signs + size + weights.constant)))
