"""The knowledge base that a question chooses, and the one that may know what another does not.

Both are told by what a first search of each gives, on this computer; no model is called. Left out,
and said, is where nothing is read, what can't be searched, and whose passages may not go where the
answer would be written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.commands.consent_check import missing_consent
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.events import Answer, KbsChosen, OtherKb
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.routing_signals import KbSignals, LeftOut
from desktop_rag.core.types import KbId
from desktop_rag.retrieval.knowledge_base_routing import RankedBase, close_bases
from desktop_rag.retrieval.query import Query
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.workspace import Workspace

AUTO = "auto"
"""What stands for all knowledge bases where none is called so."""

CLEAR_EVIDENCE = 0.7
"""Evidence from which on another knowledge base is named: more than an answer needs (0.5), as it is
somebody's second question that is sent there."""

_LOOKED_AT = 2  # other bases that are searched in earnest
_PASSAGES = 5


@dataclass(frozen=True, slots=True)
class ClearBase:
    """A knowledge base that clearly answers, and the evidence in [0, 1]."""

    kb: KbId
    evidence: float


def choose(
    workspace: Workspace,
    question: str,
    names: Sequence[str],
    token: CancelToken,
    without_consent: Collection[str] = (),
) -> KbsChosen:
    """Return the knowledge bases that a question is for: the best, or two that are close.

    A `UserError` where none can be searched.
    """
    catalog = workspace.catalog
    bases = {name: catalog.kbs.get(name) for name in candidates(workspace, names)}
    empty = [name for name, base in bases.items() if not base.chunks]
    left_out = [(name, LeftOut.EMPTY) for name in empty]
    left_out += [(name, LeftOut.NO_CONSENT) for name in without_consent if name not in empty]
    among = {
        name: base.id for name, base in bases.items() if base.chunks and name not in without_consent
    }
    routing = workspace.retriever.router.ranked(question, among, token)
    name_of = {kb: name for name, kb in among.items()}
    left_out += [(name_of[kb], LeftOut.FAILED) for kb, _ in routing.failed]
    if not routing.ranked:
        raise UserError(
            "There is no knowledge base that can be asked.",
            "Add documents to one first.",
        )
    close = close_bases(routing.ranked)
    ranking = tuple(_told(each, name_of[each.kb]) for each in routing.ranked)
    return KbsChosen(tuple(name_of[each.kb] for each in close), ranking, tuple(left_out))


def choose_for(workspace: Workspace, request: AskRequest, token: CancelToken) -> KbsChosen:
    """Return the knowledge bases that a question which is to be answered chooses."""
    names = candidates(workspace, request.kbs)
    lacking: Collection[str] = ()
    missing = missing_consent(workspace, AskRequest(names, "", model=request.model), token)
    if missing is not None and len(missing.kbs) < len(names):
        lacking = missing.kbs
    return choose(workspace, request.question, names, token, lacking)


def candidates(workspace: Workspace, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names among which is chosen; none, or `auto` where none is called so, are all."""
    known = workspace.catalog.kbs.names()
    is_any = not names or (set(names) == {AUTO} and AUTO not in known)
    return tuple(known) if is_any else tuple(dict.fromkeys(names))


def may_know_elsewhere(answer: Answer) -> bool:
    """Say whether an answer is weak enough to look elsewhere: a refusal, or one without a quote."""
    return answer.mode == "refused" or (
        answer.mode == "generated" and bool(answer.from_model) and not answer.citations
    )


def other_kb(workspace: Workspace, research: ResearchTools) -> OtherKb | None:
    """Return a knowledge base that was not asked and clearly holds what a question is about.

    Only among those whose passages may go wherever those of the asked ones may; none where the
    question went to some documents only.
    """
    question = research.question
    if question.where or not workspace.settings.answering.other_kbs:
        return None
    names = {each.name: each.id for each in question.others}
    filled = {each.id for each in workspace.catalog.kbs.all() if each.chunks}
    among = {name: kb for name, kb in names.items() if kb in filled}
    if not among:
        return None
    found = clear_base(workspace, question.text, among, research.token)
    if found is None:
        return None
    return OtherKb(next(name for name, kb in among.items() if kb == found.kb), found.evidence)


def clear_base(
    workspace: Workspace, text: str, among: Mapping[str, KbId], token: CancelToken
) -> ClearBase | None:
    """Return the first of the best few knowledge bases that clearly answers, None where none."""
    for each in workspace.retriever.router.ranked(text, among, token).ranked[:_LOOKED_AT]:
        evidence = evidence_of(workspace, text, each.kb)
        if evidence >= CLEAR_EVIDENCE:
            return ClearBase(each.kb, round(evidence, 4))
    return None


def evidence_of(workspace: Workspace, text: str, kb: KbId) -> float:
    """Return how surely a knowledge base answers; 0 where it can't be searched."""
    try:
        return workspace.retriever.search(Query(text, (kb,), _PASSAGES)).evidence
    except CatalogDamaged:
        raise
    except UserError:
        return 0.0


def _told(ranked: RankedBase, name: str) -> KbSignals:
    signs = ranked.signs
    named = tuple((each.by, each.text) for each in signs.named)
    return KbSignals(name, ranked.score, signs.meaning, signs.words, named)
