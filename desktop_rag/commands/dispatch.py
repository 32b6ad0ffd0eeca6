"""One way in for every request: the operation that belongs to it, imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from desktop_rag.core import requests
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import DescribeRequest, Request
from desktop_rag.workspace import Workspace


def perform(workspace: Workspace, request: Request, token: CancelToken) -> Iterator[Event]:
    """Yield a request's events, in order of happening."""
    if isinstance(request, requests.SearchRequest):
        from desktop_rag.commands import search

        return search.run(workspace, request, token)
    if isinstance(request, requests.AskRequest):
        from desktop_rag.commands import ask

        return ask.run(workspace, request, token)
    if isinstance(request, requests.ContinueRequest):
        from desktop_rag.commands import continue_answer

        return continue_answer.run(workspace, request, token)
    if isinstance(request, requests.DocumentsRequest):
        return _read_whole(workspace, request, token)
    if isinstance(request, requests.ExplainRequest):
        from desktop_rag.commands import explain

        return explain.run(workspace, request, token)
    if isinstance(request, requests.EvalRequest):
        from desktop_rag.commands import evaluate

        return evaluate.run(workspace, request, token)
    if isinstance(request, requests.SetsRequest):
        from desktop_rag.commands import question_sets

        return question_sets.run(workspace, request, token)
    if isinstance(request, requests.RecoverRequest):
        raise UserError(
            "Desktop RAG is open on this data folder; its catalog can be recovered only while it "
            "is closed.",
            "Close the window (or stop `index --watch`), then run this again.",
        )
    if isinstance(
        request,
        (DescribeRequest, requests.KeepOpenRequest, requests.SuggestedQuestionsRequest),
    ):
        return _describe(workspace, request, token)
    return _change(workspace, request, token)


def _change(
    workspace: Workspace,
    request: requests.IndexRequest
    | requests.ShowRequest
    | requests.RemoveRequest
    | requests.FilesRequest
    | requests.KbRequest
    | requests.PrepareRequest
    | requests.DerivedRequest
    | requests.AdaptRequest
    | requests.KeepRequest
    | requests.NoteRequest,
    token: CancelToken,
) -> Iterator[Event]:
    """Do what concerns the files of a knowledge base, or what is kept of answers."""
    if isinstance(request, (requests.KeepRequest, requests.NoteRequest)):
        return _keep(workspace, request, token)
    if isinstance(
        request, (requests.PrepareRequest, requests.DerivedRequest, requests.AdaptRequest)
    ):
        return _prepare(workspace, request, token)
    if isinstance(request, requests.IndexRequest):
        from desktop_rag.commands import index_files

        return index_files.run(workspace, request, token)
    if isinstance(request, requests.ShowRequest):
        from desktop_rag.commands import show

        return show.run(workspace, request, token)
    if isinstance(request, requests.RemoveRequest):
        from desktop_rag.commands import remove

        return remove.run(workspace, request, token)
    if isinstance(request, requests.FilesRequest):
        from desktop_rag.commands import file_actions

        return file_actions.run(workspace, request, token)
    from desktop_rag.commands import kb_actions

    return kb_actions.run(workspace, request, token)


def _keep(
    workspace: Workspace, request: requests.KeepRequest | requests.NoteRequest, token: CancelToken
) -> Iterator[Event]:
    """Do what concerns answers that are kept, or notes."""
    if isinstance(request, requests.NoteRequest):
        from desktop_rag.commands import notes

        return notes.run(workspace, request, token)
    from desktop_rag.commands import keep_answers

    return keep_answers.run(workspace, request, token)


def _prepare(
    workspace: Workspace,
    request: requests.PrepareRequest | requests.DerivedRequest | requests.AdaptRequest,
    token: CancelToken,
) -> Iterator[Event]:
    """Do what makes a knowledge base ready for other ways to search it, or show what was made."""
    if isinstance(request, requests.DerivedRequest):
        from desktop_rag.commands import show_derived

        return show_derived.run(workspace, request, token)
    if isinstance(request, requests.AdaptRequest):
        from desktop_rag.commands import adapt

        return adapt.run(workspace, request, token)
    from desktop_rag.commands import prepare

    return prepare.run(workspace, request, token)


def _read_whole(
    workspace: Workspace, request: requests.DocumentsRequest, token: CancelToken
) -> Iterator[Event]:
    """Do what is done with whole documents."""
    if request.action == "summarise":
        from desktop_rag.commands import summarise

        return summarise.run(workspace, request, token)
    if request.action == "compare":
        from desktop_rag.commands import compare

        return compare.run(workspace, request, token)
    if request.action == "each":
        from desktop_rag.commands import ask_each

        return ask_each.run(workspace, request, token)
    raise UsageError(Phrase("Documents can't be told to {0}.", f"{request.action!r}"))


def _describe(
    workspace: Workspace,
    request: DescribeRequest | requests.KeepOpenRequest | requests.SuggestedQuestionsRequest,
    token: CancelToken,
) -> Iterator[Event]:
    """List what there is, or what could be asked, or only keep it open."""
    if isinstance(request, requests.SuggestedQuestionsRequest):
        from desktop_rag.commands import suggested_questions

        return suggested_questions.run(workspace, request, token)
    if isinstance(request, requests.KeepOpenRequest):
        from desktop_rag.commands import keep_open

        return keep_open.run(workspace, request, token)
    if request.what == "strategies":
        from desktop_rag.commands import list_strategies

        return list_strategies.run(workspace, request, token)
    if request.what == "models":
        from desktop_rag.commands import list_models

        return list_models.run(workspace, request, token)
    if request.what == "doctor":
        from desktop_rag.commands import doctor

        return doctor.run(workspace, request, token)
    raise UsageError(Phrase("There is no list of {0}.", f"{request.what!r}"))
