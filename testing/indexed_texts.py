"""A knowledge base of a few texts: real catalog, indexes and embedder."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRead, FileStamp, NewDocument
from desktop_rag.core.search_text import search_text
from desktop_rag.core.settings import Chunking, Retrieval, Settings
from desktop_rag.core.types import BlockKind, DocumentId, KbId, LocatorKind, ModelIdentity
from desktop_rag.index.indexes import IndexManager
from desktop_rag.indexing.chunker import chunk_document
from desktop_rag.models.model_loader import load_rerankers
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.parsing.parsed_document import Block, BlockLocator, ParsedDocument
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.retrieval.two_stage import TwoStageRetriever


class IndexedTexts:
    """Texts that can be searched; a page is a paragraph.

    The indexes are told of what was added when they are asked for: of many texts at once.
    """

    def __init__(self, home: Path, embedder: OnnxEmbedder) -> None:
        self.embedder = embedder
        self.catalog = Catalog.open(home)
        self._untold: set[KbId] = set()
        self._indexes = IndexManager(
            home, self.catalog, ModelIdentity(embedder.fingerprint, embedder.dimensions)
        )
        self.kb = self.catalog.kbs.ensure("default").id

    @property
    def indexes(self) -> IndexManager:
        """The indexes, in step with the catalog."""
        while self._untold:
            self._indexes.of(self._untold.pop()).sync()
        return self._indexes

    def put(
        self, path: str, *pages: str, title: str = "", mtime: float = 0.0, kb: KbId | None = None
    ) -> DocumentId:
        """Add a document whose pages are these texts."""
        blocks = tuple(
            Block(BlockKind.TEXT, text, BlockLocator(LocatorKind.PAGE, number))
            for number, text in enumerate(pages, start=1)
        )
        return self.put_parsed(path, ParsedDocument(title, blocks), mtime=mtime, kb=kb)

    def put_parsed(
        self, path: str, document: ParsedDocument, *, mtime: float = 0.0, kb: KbId | None = None
    ) -> DocumentId:
        """Add a document as a parser gives it."""
        stem, title = Path(path).stem, document.title
        text, chunks = chunk_document(document, stem, Chunking(), self.embedder.count_tokens)
        vectors = self.embedder.embed([search_text(c.context, c.text) for c in chunks])
        texts = (block.text for block in document.blocks)
        name = hashlib.sha256("\f".join((title, *texts)).encode()).hexdigest()
        units = len(document.blocks)
        new = NewDocument(
            name, "test", title or stem, text, units, (), chunks, metadata=document.metadata
        )
        rows = {c.embed_key: v.astype(np.float16) for c, v in zip(chunks, vectors, strict=True)}
        into = self.kb if kb is None else kb
        read = FileRead(into, path, FileStamp(len(text), int(mtime * 1e9), name))
        document_id = self.catalog.documents.store(read, new, rows, self.embedder.fingerprint)
        self._untold.add(into)
        return document_id

    def search(self, text: str, k: int = 5, where: str = "", **rules: Any) -> SearchResult:
        """Search the one knowledge base under rules that differ from the defaults."""
        query = Query(text, (self.kb,), k, where=where)
        return self.retriever(**rules).search(query)

    def retriever(self, **rules: Any) -> TwoStageRetriever:
        chosen: Retrieval = replace(Retrieval(), **rules)
        settings = replace(Settings(), retrieval=chosen)
        rerankers = load_rerankers(chosen.reranker, settings, self.embedder)
        return TwoStageRetriever(self.catalog, self.indexes, self.embedder, rerankers, chosen)

    def close(self) -> None:
        self.indexes.close()
        self.catalog.close()
