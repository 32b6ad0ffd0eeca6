"""Ask each of some documents the same question: a row a document, cited, as soon as it is there.

With a language model a row is a sentence, without one the best quote. Where nothing in a document
is near the question, its row says so. What is asked of a document's properties (“Who sent it?”) is
read from a mail's head, or from what the file says of itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from desktop_rag.commands.whole_document_answer import (
    DocumentsResult,
    DocumentsWork,
    answer_over,
)
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.document_table import rows_of, table_head, table_row
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import DocumentAnswered, Event, Notice, Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import DocumentsRequest
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Citation
from desktop_rag.core.unicode import valid_text
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Steps
from desktop_rag.whole_documents.cited_draft import CitedDraft
from desktop_rag.whole_documents.document_passages import IndexedDocument
from desktop_rag.whole_documents.document_properties import property_outcome
from desktop_rag.whole_documents.document_question import DocumentOutcome, ask_document
from desktop_rag.whole_documents.property_question import DocumentProperty, asked_property
from desktop_rag.whole_documents.table_export import write_rows
from desktop_rag.workspace import Workspace

_MOST_FAILURES = 2  # of the model, one after the other, before it is asked no more


def run(workspace: Workspace, request: DocumentsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while each document is asked, a row of each, and last an `Answer`."""
    if not request.question.strip():
        raise UsageError("The question is empty.", "Ask something.")
    return answer_over(workspace, request, token, _asked)


def _asked(work: DocumentsWork) -> Steps[DocumentsResult]:
    tools, prompts = work.tools, Prompts(work.tools.question.language)
    asked = asked_property(tools.question.text)
    yield _cost(work, asked)
    draft = CitedDraft(table_head(prompts.text("each/columns")))
    yield from tools.keep(draft.text)
    modes: set[str] = set()
    failures, passages = 0, 0
    for number, found in enumerate(work.found, start=1):
        tools.token.check()
        yield Step("document", Phrase("Document {0} of {1}.", number, len(work.found)))
        outcome = _property(work, found, asked) or (yield from ask_document(tools, found))
        modes.add(outcome.mode)
        passages += outcome.passages
        failures = failures + 1 if outcome.failed else 0
        if failures == _MOST_FAILURES:
            tools = replace(tools, engine=replace(tools.engine, model=None))
        yield from _added(work, draft, found, outcome)
    result = _result(draft, passages, modes)
    if work.request.file:
        paths = [each.path for each in work.found]
        write_rows(work.request.file, rows_of(result.text, paths, result.citations), prompts)
        yield Notice(Phrase("The table was written to {0}.", work.request.file))
    return result


def _property(
    work: DocumentsWork, found: IndexedDocument, asked: DocumentProperty | None
) -> DocumentOutcome | None:
    """Return what a document says of a property; None where none is asked for, or it says none."""
    if asked is None:
        return None
    language = work.tools.question.language
    return property_outcome(work.workspace.catalog, work.read(found), asked, language)


def _added(
    work: DocumentsWork, draft: CitedDraft, found: IndexedDocument, outcome: DocumentOutcome
) -> Steps[None]:
    """Add a document's row to the table, and tell it."""
    tools, before = work.tools, len(draft.citations)
    length, numbered = len(draft.text), len(draft.sources)
    row = _row(valid_text(PurePath(found.path).name), outcome.made)
    draft.add(row, outcome.sources, parting="\n")
    if outcome.sources:
        draft.place(work.read(found))
    tools.tally.shown = tuple(draft.sources)
    yield from tools.keep(draft.text[length:])
    cited = locate_citations(
        draft.citations[before:], draft.sources, work.workspace.catalog.documents
    )
    said, new = _said(draft.text[length:]), tuple(draft.sources[numbered:])
    yield DocumentAnswered(found.path, said, outcome.mode, cited, new)


def _row(name: str, made: CitedText) -> CitedText:
    """Return the row of an answer, its citations at the row's sentences."""
    text = table_row(name, made.text).rstrip("\n")
    begin = len(table_row(name, "")) - len(" |\n")
    starts = [each.start for each in sentences(text)]
    own = [each.start + begin for each in sentences(made.text)]

    def moved(each: Citation) -> Citation:
        at = own[each.sentence] if each.sentence < len(own) else begin
        return replace(each, sentence=max(0, sum(start <= at for start in starts) - 1))

    return CitedText(text, tuple(map(moved, made.citations)), ())


def _said(row: str) -> str:
    """Return the answer of a row, with its numbers."""
    return row.strip().removesuffix("|").partition(" | ")[2].strip()


def _result(draft: CitedDraft, passages: int, modes: set[str]) -> DocumentsResult:
    """Return the table; what any row is, a table of refusals excepted, it is itself."""
    mode = next((each for each in ("generated", "extracted") if each in modes), "refused")
    told = tuple(draft.citations), tuple(draft.sources)
    return DocumentsResult(draft.text.strip(), mode, passages, *told)


def _cost(work: DocumentsWork, asked: DocumentProperty | None) -> Notice:
    count = len(work.found)
    if asked is not None:
        told = "Documents whose properties are looked up: {0}. Where there is none, they are asked."
        return Notice(Phrase(told, count))
    if work.tools.engine.model is None:
        return Notice(Phrase("Documents that are asked: {0}.", count))
    return Notice(Phrase("Documents that are asked: {0}, a call of the model each.", count))
