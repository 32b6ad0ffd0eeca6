"""Propose test questions from the documents of knowledge bases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.requests import SetsRequest
from desktop_rag.core.types import KbId
from desktop_rag.evaluation import question_proposal, saved_question_set
from desktop_rag.evaluation.question_proposal import Proposal, Sample
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies.base import Question, run_to_end
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.workspace import Workspace

_TRIES = 4  # passages that are looked at for each question that is wanted
_SIMPLE = (
    "Without a language model, questions are made of headings and defined terms. They share words "
    "with what they are to find: figures will be better than those of people's questions."
)
_WRITTEN = (
    "The language model wrote these questions, and checked them itself. Read them before you keep "
    "them."
)


@dataclass(frozen=True, slots=True)
class ProposedQuestion(ListingRow):
    """A proposal as a line of a question set; the window shows its passage as well."""

    proposal: Proposal

    def as_json(self) -> dict[str, object]:
        """Return the line alone."""
        return dict(self.values)


def run(workspace: Workspace, request: SetsRequest, token: CancelToken) -> Iterator[Event]:
    """Yield up to `request.count` proposals, after a sentence on how they came about."""
    catalog = workspace.catalog
    kbs = tuple(catalog.kbs.get(name).id for name in request.kbs)
    model = _model(workspace, request)
    yield Notice(_SIMPLE if model is None else _WRITTEN)
    ids = [chunk for kb in kbs for chunk in catalog.documents.chunk_ids(kb)]
    kept: dict[str, Proposal] = {}
    tried = 0
    for sample in question_proposal.sampled(catalog, ids):
        token.check()
        if len(kept) == request.count or tried == _TRIES * request.count:
            break
        tried += model is not None
        proposal = _proposal(workspace, sample, model, token, kbs)
        if proposal is not None and proposal.question.casefold() not in kept:
            kept[proposal.question.casefold()] = proposal
            yield _row(workspace, request, proposal, kbs)
        yield IndexProgress(len(kept), request.count, "", "propose", 0, 0.0, None)
    if not kept:
        raise UserError(
            "No question could be made of these documents.",
            "Write questions yourself, or get a language model for it.",
        )


def _model(workspace: Workspace, request: SetsRequest) -> ChatModel | None:
    try:
        return workspace.chat_model(request.model, common_consent(workspace, request.kbs))
    except ModelUnavailable:
        return None


def _proposal(
    workspace: Workspace,
    sample: Sample,
    model: ChatModel | None,
    token: CancelToken,
    kbs: Sequence[KbId],
) -> Proposal | None:
    if model is None:
        document = sample.chunk.document_id
        path = workspace.catalog.documents.paths([document], kbs)[document][0]
        return question_proposal.propose_by_rules(sample, PurePath(path).stem)
    question = Question("", "", "en")
    calls = ModelTools(replace(research_context_of(workspace), model=model), question, token)
    return run_to_end(question_proposal.propose_with_model(sample, calls))


def _row(
    workspace: Workspace, request: SetsRequest, proposal: Proposal, kbs: Sequence[KbId]
) -> ProposedQuestion:
    path = workspace.catalog.documents.paths([proposal.document], kbs)[proposal.document][0]
    gold = saved_question_set.gold_of(workspace.catalog, proposal.document, path, proposal.span)
    values = {
        "id": saved_question_set.gold_name(gold),
        "question": proposal.question,
        "answers": [proposal.answer] if proposal.answer else [],
        "gold": [saved_question_set.gold_name(gold)],
        "kbs": list(request.kbs),
    }
    return ProposedQuestion(values, proposal)
