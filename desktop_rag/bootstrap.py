"""The composition root: the one module that knows every part and puts a workspace together.

Heavy libraries are imported where a part is first made, so that opening a folder stays fast.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.paths import make_private
from desktop_rag.core.settings import Settings
from desktop_rag.engine.ingest.turns import Turns
from desktop_rag.engine.workspace import Lazy, Models, Workspace

if TYPE_CHECKING:
    from desktop_rag.engine.ingest.pipeline import Indexer
    from desktop_rag.engine.ingest.supervisor import ParserPool
    from desktop_rag.engine.models.protocols import ChatModel, Embedder, Reranker
    from desktop_rag.engine.retrieval.two_stage import TwoStage
    from desktop_rag.store.catalog import Catalog
    from desktop_rag.store.indexes import Indexes


def open_workspace(data_dir: Path, settings: Settings) -> Workspace:
    """Open a data folder under settings; its owner's lock is the caller's business."""
    from desktop_rag.store.catalog import Catalog

    catalog = Catalog.open(make_private(data_dir))
    embedder = Lazy(partial(_embedder, settings))
    models = Models(embedder, Lazy(partial(_reranker, settings, embedder)))
    indexes = Lazy(partial(_indexes, data_dir, catalog, embedder))
    return _joined(_Shared(data_dir, catalog, indexes, Turns()), settings, models)


def with_settings(workspace: Workspace, settings: Settings) -> Workspace:
    """Return a view of an open workspace under other settings: one request's `--set`.

    Catalog, indexes and embedding model are shared; close the view with `release()`.
    """
    if settings.models.embedder != workspace.settings.models.embedder:
        raise UserError(
            "The data folder is open with another embedding model.",
            "Close the other Desktop RAG first, then run this again.",
        )
    models = workspace.models
    if settings.retrieval.reranker != workspace.settings.retrieval.reranker:
        reranker = Lazy(partial(_reranker, settings, models.lazy_embedder))
        models = replace(models, lazy_reranker=reranker)
    return _joined(_shared_by(workspace), settings, models)


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all views of one open data folder have in common."""

    data_dir: Path
    catalog: Catalog
    indexes: Lazy[Indexes]
    turns: Turns


def _shared_by(workspace: Workspace) -> _Shared:
    return _Shared(workspace.data_dir, workspace.catalog, workspace.lazy_indexes, workspace.turns)


def _joined(shared: _Shared, settings: Settings, models: Models) -> Workspace:
    """Join the shared parts with those that follow the settings."""
    parsers = Lazy(partial(_parsers, settings))
    return Workspace(
        data_dir=shared.data_dir,
        settings=settings,
        catalog=shared.catalog,
        models=models,
        turns=shared.turns,
        lazy_indexes=shared.indexes,
        lazy_retriever=Lazy(partial(_retriever, settings, shared, models)),
        lazy_parsers=parsers,
        lazy_indexer=Lazy(partial(_indexer, settings, shared, models, parsers)),
        make_chat_model=partial(_chat_model, settings),
    )


def _embedder(settings: Settings) -> Embedder:
    from desktop_rag.engine.models.registry import load_embedder

    return load_embedder(settings.models.embedder, settings)


def _reranker(settings: Settings, embedder: Lazy[Embedder]) -> Reranker | None:
    from desktop_rag.engine.models.registry import load_reranker

    return load_reranker(settings.retrieval.reranker, settings, embedder.get())


def _indexes(data_dir: Path, catalog: Catalog, embedder: Lazy[Embedder]) -> Indexes:
    from desktop_rag.store.indexes import Indexes

    model = embedder.get()
    made = Indexes(data_dir, catalog, model.fingerprint, model.dimensions)
    made.open_all()
    return made


def _retriever(settings: Settings, shared: _Shared, models: Models) -> TwoStage:
    from desktop_rag.engine.retrieval.two_stage import TwoStage

    return TwoStage(
        shared.catalog, shared.indexes.get(), models.embedder, models.reranker, settings.retrieval
    )


def _parsers(settings: Settings) -> ParserPool:
    from desktop_rag.engine.ingest.supervisor import ParserPool

    limits = settings.ingest
    return ParserPool(limits.parsers, limits.parse_seconds, limits.parse_megabytes)


def _indexer(
    settings: Settings, shared: _Shared, models: Models, parsers: Lazy[ParserPool]
) -> Indexer:
    from desktop_rag.engine.ingest.pipeline import Indexer

    return Indexer(
        shared.catalog,
        shared.indexes.get(),
        models.embedder,
        parsers.get(),
        settings,
        turns=shared.turns,
    )


def _chat_model(settings: Settings, name: str) -> ChatModel:
    from desktop_rag.engine.models.ollama import OllamaChat, OllamaServer, resolve_host

    host = resolve_host(settings)
    chosen = name or settings.ollama.model
    if not chosen:
        there = OllamaServer(host).models()
        if not there:
            raise ModelUnavailable(
                "Ollama has no model yet.", "Get one, for example with `ollama pull qwen3:4b`."
            )
        chosen = there[0].name
    return OllamaChat(host, chosen, settings.ollama, settings.privacy.allow_remote)
