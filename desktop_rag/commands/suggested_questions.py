"""Suggests questions that the newest documents of a knowledge base answer, or makes them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePath

from desktop_rag.catalog.suggested_questions import DocumentQuestions
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase, PendingDocument
from desktop_rag.core.errors import DesktopRagError, UsageError
from desktop_rag.core.events import Event
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import SuggestedQuestionsRequest
from desktop_rag.core.suggested_question import DocumentLookedAt, QuestionTried, SuggestedQuestion
from desktop_rag.core.types import KbId
from desktop_rag.preparation.question_suggestion import RECIPE, QuestionTrial
from desktop_rag.workspace import Workspace

_NEWEST = 200
"""How many documents of a knowledge base are looked at, at most."""
_ENOUGH = 12
"""Where so many newer documents have questions, a document is not looked at."""


def run(
    workspace: Workspace, request: SuggestedQuestionsRequest, token: CancelToken
) -> Iterator[Event]:
    """Yield what is asked for."""
    kb = workspace.catalog.kbs.get(request.kb)
    if request.action == "list":
        yield from _listed(workspace, kb, request.limit)
    elif request.action == "make":
        yield from _made(workspace, kb, token)
    else:
        raise UsageError(Phrase("There is no {0} {1}.", "suggest", request.action), "")


def has_waiting(workspace: Workspace, kb: KbId) -> bool:
    """Say whether a document is to be looked at that was not yet."""
    with_questions = 0
    for _, questions in workspace.catalog.suggestions.looked_at(kb, RECIPE, _NEWEST):
        if with_questions == _ENOUGH:
            return False
        if questions < 0:
            return True
        with_questions += questions > 0
    return False


def _made(workspace: Workspace, kb: KnowledgeBase, token: CancelToken) -> Iterator[Event]:
    """Try questions of documents, the newest first, and keep those that are answered.

    A document is done when its last question was tried: until then it waits on.
    """
    trial = QuestionTrial(kb.id, workspace.catalog, research_context_of(workspace), token)
    with_questions = 0
    for document, questions in workspace.catalog.suggestions.looked_at(kb.id, RECIPE, _NEWEST):
        if with_questions == _ENOUGH:
            return
        token.check()
        count = questions
        if questions < 0:
            count = yield from _made_of(document, workspace, kb, trial)
            yield DocumentLookedAt(kb.name, document.document_id, count)
        with_questions += count > 0


def _made_of(
    document: PendingDocument, workspace: Workspace, kb: KnowledgeBase, trial: QuestionTrial
) -> Generator[QuestionTried, None, int]:
    """Try the questions of one document; return how many were kept."""
    suggestions, number = workspace.catalog.suggestions, document.document_id
    kept: list[str] = []
    try:
        for tried in trial.of(document):
            if tried.is_kept:
                kept.append(tried.text)
            yield QuestionTried(tried.text, kb.name, number, tried.is_kept)
    except DesktopRagError:
        raise
    except Exception:
        suggestions.store(kb.id, number, RECIPE, ())
        raise  # once: the next look passes this document over
    suggestions.store(kb.id, number, RECIPE, kept)
    return len(kept)


def _listed(workspace: Workspace, kb: KnowledgeBase, limit: int) -> Iterator[SuggestedQuestion]:
    """Yield a question of each document, newest first, then a second one of each, and so on."""
    found = workspace.catalog.suggestions.newest(kb.id, _ENOUGH)
    asked = workspace.catalog.suggestions.asked(q for each in found for q in each.questions)
    listed: dict[str, SuggestedQuestion] = {}
    for each, question in _in_rounds(found, asked):
        title = each.title or PurePath(each.path).name
        made = SuggestedQuestion(question, kb.name, each.document_id, title, each.path)
        listed.setdefault(question.casefold(), made)
        if len(listed) == limit:
            break
    yield from listed.values()


def _in_rounds(
    found: Sequence[DocumentQuestions], asked: set[str]
) -> Iterator[tuple[DocumentQuestions, str]]:
    unasked = [[(each, q) for q in each.questions if q not in asked] for each in found]
    for turn in zip_longest(*unasked):
        yield from filter(None, turn)
