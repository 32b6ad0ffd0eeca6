"""What a passage leads to: what it names, and what shares words with it and with the question.

Half of what a question over several passages needs is not like the question at all; but a passage
that the question finds names it, or speaks of the same things.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.core.sentences import sentences
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId, Passage
from desktop_rag.retrieval.expand import expand_passages
from desktop_rag.retrieval.mention_detection import MentionDetector
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk

if TYPE_CHECKING:  # strategies are listed by every start; Chroma takes most of a second to import
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.retrieval.exhaustive_search import SearchIndexes

_BY_WORDS = 8  # passages that BM25 gives for question and passage
_MOST_NAMED = 12  # of one passage: a table of contents names everything
_MOST_WORDS = 60  # of what is told of a passage to the next reading


class PassageLinks:
    """Follows passages to other ones, by names and by BM25. Safe to use from several threads."""

    def __init__(self, catalog: Catalog, indexes: SearchIndexes, rules: Retrieval) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._rules = rules
        self._names = MentionDetector(catalog.named)

    def beyond(self, query: Query, near: Passage | None) -> tuple[Passage, ...]:
        """Return up to `query.k` passages that one leads to: those that it names come first.

        Without a passage, those that the question itself names.
        """
        told = "" if near is None else reader_text(near)
        allowed = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        named = self._named(query, query.text if near is None else near.matched, allowed)
        found = list(named)
        if near is not None:
            shared = f"{query.text} {told}"
            found += self._by_words(query, shared, set(named.values()), allowed)
        ranked = list(self._ranked(dict.fromkeys(found)))
        places = expand_passages(
            self._catalog, ranked, query.kbs, query.k + 1, expand=self._rules.expand
        )
        return tuple(each for each in places if near is None or not _same(each, near))[: query.k]

    def excerpt_about(self, near: Passage, far: Passage) -> str:
        """Return a passage's title and its sentences that name another one's document, in short.

        Where none does, its first sentences.
        """
        text = near.matched
        naming = [
            (each.start, each.end)
            for each in self._names.mentioned(text)
            if far.document_id in each.bearers.values()
        ]
        every = [(span, span.of(text)) for span in sentences(text)]
        chosen = [
            said
            for span, said in every
            if any(span.start <= start and end <= span.end for start, end in naming)
        ]
        said = " ".join(chosen or [each for _, each in every])
        return " ".join(f"{near.title}: {said}".split()[:_MOST_WORDS])

    def name_of(self, near: Passage, far: Passage) -> str:
        """Return the name under which a passage speaks of another one's document, "" for none."""
        text = near.matched
        for each in self._names.mentioned(text):
            if far.document_id in each.bearers.values():
                return text[each.start : each.end]
        return ""

    def _named(
        self, query: Query, text: str, allowed: set[DocumentId] | None
    ) -> dict[ChunkId, DocumentId]:
        """Return what a text names, where it is searched: names are those of all documents."""
        found: dict[ChunkId, DocumentId] = {}
        for mention in self._names.mentioned(text):
            found |= mention.bearers
        there = set(self._catalog.documents.paths(set(found.values()), query.kbs))
        there = there if allowed is None else there & allowed
        kept = [(chunk_id, document) for chunk_id, document in found.items() if document in there]
        return dict(kept[:_MOST_NAMED])

    def _by_words(
        self, query: Query, text: str, named: set[DocumentId], allowed: set[DocumentId] | None
    ) -> Iterator[ChunkId]:
        """Yield what shares words with a text, the best parts of named documents first."""
        for documents, k in ((named, len(named)), (allowed, _BY_WORDS)):
            hits = [
                hit
                for kb in query.kbs
                for hit in self._indexes.of(kb).lexical(text, k or 1, documents)
            ]
            hits.sort(key=lambda hit: (-hit[1], hit[0]))
            yield from (chunk_id for chunk_id, _ in hits[:k])

    def _ranked(self, ids: Sequence[ChunkId] | dict[ChunkId, None]) -> Iterator[RankedChunk]:
        chunks = self._catalog.documents.get_chunks(ids)
        for rank, each in enumerate((each for each in ids if each in chunks), start=1):
            yield RankedChunk(Candidate(each, 1.0 / rank), chunks[each])


def reader_text(passage: Passage) -> str:
    """Return a passage's piece under its title, as the built-in reader was shown passages."""
    return f"{passage.title}\n{passage.matched}" if passage.title else passage.matched


def _same(one: Passage, other: Passage) -> bool:
    """Tell whether two passages are the same stretch of one document."""
    return one.document_id == other.document_id and one.locator.start == other.locator.start
