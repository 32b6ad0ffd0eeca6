"""Sum up whole documents, with a citation behind every sentence.

With a language model all passages are read, window by window; without one the summary is made of
the documents' own sentences, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from desktop_rag.commands.documents_answer import (
    DocumentsResult,
    DocumentsWork,
    answer_over,
    with_places,
)
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.document_table import plain
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Event, Notice, NoticeCode, Step
from desktop_rag.core.phrases import Phrase, SourceName
from desktop_rag.core.requests import DocumentsRequest
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Steps
from desktop_rag.whole_documents.cited_draft import CitedDraft
from desktop_rag.whole_documents.document_passages import (
    WholeDocument,
    passage_count,
    stored_vectors,
)
from desktop_rag.whole_documents.document_tools import DocumentTools
from desktop_rag.whole_documents.extractive_summary import extract_summary
from desktop_rag.whole_documents.quoted_text import QuotedText
from desktop_rag.whole_documents.summary_writer import SummaryWriter, Unsupported
from desktop_rag.workspace import Workspace

_MOST_OF_SEVERAL = 8  # quotes of each, where several documents are summed up


def run(workspace: Workspace, request: DocumentsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while documents are summed up, and last an `Answer`."""
    return answer_over(workspace, request, token, _summarised)


def _summarised(work: DocumentsWork) -> Steps[DocumentsResult]:
    documents = [work.read(each) for each in work.found]
    yield _cost(documents, work.tools)
    draft, tools = CitedDraft(), work.tools
    is_generated = False
    for number, document in enumerate(documents, start=1):
        heading = plain(document.name) if len(documents) > 1 else ""
        if heading:
            yield Step("document", Phrase("Document {0} of {1}.", number, len(documents)))
        is_written = False
        if tools.engine.model is not None:
            try:
                yield from SummaryWriter(tools, draft).write(document, heading)
                is_written = is_generated = True
            except Unsupported:
                yield _unsupported(document)
            except ModelUnavailable as problem:
                yield _quoting(problem)
                tools = replace(tools, engine=replace(tools.engine, model=None))
        if not is_written:
            _quote(work, document, draft, heading)
        tools.tally.written, tools.tally.shown = draft.text, tuple(draft.sources)
    return _result(documents, draft, work.labels, is_generated=is_generated)


def _result(
    documents: Sequence[WholeDocument],
    draft: CitedDraft,
    labels: Prompts,
    *,
    is_generated: bool,
) -> DocumentsResult:
    count = passage_count(documents)
    if not draft.citations:
        nothing = labels.text("summarise/nothing")
        return DocumentsResult(nothing, "refused", count)
    sources, citations = with_places(documents, draft.sources, draft.citations)
    mode = "generated" if is_generated else "extracted"
    return DocumentsResult(draft.text.strip(), mode, count, citations, sources)


def _quote(work: DocumentsWork, document: WholeDocument, draft: CitedDraft, heading: str) -> None:
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
    if made.sources:
        draft.heading(heading, level=2)
        draft.add(made.made, made.sources)


def _cost(documents: Sequence[WholeDocument], tools: DocumentTools) -> Notice:
    """Say before anything is done what will be read, and in how many calls."""
    count = passage_count(documents)
    if tools.engine.model is None:
        return Notice(Phrase("All passages are read: {0}.", f"{count:,}"))
    writer = SummaryWriter(tools, CitedDraft())
    calls = sum(map(writer.planned_calls, documents))
    told = Phrase(
        "All passages are read: {0}, in about {1} calls of the model.", f"{count:,}", calls
    )
    return Notice(told)


def _unsupported(document: WholeDocument) -> Notice:
    name = SourceName(document.name, document.passages[0].chunk_id)
    return Notice(
        Phrase("What the model wrote of {0} is not supported: quotes are given instead.", name)
    )


def _quoting(problem: ModelUnavailable) -> Notice:
    said = Phrase(
        "{0} Without it only quotes can be given.", problem.sentence, code=NoticeCode.QUOTES_ONLY
    )
    return Notice(said)
