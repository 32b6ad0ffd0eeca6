"""One open data folder with everything an operation needs, each part made when first asked for.

A workspace is put together by `bootstrap.open_workspace` alone; it knows no command and no window.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.settings import Settings
from desktop_rag.indexing.run_coordinator import RunCoordinator

if TYPE_CHECKING:
    from desktop_rag.catalog.facade import Catalog
    from desktop_rag.index.indexes import IndexManager
    from desktop_rag.indexing.password_store import PasswordStore
    from desktop_rag.indexing.pipeline import Indexer
    from desktop_rag.indexing.run_coordinator import RunCoordinator
    from desktop_rag.models.chat_model_cache import ChatModelCache
    from desktop_rag.models.pair_reader import PairReader
    from desktop_rag.models.previous_embedders import PreviousEmbedders
    from desktop_rag.models.protocols import ChatModel, Embedder, Reranker
    from desktop_rag.parsing.sandbox.parser_pool import ParserPool
    from desktop_rag.retrieval.two_stage import TwoStageRetriever
    from desktop_rag.tables.table_store import TableStore

T = TypeVar("T")


class Lazy(Generic[T]):
    """A part that is made once, by whichever thread asks first."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = threading.RLock()
        self._made: list[T] = []

    def get(self) -> T:
        """Return the part, making it if nobody has; what making raises is raised, and not kept."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]

    @contextmanager
    def unmade(self) -> Iterator[bool]:
        """Say whether nobody has made the part, and let nobody make it meanwhile."""
        with self._lock:
            yield not self._made

    def take(self) -> T | None:
        """Return the part if it was made, and forget it: what closes a workspace calls this."""
        with self._lock:
            return self._made.pop() if self._made else None


def _lazy_chats() -> Lazy[ChatModelCache]:
    return Lazy(_kept_chats)


def _kept_chats() -> ChatModelCache:
    from desktop_rag.models.chat_model_cache import ChatModelCache

    return ChatModelCache()


@dataclass(frozen=True, slots=True)
class ActiveModels:
    """The models in use, loaded when first asked for."""

    lazy_embedder: Lazy[Embedder]
    lazy_rerankers: Lazy[tuple[Reranker, ...]]
    older: PreviousEmbedders
    lazy_chats: Lazy[ChatModelCache] = field(default_factory=_lazy_chats)

    @property
    def embedder(self) -> Embedder:
        """The embedding model of the settings."""
        return self.lazy_embedder.get()

    @property
    def rerankers(self) -> tuple[Reranker, ...]:
        """The second stage of the settings, best first; none where it is off."""
        return self.lazy_rerankers.get()

    @property
    def readers(self) -> tuple[PairReader, ...]:
        """The built-in readers, best first, where the settings have them in the second stage."""
        from desktop_rag.models.pair_reader import PairReader

        return tuple(each for each in self.rerankers if isinstance(each, PairReader))

    @property
    def chats(self) -> ChatModelCache:
        """The language models in use."""
        return self.lazy_chats.get()


@dataclass(frozen=True, slots=True)
class Workspace:
    """An open data folder; every operation's first argument. Safe to use from several threads.

    `catalog` is open from the start; models, indexes and parsers cost their start-up time only
    when an operation touches them. All indexing of this folder shares `turns` and `passwords`.
    """

    data_dir: Path
    settings: Settings
    catalog: Catalog
    models: ActiveModels
    turns: RunCoordinator
    passwords: PasswordStore
    lazy_indexes: Lazy[IndexManager]
    lazy_retriever: Lazy[TwoStageRetriever]
    lazy_parsers: Lazy[ParserPool]
    lazy_indexer: Lazy[Indexer]
    make_chat_model: Callable[[str, Consent], ChatModel]
    tables: TableStore

    @property
    def indexes(self) -> IndexManager:
        """The vector and lexical indexes, checked against the catalog and mended."""
        return self.lazy_indexes.get()

    @property
    def retriever(self) -> TwoStageRetriever:
        """Two-stage retrieval under these settings."""
        return self.lazy_retriever.get()

    @property
    def parsers(self) -> ParserPool:
        """The supervised parser processes."""
        return self.lazy_parsers.get()

    @property
    def indexer(self) -> Indexer:
        """What brings a knowledge base up to date."""
        return self.lazy_indexer.get()

    def chat_model(self, name: str = "", consent: Consent = NOWHERE) -> ChatModel:
        """Return a language model by name, or the settings' one; `ModelUnavailable` if none.

        Another computer answers only where `consent` covers it.
        """
        return self.make_chat_model(name, consent)

    def close(self) -> None:
        """End the parsers, mark the indexes as cleanly closed, and close the catalog."""
        self.release()
        indexes = self.lazy_indexes.take()
        if indexes is not None:
            indexes.close()
        self.catalog.close()

    def release(self) -> None:
        """End the parsers only: what a view with settings of its own does not share."""
        parsers = self.lazy_parsers.take()
        if parsers is not None:
            parsers.close()
