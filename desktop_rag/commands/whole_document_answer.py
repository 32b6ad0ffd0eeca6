"""An answer over whole documents, whatever is done with them: found, read, recorded, told.

`summarise`, `compare` and `each` do the work in between. As with a question there is always an
answer at the end; a stop ends without one, by `Cancelled`, after keeping what had come.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from desktop_rag.commands.ask import language_model, recorded, timed_steps
from desktop_rag.commands.conversation_recorder import (
    open_conversation,
    with_scope,
)
from desktop_rag.commands.indexed_files import elsewhere, files_at
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.errors import Cancelled, UsageError, UserError
from desktop_rag.core.events import (
    Answer,
    DocumentsTask,
    Event,
    Notice,
    NoticeCode,
    PassagesFound,
)
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import AskRequest, DocumentsRequest
from desktop_rag.core.types import ChatId, Citation, DocumentId, Passage
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.generation.prompts import Prompts
from desktop_rag.indexing.source_paths import resolve_path
from desktop_rag.strategies.base import Question, Steps
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.whole_documents.document_passages import (
    IndexedDocument,
    WholeDocument,
    read_document,
)
from desktop_rag.whole_documents.document_tools import DocumentTools
from desktop_rag.whole_documents.sentence_vectors import RememberingEmbedder
from desktop_rag.workspace import Workspace

MOST_DOCUMENTS = 500
_NAMED = 3  # files, in what a conversation says was asked
_SAMPLE = 4000  # characters of the first document, by which its language is told
WITHOUT_MODEL = {
    "summarise": Phrase(
        "Without a language model the summary is made of sentences taken from the documents, each "
        "cited.",
        code=NoticeCode.QUOTES_ONLY,
    ),
    "compare": Phrase(
        "Without a language model sentences that differ are set side by side, each cited.",
        code=NoticeCode.QUOTES_ONLY,
    ),
    "each": Phrase(
        "Without a language model each row is a sentence taken from its document, cited.",
        code=NoticeCode.QUOTES_ONLY,
    ),
}
"""What a notice says is made of whole documents where the model is missing."""
_ASKED = {"summarise": "Summarise {0}", "compare": "Compare {0}", "each": "{1} ({0})"}


@dataclass(frozen=True, slots=True)
class DocumentsResult:
    """What came of the work: source n is `sources[n - 1]`, `passages` is how many were read."""

    text: str
    mode: str
    passages: int
    citations: tuple[Citation, ...] = ()
    sources: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentsWork:
    """What is to be done: with which documents, by which tools, for which request."""

    workspace: Workspace
    request: DocumentsRequest
    found: tuple[IndexedDocument, ...]
    tools: DocumentTools

    @property
    def labels(self) -> Prompts:
        """The words that stand between what is quoted or written."""
        return Prompts(self.request.language or self.tools.question.language)

    def read(self, found: IndexedDocument) -> WholeDocument:
        """Return a document with all of its passages."""
        return read_document(self.workspace.catalog, found, self.tools.token)


Work = Callable[[DocumentsWork], Steps[DocumentsResult]]


def answer_over(
    workspace: Workspace, request: DocumentsRequest, token: CancelToken, work: Work
) -> Iterator[Event]:
    """Yield what happens while documents are worked on, and last an `Answer`."""
    began = time.monotonic()
    found, notices = _documents(workspace, request)
    asked = with_scope(workspace.catalog, _as_question(request))
    kept = open_conversation(workspace.catalog, _in_its_scope(workspace, asked))
    tools = DocumentTools(_engine(workspace), _question(workspace, asked, request, found), token)
    task = DocumentsTask(request.action, request.paths, request.question, _stored(found))
    record = kept.asked(asked.question, task)
    steps = _answered(DocumentsWork(workspace, request, found, tools), asked, notices, work)
    try:
        yield from record.place()
        answer = yield from recorded(timed_steps(steps, began), record, tools)
    except (Cancelled, GeneratorExit):
        record.stopped(tools.tally, request.action)
        raise
    except UserError as error:
        record.failed(error, tools.tally, request.action)
        raise
    seconds = round(time.monotonic() - began, 4)
    answer = replace(answer, chat_id=record.chat_id, seconds=seconds)
    record.answered(answer)
    yield answer


def asked_words(request: DocumentsRequest) -> str:
    """Return what a conversation says was asked."""
    if request.asked.strip():
        return request.asked.strip()
    names = [PurePath(path).name for path in request.paths]
    told = ", ".join(names[:_NAMED])
    if len(names) > _NAMED:
        told = f"{told} + {len(names) - _NAMED}"
    return _ASKED[request.action].replace("{0}", told).replace("{1}", request.question.strip())


def _as_question(request: DocumentsRequest) -> AskRequest:
    return AskRequest(
        request.kbs,
        asked_words(request),
        model=request.model,
        chat_id=request.chat_id,
        new_chat=request.new_chat,
        after=request.after,
    )


def _in_its_scope(workspace: Workspace, asked: AskRequest) -> AskRequest:
    """Return it as asked of what its conversation asks: to read documents changes nothing there."""
    if asked.chat_id is None:
        return asked
    return replace(asked, kbs=workspace.catalog.chats.get(ChatId(asked.chat_id)).kbs)


def _stored(found: Sequence[IndexedDocument]) -> tuple[tuple[str, int], ...]:
    return tuple((each.path, int(each.document_id)) for each in found)


def _engine(workspace: Workspace) -> ResearchContext:
    """Return what questions share, with each sentence embedded only once."""
    engine = research_context_of(workspace)
    if engine.embedder is None:
        return engine
    return replace(engine, embedder=RememberingEmbedder(engine.embedder))


def _question(
    workspace: Workspace,
    asked: AskRequest,
    request: DocumentsRequest,
    found: Sequence[IndexedDocument],
) -> Question:
    """Return what is asked of the documents, in their language where nobody typed a question."""
    kbs = tuple(dict.fromkeys(each.kb for each in found))
    if request.question.strip():
        text = request.question.strip()
        return Question(text, text, language(text), kbs)
    spoken = language(workspace.catalog.documents.text(found[0].document_id, 0, _SAMPLE))
    text = Prompts(spoken).text(f"{request.action}/task")
    return Question(text, asked.question, spoken, kbs)


def _documents(
    workspace: Workspace, request: DocumentsRequest
) -> tuple[tuple[IndexedDocument, ...], tuple[Notice, ...]]:
    """Return the documents that are meant, each once, and what is to be said of others.

    A `UserError` where a path is not known, or there is nothing to read.
    """
    kbs = request.kbs or _conversation_kbs(workspace, request)
    rows: dict[str, FileRow] = {}
    for path in map(resolve_path, request.paths):
        files = files_at(workspace, kbs, path)
        if not files:
            raise UserError(Phrase("{0} is not indexed.", path), elsewhere(workspace, path))
        if len(files) == 1 and files[0].document_id is None:
            told = files[0].reason or "It waits to be read."
            raise UserError(Phrase("There is no text of {0}.", path), told)
        rows |= {each.path: each for each in files}
    found: dict[DocumentId, IndexedDocument] = {}
    for row in rows.values():
        if row.document_id is not None:
            found.setdefault(row.document_id, IndexedDocument(row.path, row.kb, row.document_id))
    if not found:
        raise UserError("There is no text at these paths.", "Add files that have some.")
    if len(found) > MOST_DOCUMENTS:
        raise UsageError(
            Phrase("{0} documents are too many to be read whole at a time.", len(found)),
            Phrase("Name at most {0}.", MOST_DOCUMENTS),
        )
    return tuple(found.values()), tuple(_left_out(list(rows.values()), len(found)))


def _conversation_kbs(workspace: Workspace, request: DocumentsRequest) -> tuple[str, ...]:
    scope = with_scope(workspace.catalog, AskRequest((), "", chat_id=request.chat_id))
    return scope.kbs


def _left_out(rows: Sequence[FileRow], documents: int) -> Iterator[Notice]:
    unread = sum(row.document_id is None for row in rows)
    if unread:
        yield Notice(Phrase("Files without text were left out: {0}.", unread))
    if copies := len(rows) - unread - documents:
        yield Notice(Phrase("Files with the same content as another were left out: {0}.", copies))


def _answered(
    work: DocumentsWork, asked: AskRequest, notices: Sequence[Notice], do: Work
) -> Steps[Answer]:
    """Find the model, do the work, and return its answer with every quote's place."""
    yield from notices
    model = yield from language_model(work.workspace, asked, WITHOUT_MODEL[work.request.action])
    tools = replace(work.tools, engine=replace(work.tools.engine, model=model))
    result = yield from do(replace(work, tools=tools))
    yield PassagesFound("", result.sources, frozenset(int(p.chunk_id) for p in result.sources))
    tally = tools.tally
    documents = work.workspace.catalog.documents
    return Answer(
        text=result.text,
        mode=result.mode,
        citations=locate_citations(result.citations, result.sources, documents),
        strategy=work.request.action,
        model=model.name if model and result.mode == "generated" else None,
        llm_calls=tally.llm_calls,
        searches=tally.searches,
        passages=result.passages,
        prompt_tokens=tally.prompt_tokens,
        answer_tokens=tally.answer_tokens,
        seconds=0.0,
        from_model=(),
        sources=result.sources,
    )
