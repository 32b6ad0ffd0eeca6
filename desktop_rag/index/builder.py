"""Opening, comparing and making the two index halves of a knowledge base from the catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TypeVar

from desktop_rag.catalog.embeddings import VectorBlock
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.index import chroma_files
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.chroma import ChromaIndex, Rows
from desktop_rag.index.manifest import IndexFolders, IndexManifest, Seal, fresh_name
from desktop_rag.index.tokenizer import VERSION

Check = Callable[[], None]
Row = TypeVar("Row")
Usable = Callable[[str], bool]
"""Says of a model, by its fingerprint, whether a question can be embedded by it."""
EXACT_UPTO = 20_000  # chunks: 31 MB of 384 numbers each, compared in a few milliseconds
_SAMPLE, _LARGE_SAMPLE = 16, 200
_NEAR = 0.9  # of the limit: what has shrunk to it may soon grow again
_REACHED = 0.9  # a healthy graph finds over 0.99 of its own; one whose folder was lost under 0.5


@dataclass(frozen=True, slots=True)
class IndexBuilder:
    """Makes and checks halves. `server` is the address of a shared Chroma, or empty.

    Fewer than `exact_upto` chunks have no dense half: every vector is compared. Chroma holds those
    of so many and more, though it is asked of more alone, so that a limit of 0 means from the
    start; and whatever a shared server is told of.
    """

    catalog: Catalog
    shelves: IndexFolders
    fingerprint: str
    dimensions: int
    server: str
    exact_upto: int

    def until_complete(self, kb: KbId, shelf: IndexManifest, is_usable: Usable) -> IndexBuilder:
        """Return what goes with a shelf: with another model's as long as vectors of ours lack.

        The model before answers until then, if it can be used now: at another start it could not
        be, perhaps, and part of ours was searched.
        """
        for model in (shelf.fingerprint, shelf.before):
            if model not in ("", self.fingerprint) and self.lacking(kb) and is_usable(model):
                return replace(self, fingerprint=model)
        return self

    def shelf(self, dense: str, lexical: str) -> IndexManifest:
        """Return the shelf of two halves made now."""
        return IndexManifest(dense, lexical, self.fingerprint, VERSION, self.server)

    def asks_chroma(self, kb: KbId) -> bool:
        """Say whether Chroma is to hold a knowledge base's vectors."""
        return bool(self.server) or self.catalog.embeddings.is_large(kb, self.exact_upto - 1)

    def outlived_chroma(self, kb: KbId) -> bool:
        """Say whether a knowledge base has become so small that Chroma need not hold it."""
        is_near = self.catalog.embeddings.is_large(kb, int(_NEAR * self.exact_upto))
        return not (self.asks_chroma(kb) or is_near)

    def fits_dense(self, shelf: IndexManifest) -> bool:
        """Say whether a dense half was made with today's model and place."""
        return (shelf.fingerprint, shelf.server) == (self.fingerprint, self.server)

    def fits_lexical(self, shelf: IndexManifest) -> bool:
        """Say whether a lexical half was made with today's words."""
        return shelf.words == VERSION

    def open_dense(self, kb: KbId, name: str, seal: Seal = Seal.INTACT) -> ChromaIndex:
        """Open a dense half; one without its seal only when a child process survives it."""
        if self.server:
            return ChromaIndex.on_server(self.server, f"desktop-rag-{name}")
        folder = self.shelves.folder(kb, name)
        if seal is not Seal.INTACT:
            if not chroma_files.are_graph_files_whole(folder):
                raise StoreDamaged("The vector index was cut short.", "It can be rebuilt.")
            if not chroma_files.opens_in_child(folder, self._dimensions(kb)):
                raise StoreDamaged("The vector index crashes its reader.", "It can be rebuilt.")
        return ChromaIndex.in_folder(folder)

    def _dimensions(self, kb: KbId) -> int:
        """Return how long a knowledge base's vectors are: another model's have another length."""
        row = next(self.catalog.embeddings.of_chunks(kb, self.fingerprint), None)
        return self.dimensions if row is None else len(row[2])

    def open_lexical(self, kb: KbId, name: str) -> Bm25Index:
        """Open a lexical half."""
        return Bm25Index(self.shelves.folder(kb, name))

    def build(
        self, kb: KbId, check: Check | None
    ) -> tuple[IndexManifest, ChromaIndex | None, Bm25Index]:
        """Make what a knowledge base needs of both halves; return their shelf too.

        What `check`, called for every vector, raises ends it: this is what takes long. Where they
        cannot be written, or it is ended, what was begun goes again.
        """
        with ExitStack() as undo:
            undo.callback(self.shelves.sweep, kb)
            try:
                dense_name, dense = "", None
                if self.asks_chroma(kb):
                    dense_name = fresh_name("dense")
                    dense = self.build_dense(kb, dense_name, check)
                    undo.callback(dense.close)
                lexical_name, lexical = self.build_lexical(kb, check)
            except StoreDamaged as error:
                raise self.shelves.unwritable(kb) from error
            undo.pop_all()
        return self.shelf(dense_name, lexical_name), dense, lexical

    def build_dense(self, kb: KbId, name: str, check: Check | None) -> ChromaIndex:
        """Make a dense half of the catalog's vectors, under a fresh name."""
        store = self.open_dense(kb, name)
        try:
            rows = self.vectors(kb)
            store.add(_checked(rows, check), is_new=True)
        except BaseException:
            store.close()
            raise
        return store

    def bring_up_to_date(self, kb: KbId, store: ChromaIndex) -> None:
        """Compare a dense half with the catalog by every id; add and take out what differs."""
        held, wanted = store.ids(), set(self.catalog.embeddings.ids(kb, self.fingerprint))
        store.delete(list(held - wanted))
        store.add(self.vectors(kb, list(wanted - held)))

    def build_lexical(self, kb: KbId, check: Check | None = None) -> tuple[str, Bm25Index]:
        """Make a lexical half of the catalog's texts; return its name too."""
        name = fresh_name("lexical")
        store = self.open_lexical(kb, name)
        store.apply((), _checked(self.catalog.documents.texts(kb), check))
        return name, store

    def vectors(self, kb: KbId, ids: Sequence[ChunkId] | None = None) -> Rows:
        """Return the catalog's rows for the dense half, of all chunks or of some."""
        return self.catalog.embeddings.of_chunks(kb, self.fingerprint, ids)

    def blocks(self, kb: KbId, ids: Sequence[ChunkId] | None = None) -> Iterator[VectorBlock]:
        """Return the catalog's vectors in blocks, of all chunks or of some."""
        return self.catalog.embeddings.blocks(kb, self.fingerprint, ids)

    def lacking(self, kb: KbId) -> str:
        """Return whether chunks wait for a vector of this model, as a sentence."""
        if self.catalog.embeddings.missing(kb, self.fingerprint, 1):
            return "Some chunks have no vector of the embedding model in use."
        return ""

    def wrong_dense(self, kb: KbId, store: ChromaIndex, *, thorough: bool) -> str:
        """Return what a dense half lacks against the catalog, empty when nothing.

        `thorough` compares every id; the count alone would do after a clean end.
        """
        wanted = self.catalog.embeddings.ids(kb, self.fingerprint)
        if store.count() != len(wanted):
            return Phrase("The vector index holds {0} of {1} chunks.", store.count(), len(wanted))
        if thorough and store.ids() != set(wanted):
            return "The vector index holds other chunks than the catalog."
        sample = _spread(wanted, _LARGE_SAMPLE if thorough else _SAMPLE)
        if store.reach(self.vectors(kb, sample)) < _REACHED:
            return "The vector index does not find chunks that it holds."
        return ""

    def wrong_lexical(self, kb: KbId, store: Bm25Index, *, thorough: bool) -> str:
        """Return what a lexical half lacks against the catalog, empty when nothing."""
        wanted = self.catalog.documents.ids(kb)
        if store.count() != len(wanted):
            return Phrase("The word index holds {0} of {1} chunks.", store.count(), len(wanted))
        if thorough and store.ids() != set(wanted):
            return "The word index holds other chunks than the catalog."
        store.search("word", 1)
        return ""


def _checked(rows: Iterable[Row], check: Check | None) -> Iterator[Row]:
    for row in rows:
        if check is not None:
            check()
        yield row


def _spread(ids: Sequence[ChunkId], count: int) -> list[ChunkId]:
    """Return up to `count` ids, evenly spread."""
    return list(ids[:: max(1, len(ids) // count)])[:count]
