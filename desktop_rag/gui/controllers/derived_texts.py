"""What was derived from documents for a way, read piece by piece for whoever looks at it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import DerivedText, PreparedDocument
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId, Locator
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import OpenDocument


@dataclass(frozen=True, slots=True)
class DerivedDocument:
    """A document that `texts` texts were derived from.

    `model` is the language model that it was prepared with, empty for none, and None where it was
    prepared otherwise than the knowledge base would be now.
    """

    document_id: DocumentId
    title: str
    path: str
    texts: int
    model: str | None


@dataclass(frozen=True, slots=True)
class DerivedOutline:
    """All texts that were derived from a document, and which of them no other one stands over."""

    document_id: DocumentId
    texts: Mapping[DerivedId, DerivedText]
    tops: tuple[DerivedId, ...]


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A chunk that a text was derived from."""

    chunk_id: ChunkId
    text: str
    place: Locator


@dataclass(frozen=True, slots=True)
class SourcePassages:
    """The chunks that one text was derived from, in the document's order."""

    derived_id: DerivedId
    passages: tuple[SourcePassage, ...]


class DerivedTextController(QObject):
    """Reads what was derived from the documents of a knowledge base for a way.

    `documents_came` carries a tuple of `DerivedDocument`, `outline_came` a `DerivedOutline`,
    `passages_came` a `SourcePassages`, `complained` a `UserError`.
    """

    documents_came = Signal(object)
    outline_came = Signal(object)
    passages_came = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._outline: Job | None = None

    def want_documents(self, kb: str, way: str) -> None:
        """Ask which documents there is something to see of."""
        reading = Operation(partial(_documents, self._folder, kb, way))
        reading.on_success(self.documents_came).on_user_error(self.complained)
        reading.start(self._jobs, Lane.READ)

    def want_outline(self, document_id: DocumentId, way: str) -> None:
        """Ask for what was derived from a document, instead of the one asked for before."""
        reading = Operation(partial(_outline, self._folder, document_id, way))
        reading.on_end(self._end).on_success(self.outline_came).on_user_error(self.complained)
        self._outline = reading.start(self._jobs, Lane.READ, instead_of=self._outline)

    def want_passages(self, text: DerivedText) -> None:
        """Ask for the chunks that a text was derived from."""
        reading = Operation(partial(_passages, self._folder, text))
        reading.on_success(self.passages_came).on_user_error(self.complained)
        reading.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._outline = None


def document_of_source(document: DerivedDocument, passage: SourcePassage) -> OpenDocument:
    """Return a document with the mark of one of its chunks."""
    return OpenDocument(
        document.path,
        document.title,
        document.document_id,
        (passage.place,),
        texts=(passage.text,),
    )


def _documents(
    folder: DataFolder, kb: str, way: str, token: CancelToken
) -> tuple[DerivedDocument, ...]:
    from desktop_rag.preparation.registry import find, recipe

    catalog = folder.get(token).catalog
    number = catalog.kbs.get(kb).id
    known = catalog.preparations.find(number, way)
    if known is None:
        return ()
    model, now = known.model, recipe(find(way), known.model)
    found = catalog.preparations.documents(number, way)
    paths = catalog.documents.paths([each.document_id for each in found], [number])
    return tuple(
        _shown(each, paths.get(each.document_id, ("",))[0], model if each.recipe == now else None)
        for each in found
    )


def _shown(found: PreparedDocument, path: str, model: str | None) -> DerivedDocument:
    title = found.title or Path(path).name
    return DerivedDocument(found.document_id, title, path, found.texts, model)


def _outline(
    folder: DataFolder, document_id: DocumentId, way: str, token: CancelToken
) -> DerivedOutline:
    catalog = folder.get(token).catalog
    texts = {each.derived_id: each for each in catalog.preparations.texts_of(document_id, way)}
    below = {child for each in texts.values() for child in each.children}
    tops = sorted((each for each in texts if each not in below), key=partial(_order, texts))
    return DerivedOutline(document_id, texts, tuple(tops))


def _order(texts: Mapping[DerivedId, DerivedText], number: DerivedId) -> tuple[int, int]:
    """Order the highest first, those of a level as the document has them."""
    text = texts[number]
    return -text.level, min(text.sources, default=0)


def _passages(folder: DataFolder, text: DerivedText, token: CancelToken) -> SourcePassages:
    chunks = folder.get(token).catalog.documents.get_chunks(text.sources).values()
    in_order = sorted(chunks, key=lambda each: each.ordinal)
    return SourcePassages(
        text.derived_id,
        tuple(SourcePassage(each.chunk_id, each.text, each.locator) for each in in_order),
    )
