"""Compare documents point by point: where they differ, what they say alike, what only one says.

Without a language model sentences are aligned and quoted. With one, the points are the model's, and
each is written from what every document says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from desktop_rag.commands.whole_document_answer import (
    WITHOUT_MODEL,
    DocumentsResult,
    DocumentsWork,
    answer_over,
)
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UsageError, UserError
from desktop_rag.core.events import Event, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.requests import DocumentsRequest
from desktop_rag.strategies.base import Steps
from desktop_rag.whole_documents.cited_draft import CitedDraft
from desktop_rag.whole_documents.comparison_text import comparison_text, legend
from desktop_rag.whole_documents.comparison_writer import ComparisonWriter
from desktop_rag.whole_documents.document_comparison import DocumentComparison, compare_documents
from desktop_rag.whole_documents.document_passages import WholeDocument, passage_count
from desktop_rag.whole_documents.document_tools import DocumentTools
from desktop_rag.workspace import Workspace

_MOST_DOCUMENTS = 10


def run(workspace: Workspace, request: DocumentsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while documents are compared, and last an `Answer`."""
    return answer_over(workspace, request, token, _compared)


def _compared(work: DocumentsWork) -> Steps[DocumentsResult]:
    if len(work.found) < 2:
        raise UsageError("There is only one document to compare.", "Name at least two.")
    if len(work.found) > _MOST_DOCUMENTS:
        raise UsageError(
            Phrase("{0} documents are too many to be compared.", len(work.found)),
            Phrase("Name at most {0}.", _MOST_DOCUMENTS),
        )
    documents = [each for each in map(work.read, work.found) if each.passages]
    if len(documents) < 2:
        raise UserError("The documents were removed meanwhile.", "Choose others.")
    tools = work.tools
    yield _cost(documents, tools)
    found = compare_documents(documents, tools.engine.embedder, tools.token)
    yield from _told(found)
    if tools.engine.model is not None:
        draft = yield from _written(documents, found, work)
        if draft.citations:
            return _result(documents, draft, "generated")
    prompts = work.labels
    made = comparison_text(found, prompts)
    if not made.sources:
        nothing = prompts.text("compare/nothing")
        return DocumentsResult(nothing, "extracted", passage_count(documents))
    draft = CitedDraft(legend(documents))
    draft.add(made.made, made.sources)
    return _result(documents, draft, "extracted")


def _written(
    documents: Sequence[WholeDocument], found: DocumentComparison, work: DocumentsWork
) -> Steps[CitedDraft]:
    """Return what a model writes of the points; empty where it fails or nothing is supported."""
    draft = CitedDraft(legend(documents))
    writer = ComparisonWriter(work.tools, draft, tuple(documents), work.labels)
    yield from work.tools.keep(draft.text)
    try:
        yield from writer.write(found)
    except ModelUnavailable as problem:
        if draft.citations:
            yield Notice(
                Phrase(
                    "{0} What came until then is kept.",
                    problem.sentence,
                    code=NoticeCode.BROKEN_OFF,
                )
            )
        else:
            yield Notice(joined(problem.sentence, WITHOUT_MODEL["compare"]))
        return draft
    if not draft.citations:
        yield Notice("Nothing that the model wrote is supported: quotes are given instead.")
    return draft


def _result(documents: Sequence[WholeDocument], draft: CitedDraft, mode: str) -> DocumentsResult:
    count = passage_count(documents)
    for each in documents:
        draft.place(each)
    told = tuple(draft.citations), tuple(draft.sources)
    return DocumentsResult(draft.text.strip(), mode, count, *told)


def _told(found: DocumentComparison) -> Iterator[Notice]:
    """Say how much is the same: nothing of that is quoted."""
    if found.same:
        told = Phrase(
            "Sentences that are the same word for word: {0} (of {1}).",
            f"{found.same:,}",
            " / ".join(f"{each:,}" for each in found.counts),
        )
        yield Notice(told)


def _cost(documents: Sequence[WholeDocument], tools: DocumentTools) -> Notice:
    count = f"{passage_count(documents):,}"
    if tools.engine.model is None:
        return Notice(Phrase("All passages are read: {0}.", count))
    calls = ComparisonWriter.planned_calls(len(documents))
    return Notice(
        Phrase("All passages are compared: {0}. About {1} calls of the model follow.", count, calls)
    )
