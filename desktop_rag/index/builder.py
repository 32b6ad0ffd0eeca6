"""Making and comparing the word index of a knowledge base, and which model's vectors it goes by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.errors import StoreDamaged
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.index import tokenizer
from desktop_rag.index.bm25 import Bm25Index
from desktop_rag.index.manifest import IndexFolder, IndexManifest, fresh_name
from desktop_rag.index.problems import IndexProblem, IndexProblemCode

Check = Callable[[], None]
Row = TypeVar("Row")
Usable = Callable[[str], bool]
"""Says of a model, by its fingerprint, whether a question can be embedded by it."""


@dataclass(eq=False, slots=True)
class OpenIndexes:
    """A knowledge base's opened word index, and what is written down of it."""

    manifest: IndexManifest
    bm25: Bm25Index


@dataclass(frozen=True, slots=True)
class IndexBuilder:
    """Makes and checks one knowledge base's word index; `fingerprint` is the model it goes by."""

    kb: KbId
    catalog: Catalog
    folder: IndexFolder
    fingerprint: str

    def until_complete(self, manifest: IndexManifest, is_usable: Usable) -> IndexBuilder:
        """Return what goes with a manifest: with another model's as long as vectors of ours lack.

        The model before answers until then, if it can be used now: at another start it could not
        be, perhaps, and part of ours was searched.
        """
        for model in (manifest.fingerprint, manifest.before):
            if model not in ("", self.fingerprint) and self.lacking() and is_usable(model):
                return replace(self, fingerprint=model)
        return self

    def build(self, check: Check | None) -> OpenIndexes:
        """Make the word index anew.

        What `check`, called for every chunk, raises ends it. Where it cannot be written, or is
        ended, what was begun goes again.
        """
        try:
            name, bm25 = self.build_lexical(check)
        except StoreDamaged as error:
            self.folder.sweep()
            raise self.folder.unwritable() from error
        except BaseException:
            self.folder.sweep()
            raise
        return OpenIndexes(IndexManifest(name, self.fingerprint, tokenizer.VERSION), bm25)

    def build_lexical(self, check: Check | None = None) -> tuple[str, Bm25Index]:
        """Make a BM25 index of the catalog's texts; return its name too."""
        name = fresh_name("lexical")
        made = Bm25Index(self.folder.index(name))
        made.apply((), checked(self.catalog.documents.texts(self.kb), check))
        return name, made

    def tell(
        self, opened: OpenIndexes, removed: Sequence[ChunkId], added: Sequence[ChunkId]
    ) -> None:
        """Take chunks out and put others in; harmless if again."""
        opened.bm25.apply([*removed, *added], self.catalog.documents.texts(self.kb, added))

    def lacking(self) -> IndexProblem | None:
        """Return whether chunks wait for a vector of this model."""
        if self.catalog.embeddings.missing(self.kb, self.fingerprint, 1):
            return IndexProblem(IndexProblemCode.UNEMBEDDED)
        return None

    def problem(self, opened: OpenIndexes, *, thorough: bool) -> IndexProblem | None:
        """Return what the word index lacks against the catalog.

        `thorough` compares every id; the count alone would do after a clean end.
        """
        documents, bm25 = self.catalog.documents, opened.bm25
        wanted = documents.count_chunks(self.kb)
        try:
            if (held := bm25.count()) != wanted:
                return IndexProblem(IndexProblemCode.WORDS_INCOMPLETE, held, wanted)
            if thorough and bm25.ids() != set(documents.chunk_ids(self.kb)):
                return IndexProblem(IndexProblemCode.WORDS_DIFFER)
            bm25.search("word", 1)
        except StoreDamaged as error:
            return IndexProblem(IndexProblemCode.DAMAGED, detail=error.what)
        return None


def checked(rows: Iterable[Row], check: Check | None) -> Iterator[Row]:
    """Yield rows; `check` is called before each, and may raise."""
    for row in rows:
        if check is not None:
            check()
        yield row
