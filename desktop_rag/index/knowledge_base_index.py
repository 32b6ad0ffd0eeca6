"""Vectors and BM25 index of one knowledge base: opened, told, compared, mended, searched."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.records import OutboxEntry
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index import chroma_files
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.builder import Check, IndexBuilder, Usable
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.flat import Hits, ModelChanged, VectorSearch
from desktop_rag.index.manifest import IndexManifest, Seal, fresh_name
from desktop_rag.index.shared_handle import HandleReplaced, SharedHandle

_log = logging.getLogger(__name__)
T = TypeVar("T")
_SCRUBBED_AT_ONCE = 16 * 2**20  # bytes of a graph
_SMALL = 2000  # chunks for which a lexical half is rewritten at once: a fifth of a second


@dataclass(frozen=True, slots=True)
class OpenIndexes:
    """The opened halves and what is written down of them.

    There is no dense one where every vector is compared in memory, from the catalog.
    """

    shelf: IndexManifest
    dense: SharedHandle[ChromaIndex] | None
    lexical: SharedHandle[Bm25Index]

    @classmethod
    def of(cls, shelf: IndexManifest, dense: ChromaIndex | None, lexical: Bm25Index) -> OpenIndexes:
        """Return halves that were just opened or made."""
        return cls(shelf, None if dense is None else SharedHandle(dense), SharedHandle(lexical))

    def tell(
        self, kb: KbId, builder: IndexBuilder, removed: Sequence[ChunkId], added: Sequence[ChunkId]
    ) -> None:
        """Take chunks out and put others in; harmless if again."""
        with self._vectors() as dense:
            if dense is not None:
                dense.delete(removed)
                dense.add(builder.vectors(kb, added))
        with self.lexical.using() as lexical:
            lexical.apply([*removed, *added], builder.catalog.documents.texts(kb, added))

    def wrong(self, kb: KbId, builder: IndexBuilder, *, thorough: bool) -> str:
        """Return what they lack against the catalog, empty when nothing."""
        with self._vectors() as dense, self.lexical.using() as lexical:
            said = "" if dense is None else builder.wrong_dense(kb, dense, thorough=thorough)
            return said or builder.wrong_lexical(kb, lexical, thorough=thorough)

    def nearest(
        self, vector: npt.NDArray[np.float32], k: int, documents: Collection[DocumentId] | None
    ) -> Hits | None:
        """Return what Chroma finds, best first; None where it holds nothing."""
        with self._vectors() as dense:
            return None if dense is None else dense.nearest(vector, k, documents)

    def search(self, query: str, k: int, documents: Collection[DocumentId] | None) -> Hits:
        """Return what has the query's words, best first."""
        with self.lexical.using() as lexical:
            return lexical.search(query, k, documents)

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        with self.lexical.using() as lexical:
            return lexical.frequencies(terms), lexical.count()

    def close(self) -> None:
        """Close both, when nobody uses them any more."""
        self.lexical.retire()
        if self.dense is not None:
            self.dense.retire().close()

    def discard(self, kb: KbId, *, is_shared: bool) -> None:
        """Close what is used no more; folders are swept, a collection on a server is deleted."""
        self.lexical.retire()
        if self.dense is None:
            return
        store = self.dense.retire()
        try:
            if is_shared:
                store.delete_collection()
        except UserError as error:
            _log.warning("Knowledge base %d: %s", kb, error)
        finally:
            store.close()

    @contextmanager
    def _vectors(self) -> Iterator[ChromaIndex | None]:
        if self.dense is None:
            yield None
            return
        with self.dense.using() as store:
            yield store


class KnowledgeBaseIndex:
    """A knowledge base's indexes, opened and checked when first used.

    Any thread may search while one changes; changes wait for each other. `damage` is what was found
    wrong and mended, as a sentence. `dense` searches the one half, `lexical` the other.

    Another model's vectors stay in use until there is one of `builder`'s for every chunk, where a
    question can be embedded by that model (`is_usable`).
    """

    def __init__(self, kb: KbId, builder: IndexBuilder, is_usable: Usable) -> None:
        self._kb = kb
        self._newest = builder
        self._is_usable = is_usable
        self._before = ""
        self._catalog = builder.catalog
        self._lock = threading.RLock()
        self._growing = threading.Lock()
        self._opened: OpenIndexes | None = None
        self._use(builder)
        self.damage = ""

    def open(self) -> None:
        """Open both halves, bring them up to date, and mend what is wrong."""
        self._halves()

    def sync(self) -> int:
        """Apply the outbox; return how many entries that were."""
        with self._lock:
            count = self._catalog.outbox.count(self._kb)
            try:
                self._apply_outbox()
            except StoreDamaged as error:
                _log.warning("Knowledge base %d: %s", self._kb, error)
                self.dense.is_broken = True
            is_ready = self._builder is not self._newest and not self._newest.lacking(self._kb)
            if self.dense.is_broken or is_ready:
                self.rebuild()
            if count:
                self._scrub(_SCRUBBED_AT_ONCE)
            return count

    def check(self) -> str:
        """Return `ok`, or what is wrong, as a sentence."""
        with self._lock:
            halves = self._halves()
            if waiting := self._catalog.outbox.count(self._kb):
                return Phrase("The indexes still have to be told of {0} changes.", waiting)
            try:
                wrong = halves.wrong(self._kb, self._builder, thorough=True)
            except StoreDamaged as error:
                return error.what
            return wrong or self._newest.lacking(self._kb) or "ok"

    def rebuild(self, check: Check | None = None) -> None:
        """Make both halves anew from the catalog; see `Indexes.rebuild`."""
        with self._lock:
            known = self._catalog.outbox.last(self._kb)
            builder = self._builder if self._newest.lacking(self._kb) else self._newest
            shelf, dense, lexical = builder.build(self._kb, check)
            made = OpenIndexes.of(self._saved(shelf), dense, lexical)
            old, self._opened = self._opened, made
            self._use(builder)
            self._catalog.outbox.done(self._kb, known)
            if old is not None:
                old.discard(self._kb, is_shared=bool(self._builder.server))
            self._builder.shelves.sweep(self._kb)

    def grow(self, check: Check | None = None) -> None:
        """Put the vectors into Chroma, once there are too many to compare; see `Indexes.grow`."""
        if not (self.is_outgrown() and self._growing.acquire(blocking=False)):
            return
        builder, name = self._builder, fresh_name("dense")
        try:
            with builder.shelves.making(name):
                self._take(builder, name, builder.build_dense(self._kb, name, check))
        except (StoreDamaged, OSError) as error:
            if self._opened is not None:  # it was not dropped meanwhile
                raise builder.shelves.unwritable(self._kb) from error
        finally:
            with self._lock:  # nobody makes another half meanwhile
                builder.shelves.sweep(self._kb)
            self._growing.release()

    def _take(self, builder: IndexBuilder, name: str, made: ChromaIndex) -> None:
        """Put a dense half in use that was made while others changed the knowledge base.

        Nobody has told it of these changes: it is compared with the catalog by every id. If all
        was made anew meanwhile, or dropped, nobody needs it.
        """
        with self._lock, ExitStack() as undo:
            undo.callback(made.close)
            halves = self._opened
            if halves is None or halves.dense is not None or self._builder is not builder:
                return
            builder.bring_up_to_date(self._kb, made)
            shelf = replace(halves.shelf, dense=name)
            builder.shelves.save(self._kb, shelf)
            self._opened = replace(halves, shelf=shelf, dense=SharedHandle(made))
            undo.pop_all()

    def is_outgrown(self) -> bool:
        """Say whether there are more vectors than are compared, and Chroma holds none yet."""
        return self._halves().dense is None and self._builder.asks_chroma(self._kb)

    def purge(self) -> None:
        """Take what lies in the files of both halves, of removed chunks, out of them."""
        with self._lock:
            if self._halves().shelf.removed:
                self._rewrite_lexical()
            self._scrub()

    def lexical(self, query: str, k: int, documents: Collection[DocumentId] | None = None) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first."""
        ask = methodcaller("search", query, k, documents)
        try:
            return self._asked(ask)
        except StoreDamaged as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
        with self._lock:
            self._rewrite_lexical()
        return self._asked(ask)

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term, and how many chunks there are."""
        return self._asked(lambda halves: halves.frequencies(terms))

    def drop(self) -> None:
        """Close both halves and delete them."""
        with self._lock:
            if self._opened is not None:
                self._opened.discard(self._kb, is_shared=bool(self._builder.server))
                self._opened = None
            self.dense.forget()
            self._builder.shelves.drop(self._kb)

    def close(self) -> None:
        """Close both halves, and seal them as cleanly ended."""
        with self._lock:
            self.dense.forget()
            if self._opened is not None:
                self._opened.close()
                self._scrub()
                self._builder.shelves.seal(self._kb, self._opened.shelf.dense)
                self._opened = None

    def _scrub(self, most: int | None = None) -> None:
        if self._opened is not None and self._opened.dense is not None:
            dense = self._opened.shelf.dense
            chroma_files.zero_unused_space(self._builder.shelves.folder(self._kb, dense), most)

    def _halves(self) -> OpenIndexes:
        """Return the opened halves, opened and mended now if need be."""
        halves = self._opened
        if halves is not None:
            return halves
        with self._lock:
            if self._opened is None:
                problem = self._open()
                if problem and self._catalog.documents.ids(self._kb):
                    _log.warning("Rebuilding the indexes of base %d: %s", self._kb, problem)
                    self.damage = problem
                if problem:
                    self.rebuild()
            return self._halves()

    def _open(self) -> str:
        """Open and compare both halves; return what is wrong with them."""
        self._builder.shelves.clear(self._kb)
        shelf = self._builder.shelves.load(self._kb)
        if shelf is not None:
            is_newest = shelf.fingerprint == self._newest.fingerprint
            self._before = shelf.before if is_newest else shelf.fingerprint
            self._use(self._newest.until_complete(self._kb, shelf, self._is_usable))
        if shelf is None or not self._builder.fits_dense(shelf):
            return "The indexes are missing or of another embedding model."
        self._builder.shelves.sweep(self._kb)
        seal = self._builder.shelves.break_seal(self._kb, shelf.dense)
        if shelf.dense and self._builder.outlived_chroma(self._kb):
            shelf, seal = self._builder.shelves.without_dense(self._kb, shelf), Seal.MISSING
        if seal is Seal.BROKEN:
            return "The files of the vector index are not as they were left."
        try:
            lexical = self._builder.open_lexical(self._kb, shelf.lexical)
            dense = self._builder.open_dense(self._kb, shelf.dense, seal) if shelf.dense else None
            self._opened = OpenIndexes.of(shelf, dense, lexical)
            self._apply_outbox()
            if shelf.removed or not self._builder.fits_lexical(shelf):
                self._rewrite_lexical()
            whole = seal is not Seal.INTACT
            return self._opened.wrong(self._kb, self._builder, thorough=whole)
        except StoreDamaged as error:
            return error.what

    def _saved(self, shelf: IndexManifest) -> IndexManifest:
        """Put a shelf in use; it names the model before as long as vectors of the new one lack."""
        self._before = self._before if self._newest.lacking(self._kb) else ""
        made = replace(shelf, before=self._before)
        self._builder.shelves.save(self._kb, made)
        return made

    def _use(self, builder: IndexBuilder) -> None:
        """Search from now on what was made by this: whoever searches goes on in what was there."""
        self._builder = builder
        self.dense = VectorSearch(self._kb, builder, partial(self._ask_dense, builder.fingerprint))

    def _apply_outbox(self) -> None:
        """Apply the outbox in batches; each is forgotten when both halves have it."""
        halves = self._halves()
        removals, last = 0, 0
        while batch := self._catalog.outbox.pending(self._kb):
            last = require_advance(batch[-1].seq, last)
            removed = self._apply(halves, batch)
            removals += removed
            if removed:
                halves = self._note_removed(halves, removed)
            self._catalog.outbox.done(self._kb, last)
        count = len(self._catalog.documents.ids(self._kb)) if removals else 0
        if removals and (count <= _SMALL or halves.shelf.removed * 5 > count):
            self._rewrite_lexical()  # quick, or a fifth of it went

    def _apply(self, halves: OpenIndexes, batch: Sequence[OutboxEntry]) -> int:
        """Apply some of the outbox, harmlessly if again; return how many chunks went."""
        last = {entry.chunk_id: entry.add for entry in batch}
        added = [chunk_id for chunk_id, add in last.items() if add]
        removed = [chunk_id for chunk_id, add in last.items() if not add]
        self.dense.tell(last)
        halves.tell(self._kb, self._builder, removed, added)
        return len(removed)

    def _note_removed(self, halves: OpenIndexes, count: int) -> OpenIndexes:
        """Write down that words of removed chunks lie in the lexical half until rewritten."""
        shelf = replace(halves.shelf, removed=halves.shelf.removed + count)
        self._builder.shelves.save(self._kb, shelf)
        self._opened = replace(halves, shelf=shelf)
        return self._opened

    def _rewrite_lexical(self) -> None:
        """Put a fresh lexical half in the place of the old one, whose files go."""
        old = self._halves()
        name, store = self._builder.build_lexical(self._kb)
        shelf = self._saved(self._builder.shelf(old.shelf.dense, name))
        self._opened = OpenIndexes(shelf, old.dense, SharedHandle(store))
        old.lexical.retire()
        self._builder.shelves.sweep(self._kb)

    def _ask_dense(
        self,
        model: str,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None,
    ) -> Hits | None:
        def ask(halves: OpenIndexes) -> Hits | None:
            if halves.shelf.fingerprint != model:
                raise ModelChanged
            return halves.nearest(vector, k, documents)

        return self._asked(ask)

    def _asked(self, ask: Callable[[OpenIndexes], T]) -> T:
        """Ask the halves in use, and those in their place where they are replaced meanwhile."""
        while True:
            try:
                return ask(self._halves())
            except HandleReplaced:
                continue
