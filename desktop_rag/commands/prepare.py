"""Prepares a knowledge base for a way: the cost first, then progress, last what there is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import KnowledgeBase, Preparation
from desktop_rag.core.errors import ModelUnavailable, UsageError
from desktop_rag.core.events import Event, IndexProgress, ListingRow, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import PrepareRequest
from desktop_rag.core.types import KbId
from desktop_rag.models.protocols import ChatModel
from desktop_rag.preparation.base import PreparationTools, Preparer, RemarkedPreparer
from desktop_rag.preparation.preparation_run import PreparationProgress, PreparationRun
from desktop_rag.preparation.registry import PREPARERS, find, recipe
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.workspace import Workspace

_MEASURED = 10  # chunks after which the time is told that the rest will take


def run(workspace: Workspace, request: PrepareRequest, token: CancelToken) -> Iterator[Event]:
    """Do what is asked of a knowledge base's preparations."""
    kb = workspace.catalog.kbs.get(request.kb)
    if request.action == "list":
        yield from (ListingRow(_row(workspace, kb, kind())) for kind in PREPARERS)
    elif request.action == "resume":
        yield from resume(workspace, kb, token)
    elif request.action == "remove":
        workspace.catalog.preparations.remove(kb.id, find(request.way).name)
        yield ListingRow(_row(workspace, kb, find(request.way)))
    elif request.action == "pause":
        workspace.catalog.preparations.pause(kb.id, find(request.way).name)
        yield ListingRow(_row(workspace, kb, find(request.way)))
    elif request.action == "request":
        _ask_for(workspace, kb, request)
        yield ListingRow(_row(workspace, kb, find(request.way)))
    elif request.action == "prepare":
        yield from _prepare(workspace, kb, request, token)
    else:
        raise UsageError(Phrase("There is no prepare {0}.", request.action), "")


def resume(
    workspace: Workspace, kb: KnowledgeBase, token: CancelToken, *, asks_models: bool = True
) -> Iterator[Event]:
    """Do what waits of all that a knowledge base is prepared for, and is not paused.

    What cannot be done now, for want of its model, is told of and waits on; so is what a language
    model is needed for, unless one may be asked.
    """
    for each in waiting(workspace, kb.id):
        if each.model and not asks_models:
            yield Notice(
                Phrase(
                    "New documents wait to be prepared for “{0}” by {1}: `desktop-rag prepare`.",
                    find(each.way).title,
                    each.model,
                )
            )
            continue
        try:
            yield from _run(workspace, kb, each, token)
        except ModelUnavailable as problem:
            yield Notice(
                Phrase(
                    "{0} Until then “{1}” waits.",
                    Phrase("{0} {1}", problem.sentence, problem.remedy),
                    find(each.way).title,
                )
            )


def waiting(workspace: Workspace, kb: KbId) -> list[Preparation]:
    """Return what a knowledge base is prepared for, where documents of it wait.

    Nothing waits for what is paused, nor for a way that a newer version exported.
    """
    known = {kind.name for kind in PREPARERS}
    catalog = workspace.catalog.preparations
    fingerprint = workspace.models.embedder.fingerprint
    return [
        each
        for each in catalog.all(kb)
        if not each.is_paused
        and each.way in known
        and (
            catalog.pending(kb, each.way, recipe(find(each.way), each.model))
            or catalog.without_vector(kb, each.way, fingerprint, limit=1)
        )
    ]


def _prepare(
    workspace: Workspace, kb: KnowledgeBase, request: PrepareRequest, token: CancelToken
) -> Iterator[Event]:
    """Begin, or go on: the cost first, last what there is."""
    preparer = find(request.way)
    asked = _ask_for(workspace, kb, request)
    yield ListingRow(_row(workspace, kb, preparer))
    yield from _run(workspace, kb, asked, token)
    yield ListingRow(_row(workspace, kb, preparer))


def _ask_for(workspace: Workspace, kb: KnowledgeBase, request: PrepareRequest) -> Preparation:
    """Note that a knowledge base is to be prepared for a way, and with which model."""
    catalog, way = workspace.catalog.preparations, find(request.way).name
    model = _chosen(workspace, kb, request, catalog.find(kb.id, way))
    catalog.request(kb.id, way, model)
    return Preparation(kb.id, way, model)


def _chosen(
    workspace: Workspace,
    kb: KnowledgeBase,
    request: PrepareRequest,
    known: Preparation | None,
) -> str:
    """Return the name of the language model that prepares; empty for none."""
    if not find(request.way).calls_per_chunk:
        return ""
    if known is not None and (request.model is None or request.action == "request"):
        return known.model
    if request.model == "":
        return ""
    try:
        return _model(workspace, kb, request.model or "").name
    except ModelUnavailable:
        if request.model:
            raise
        return ""


def _model(workspace: Workspace, kb: KnowledgeBase, name: str) -> ChatModel:
    return workspace.chat_model(name, common_consent(workspace, [kb.name]))


def _run(
    workspace: Workspace, kb: KnowledgeBase, preparation: Preparation, token: CancelToken
) -> Iterator[Event]:
    """Do what waits of one preparation; progress counts chunks."""
    run = _run_of(workspace, kb, preparation, token)
    preparer, is_told = find(preparation.way), not preparation.model
    if (remark := _remark(preparer, has_model=bool(preparation.model))) and run.state().chunks:
        yield Notice(remark)
    for progress in run.run():
        yield _shown(progress)
        if not is_told and _MEASURED <= progress.chunks < progress.total:
            is_told = True
            left = progress.seconds / progress.chunks * (progress.total - progress.chunks)
            yield Notice(
                Phrase(
                    "“{0}” takes about {1} min more for {2} passages, measured on the first {3}. "
                    "It can be stopped at any time, and goes on from there.",
                    preparer.title,
                    f"{max(1, round(left / 60)):,}",
                    f"{progress.total - progress.chunks:,}",
                    progress.chunks,
                )
            )


def _run_of(
    workspace: Workspace, kb: KnowledgeBase, preparation: Preparation, token: CancelToken
) -> PreparationRun:
    calls = None
    if preparation.model:
        context = research_context_of(workspace)
        context = replace(context, model=_model(workspace, kb, preparation.model))
        calls = ModelTools(context, Question("", "", "en"), token)
    tools = PreparationTools(workspace.models.embedder, calls, token)
    return PreparationRun(preparation, workspace.catalog, tools, workspace.turns)


def _shown(progress: PreparationProgress) -> IndexProgress:
    rate = progress.chunks / progress.seconds if progress.seconds else 0.0
    left = (progress.total - progress.chunks) / rate if rate and progress.chunks else None
    return IndexProgress(
        progress.chunks, progress.total, progress.title, "prepare", progress.chunks, rate, left
    )


def _remark(preparer: Preparer, *, has_model: bool) -> str:
    """Return what there is to tell before a preparer begins; empty for nothing."""
    if isinstance(preparer, RemarkedPreparer):
        return preparer.remark(has_model=has_model)
    return ""


def _row(workspace: Workspace, kb: KnowledgeBase, preparer: Preparer) -> dict[str, Any]:
    """Return what there is of a way, and what the rest costs.

    `state` is `none`, `waiting` (documents wait), `paused` or `ready`; `model_calls` is about how
    many calls of the language model are left; `remark` is what is told before it begins, and
    `remark_with_model` what would be told if a language model prepared.
    """
    known = workspace.catalog.preparations.find(kb.id, preparer.name)
    model = known.model if known is not None else ""
    state = workspace.catalog.preparations.state(kb.id, preparer.name, recipe(preparer, model))
    named = "none"
    if known is not None:
        is_ready = state.done == state.documents
        named = "ready" if is_ready else "paused" if known.is_paused else "waiting"
    return {
        "kb": kb.name,
        "way": preparer.name,
        "title": preparer.title,
        "effect": preparer.effect,
        "paper": preparer.paper,
        "state": named,
        "model": model or None,
        "documents": state.documents,
        "prepared": state.done,
        "texts": state.texts,
        "passages_left": state.chunks,
        "asks_model": bool(preparer.calls_per_chunk),
        "remark": _remark(preparer, has_model=bool(model)),
        "remark_with_model": _remark(preparer, has_model=bool(preparer.calls_per_chunk)),
        "model_calls": round(state.chunks * preparer.calls_per_chunk) if model else 0,
    }
