"""A reranker that scores a pair once: what is tried one after the other mostly scores the same."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.cancel import CancelToken
from desktop_rag.models.protocols import LanguageSupport, Reranker


class CachingReranker:
    """Scores as another reranker does, and keeps every score as long as it lives itself."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._known: dict[tuple[str, str], float] = {}
        self.name = reranker.name
        self.rank_weight = reranker.rank_weight

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth."""
        return self._reranker.trust(text)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text."""
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
        scores = self._reranker.score(query, new, token) if new else []
        self._known.update({(query, text): s for text, s in zip(new, scores, strict=True)})
        return [self._known[query, text] for text in texts]
