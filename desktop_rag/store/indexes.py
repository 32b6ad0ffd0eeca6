"""The vector and lexical indexes of every knowledge base, kept in step with the catalog.

The catalog is the truth: what is damaged, missing or stale is rebuilt from it, without parsing or
embedding again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.store import exact
from desktop_rag.store.building import Builder
from desktop_rag.store.catalog import Catalog
from desktop_rag.store.guard import Guard, Retired
from desktop_rag.store.lexical import LexicalStore
from desktop_rag.store.records import Pending
from desktop_rag.store.shelves import Shelf, Shelves
from desktop_rag.store.vectors import MOST_DOCUMENTS, VectorStore, require_allowed

_log = logging.getLogger(__name__)
_SMALL = 2000  # chunks that a lexical half is rewritten for at once: a fifth of a second
Hits = list[tuple[ChunkId, float]]


@dataclass(frozen=True, slots=True)
class _Pair:
    """The two opened halves of a knowledge base."""

    shelf: Shelf
    dense: Guard[VectorStore]
    lexical: Guard[LexicalStore]


class Indexes:
    """Chroma and tantivy for each knowledge base, opened and checked when first used.

    `fingerprint` and `dimensions` are the embedding model's; `chroma_url` names a shared Chroma
    server, which `allow_remote` lets be another computer. Any thread may search while others
    change: changes of one knowledge base wait for each other.
    """

    def __init__(
        self,
        data_dir: Path,
        catalog: Catalog,
        fingerprint: str,
        dimensions: int,
        *,
        chroma_url: str = "",
        allow_remote: bool = False,
    ) -> None:
        require_allowed(chroma_url, allow_remote=allow_remote)
        self._catalog = catalog
        self._shelves = Shelves(data_dir / "indexes")
        self._builder = Builder(catalog, self._shelves, fingerprint, dimensions, chroma_url)
        self._was_clean = self._shelves.begin()
        self._pairs: dict[KbId, _Pair] = {}
        self._locks: dict[KbId, threading.RLock] = {}
        self._damaged: dict[KbId, str] = {}

    def open_all(self) -> dict[KbId, str]:
        """Open every knowledge base, mend what is wrong; return what was wrong, by base."""
        kbs = [each.id for each in self._catalog.kbs.all()]
        self._shelves.drop_others(kbs)
        for kb in kbs:
            self._opened(kb)
        return dict(self._damaged)

    def sync(self, kb: KbId) -> int:
        """Tell the indexes what stands in the outbox; return how many entries that were."""
        with self._lock(kb):
            try:
                return self._apply_outbox(kb)
            except StoreDamaged as error:
                _log.warning("Knowledge base %d: %s", kb, error)
                count = len(self._catalog.outbox.pending(kb, -1))
                self.rebuild(kb)
                return count

    def check(self, kb: KbId) -> str:
        """Return `ok`, or what is wrong with a knowledge base's indexes, as a sentence."""
        with self._lock(kb):
            pair = self._opened(kb)
            if waiting := len(self._catalog.outbox.pending(kb)):
                return f"The indexes still have to be told of {waiting} changes."
            try:
                wrong = self._wrong(kb, pair, thorough=True)
            except StoreDamaged as error:
                return error.what
            return wrong or self._lacking(kb) or "ok"

    def rebuild(self, kb: KbId) -> None:
        """Make a knowledge base's indexes anew from the catalog; searches go on meanwhile."""
        with self._lock(kb):
            old = self._pairs.get(kb)
            known = self._catalog.outbox.last(kb)
            dense_name, dense = self._builder.build_dense(kb)
            lexical_name, lexical = self._builder.build_lexical(kb)
            shelf = self._builder.shelf(dense_name, lexical_name)
            self._shelves.save(kb, shelf)
            self._pairs[kb] = _Pair(shelf, Guard(dense), Guard(lexical))
            self._catalog.outbox.done(kb, known)
            if old is not None:
                old.lexical.retire()
                self._discard(old.dense)
            self._shelves.sweep(kb)

    def purge(self, kb: KbId) -> None:
        """Rewrite the lexical half if words of removed chunks still lie in its files."""
        with self._lock(kb):
            pair = self._opened(kb)
            if pair.shelf.removed:
                self._rewrite_lexical(kb)

    def dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity, best first.

        While Chroma cannot answer, or for a filter of very many documents, every vector is
        compared: slower (a second for 100,000), and as right.
        """
        if documents is None or len(documents) <= MOST_DOCUMENTS:
            try:
                return self._ask_dense(kb, vector, k, documents)
            except UserError as error:
                _log.warning("Knowledge base %d: %s", kb, error)
        rows = self._catalog.embeddings.of_chunks(kb, self._builder.fingerprint)
        return exact.nearest(rows, vector, k, documents)

    def lexical(
        self, kb: KbId, query: str, k: int, documents: Collection[DocumentId] | None = None
    ) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first; no shared word, no hit."""
        while True:
            try:
                with self._opened(kb).lexical.using() as store:
                    return store.search(query, k, documents)
            except Retired:
                continue

    def drop(self, kb: KbId) -> None:
        """Delete a knowledge base's indexes."""
        with self._lock(kb):
            pair = self._pairs.pop(kb, None)
            if pair is not None:
                pair.lexical.retire()
                self._discard(pair.dense)
            self._shelves.drop(kb)

    def close(self) -> None:
        """Close every index and mark the clean end; call it when nobody searches any more."""
        for pair in self._pairs.values():
            pair.lexical.retire()
            pair.dense.retire().close()
        self._pairs.clear()
        self._shelves.end()

    def _lock(self, kb: KbId) -> threading.RLock:
        """Return the lock that changes of a knowledge base hold."""
        return self._locks.setdefault(kb, threading.RLock())

    def _opened(self, kb: KbId) -> _Pair:
        """Return the opened halves, opened and mended now if need be."""
        pair = self._pairs.get(kb)
        if pair is not None:
            return pair
        with self._lock(kb):
            if kb not in self._pairs:
                problem = self._open(kb)
                if problem:
                    _log.warning("Rebuilding the indexes of knowledge base %d: %s", kb, problem)
                    self._damaged[kb] = problem
                    self.rebuild(kb)
            return self._pairs[kb]

    def _open(self, kb: KbId) -> str:
        """Open and compare both halves; return what is wrong with them."""
        shelf = self._shelves.load(kb)
        if shelf is None or not self._builder.fits_dense(shelf):
            return "The indexes are missing or of another embedding model."
        self._shelves.sweep(kb)
        try:
            lexical = self._builder.open_lexical(kb, shelf.lexical)
            dense = self._builder.open_dense(kb, shelf.dense, was_clean=self._was_clean)
            self._pairs[kb] = _Pair(shelf, Guard(dense), Guard(lexical))
            self._apply_outbox(kb)
            if shelf.removed or not self._builder.fits_lexical(shelf):
                self._rewrite_lexical(kb)
            return self._wrong(kb, self._pairs[kb], thorough=not self._was_clean)
        except StoreDamaged as error:
            return error.what

    def _wrong(self, kb: KbId, pair: _Pair, *, thorough: bool) -> str:
        with pair.dense.using() as dense, pair.lexical.using() as lexical:
            return self._builder.wrong_dense(
                kb, dense, thorough=thorough
            ) or self._builder.wrong_lexical(kb, lexical, thorough=thorough)

    def _apply_outbox(self, kb: KbId) -> int:
        """Apply the outbox in batches; each is forgotten when both halves have it."""
        pair = self._opened(kb)
        count = removals = 0
        while batch := self._catalog.outbox.pending(kb):
            removed = self._apply(kb, pair, batch)
            removals += removed
            count += len(batch)
            if removed:
                pair = self._note_removed(kb, removed)
            self._catalog.outbox.done(kb, batch[-1].seq)
        if removals and self._is_due(pair):
            self._rewrite_lexical(kb)
        return count

    def _apply(self, kb: KbId, pair: _Pair, batch: Sequence[Pending]) -> int:
        """Apply some of the outbox, harmlessly if again; return how many chunks went."""
        last = {entry.chunk_id: entry.add for entry in batch}
        added = [chunk_id for chunk_id, add in last.items() if add]
        removed = [chunk_id for chunk_id, add in last.items() if not add]
        vectors = self._catalog.embeddings.of_chunks(kb, self._builder.fingerprint, added)
        with pair.dense.using() as dense:
            dense.delete(removed)
            dense.add(vectors)
        with pair.lexical.using() as lexical:
            lexical.apply(removed, self._catalog.documents.texts(kb, added))
        return len(removed)

    def _note_removed(self, kb: KbId, count: int) -> _Pair:
        """Write down that words of removed chunks lie in the lexical half until it is rewritten."""
        pair = self._pairs[kb]
        shelf = replace(pair.shelf, removed=pair.shelf.removed + count)
        self._shelves.save(kb, shelf)
        self._pairs[kb] = pair = replace(pair, shelf=shelf)
        return pair

    def _is_due(self, pair: _Pair) -> bool:
        """Say whether to rewrite the lexical half at once: it is small, or a fifth of it went."""
        with pair.lexical.using() as lexical:
            count = lexical.count()
        return count <= _SMALL or pair.shelf.removed * 5 > count

    def _rewrite_lexical(self, kb: KbId) -> None:
        """Put a fresh lexical half in the place of the old one, whose files go."""
        name, store = self._builder.build_lexical(kb)
        old = self._pairs[kb]
        made = self._builder.shelf(old.shelf.dense, name)
        self._shelves.save(kb, made)
        self._pairs[kb] = _Pair(made, old.dense, Guard(store))
        old.lexical.retire()
        self._shelves.sweep(kb)

    def _ask_dense(
        self,
        kb: KbId,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None,
    ) -> Hits:
        while True:
            try:
                with self._opened(kb).dense.using() as store:
                    return store.nearest(vector, k, documents)
            except Retired:
                continue

    def _discard(self, dense: Guard[VectorStore]) -> None:
        """Close a dense half that is used no more; its folder is swept, a shared one deleted."""
        store = dense.retire()
        if self._builder.server:
            store.delete_collection()
        store.close()

    def _lacking(self, kb: KbId) -> str:
        """Return whether chunks wait for a vector of today's model, as a sentence."""
        missing = self._catalog.embeddings.missing(kb, self._builder.fingerprint, 1)
        return "Some chunks have no vector of the embedding model in use." if missing else ""
