"""A short summary of texts that belong together: a language model's, or of their own sentences.

Without a model, sentences are chosen by the weights of their terms (how many of the texts have a
term, how few of the whole document), by how near they are to the texts' centroid (Radev et al.
2004; with embeddings, Rossiello et al. 2017), and so that no two say the same (maximal marginal
relevance: Carbonell & Goldstein 1998). Only the best by their terms are embedded.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from desktop_rag.core.language import content_words, language
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import ChunkId, DocumentId, Locator, LocatorKind, Passage
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, LanguageSupport, Message, Vectors
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.strategies.base import run_to_end

Numbers = npt.NDArray[np.floating[Any]]

_TOKENS = 130  # of a summary without a model: as long as the paper's are on average
_REPLY = 260  # tokens of a model's, at most
_WORDS = {"zh": 200}  # of a model's: characters in Chinese
_MOST_WORDS = 100
_EMBEDDED = 20  # sentences of a cluster, the best by their terms
_LONGEST = 320  # characters of a sentence; of lines that have none, as much is taken
_FEWEST_TERMS = 4
_RELEVANCE = 0.7  # λ of maximal marginal relevance
_SMOOTH = 6  # terms that a short sentence is divided by at least, about
_MOST_TERMS = 24  # of a sentence, before its length counts against it
_HEADINGS = 4  # that are named


@dataclass(frozen=True, slots=True)
class RelatedTexts:
    """Texts of a document that are summed up together, in order, and their unit vectors.

    `are_rows` says of each whether its lines stand alone, as a table's do. `headings` are those
    that the texts stand under, the commonest first.
    """

    title: str
    texts: tuple[str, ...]
    are_rows: tuple[bool, ...]
    vectors: Vectors
    headings: tuple[str, ...] = ()

    def unit_centroid(self) -> Vectors:
        """Return the unit vector that is nearest to all of the texts: shape `(d,)`."""
        mean = self.vectors.mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), np.float32)


class TermWeights:
    """How much the terms of a document weigh, by the texts that it consists of."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = len(texts)
        self._frequency = Counter(term for text in texts for term in set(content_words(text)))

    def within(self, texts: Sequence[str]) -> dict[str, float]:
        """Return the weights of terms for some of the texts: high where these have them most.

        Numbers, which are rare by nature, have none.
        """
        own = Counter(term for text in texts for term in set(content_words(text)))
        return {
            term: math.log1p(count) * math.log((1 + self._texts) / max(1, self._frequency[term]))
            for term, count in own.items()
            if not any(each.isdigit() for each in term)
        }


@dataclass(frozen=True, slots=True)
class ClusterSummarizer:
    """Sums up texts of one document, of which `weights` are the terms'."""

    tools: PreparationTools
    weights: TermWeights

    def summary(self, told: RelatedTexts) -> str:
        """Return a summary; by its own sentences where there is no model, or it writes nothing.

        What it is about stands before it: the title, and on a line with that the headings.
        Raises `ModelUnavailable` where the model is gone.
        """
        written = self._written(told) or self._extracted(told)
        return f"{told.title}: {written}" if told.title else written

    def _written(self, told: RelatedTexts) -> str:
        calls = self.tools.calls
        if calls is None:
            return ""
        spoken = language(" ".join(told.texts)[:2000])
        words = str(_WORDS.get(spoken, _MOST_WORDS))
        rules = Message("system", Prompts(spoken).text("preparation/summary", words=words))
        kept = list(np.argsort(-(told.vectors @ told.unit_centroid()), kind="stable"))
        while True:
            messages = [rules, Message("user", _fenced(told, sorted(map(int, kept))))]
            if len(kept) == 1 or calls.room(messages) >= _REPLY:
                break
            kept = kept[: max(1, len(kept) * 3 // 4)]  # what is nearest to the centroid
        reply = run_to_end(calls.generate(messages, "prepare: summary", GenerationOptions(_REPLY)))
        return " ".join(reply.text.split())

    def _extracted(self, told: RelatedTexts) -> str:
        candidates = _sentences(told)
        weights = self.weights.within(told.texts)
        scores = np.asarray([_weight(each, weights) for each in candidates])
        best = sorted(np.argsort(-scores, kind="stable")[:_EMBEDDED].tolist())
        chosen = self._diverse([candidates[at] for at in best], scores[best], told)
        is_wide = language("".join(chosen)[:500]) in ("zh", "ja")
        named = ("；" if is_wide else "; ").join(told.headings[:_HEADINGS])
        text = ("" if is_wide else " ").join(chosen)
        return f"{named}\n{text}" if named else text

    def _diverse(self, texts: Sequence[str], scores: Numbers, told: RelatedTexts) -> list[str]:
        """Return the sentences that say most together, in their order, as many as there is room."""
        vectors = self._vectors(texts)
        relevance: Numbers = scores / max(float(scores.max()), 1e-9)
        if vectors is not None:
            relevance = 0.5 * relevance + 0.5 * (vectors @ told.unit_centroid())
        alike: Numbers = np.zeros((len(texts),) * 2) if vectors is None else vectors @ vectors.T
        lengths = self.tools.embedder.count_tokens(texts)
        waiting, taken, room = list(range(len(texts))), list[int](), _TOKENS
        while waiting:
            best = max(waiting, key=lambda at: _gain(at, taken, relevance, alike))
            waiting.remove(best)
            if taken and lengths[best] > room:
                break
            taken.append(best)
            room -= lengths[best]
        return [texts[at] for at in sorted(taken)]

    def _vectors(self, texts: Sequence[str]) -> Vectors | None:
        embedder = self.tools.embedder
        if embedder.trust(" ".join(texts)) is LanguageSupport.NONE:
            return None
        return embedder.embed(texts, self.tools.token)


def _gain(at: int, taken: Sequence[int], relevance: Numbers, alike: Numbers) -> float:
    nearest = max((float(alike[at, other]) for other in taken), default=0.0)
    return _RELEVANCE * float(relevance[at]) - (1.0 - _RELEVANCE) * nearest


def _sentences(told: RelatedTexts) -> list[str]:
    """Return the sentences that can stand in a summary, each once; all lines where none can."""
    lines: list[str] = []
    for text, is_rows in zip(told.texts, told.are_rows, strict=True):
        spans = sentences(text, by_line=is_rows)
        lines += (" ".join(each.of(text).split()) for each in spans)
    lines = list(dict.fromkeys(each for each in lines if each))
    telling = [
        each
        for each in lines
        if len(each) <= _LONGEST and len(content_words(each)) >= _FEWEST_TERMS
    ]
    return telling or [each[:_LONGEST] for each in lines] or [told.title]


def _weight(text: str, weights: dict[str, float]) -> float:
    terms = set(content_words(text))
    mean = sum(weights.get(term, 0.0) for term in terms) / (len(terms) + _SMOOTH)
    return mean * min(1.0, _MOST_TERMS / max(1, len(terms)))


def _fenced(told: RelatedTexts, kept: Sequence[int]) -> str:
    """Return texts as material for a message: data between delimiters, never instructions."""
    place = Locator(LocatorKind.PART, 1)
    ids = (ChunkId(0), DocumentId(0))
    numbered = [
        (n, Passage(n, *ids, "", place, told.title, "", told.texts[at], (0, 0), 0.0))
        for n, at in enumerate(kept, start=1)
    ]
    return delimit(numbered, "")
