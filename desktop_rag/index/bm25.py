"""BM25 over a knowledge base's chunks: tantivy, in a folder of its own.

It holds words and numbers of chunks, no text. Removed words leave the folder with their segment:
see `KnowledgeBaseIndex.purge`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy

from desktop_rag.core.errors import StoreDamaged, is_panic
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.index.tokenizer import analyzer, index_text, search_terms

_HEAP = 64_000_000  # bytes that the writer gathers before it cuts a segment
_MOST_TERMS = 1024  # of a query: a strategy may ask with a whole page
_ALL = 10_000_000


class Bm25Index:
    """The index in one folder, made when it is empty. Any thread searches, one at a time writes."""

    def __init__(self, folder: Path) -> None:
        self._schema = _schema()
        with _damage_told():
            folder.mkdir(parents=True, exist_ok=True)
            self._index = tantivy.Index(self._schema, path=str(folder))
            self._index.register_tokenizer("words", analyzer())
            self._index.reload()

    def apply(
        self, removed: Collection[ChunkId], added: Iterable[tuple[ChunkId, DocumentId, str]]
    ) -> None:
        """Take chunks out and put chunks in, both or neither.

        `removed` may name chunks that are not there; one that is added and may be there already
        belongs to both, so that it is there once.
        """
        with _damage_told(), self._writing() as writer:
            if removed:
                # delete_documents_by_term takes a number for a signed one and finds nothing (0.27)
                gone = tantivy.Query.term_set_query(self._schema, "chunk_id", list(removed))
                writer.delete_documents_by_query(gone)
            for chunk_id, document_id, text in added:
                writer.add_document(_document(chunk_id, document_id, text))
        self._index.reload()

    def search(
        self, query: str, k: int, documents: Collection[DocumentId] | None = None
    ) -> list[tuple[ChunkId, float]]:
        """Return up to `k` chunks that share a word with the query, best BM25 score first."""
        terms = search_terms(query)[:_MOST_TERMS]
        if not terms or (documents is not None and not documents):
            return []
        asked = _any_of([_term(self._schema, term) for term in terms])
        if documents is not None:
            asked = _within(self._schema, asked, documents)
        return self._best(asked, k)

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return, for each term (as `search_terms` gives them), how many chunks hold it."""
        with _damage_told():
            searcher = self._index.searcher()
            return {term: int(searcher.doc_freq("body", term)) for term in terms}

    def count(self) -> int:
        """Return how many chunks can be found."""
        return int(self._index.searcher().num_docs)

    def ids(self) -> set[ChunkId]:
        """Return the chunks that can be found."""
        everything = tantivy.Query.all_query()
        return {chunk_id for chunk_id, _ in self._best(everything, self.count() or 1)}

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        """Give a writer; commit at the end, roll back on any exception."""
        writer = self._index.writer(_HEAP, 1)
        try:
            yield writer
            writer.commit()
        except BaseException:
            writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()

    def _best(self, query: Any, k: int) -> list[tuple[ChunkId, float]]:
        with _damage_told():
            searcher = self._index.searcher()
            hits = searcher.search(query, limit=min(k, _ALL), count=False).hits
            ids = searcher.fast_field_values("chunk_id", [address for _, address in hits])
        return [
            (ChunkId(int(found)), float(score)) for found, (score, _) in zip(ids, hits, strict=True)
        ]


@contextmanager
def _damage_told() -> Iterator[None]:
    """Raise `StoreDamaged` for what tantivy says when its files cannot be read."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, (ValueError, OSError)) and not is_panic(error):
            raise
        raise StoreDamaged("The word index cannot be read.", "It can be rebuilt.") from error


def _schema() -> Any:
    """Return the fields: the words (frequencies, neither positions nor text) and two numbers."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", stored=False, tokenizer_name="words", index_option="freq")
    builder.add_unsigned_field("chunk_id", indexed=True, fast=True)
    builder.add_unsigned_field("document_id", indexed=True)
    return builder.build()


def _document(chunk_id: ChunkId, document_id: DocumentId, text: str) -> Any:
    made = tantivy.Document()
    made.add_text("body", index_text(text))
    made.add_unsigned("chunk_id", chunk_id)
    made.add_unsigned("document_id", document_id)
    return made


def _term(schema: Any, term: str) -> Any:
    return tantivy.Query.term_query(schema, "body", term, index_option="freq")


def _any_of(queries: list[Any]) -> Any:
    """Return a query whose score is the sum of those that match."""
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])


def _within(schema: Any, query: Any, documents: Collection[DocumentId]) -> Any:
    """Return a query that keeps to some documents, its scores unchanged."""
    members = tantivy.Query.term_set_query(schema, "document_id", list(documents))
    free = tantivy.Query.const_score_query(members, 0.0)
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, free)])
