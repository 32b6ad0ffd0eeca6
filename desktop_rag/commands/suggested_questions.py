"""Suggests questions that the newest documents of a knowledge base answer, or makes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePath

from desktop_rag.catalog.suggested_questions import DocumentQuestions
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase
from desktop_rag.core.errors import DesktopRagError, UsageError
from desktop_rag.core.events import Event
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import SuggestedQuestionsRequest
from desktop_rag.core.suggested_question import QuestionTried, SuggestedQuestion
from desktop_rag.core.types import KbId
from desktop_rag.preparation.question_suggestion import RECIPE, QuestionTrial
from desktop_rag.workspace import Workspace

_NEWEST = 24
"""How many documents of a knowledge base are looked at: enough for what is shown of them."""


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
        raise UsageError(Phrase("There is no way to {0} questions.", repr(request.action)), "")


def has_waiting(workspace: Workspace, kb: KbId) -> bool:
    """Say whether one of the newest documents was not looked at yet."""
    return bool(workspace.catalog.suggestions.waiting(kb, RECIPE, _NEWEST))


def _made(workspace: Workspace, kb: KnowledgeBase, token: CancelToken) -> Iterator[QuestionTried]:
    """Try questions of documents, the newest first, and keep those that are answered.

    A document is done when its last question was tried: until then it waits on.
    """
    catalog, engine = workspace.catalog, research_context_of(workspace)
    trial = QuestionTrial(kb.id, catalog, engine, token)
    for document in catalog.suggestions.waiting(kb.id, RECIPE, _NEWEST):
        kept: list[str] = []
        try:
            for tried in trial.of(document):
                if tried.is_kept:
                    kept.append(tried.text)
                yield QuestionTried(tried.text, kb.name, document.document_id, tried.is_kept)
        except DesktopRagError:
            raise
        except Exception:
            catalog.suggestions.store(kb.id, document.document_id, RECIPE, ())
            raise  # once: the next look passes this document over
        catalog.suggestions.store(kb.id, document.document_id, RECIPE, kept)


def _listed(workspace: Workspace, kb: KnowledgeBase, limit: int) -> Iterator[SuggestedQuestion]:
    """Yield a question of each document, newest first, then a second one of each, and so on."""
    found = workspace.catalog.suggestions.newest(kb.id, _NEWEST)
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
