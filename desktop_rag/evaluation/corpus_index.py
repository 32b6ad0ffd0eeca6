"""A corpus as a knowledge base of its own: the real catalog and indexes, kept for the next run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewDocument
from desktop_rag.core.search_text import search_text
from desktop_rag.core.settings import Chunking, Settings
from desktop_rag.core.types import BlockKind, KbId, LocatorKind, ModelIdentity
from desktop_rag.evaluation.datasets import CorpusPassage
from desktop_rag.index.indexes import IndexManager
from desktop_rag.indexing.chunker import VERSION, chunk_document
from desktop_rag.models.protocols import Embedder
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from desktop_rag.workspace import Lazy, Workspace

FOLDER = "evaluation"
_AT_ONCE = 256
KB = "corpus"  # the name of a collection's one knowledge base


@dataclass(frozen=True, slots=True)
class CorpusIndex:
    """An opened corpus. A passage's path is its id in the corpus."""

    catalog: Catalog
    indexes: IndexManager
    embedder: Embedder
    sizes: Chunking

    @property
    def kb(self) -> KbId:
        """The one knowledge base."""
        return self.catalog.kbs.ensure(KB).id

    def fill(self, corpus: Sequence[CorpusPassage], token: CancelToken) -> Iterator[int]:
        """Index what is not indexed yet; yield how many entries are, each time some are added."""
        kb = self.kb
        known = {row.path for row in self.catalog.files.under(kb)}
        waiting = [entry for entry in corpus if entry.id not in known]
        for start in range(0, len(waiting), _AT_ONCE):
            self._add(kb, waiting[start : start + _AT_ONCE], token)
            yield len(corpus) - len(waiting) + min(start + _AT_ONCE, len(waiting))
        self.indexes.of(kb).sync()
        self.indexes.of(kb).feed(token.check)

    def _add(self, kb: KbId, entries: Sequence[CorpusPassage], token: CancelToken) -> None:
        made = [self._document(entry) for entry in entries]
        texts = {
            chunk.embed_key: search_text(chunk.context, chunk.text)
            for document in made
            for chunk in document.chunks
        }
        rows = self.embedder.embed(list(texts.values()), token).astype(np.float16)
        vectors = dict(zip(texts, rows, strict=True))
        for entry, document in zip(entries, made, strict=True):
            own = {chunk.embed_key: vectors[chunk.embed_key] for chunk in document.chunks}
            read = FileRead(kb, entry.id, FileStamp(len(entry.text), 0, document.content_hash))
            self.catalog.documents.store(read, document, own, self.embedder.fingerprint)

    def _document(self, entry: CorpusPassage) -> NewDocument:
        """Cut an entry as a file of that title would be."""
        block = Block(BlockKind.TEXT, entry.text or entry.title, BlockLocator(LocatorKind.PART, ""))
        parsed = ParsedDocument(entry.title, (block,))
        text, chunks = chunk_document(parsed, "", self.sizes, self.embedder.count_tokens)
        name = hashlib.sha256(entry.id.encode()).hexdigest()
        return NewDocument(name, FOLDER, entry.title, text, None, (), chunks)


@contextmanager
def open_corpus_index(
    data_dir: Path, corpus_name: str, embedder: Embedder, settings: Settings
) -> Iterator[CorpusIndex]:
    """Open the collection that belongs to a corpus, a model and a way of cutting."""
    sizes, exact_upto = settings.chunking, settings.retrieval.exact_upto
    recipe = f"{corpus_name} {embedder.fingerprint} {sizes} {VERSION}"
    folder = data_dir / FOLDER / hashlib.sha256(recipe.encode()).hexdigest()[:16]
    catalog = Catalog.open(folder)
    try:
        model = ModelIdentity(embedder.fingerprint, embedder.dimensions)
        indexes = IndexManager(folder, catalog, model, exact_upto=exact_upto)
        try:
            yield CorpusIndex(catalog, indexes, embedder, sizes)
        finally:
            indexes.close()
    finally:
        catalog.close()


def workspace_over(workspace: Workspace, collection: CorpusIndex) -> Workspace:
    """Return a view of the workspace whose documents are the corpus."""
    retriever = TwoStageRetriever(
        collection.catalog,
        collection.indexes,
        workspace.models.embedder,
        workspace.models.rerankers,
        workspace.settings.retrieval,
    )
    return replace(
        workspace,
        catalog=collection.catalog,
        lazy_indexes=Lazy(lambda: collection.indexes),
        lazy_retriever=Lazy(lambda: retriever),
    )
