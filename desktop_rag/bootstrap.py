"""The composition root: the one module that knows every part and puts a workspace together.

Heavy libraries are imported where a part is first made, so that opening a folder stays fast.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.errors import UserError
from desktop_rag.core.file_permissions import restrict_folder
from desktop_rag.core.import_lock import IMPORT_LOCK
from desktop_rag.core.paths import make_private
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Settings
from desktop_rag.core.settings_file import setting_declarations, value_of, with_value
from desktop_rag.core.types import ModelIdentity
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.workspace import ActiveModels, Lazy, Workspace

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.index.indexes import IndexManager
    from desktop_rag.indexing.password_store import PasswordStore
    from desktop_rag.indexing.pipeline import Indexer
    from desktop_rag.models.protocols import ChatModel, Embedder, Reranker
    from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
    from desktop_rag.parsing.sandbox.parser_pool import ParserPool
    from desktop_rag.retrieval.two_stage import TwoStageRetriever
    from desktop_rag.tables.table_store import TableStore


def open_workspace(
    data_dir: Path, settings: Settings, before_write: Callable[[], object] | None = None
) -> Workspace:
    """Open a data folder under settings; its owner's lock is the caller's business.

    `before_write` is called before each change of the catalog, and may raise to forbid it.
    """
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.core import temp_files
    from desktop_rag.indexing.key_ring import KeyRing
    from desktop_rag.indexing.password_store import PasswordStore
    from desktop_rag.models.previous_embedders import PreviousEmbedders
    from desktop_rag.tables.table_store import TableStore

    temp_files.delete_leftovers(make_private(data_dir))
    restrict_folder(data_dir)
    catalog = Catalog.open(data_dir)
    catalog.database.before_write = before_write
    catalog.chats.bury()  # what a kill left of deletions that could still be undone
    catalog.long_texts.sweep()  # and of documents that were not stored wholly
    embedder = Lazy(partial(_embedder, settings))
    older = PreviousEmbedders(settings)
    models = ActiveModels(embedder, Lazy(partial(_rerankers, settings, embedder, data_dir)), older)
    indexes = Lazy(partial(_indexes, data_dir, catalog, models, settings))
    passwords = PasswordStore(catalog.choices, KeyRing())
    shared = _Shared(
        data_dir, catalog, models, indexes, RunCoordinator(), passwords, TableStore(catalog)
    )
    return _joined(settings, shared)


def with_settings(
    workspace: Workspace, settings: Settings, parsers: Lazy[ParserPool] | None = None
) -> Workspace:
    """Return a view of an open workspace under other settings, with parsers of its own or these.

    Catalog, indexes and embedding model are shared. End a view's own parsers with `release()`.
    """
    now = workspace.settings
    lasting = keep_restart_settings(settings, now)
    if replace(lasting, window=settings.window) != settings:  # the window's size harms nothing
        raise UserError(
            "The data folder is open under other settings of models or Chroma.",
            "Close the other Desktop RAG first, then run this again.",
        )
    models = workspace.models
    if settings.retrieval != now.retrieval:
        rerankers = Lazy(partial(_rerankers, settings, models.lazy_embedder, workspace.data_dir))
        models = replace(models, lazy_rerankers=rerankers)
    shared = _Shared(
        workspace.data_dir,
        workspace.catalog,
        models,
        workspace.lazy_indexes,
        workspace.turns,
        workspace.passwords,
        workspace.tables,
    )
    return _joined(settings, shared, parsers)


def keep_restart_settings(settings: Settings, opened: Settings) -> Settings:
    """Return settings with what takes effect at the next opening left as it was opened."""
    for each in setting_declarations():
        if each.restart:
            settings = with_value(settings, each.key, value_of(opened, each.key))
    return settings


@dataclass(frozen=True, slots=True)
class _Shared:
    """What all views of one open folder have in common."""

    data_dir: Path
    catalog: Catalog
    models: ActiveModels
    indexes: Lazy[IndexManager]
    turns: RunCoordinator
    passwords: PasswordStore
    tables: TableStore


def _joined(
    settings: Settings, shared: _Shared, parsers: Lazy[ParserPool] | None = None
) -> Workspace:
    """Join the shared parts with those that follow the settings."""
    parsers = parsers or Lazy(partial(_parsers, settings, shared.data_dir))
    return Workspace(
        data_dir=shared.data_dir,
        settings=settings,
        catalog=shared.catalog,
        models=shared.models,
        turns=shared.turns,
        passwords=shared.passwords,
        lazy_indexes=shared.indexes,
        lazy_retriever=Lazy(partial(_retriever, settings, shared)),
        lazy_parsers=parsers,
        lazy_indexer=Lazy(partial(_indexer, settings, shared, parsers)),
        make_chat_model=partial(_chat_model, settings, shared.models),
        tables=shared.tables,
    )


def _embedder(settings: Settings) -> Embedder:
    from desktop_rag.models.model_loader import load_embedder

    return load_embedder(settings.models.embedder, settings)


def _rerankers(
    settings: Settings, embedder: Lazy[Embedder], data_dir: Path
) -> tuple[Reranker, ...]:
    from desktop_rag.models.model_loader import load_rerankers

    return load_rerankers(settings.retrieval.reranker, settings, embedder.get(), data_dir)


def _indexes(
    data_dir: Path, catalog: Catalog, models: ActiveModels, settings: Settings
) -> IndexManager:
    with IMPORT_LOCK:
        from desktop_rag.index.indexes import IndexManager

    model = models.embedder
    made = IndexManager(
        data_dir,
        catalog,
        ModelIdentity(model.fingerprint, model.dimensions),
        exact_upto=settings.retrieval.exact_upto,
        is_usable=models.older.has,
    )
    made.open_all()
    return made


def _retriever(settings: Settings, shared: _Shared) -> TwoStageRetriever:
    from desktop_rag.retrieval.two_stage import TwoStageRetriever

    models = shared.models
    return TwoStageRetriever(
        shared.catalog,
        shared.indexes.get(),
        models.embedder,
        models.rerankers,
        settings.retrieval,
        older=models.older.get,
    )


def _parsers(settings: Settings, data_dir: Path) -> ParserPool:
    from desktop_rag.parsing.sandbox.parser_pool import ParserPool

    limits = settings.ingest
    shut = (str(data_dir.resolve()),)
    return ParserPool(
        limits.parsers,
        limits.parse_seconds,
        limits.parse_megabytes,
        characters=limits.max_characters,
        silence=limits.answer_seconds,
        shut=shut,
    )


def _recognizer(data_dir: Path) -> PageRecognizer:
    from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer

    return PageRecognizer((str(data_dir.resolve()),))


def _indexer(settings: Settings, shared: _Shared, parsers: Lazy[ParserPool]) -> Indexer:
    from desktop_rag.indexing.pipeline import Indexer

    return Indexer(
        shared.catalog,
        shared.indexes.get(),
        shared.models.embedder,
        parsers.get(),
        settings,
        turns=shared.turns,
        make_recognizer=partial(_recognizer, shared.data_dir),
        passwords=shared.passwords,
    )


def _chat_model(settings: Settings, models: ActiveModels, name: str, consent: Consent) -> ChatModel:
    from desktop_rag.core.cancel import current_token
    from desktop_rag.models.model_server import find_server

    server = find_server(settings, consent, current_token())
    chosen = name or settings.ollama.model or server.first_chat_model()
    return models.chats.get(server, chosen, settings.ollama, consent)
