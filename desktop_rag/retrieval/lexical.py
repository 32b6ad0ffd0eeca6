"""The first stage by words: BM25 of each knowledge base, made comparable between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.core.types import KbId
from desktop_rag.retrieval.evidence import TermStatistics, content_terms
from desktop_rag.retrieval.exhaustive_search import Documents, SearchIndexes
from desktop_rag.retrieval.fuse import Hits, join_bases
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.stage_timer import StageTimer


def term_statistics(
    indexes: SearchIndexes, kbs: Sequence[KbId], terms: Sequence[str]
) -> TermStatistics:
    """Return how many chunks of several knowledge bases hold each term."""
    counts: Counter[str] = Counter()
    chunks = 0
    for kb in kbs:
        found, size = indexes.of(kb).frequencies(terms)
        counts.update(found)
        chunks += size
    return TermStatistics(counts, chunks)


@dataclass(frozen=True, slots=True)
class LexicalSearch:
    """Asks BM25 for up to `candidates` chunks."""

    indexes: SearchIndexes
    candidates: int

    def weight(self, kbs: Sequence[KbId], text: str) -> float:
        """Return the sum of the inverse document frequencies of a text's terms."""
        terms = content_terms(text)
        return sum(map(term_statistics(self.indexes, kbs, terms).weight, terms))

    def search(
        self, query: Query, documents: Documents, timer: StageTimer, *, is_compared: bool
    ) -> Hits:
        """Return chunks with their BM25 scores, best first.

        Where the scores themselves `is_compared` with others, a term counts in each knowledge base
        as if it were as rare there as in all of them together.
        """
        adjusts = len(query.kbs) > 1 and is_compared
        whole = self.weight(query.kbs, query.text) if adjusts else 1.0

        def search(kb: KbId) -> Hits:
            hits = self.indexes.of(kb).lexical(query.text, self.candidates, documents)
            own = (self.weight([kb], query.text) if adjusts else 1.0) or 1.0
            return [(chunk_id, score * whole / own) for chunk_id, score in hits]

        with timer.stage("lexical"):
            return join_bases(query.kbs, search, self.candidates)
