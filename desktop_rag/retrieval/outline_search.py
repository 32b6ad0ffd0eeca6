"""Tables of contents as a way to passages: which lines there are, and what stands under some.

Vectors find nothing here. The word index says which lines a question's words point to, where there
are too many to be read one by one, and, beside the order of the lines, which of their chunks the
reranker reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.retrieval.exhaustive_search import SearchIndexes
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk, SearchResult
from desktop_rag.retrieval.query_cleaning import without_answer_instructions

Rerank = Callable[[Query, list[RankedChunk]], SearchResult]
"""Puts chunks in their last order and makes passages of them."""

_HITS_A_LINE = 4  # chunks of the word index for each line that is wanted
_MOST_HITS = 2000


class OutlineSearch:
    """Reads tables of contents, and searches under their lines. Several threads may use it."""

    def __init__(
        self, catalog: Catalog, indexes: SearchIndexes, rules: Retrieval, rerank: Rerank
    ) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._rules = rules
        self._rerank = rerank

    def documents(self, query: Query) -> tuple[OutlineEntry, ...]:
        """Return the documents that a query searches, by their paths."""
        allowed = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        return self._catalog.outlines.documents(query.kbs, allowed)

    def headings(self, documents: Sequence[OutlineEntry], most: int) -> tuple[OutlineEntry, ...]:
        """Return documents with their headings, those of the first `most` chunks of each."""
        return self._catalog.outlines.headings(documents, most)

    def by_words(
        self, query: Query, entries: Sequence[OutlineEntry], count: int
    ) -> tuple[OutlineEntry, ...]:
        """Return `count` lines: those with the chunks that share most with a query come first.

        A chunk counts for the deepest line that it stands under. Where the words point to fewer,
        the first of the others follow.
        """
        wanted = max(_HITS_A_LINE * count, self._rules.candidates)
        hits = self._hits(query, entries, min(wanted, _MOST_HITS))
        places = self._catalog.outlines.places([chunk_id for chunk_id, _ in hits])
        by_document: dict[DocumentId, list[OutlineEntry]] = {}
        for each in entries:
            by_document.setdefault(each.document_id, []).append(each)
        found: dict[OutlineEntry, None] = {}
        for chunk_id, _ in hits:
            if chunk_id in places:
                document_id, ordinal = places[chunk_id]
                lines = reversed(by_document.get(document_id, ()))
                line = next((each for each in lines if each.holds(document_id, ordinal)), None)
                found |= {} if line is None else {line: None}
        return tuple(dict.fromkeys((*found, *entries)))[:count]

    def passages(self, query: Query, entries: Sequence[OutlineEntry]) -> SearchResult:
        """Return the passages under lines, of which the first is the most promising."""
        return self._rerank(query, list(self._candidates(query, entries)))

    def _candidates(self, query: Query, entries: Sequence[OutlineEntry]) -> Iterator[RankedChunk]:
        """Yield chunks under lines, ranked by the rank of the line and by words (RRF)."""
        lines: dict[ChunkId, int] = {}
        for rank, entry in enumerate(entries, start=1):
            for chunk_id in self._catalog.outlines.chunks_under(entry):
                lines.setdefault(chunk_id, rank)
        hits = dict(self._hits(query, entries, _MOST_HITS))
        words = {each: rank for rank, each in enumerate(hits, start=1)}
        constant = self._rules.rrf_k
        scores = {
            each: 1 / (constant + rank) + (1 / (constant + words[each]) if each in words else 0.0)
            for each, rank in lines.items()
        }
        best = sorted(scores, key=lambda each: -scores[each])[: self._rules.candidates]
        chunks = self._catalog.documents.get_chunks(best)
        for each in best:
            if each in chunks:
                candidate = Candidate(
                    each,
                    scores[each],
                    lexical_rank=words.get(each),
                    lexical_score=hits.get(each),
                )
                yield RankedChunk(candidate, chunks[each])

    def _hits(self, query: Query, entries: Sequence[OutlineEntry], count: int) -> Hits:
        """Return what the word index finds in the documents of lines, best first."""
        documents = {each.document_id for each in entries}
        text = without_answer_instructions(query.text)
        bases = [self._indexes.of(kb) for kb in query.kbs]
        hits = [hit for each in bases for hit in each.lexical(text, count, documents)]
        best: dict[ChunkId, float] = {}
        for chunk_id, score in sorted(hits, key=lambda hit: (-hit[1], hit[0])):
            best.setdefault(chunk_id, score)
        return list(best.items())[:count]
