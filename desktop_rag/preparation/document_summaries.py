"""Summaries of whole documents, made before somebody asks for one.

A language model reads a document of some hundred passages in dozens of calls
(`whole_documents/summary_writer`): done beforehand, its summary is there at once. Without a model
it is made of the document's own sentences (`whole_documents/extractive_summary`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.catalog_records import NewDerivedText
from desktop_rag.preparation.base import (
    DerivedBatch,
    PreparationTools,
    Preparing,
    SourceDocument,
)
from desktop_rag.strategies.base import run_to_end
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.whole_documents.cited_draft import CitedDraft
from desktop_rag.whole_documents.document_passages import (
    IndexedDocument,
    WholeDocument,
    read_document,
    stored_vectors,
)
from desktop_rag.whole_documents.document_tools import DocumentTools
from desktop_rag.whole_documents.extractive_summary import extract_summary
from desktop_rag.whole_documents.quoted_text import QuotedText
from desktop_rag.whole_documents.stored_summary import (
    WAY,
    NumberedText,
    document_question,
    numbered_by_chunk,
)
from desktop_rag.whole_documents.summary_writer import SummaryWriter, Unsupported


@dataclass(frozen=True, slots=True)
class SummaryPreparer:
    """Sums up each document; a document is one batch."""

    name: ClassVar[str] = WAY
    title: ClassVar[str] = "Summaries"
    effect: ClassVar[str] = "Summaries of documents are there as soon as they are asked for."
    paper: ClassVar[str] = "Recursively Summarizing Books: Wu et al. 2021, arXiv 2109.10862"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 0.05

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Sum up a document, unless that is done."""
        whole = _read(document, tools)
        made = None
        if tools.calls is not None:
            made = _written(whole, tools.calls, tools)
        text, sources = made or _extracted(document, whole, tools)
        texts = (NewDerivedText(text, sources),) if sources else ()
        count = document.chunk_count
        yield DerivedBatch(texts, count, count - begin, is_done=True)


def _read(document: SourceDocument, tools: PreparationTools) -> WholeDocument:
    """Return the whole document, by one of its files."""
    catalog, number = document.catalog, document.document_id
    for kb in catalog.kbs.all():
        for path in catalog.documents.paths([number], (kb.id,)).get(number, ()):
            return read_document(catalog, IndexedDocument(path, kb.id, number), tools.token)
    raise LookupError(number)


def _written(
    whole: WholeDocument, calls: ModelTools, tools: PreparationTools
) -> NumberedText | None:
    """Return a model's summary; None where nothing of it is supported."""
    own = DocumentTools(calls.engine, document_question(whole), tools.token)
    draft = CitedDraft()
    try:
        run_to_end(SummaryWriter(own, draft).write(whole))
    except Unsupported:
        return None
    return numbered_by_chunk(draft, whole) if draft.citations else None


def _extracted(
    document: SourceDocument, whole: WholeDocument, tools: PreparationTools
) -> NumberedText:
    vectors = stored_vectors(document.catalog, whole, tools.embedder)
    made = QuotedText()
    for part in extract_summary(whole, vectors, tools.embedder, tools.token):
        for quote in part.quotes:
            made.line([quote])
    draft = CitedDraft()
    draft.add(made.made, made.sources)
    return numbered_by_chunk(draft, whole)
