"""Opening, comparing and making the indexes of a knowledge base from the catalog."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.index import chroma, tokenizer
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.chroma import ChromaIndex
from desktop_rag.index.chroma_process import (
    ChromaEnded,
    ChromaFolder,
    ChromaNotStarted,
    ChromaProcess,
)
from desktop_rag.index.manifest import IndexFolder, IndexManifest, Seal, fresh_name

_log = logging.getLogger(__name__)
Check = Callable[[], None]
DenseIndex = ChromaIndex | ChromaFolder
Row = TypeVar("Row")
Usable = Callable[[str], bool]
"""Says of a model, by its fingerprint, whether a question can be embedded by it."""
EXACT_UPTO = 20_000  # chunks: 31 MB of 384 numbers each, compared in a few milliseconds
_ATTEMPTS = 2
_SAMPLE, _LARGE_SAMPLE = 16, 200
_REACHED = 0.9  # a healthy graph finds over 0.99 of its own; one whose folder was lost under 0.5


class IndexProblemCode(StrEnum):
    """What may be wrong with a knowledge base's indexes."""

    MISSING = "missing"
    OUTDATED = "outdated"
    ALTERED = "altered"
    DAMAGED = "damaged"
    UNTOLD = "untold"
    UNEMBEDDED = "unembedded"
    VECTORS_INCOMPLETE = "vectors_incomplete"
    VECTORS_DIFFER = "vectors_differ"
    VECTORS_UNREACHABLE = "vectors_unreachable"
    WORDS_INCOMPLETE = "words_incomplete"
    WORDS_DIFFER = "words_differ"


_TEXTS = {
    IndexProblemCode.MISSING: "The indexes are missing or of another embedding model.",
    IndexProblemCode.OUTDATED: "The indexes are missing or of another embedding model.",
    IndexProblemCode.ALTERED: "The files of the vector index are not as they were left.",
    IndexProblemCode.UNTOLD: "The indexes still have to be told of {0} changes.",
    IndexProblemCode.UNEMBEDDED: "Some chunks have no vector of the embedding model in use.",
    IndexProblemCode.VECTORS_INCOMPLETE: "The vector index holds {0} of {1} chunks.",
    IndexProblemCode.VECTORS_DIFFER: "The vector index holds other chunks than the catalog.",
    IndexProblemCode.VECTORS_UNREACHABLE: "The vector index does not find chunks that it holds.",
    IndexProblemCode.WORDS_INCOMPLETE: "The word index holds {0} of {1} chunks.",
    IndexProblemCode.WORDS_DIFFER: "The word index holds other chunks than the catalog.",
}


@dataclass(frozen=True, slots=True)
class IndexProblem:
    """What is wrong with a knowledge base's indexes; `detail` is what the store said of damage."""

    code: IndexProblemCode
    held: int = 0
    wanted: int = 0
    detail: str = ""

    @property
    def text(self) -> str:
        """The problem as a sentence."""
        if self.code is IndexProblemCode.DAMAGED:
            return self.detail
        if self.code is IndexProblemCode.UNTOLD:
            return Phrase(_TEXTS[self.code], self.wanted)
        return Phrase(_TEXTS[self.code], self.held, self.wanted)


@dataclass(eq=False, slots=True)
class OpenIndexes:
    """A knowledge base's opened indexes, and what is written down of them.

    There is no Chroma where every vector is compared in memory. What `is_damaged` is not asked for
    vectors any more, and made anew when the indexes are next told of changes.
    """

    manifest: IndexManifest
    chroma: DenseIndex | None
    bm25: Bm25Index
    is_damaged: bool = False


@dataclass(frozen=True, slots=True)
class IndexBuilder:
    """Makes and checks one knowledge base's indexes of the vectors of the model `fingerprint`.

    `server` is the address of a shared Chroma, or empty. Fewer than `exact_upto` chunks are not put
    into Chroma: every vector is compared. It holds those of so many and more, though it is asked of
    more alone, so that a limit of 0 means from the start; and whatever a shared server is told of.
    `process` holds the folders.
    """

    kb: KbId
    catalog: Catalog
    folder: IndexFolder
    fingerprint: str
    server: str
    exact_upto: int
    process: ChromaProcess

    def until_complete(self, manifest: IndexManifest, is_usable: Usable) -> IndexBuilder:
        """Return what goes with a manifest: with another model's as long as vectors of ours lack.

        The model before answers until then, if it can be used now: at another start it could not
        be, perhaps, and part of ours was searched.
        """
        for model in (manifest.fingerprint, manifest.before):
            if model not in ("", self.fingerprint) and self.lacking() and is_usable(model):
                return replace(self, fingerprint=model)
        return self

    def asks_chroma(self) -> bool:
        """Say whether Chroma is to hold the vectors."""
        return bool(self.server) or self.catalog.embeddings.is_large(self.kb, self.exact_upto - 1)

    def open_dense(self, name: str, seal: Seal = Seal.INTACT) -> DenseIndex:
        """Open Chroma; a folder without its seal only if its process survives being asked much."""
        if self.server:
            return ChromaIndex.on_server(self.server, f"desktop-rag-{name}")
        folder = self.folder.index(name)
        if seal is Seal.INTACT:
            with suppress(ChromaEnded):  # perhaps over another folder
                return self.process.open(folder)
        if not chroma.are_graph_files_whole(folder):
            raise StoreDamaged("The vector index was cut short.", "It can be rebuilt.")
        with ExitStack() as undo:
            opened = self.process.open(folder)
            undo.callback(opened.close)
            opened.probe(self.catalog.embeddings.dimensions(self.fingerprint))
            undo.pop_all()
        return opened

    def build(self, check: Check | None) -> OpenIndexes:
        """Make what a knowledge base needs of both indexes.

        What `check`, called for every vector, raises ends it: this is what takes long. Where they
        cannot be written, or it is ended, what was begun goes again.
        """
        with ExitStack() as undo:
            undo.callback(self.folder.sweep)
            try:
                dense_name, dense = self._build_dense(check)
                if dense is not None:
                    undo.callback(dense.close)
                lexical_name, lexical = self.build_lexical(check)
            except StoreDamaged as error:
                raise self.folder.unwritable() from error
            undo.pop_all()
        made = IndexManifest(
            dense_name, lexical_name, self.fingerprint, tokenizer.VERSION, self.server
        )
        return OpenIndexes(made, dense, lexical)

    def _build_dense(self, check: Check | None) -> tuple[str, DenseIndex | None]:
        """Make Chroma's index where it is to be asked and its process can be started.

        Where that ends meanwhile, over another folder, perhaps, it is made once more.
        """
        for _ in range(_ATTEMPTS if self.asks_chroma() else 0):
            name = fresh_name("dense")
            try:
                return name, self.build_dense(name, check)
            except ChromaNotStarted:
                break
            except ChromaEnded as error:
                _log.warning("Knowledge base %d: %s", self.kb, error)
        return "", None

    def build_dense(self, name: str, check: Check | None) -> DenseIndex:
        """Put the catalog's vectors into Chroma, under a fresh name."""
        made = self.open_dense(name)
        try:
            rows = self.catalog.embeddings.of_chunks(self.kb, self.fingerprint)
            made.add(_checked(rows, check), is_new=True)
        except BaseException:
            made.close()
            raise
        return made

    def build_lexical(self, check: Check | None = None) -> tuple[str, Bm25Index]:
        """Make a BM25 index of the catalog's texts; return its name too."""
        name = fresh_name("lexical")
        made = Bm25Index(self.folder.index(name))
        made.apply((), _checked(self.catalog.documents.texts(self.kb), check))
        return name, made

    def bring_up_to_date(self, dense: DenseIndex) -> None:
        """Compare Chroma with the catalog by every id; add and take out what differs."""
        held, wanted = dense.ids(), set(self.catalog.embeddings.ids(self.kb, self.fingerprint))
        dense.delete(list(held - wanted))
        missing = list(wanted - held)
        dense.add(self.catalog.embeddings.of_chunks(self.kb, self.fingerprint, missing))

    def tell(
        self, opened: OpenIndexes, removed: Sequence[ChunkId], added: Sequence[ChunkId]
    ) -> None:
        """Take chunks out and put others in; harmless if again."""
        if opened.chroma is not None:
            opened.chroma.delete(removed)
            opened.chroma.add(self.catalog.embeddings.of_chunks(self.kb, self.fingerprint, added))
        opened.bm25.apply([*removed, *added], self.catalog.documents.texts(self.kb, added))

    def lacking(self) -> IndexProblem | None:
        """Return whether chunks wait for a vector of this model."""
        if self.catalog.embeddings.missing(self.kb, self.fingerprint, 1):
            return IndexProblem(IndexProblemCode.UNEMBEDDED)
        return None

    def problem(self, opened: OpenIndexes, *, thorough: bool) -> IndexProblem | None:
        """Return what indexes lack against the catalog.

        `thorough` compares every id; the count alone would do after a clean end.
        """
        try:
            wrong = opened.chroma and self.dense_problem(opened.chroma, thorough=thorough)
            return wrong or self._lexical_problem(opened.bm25, thorough=thorough)
        except StoreDamaged as error:
            return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)

    def dense_problem(self, dense: DenseIndex, *, thorough: bool) -> IndexProblem | None:
        """Return what Chroma lacks against the catalog; `StoreDamaged` where it can't be asked."""
        wanted = self.catalog.embeddings.ids(self.kb, self.fingerprint)
        if (held := dense.count()) != len(wanted):
            return IndexProblem(IndexProblemCode.VECTORS_INCOMPLETE, held, len(wanted))
        if thorough and dense.ids() != set(wanted):
            return IndexProblem(IndexProblemCode.VECTORS_DIFFER)
        sample = _spread(wanted, _LARGE_SAMPLE if thorough else _SAMPLE)
        rows = self.catalog.embeddings.of_chunks(self.kb, self.fingerprint, sample)
        if dense.reach(rows) < _REACHED:
            return IndexProblem(IndexProblemCode.VECTORS_UNREACHABLE)
        return None

    def _lexical_problem(self, lexical: Bm25Index, *, thorough: bool) -> IndexProblem | None:
        wanted = self.catalog.documents.ids(self.kb)
        if (held := lexical.count()) != len(wanted):
            return IndexProblem(IndexProblemCode.WORDS_INCOMPLETE, held, len(wanted))
        if thorough and lexical.ids() != set(wanted):
            return IndexProblem(IndexProblemCode.WORDS_DIFFER)
        lexical.search("word", 1)
        return None


def _checked(rows: Iterable[Row], check: Check | None) -> Iterator[Row]:
    for row in rows:
        if check is not None:
            check()
        yield row


def _spread(ids: Sequence[ChunkId], count: int) -> list[ChunkId]:
    """Return up to `count` ids, evenly spread."""
    return list(ids[:: max(1, len(ids) // count)])[:count]
