"""The second stage without a trained cross-encoder: late interaction over token vectors."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.cancel import CancelToken
from desktop_rag.models.protocols import LanguageSupport, TokenEmbedder, Vectors


class LateInteraction:
    """MaxSim (Khattab & Zaharia 2020): each token of the query finds its best one in the passage.

    The score, in [-1, 1], is the mean over the query's tokens, function words counting less.
    """

    name = "late-interaction"
    rank_weight: float | None = None

    def __init__(self, embedder: TokenEmbedder) -> None:
        self._embedder = embedder

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth: what its tokens' vectors are."""
        return self._embedder.trust(text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text, each independent of the others in the call."""
        asked = self._embedder.shortened(query)
        vectors = self._embedder.token_vectors([asked], token)[0]
        weights = self._embedder.token_weights(asked)
        if not weights.any():
            return [0.0] * len(texts)
        passages = self._embedder.token_vectors(texts, token)
        return [_most_similar(vectors, weights, passage) for passage in passages]


def _most_similar(asked: Vectors, weights: Vectors, passage: Vectors) -> float:
    if not len(passage):
        return 0.0
    best = (asked @ passage.T).max(axis=1)
    return float(best @ weights / weights.sum())
