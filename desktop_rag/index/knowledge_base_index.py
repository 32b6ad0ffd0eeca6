"""Vectors and BM25 index of one knowledge base: opened, told, compared, mended, searched."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.core.catalog_records import OutboxEntry
from desktop_rag.core.errors import DesktopRagError, StoreDamaged, UserError
from desktop_rag.core.types import DocumentId
from desktop_rag.index import tokenizer
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.builder import (
    Check,
    DenseIndex,
    IndexBuilder,
    IndexProblem,
    IndexProblemCode,
    OpenIndexes,
    Usable,
)
from desktop_rag.index.chroma import MOST_DOCUMENTS, zero_unused_space
from desktop_rag.index.chroma_process import ChromaEnded, ChromaNotStarted
from desktop_rag.index.flat import CachedVectors, Hits, VectorMemory, nearest_in_blocks
from desktop_rag.index.manifest import IndexManifest, Seal, fresh_name

_log = logging.getLogger(__name__)
_SCRUBBED_AT_ONCE = 16 * 2**20  # bytes of a graph
_MOST_CRASHES = 2  # over one folder: it is made anew
_SMALL = 2000  # chunks whose BM25 index is rewritten at once: a fifth of a second


class ModelChanged(DesktopRagError):
    """The vectors are of another model now: embed the question by that one."""


class KnowledgeBaseIndex:
    """A knowledge base's indexes, opened and checked when first used.

    Any thread may search while one changes; changes wait for each other. `damage` is what was found
    wrong and mended.

    Another model's vectors stay in use until there is one of `builder`'s for every chunk, where a
    question can be embedded by that model (`is_usable`).
    """

    def __init__(self, builder: IndexBuilder, is_usable: Usable, memory: VectorMemory) -> None:
        self._kb = builder.kb
        self._catalog = builder.catalog
        self._folder = builder.folder
        self._newest = builder
        self._is_usable = is_usable
        self._memory = memory
        self._before = ""
        self._lock = threading.RLock()  # whoever changes the indexes has it
        self._growing = threading.Lock()
        self._mending = threading.Lock()
        self._crashes = Counter[str]()  # of Chroma, over a folder of this name
        self._released = threading.Condition()
        self._in_use: list[OpenIndexes] = []  # one for each search
        self._opened: OpenIndexes | None = None
        self._use(builder)
        self.damage: IndexProblem | None = None

    def open(self) -> OpenIndexes:
        """Return the indexes, opened, brought up to date and mended now if need be."""
        opened = self._opened
        if opened is not None:
            return opened
        with self._lock:
            if self._opened is None:
                problem = self._open()
                if problem and self._catalog.documents.ids(self._kb):
                    _log.warning("Rebuilding the indexes of base %d: %s", self._kb, problem.text)
                    self.damage = problem
                if problem:
                    self.rebuild()
            return self.open()

    def sync(self) -> int:
        """Tell the indexes what stands in the outbox; return how many entries that were."""
        with self._lock:
            count = self._catalog.outbox.count(self._kb)
            is_told = self._apply_or_reopen()
            if not is_told or (self._builder is not self._newest and not self._newest.lacking()):
                self.rebuild()
            if count:
                self._scrub(self.open(), _SCRUBBED_AT_ONCE)
            return count

    def _apply_or_reopen(self) -> bool:
        """Apply the outbox, to a folder that is opened again where its process ended."""
        while True:
            try:
                self._apply_outbox()
            except StoreDamaged as error:
                self._note_damage(self.open(), error)
            if not self.open().is_damaged:
                return True
            if not self._reopen_dense():
                return False

    def check(self) -> IndexProblem | None:
        """Return what is wrong, every id compared."""
        with self._lock:
            opened = self.open()
            if waiting := self._catalog.outbox.count(self._kb):
                return IndexProblem(IndexProblemCode.UNTOLD, wanted=waiting)
            problem = self._builder.problem(opened, thorough=True)
            if problem and problem.code is IndexProblemCode.DAMAGED and self._reopen_dense():
                problem = self._builder.problem(self.open(), thorough=True)
            return problem or self._newest.lacking()

    def rebuild(self, check: Check | None = None) -> None:
        """Make the indexes anew from the catalog; searches go on meanwhile.

        What `check` raises now and then ends it, with all as it was.
        """
        with self._lock:
            known = self._catalog.outbox.last(self._kb)
            builder = self._builder if self._newest.lacking() else self._newest
            made = builder.build(check)
            made.manifest = self._saved(made.manifest)
            old, self._opened = self._opened, made
            self._use(builder)
            self._catalog.outbox.done(self._kb, known)
            if old is not None:
                self._discard(old)
            self._folder.sweep()

    def is_outgrown(self) -> bool:
        """Say whether `grow` has something to do, which takes a second for a thousand chunks."""
        return self.open().chroma is None and self._builder.asks_chroma()

    def grow(self, check: Check | None = None) -> None:
        """Let Chroma hold the vectors of a knowledge base that has become large; else do nothing.

        Until then they are compared block by block: right, and slower. Who changes the knowledge
        base does not wait for it. What `check` raises now and then ends it, with all as it was.
        """
        if not (self.is_outgrown() and self._growing.acquire(blocking=False)):
            return
        builder, name = self._builder, fresh_name("dense")
        try:
            with self._folder.making(name):
                self._take(builder, name, builder.build_dense(name, check))
        except (ChromaNotStarted, ChromaEnded) as error:  # the next run makes it
            _log.warning("Knowledge base %d: %s", self._kb, error)
        except (StoreDamaged, OSError) as error:
            if self._opened is not None:  # it was not dropped meanwhile
                raise self._folder.unwritable() from error
        finally:
            with self._lock:  # nobody makes another index meanwhile
                self._folder.sweep()
            self._growing.release()

    def _take(self, builder: IndexBuilder, name: str, made: DenseIndex) -> None:
        """Put vectors in use that were put into Chroma while others changed the knowledge base.

        Nobody has told it of these changes: it is compared with the catalog by every id. If all
        was made anew meanwhile, or dropped, nobody needs it.
        """
        with self._lock, ExitStack() as undo:
            undo.callback(made.close)
            opened = self._opened
            if opened is None or opened.chroma is not None or self._builder is not builder:
                return
            builder.bring_up_to_date(made)
            manifest = replace(opened.manifest, dense=name)
            self._folder.save(manifest)
            self._opened = replace(opened, manifest=manifest, chroma=made)
            undo.pop_all()

    def _note_damage(self, opened: OpenIndexes, error: StoreDamaged) -> None:
        """Ask Chroma no more until its folder was opened again, or made anew."""
        opened.is_damaged = True
        if not (isinstance(error, ChromaEnded) and error.is_bystander):
            self._crashes[opened.manifest.dense] += 1

    def _mend_later(self, opened: OpenIndexes) -> None:
        """Let a thread open Chroma's folder again whose process has ended; searches go on."""
        if self._may_reopen(opened) and self._mending.acquire(blocking=False):
            try:
                threading.Thread(target=self._mend, name="index-mend", daemon=True).start()
            except RuntimeError:  # there are too many, or the program ends
                self._mending.release()

    def _mend(self) -> None:
        try:
            with self._lock:
                opened = self._opened
                if opened is not None and opened.is_damaged:
                    self._reopen_dense()
        except (DesktopRagError, OSError) as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
        finally:
            self._mending.release()

    def _may_reopen(self, opened: OpenIndexes) -> bool:
        name = opened.manifest.dense
        return bool(name) and not self._builder.server and self._crashes[name] <= _MOST_CRASHES

    def _reopen_dense(self) -> bool:
        """Open Chroma's folder again and compare it; return whether it can be used.

        A crash of its process mostly costs no more than that. A folder over which it ends again
        and again is to be made anew.
        """
        old = self.open()
        if old.chroma is None or not self._may_reopen(old):
            return False
        old.chroma.close()
        self._crashes[old.manifest.dense] += 1  # until it has answered
        try:
            with ExitStack() as undo:
                chroma: DenseIndex | None
                chroma = opened = self._builder.open_dense(old.manifest.dense, Seal.MISSING)
                undo.callback(opened.close)
                self._builder.bring_up_to_date(opened)
                if self._builder.dense_problem(opened, thorough=True):
                    return False
                undo.pop_all()
        except StoreDamaged as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
            return False
        except ChromaNotStarted as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
            chroma = None
        self._crashes[old.manifest.dense] -= 1
        self._opened = replace(old, chroma=chroma, is_damaged=False)
        return True

    def purge(self) -> None:
        """Take the words of removed chunks out of the files now.

        `sync` does so where it is quick; of a large knowledge base they stay, unreachable, until
        this is called or the program starts again.
        """
        with self._lock:
            if self.open().manifest.removed:
                self._rewrite_lexical()
            self._scrub(self.open())

    def model(self) -> str:
        """Return the fingerprint of the model whose vectors are searched."""
        self.open()
        return self._builder.fingerprint

    def dense(
        self,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None = None,
        *,
        model: str = "",
    ) -> Hits:
        """Return up to `k` chunks and their cosine similarity, best first.

        In a large knowledge base every vector is compared, too, while Chroma cannot answer or for
        a filter of very many documents: slower (seconds for 100,000), and as right. Raises
        `ModelChanged` when `model`, which embedded the question, is not `model()` any more.
        """
        vectors = self._vectors
        if model and model != vectors.fingerprint:
            raise ModelChanged
        flat = vectors.current()
        self._memory.keep(self._kb, vectors)
        if flat is not None:
            return flat.nearest(vector, k, documents)
        if documents is None or len(documents) <= MOST_DOCUMENTS:
            try:
                hits = self._ask_chroma(vectors.fingerprint, vector, k, documents)
                if hits is not None:
                    return hits
            except UserError as error:
                _log.warning("Knowledge base %d: %s", self._kb, error)
        return nearest_in_blocks(vectors.blocks(), vector, k, documents)

    def _ask_chroma(
        self,
        model: str,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None,
    ) -> Hits | None:
        """Return what Chroma finds; None where it holds nothing, or is damaged."""
        with self._using() as opened:
            if opened.manifest.fingerprint != model:
                raise ModelChanged
            if opened.chroma is None or opened.is_damaged:
                return None
            try:
                return opened.chroma.nearest(vector, k, documents)
            except StoreDamaged as error:
                self._note_damage(opened, error)
                self._mend_later(opened)
                raise

    def lexical(self, query: str, k: int, documents: Collection[DocumentId] | None = None) -> Hits:
        """Return up to `k` chunks and their BM25 score, best first; no shared word, no hit."""
        try:
            with self._using() as opened:
                return opened.bm25.search(query, k, documents)
        except StoreDamaged as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
        with self._lock:
            self._rewrite_lexical()
        with self._using() as opened:
            return opened.bm25.search(query, k, documents)

    def frequencies(self, terms: Collection[str]) -> tuple[dict[str, int], int]:
        """Return how many chunks hold each term (of `tokenizer`), and how many chunks there are."""
        with self._using() as opened:
            return opened.bm25.frequencies(terms), opened.bm25.count()

    def drop(self) -> None:
        """Close the indexes and delete them."""
        with self._lock:
            opened, self._opened = self._opened, None
            if opened is not None:
                self._discard(opened)
            self._vectors.forget()
            self._folder.drop()

    def close(self) -> None:
        """Close the indexes, and seal them as cleanly ended."""
        with self._lock:
            self._vectors.forget()
            opened, self._opened = self._opened, None
            if opened is None:
                return
            self._wait_for_searches()
            if opened.chroma.close() if opened.chroma else not opened.manifest.dense:
                self._scrub(opened)
                self._folder.seal(opened.manifest.dense)

    @contextmanager
    def _using(self) -> Iterator[OpenIndexes]:
        """Give the indexes in use: while they are searched, what is replaced is not closed."""
        while True:
            opened = self.open()
            with self._released:
                if opened is self._opened:  # else it was replaced since
                    self._in_use.append(opened)
                    break
        try:
            yield opened
        finally:
            with self._released:
                self._in_use.remove(opened)
                self._released.notify_all()

    def _wait_for_searches(self) -> None:
        """Wait until nobody searches in what is not in use any more."""
        with self._released:
            self._released.wait_for(lambda: all(each is self._opened for each in self._in_use))

    def _discard(self, old: OpenIndexes) -> None:
        """Close what is used no more; folders are swept, a collection on a server is deleted."""
        self._wait_for_searches()
        if old.chroma is None:
            return
        try:
            if self._builder.server:
                old.chroma.delete_collection()
        except UserError as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
        finally:
            old.chroma.close()

    def _scrub(self, opened: OpenIndexes, most: int | None = None) -> None:
        if opened.chroma is not None:
            zero_unused_space(self._folder.index(opened.manifest.dense), most)

    def _open(self) -> IndexProblem | None:
        """Open and compare the indexes; return what is wrong with them."""
        self._folder.clear()
        manifest = self._folder.load()
        if manifest is None:
            return IndexProblem(IndexProblemCode.MISSING)
        is_newest = manifest.fingerprint == self._newest.fingerprint
        self._before = manifest.before if is_newest else manifest.fingerprint
        builder = self._newest.until_complete(manifest, self._is_usable)
        self._use(builder)
        if (manifest.fingerprint, manifest.server) != (builder.fingerprint, builder.server):
            return IndexProblem(IndexProblemCode.OUTDATED)
        self._folder.sweep()
        seal = self._folder.break_seal(manifest.dense)
        if seal is Seal.BROKEN:
            return IndexProblem(IndexProblemCode.ALTERED)
        try:
            bm25 = Bm25Index(self._folder.index(manifest.lexical))
            chroma = self._open_dense(builder, manifest.dense, seal)
            self._opened = OpenIndexes(manifest, chroma, bm25)
            self._apply_outbox()
            if manifest.removed or manifest.words != tokenizer.VERSION:
                self._rewrite_lexical()
        except StoreDamaged as error:
            return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)
        return builder.problem(self.open(), thorough=seal is not Seal.INTACT)

    def _open_dense(self, builder: IndexBuilder, name: str, seal: Seal) -> DenseIndex | None:
        """Open Chroma, where it holds vectors and its process can be started."""
        try:
            return builder.open_dense(name, seal) if name else None
        except ChromaNotStarted as error:
            _log.warning("Knowledge base %d: %s", self._kb, error)
            return None

    def _saved(self, made: IndexManifest) -> IndexManifest:
        """Put indexes in use; they name the model before as long as vectors of the new one lack."""
        self._before = self._before if self._newest.lacking() else ""
        manifest = replace(made, before=self._before)
        self._folder.save(manifest)
        return manifest

    def _use(self, builder: IndexBuilder) -> None:
        """Search from now on what was made by this: whoever searches goes on in what was there."""
        self._builder = builder
        self._vectors = CachedVectors(
            self._catalog.embeddings, self._kb, builder.fingerprint, builder.exact_upto
        )

    def _apply_outbox(self) -> None:
        """Apply the outbox in batches; each is forgotten when both indexes have it."""
        opened = self.open()
        removals, last = 0, 0
        while batch := self._catalog.outbox.pending(self._kb):
            last = require_advance(batch[-1].seq, last)
            removed = self._apply(opened, batch)
            removals += removed
            if removed:
                opened = self._note_removed(opened, removed)
            self._catalog.outbox.done(self._kb, last)
        count = len(self._catalog.documents.ids(self._kb)) if removals else 0
        if removals and (count <= _SMALL or opened.manifest.removed * 5 > count):
            self._rewrite_lexical()  # quick, or a fifth of it went

    def _apply(self, opened: OpenIndexes, batch: Sequence[OutboxEntry]) -> int:
        """Apply some of the outbox, harmlessly if again; return how many chunks went."""
        last = {entry.chunk_id: entry.add for entry in batch}
        added = [chunk_id for chunk_id, add in last.items() if add]
        removed = [chunk_id for chunk_id, add in last.items() if not add]
        self._vectors.tell(last)
        self._builder.tell(opened, removed, added)
        return len(removed)

    def _note_removed(self, opened: OpenIndexes, count: int) -> OpenIndexes:
        """Write down that words of removed chunks lie in the BM25 index until it is rewritten."""
        manifest = replace(opened.manifest, removed=opened.manifest.removed + count)
        self._folder.save(manifest)
        self._opened = replace(opened, manifest=manifest)
        return self._opened

    def _rewrite_lexical(self) -> None:
        """Put a fresh BM25 index in the place of the old one, whose files go."""
        old = self.open()
        name, made = self._builder.build_lexical()
        manifest = replace(old.manifest, lexical=name, words=tokenizer.VERSION, removed=0)
        self._opened = replace(old, manifest=self._saved(manifest), bm25=made)
        self._wait_for_searches()
        self._folder.sweep()
