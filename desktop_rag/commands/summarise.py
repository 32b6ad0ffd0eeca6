"""Sum up whole documents, with a citation behind every sentence.

With a language model all passages are read, window by window; without one the summary is made of
the documents' own sentences, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from desktop_rag.commands.whole_document_answer import (
    WITHOUT_MODEL,
    DocumentsResult,
    DocumentsWork,
    answer_over,
)
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.document_table import plain
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Event, Notice, Step
from desktop_rag.core.phrases import Phrase, SourceName, joined
from desktop_rag.core.requests import DocumentsRequest
from desktop_rag.preparation import registry
from desktop_rag.strategies.base import Steps
from desktop_rag.whole_documents import stored_summary
from desktop_rag.whole_documents.cited_draft import CitedDraft
from desktop_rag.whole_documents.document_passages import (
    WholeDocument,
    stored_vectors,
)
from desktop_rag.whole_documents.document_tools import DocumentTools
from desktop_rag.whole_documents.extractive_summary import extract_summary, is_table
from desktop_rag.whole_documents.quoted_text import QuotedText
from desktop_rag.whole_documents.summary_writer import SummaryWriter, Unsupported
from desktop_rag.workspace import Workspace

_MOST_OF_SEVERAL = 8  # quotes of each, where several documents are summed up


def run(workspace: Workspace, request: DocumentsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while documents are summed up, and last an `Answer`."""
    return answer_over(workspace, request, token, _summarised)


def _summarised(work: DocumentsWork) -> Steps[DocumentsResult]:
    count = yield from _cost(work)
    draft, tools = CitedDraft(), work.tools
    is_generated = False
    for number, found in enumerate(work.found, start=1):
        document = work.read(found)
        heading = plain(document.name) if len(work.found) > 1 else ""
        if heading:
            yield Step("document", Phrase("Document {0} of {1}.", number, len(work.found)))
        is_written = False
        if tools.engine.model is not None:
            try:
                is_written = yield from _by_model(work, tools, document, draft)
                is_generated |= is_written
            except ModelUnavailable as problem:
                yield _quoting(problem)
                tools = replace(tools, engine=replace(tools.engine, model=None))
        if not is_written:
            yield from _quoted(work, document, draft, heading)
        draft.place(document)
        tools.tally.written, tools.tally.shown = draft.text, tuple(draft.sources)
    if not draft.citations:
        return DocumentsResult(work.labels.text("summarise/nothing"), "refused", count)
    mode = "generated" if is_generated else "extracted"
    told = tuple(draft.citations), tuple(draft.sources)
    return DocumentsResult(draft.text.strip(), mode, count, *told)


def _by_model(
    work: DocumentsWork, tools: DocumentTools, document: WholeDocument, draft: CitedDraft
) -> Steps[bool]:
    """Add a model's summary to a draft, one that was prepared if there is; say if any is."""
    heading = plain(document.name) if len(work.found) > 1 else ""
    kept = _prepared(work, document)
    if kept is not None:
        made, sources = stored_summary.cited_again(kept, document, tools)
        if made.citations:
            draft.heading(heading, level=2)
            draft.add(made, sources)
            return True
    try:
        yield from SummaryWriter(tools, draft).write(document, heading)
    except Unsupported:
        yield _unsupported(document)
        return False
    return True


def _prepared(work: DocumentsWork, document: WholeDocument) -> DerivedText | None:
    """Return the summary that the same model wrote when the knowledge base was prepared."""
    model = work.tools.engine.model
    if model is None:
        return None
    wanted = registry.recipe(registry.find(stored_summary.WAY), model.name)
    return stored_summary.find(work.workspace.catalog, document, wanted)


def _quoted(
    work: DocumentsWork, document: WholeDocument, draft: CitedDraft, heading: str
) -> Steps[None]:
    """Add a summary of a document's own sentences to a draft."""
    embedder, token = work.workspace.models.embedder, work.tools.token
    vectors = {}
    if embedder is not None:  # typing: a workspace in tests has none
        vectors = stored_vectors(work.workspace.catalog, document, embedder)
    most = _MOST_OF_SEVERAL if heading else 0
    parts = extract_summary(document, vectors, work.tools.engine.embedder, token, most)
    made = QuotedText()
    for part in parts:
        if len(parts) > 1:
            made.heading(part.heading)
        for quote in part.quotes:
            made.line([quote])
    if parts and is_table([quote for part in parts for quote in part.quotes]):
        yield Notice("It is a table: some of its rows are quoted, and nothing is counted.")
    if made.sources:
        draft.heading(heading, level=2)
        draft.add(made.made, made.sources)


def _cost(work: DocumentsWork) -> Steps[int]:
    """Say before anything is done what will be read, and in how many calls; return how much.

    Documents are read twice rather than held: they may be hundreds.
    """
    passages, calls, prepared = 0, 0, 0
    writer = SummaryWriter(work.tools, CitedDraft())
    for document in map(work.read, work.found):
        passages += len(document.passages)
        if _prepared(work, document) is not None:
            prepared += 1
        elif work.tools.engine.model is not None:
            calls += writer.planned_calls(document)
    told = f"{passages:,}"
    if work.tools.engine.model is None:
        yield Notice(Phrase("All passages are read: {0}.", told))
    else:
        yield Notice(
            Phrase("All passages are read: {0}, in about {1} calls of the model.", told, calls)
        )
    if prepared:
        yield Notice(Phrase("Documents whose summary was prepared: {0}.", prepared))
    return passages


def _unsupported(document: WholeDocument) -> Notice:
    name = SourceName(document.name, document.passages[0].chunk_id)
    return Notice(
        Phrase("What the model wrote of {0} is not supported: quotes are given instead.", name)
    )


def _quoting(problem: ModelUnavailable) -> Notice:
    return Notice(joined(problem.sentence, WITHOUT_MODEL["summarise"]))
