"""Vectors and BM25 index of one knowledge base: opened, told, compared, mended, searched."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.column_values import require_advance
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import OutboxAction, OutboxEntry
from desktop_rag.core.errors import DesktopRagError, StoreDamaged
from desktop_rag.core.types import DocumentId, VectorSearch
from desktop_rag.index import tokenizer
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.builder import Check, IndexBuilder, OpenIndexes, Usable
from desktop_rag.index.chroma import MOST_DOCUMENTS
from desktop_rag.index.chroma_replica import ChromaReplica
from desktop_rag.index.flat import (
    CachedVectors,
    Hits,
    NearestChunks,
    VectorMemory,
    nearest_in_blocks,
)
from desktop_rag.index.manifest import IndexManifest
from desktop_rag.index.problems import IndexProblem, IndexProblemCode

_log = logging.getLogger(__name__)
_CAME_OR_WENT = (OutboxAction.ADD, OutboxAction.DELETE)
_FEW = 2000  # chunks that are compared in less time than Chroma takes for a filter
_SMALL = 2000  # chunks whose BM25 index is rewritten at once: a fifth of a second


class ModelChanged(DesktopRagError):
    """The vectors are of another model now: embed the question by that one."""


class KnowledgeBaseIndex:
    """A knowledge base's indexes, opened and checked when first used.

    Any thread may search while one changes; changes wait for each other. `damage` is what was found
    wrong and mended. `replica` is Chroma's copy of the vectors, which is fed in the background and
    asked of more than `exact_upto` chunks.

    Another model's vectors stay in use until there is one of `builder`'s for every chunk, where a
    question can be embedded by that model (`is_usable`).
    """

    def __init__(
        self,
        builder: IndexBuilder,
        replica: ChromaReplica,
        exact_upto: int,
        is_usable: Usable,
        memory: VectorMemory,
    ) -> None:
        self.replica = replica
        self._vector_file = replica.vector_file
        self._is_chroma_wanted = False
        self._kb = builder.kb
        self._catalog = builder.catalog
        self._folder = builder.folder
        self._newest = builder
        self._exact_upto = exact_upto
        self._is_usable = is_usable
        self._memory = memory
        self._before = ""
        self._lock = threading.RLock()  # whoever changes the word index has it
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
                if problem and self._catalog.documents.count_chunks(self._kb):
                    _log.warning("Rebuilding the indexes of base %d: %s", self._kb, problem.text)
                    self.damage = problem
                if problem:
                    self.rebuild()
            return self.open()

    def sync(self) -> int:
        """Tell the word index what stands in the outbox; return how many entries that were.

        Chroma is told in the background; until then searches compare what it lacks.
        """
        with self._lock:
            self.open()
            count = self._catalog.outbox.count(self._kb, Reader.WORDS)
            try:
                self._apply_outbox()
            except StoreDamaged as error:
                _log.warning("Rebuilding the word index of base %d: %s", self._kb, error)
                self.rebuild()
            if self._builder is not self._newest and not self._newest.lacking():
                self.rebuild()
            return count

    def check(self) -> IndexProblem | None:
        """Return what is wrong with the word index, every id compared; see `replica.check`."""
        with self._lock:
            opened = self.open()
            if waiting := self._catalog.outbox.count(self._kb, Reader.WORDS):
                return IndexProblem(IndexProblemCode.UNTOLD, wanted=waiting)
            problem = self._builder.problem(opened, thorough=True)
        if problem is None and not self._vector_file.check():
            problem = IndexProblem(IndexProblemCode.VECTORS_DIFFER)
        return problem or self._newest.lacking()

    def rebuild(self, check: Check | None = None) -> None:
        """Make the word index anew from the catalog, and have Chroma compared with it.

        Searches go on meanwhile. What `check` raises now and then ends it, with all as it was.
        """
        with self._lock:
            known = self._catalog.outbox.last(self._kb)
            builder = self._builder if self._newest.lacking() else self._newest
            made = builder.build(check)
            made.manifest = self._saved(made.manifest)
            self._opened = made
            self._use(builder)
            self._catalog.outbox.done(self._kb, Reader.WORDS, known)
            self._wait_for_searches()
            self._folder.sweep()
        self._vector_file.discard()
        self.replica.compare()

    def feed(self, check: Check | None = None) -> None:
        """Tell Chroma, and of a large knowledge base the vector file, all that they lack."""
        if self.is_large():
            self._vector_file.feed(check)
        else:
            self._vector_file.discard()
        self.replica.feed(check)
        if self._is_chroma_wanted:
            self._is_chroma_wanted = False
            self.replica.warm_up()

    def is_large(self) -> bool:
        """Say whether Chroma is asked: comparing every vector would take long."""
        return self._catalog.embeddings.is_large(self._kb, self._exact_upto)

    def purge(self) -> None:
        """Take the text of removed chunks out of the files now.

        Else that is done where it is quick; of a large knowledge base it stays, unreachable, until
        this is called or, in the word index, the program starts again.
        """
        with self._lock:
            if self.open().manifest.removed:
                self._rewrite_lexical()
        if self.is_large():
            self._vector_file.feed()
        self.replica.erase()

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
    ) -> NearestChunks:
        """Return up to `k` chunks and their cosine similarity, best first, and who named them.

        In a large knowledge base every vector that may be one is compared, too, while Chroma cannot
        answer, and for a filter of few chunks (quicker) or of very many documents: slower (seconds
        for 100,000 chunks), and as right. Raises `ModelChanged` when `model`, which embedded the
        question, is not `model()` any more.
        """
        vectors = self._vectors
        if model and model != vectors.fingerprint:
            raise ModelChanged
        flat = vectors.current()
        self._memory.keep(self._kb, vectors)
        if flat is not None:
            return NearestChunks(flat.nearest(vector, k, documents))
        few = None
        if documents is not None:
            few = self._catalog.documents.chunk_ids_of(self._kb, documents, _FEW)
        if few is None and (documents is None or len(documents) <= MOST_DOCUMENTS):
            hits = self._named_by_chroma(vectors.fingerprint, vector, k, documents)
            if hits is not None and not self._is_lacking(hits, vector, k, documents):
                return NearestChunks(hits, VectorSearch.CHROMA)
        if few is None:
            try:
                blocks = self._vector_file.blocks()
                return NearestChunks(nearest_in_blocks(blocks, vector, k, documents))
            except (OSError, ValueError) as error:  # deleted, or cut short meanwhile
                _log.warning("Knowledge base %d: %s", self._kb, error)
        return NearestChunks(nearest_in_blocks(vectors.blocks(few), vector, k, documents))

    def _named_by_chroma(
        self,
        model: str,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None,
    ) -> Hits | None:
        """Return the nearest of what Chroma names; None where comparing all is to be preferred.

        While it has not opened its folder, which takes seconds for a million chunks, the vector
        file is compared.
        """
        if not self.replica.is_asked():
            return None
        if not self.replica.is_open() and self._vector_file.is_usable():
            self._is_chroma_wanted = True
            self.replica.wake()
            return None
        return self.replica.nearest(model, vector, k, documents)

    def _is_lacking(
        self,
        hits: Hits,
        vector: npt.NDArray[np.float32],
        k: int,
        documents: Collection[DocumentId] | None,
    ) -> bool:
        """Say whether Chroma left out what it should have named.

        Its graph may not reach a few vectors unlike the many, for one question and not for others.
        """
        try:
            return self._vector_file.knows_nearer(hits, vector, k, documents)
        except (OSError, ValueError) as error:  # deleted, or cut short meanwhile
            _log.warning("Knowledge base %d: %s", self._kb, error)
            return False

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
        self.replica.drop()
        self._vector_file.discard()
        with self._lock:
            self._opened = None
            self._wait_for_searches()
            self._vectors.forget()
            self._folder.drop()

    def close(self) -> None:
        """Close the indexes, and seal them as cleanly ended."""
        self.replica.release()
        with self._lock:
            self._vectors.forget()
            opened, self._opened = self._opened, None
            if opened is not None:
                self._wait_for_searches()
                self._folder.seal()

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
        if manifest.fingerprint != builder.fingerprint:
            return IndexProblem(IndexProblemCode.OUTDATED)
        self._folder.sweep()
        is_sealed = self._folder.break_seal()
        try:
            bm25 = Bm25Index(self._folder.index(manifest.lexical))
            self._opened = OpenIndexes(manifest, bm25)
            self._apply_outbox()
            if manifest.removed or manifest.words != tokenizer.VERSION:
                self._rewrite_lexical()
        except StoreDamaged as error:
            return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)
        return builder.problem(self.open(), thorough=not is_sealed)

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
            self._catalog.embeddings, self._kb, builder.fingerprint, self._exact_upto
        )
        self.replica.follow(builder.fingerprint)
        self._vector_file.follow(builder.fingerprint)

    def _apply_outbox(self) -> None:
        """Apply the outbox in batches; each is forgotten when Chroma has it, too."""
        opened = self.open()
        removals, last = 0, 0
        while batch := self._catalog.outbox.pending(self._kb, Reader.WORDS):
            last = require_advance(batch[-1].seq, last)
            removed = self._apply(opened, batch)
            removals += removed
            if removed:
                opened = self._note_removed(opened, removed)
            self._catalog.outbox.done(self._kb, Reader.WORDS, last)
            self.replica.wake()
        count = self._catalog.documents.count_chunks(self._kb) if removals else 0
        if removals and (count <= _SMALL or opened.manifest.removed * 5 > count):
            self._rewrite_lexical()  # quick, or a fifth of it went

    def _apply(self, opened: OpenIndexes, batch: Sequence[OutboxEntry]) -> int:
        """Apply some of the outbox, harmlessly if again; return how many chunks went."""
        last = {each.chunk_id: each.action for each in batch if each.action in _CAME_OR_WENT}
        added = [chunk_id for chunk_id, action in last.items() if action is OutboxAction.ADD]
        removed = [chunk_id for chunk_id, action in last.items() if action is OutboxAction.DELETE]
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
