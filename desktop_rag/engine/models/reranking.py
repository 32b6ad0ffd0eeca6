"""The second stage without a trained cross-encoder: late interaction over token vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.engine.models.embedding import OnnxEmbedder
from desktop_rag.engine.models.protocols import Vectors

_FUNCTION_WORD = 0.3
"""What a function word of the query counts against a word of content; tuned on train questions."""


class LateInteraction:
    """MaxSim (Khattab & Zaharia 2020): each token of the query finds its best one in the passage.

    The score, in [-1, 1], is the mean over the query's tokens, function words counting less.
    """

    name = "late-interaction"

    def __init__(self, embedder: OnnxEmbedder) -> None:
        self._embedder = embedder

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text, each independent of the others in the call."""
        asked = self._embedder.shortened(query)
        vectors = self._embedder.token_vectors([asked], token)[0]
        words = self._embedder.words(asked)
        weights = np.array([_weight(word) for word in words[: len(vectors)]], np.float32)
        if not weights.any():
            return [0.0] * len(texts)
        passages = self._embedder.token_vectors(texts, token)
        return [_most_similar(vectors, weights, passage) for passage in passages]


def _weight(word: str) -> float:
    if not any(map(str.isalnum, word)):
        return 0.0
    return _FUNCTION_WORD if word.casefold() in FUNCTION_WORDS else 1.0


def _most_similar(asked: Vectors, weights: Vectors, passage: Vectors) -> float:
    if not len(passage):
        return 0.0
    best = (asked @ passage.T).max(axis=1)
    return float(best @ weights / weights.sum())
