"""What was derived from documents for a way, read piece by piece for whoever looks at it.

Whatever comes says what it was asked for: it may come late, when something else is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.derived_events import (
    DerivedDocument,
    DerivedOutline,
    EntityNeighbourhood,
    EntityRow,
    SourcePassage,
)
from desktop_rag.core.errors import UserError
from desktop_rag.core.events import Event
from desktop_rag.core.requests import DerivedRequest
from desktop_rag.core.sanitize import sanitize_text
from desktop_rag.core.types import ChunkId, DocumentId
from desktop_rag.gui.controllers.data_folder import DataFolder
from desktop_rag.gui.controllers.document_tree import DocumentTree, document_tree
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.open_document import OpenDocument

T = TypeVar("T")
_SUMMARIES = "summaries"
_NUMBER = re.compile(r" ?\[\d{1,3}\]")  # of a source, which is cited only in an answer


@dataclass(frozen=True, slots=True)
class PreparedWay:
    """A knowledge base and the way that it is prepared for: what is looked at."""

    kb: str
    way: str


@dataclass(frozen=True, slots=True)
class DerivedDocuments:
    """The documents that something was derived from for a way."""

    of: PreparedWay
    documents: tuple[DerivedDocument, ...]


@dataclass(frozen=True, slots=True)
class DocumentOutline:
    """What was derived from one document for a way, and the tree that it makes."""

    of: PreparedWay
    outline: DerivedOutline
    tree: DocumentTree


@dataclass(frozen=True, slots=True)
class SourcePassages:
    """The passages of `chunks`, as far as they are there, in their documents' order."""

    of: PreparedWay
    chunks: tuple[ChunkId, ...]
    passages: tuple[SourcePassage, ...]


@dataclass(frozen=True, slots=True)
class FoundEntities:
    """The most connected entities whose names hold `text`."""

    of: PreparedWay
    text: str
    entities: tuple[EntityRow, ...]


@dataclass(frozen=True, slots=True)
class FoundNeighbourhood:
    """What stands around the entity that was asked for as `name`."""

    of: PreparedWay
    name: str
    around: EntityNeighbourhood


@dataclass(frozen=True, slots=True)
class PreparedSummary:
    """What was written of a document beforehand; empty where nothing was."""

    document_id: DocumentId
    text: str


@dataclass(frozen=True, slots=True)
class DerivedProblem:
    """What went wrong while something was read."""

    of: PreparedWay
    error: UserError


class DerivedTextController(QObject):
    """Reads what was derived from the documents of a knowledge base for a way.

    `documents_came` carries `DerivedDocuments`, `outline_came` a `DocumentOutline`, `passages_came`
    `SourcePassages`, `entities_came` `FoundEntities`, `neighbourhood_came` a `FoundNeighbourhood`,
    `summary_came` a `PreparedSummary`, `complained` a `DerivedProblem`. What is asked for a second
    time takes the place of the first but for passages.
    """

    documents_came = Signal(object)
    outline_came = Signal(object)
    passages_came = Signal(object)
    entities_came = Signal(object)
    neighbourhood_came = Signal(object)
    summary_came = Signal(object)
    complained = Signal(object)

    def __init__(self, jobs: Jobs, folder: DataFolder, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._folder = folder
        self._running: dict[str, Job] = {}

    def want_documents(self, of: PreparedWay) -> None:
        """Ask which documents there is something to see of."""
        reading = self._reading(of, DerivedRequest(of.kb, of.way, "documents"), _documents)
        self._start("documents", reading.on_success(self.documents_came), Lane.READ)

    def want_outline(self, of: PreparedWay, document_id: DocumentId) -> None:
        """Ask for what was derived from a document."""
        request = DerivedRequest(of.kb, of.way, "outline", document_id)
        reading = self._reading(of, request, _outline)
        self._start("outline", reading.on_success(self.outline_came), Lane.READ)

    def want_passages(self, of: PreparedWay, chunks: Sequence[ChunkId]) -> None:
        """Ask for the texts of chunks."""
        request = DerivedRequest(of.kb, of.way, "passages", chunks=tuple(chunks), most=len(chunks))
        reading = self._reading(of, request, _passages)
        reading.on_success(self.passages_came).start(self._jobs, Lane.READ)

    def want_entities(self, of: PreparedWay, text: str, most: int) -> None:
        """Ask for entities whose names hold a text."""
        request = DerivedRequest(of.kb, of.way, "entities", name=text, most=most)
        reading = self._reading(of, request, _entities)
        self._start("entities", reading.on_success(self.entities_came), Lane.TRY)

    def want_neighbourhood(self, of: PreparedWay, name: str, most: int) -> None:
        """Ask what stands around an entity."""
        request = DerivedRequest(of.kb, of.way, "neighbourhood", name=name, most=most)
        reading = self._reading(of, request, _neighbourhood)
        self._start("neighbourhood", reading.on_success(self.neighbourhood_came), Lane.TRY)

    def want_summary(self, document_id: DocumentId) -> None:
        """Ask for the summary of a document that was written beforehand."""
        reading = Operation(partial(_summary, self._folder, document_id))
        self._start("summary", reading.on_success(self.summary_came), Lane.READ)

    def _reading(
        self,
        of: PreparedWay,
        request: DerivedRequest,
        shape: Callable[[PreparedWay, DerivedRequest, Iterable[Event]], T],
    ) -> Operation[T]:
        reading = Operation(partial(_read, self._folder, of, request, shape))
        return reading.on_user_error(partial(self._complain, of))

    def _start(self, what: str, reading: Operation[T], lane: Lane) -> None:
        before = self._running.pop(what, None)
        reading.on_end(partial(self._end, what))
        self._running[what] = reading.start(self._jobs, lane, instead_of=before)

    def _end(self, what: str) -> None:
        self._running.pop(what, None)

    def _complain(self, of: PreparedWay, error: UserError) -> None:
        self.complained.emit(DerivedProblem(of, error))


def document_of_source(passage: SourcePassage) -> OpenDocument:
    """Return a chunk's document with the mark of it."""
    return OpenDocument(
        passage.path,
        passage.title,
        passage.document_id,
        (passage.place,),
        texts=(passage.text,),
    )


def _read(
    folder: DataFolder,
    of: PreparedWay,
    request: DerivedRequest,
    shape: Callable[[PreparedWay, DerivedRequest, Iterable[Event]], T],
    token: CancelToken,
) -> T:
    from desktop_rag.commands.dispatch import perform

    return shape(of, request, perform(folder.get(token), request, token))


def _summary(folder: DataFolder, document_id: DocumentId, token: CancelToken) -> PreparedSummary:
    texts = folder.get(token).catalog.preparations.texts_of(document_id, _SUMMARIES)
    said = _NUMBER.sub("", texts[0].text) if texts else ""
    return PreparedSummary(document_id, sanitize_text(said).strip())


def _documents(of: PreparedWay, _: DerivedRequest, events: Iterable[Event]) -> DerivedDocuments:
    found = tuple(each for each in events if isinstance(each, DerivedDocument))
    return DerivedDocuments(of, found)


def _outline(of: PreparedWay, asked: DerivedRequest, events: Iterable[Event]) -> DocumentOutline:
    nothing = DerivedOutline(DocumentId(asked.document), of.way, (), ())
    found = (each for each in events if isinstance(each, DerivedOutline))
    outline = next(found, nothing)
    return DocumentOutline(of, outline, document_tree(outline))


def _passages(of: PreparedWay, asked: DerivedRequest, events: Iterable[Event]) -> SourcePassages:
    found = tuple(each for each in events if isinstance(each, SourcePassage))
    return SourcePassages(of, tuple(map(ChunkId, asked.chunks)), found)


def _entities(of: PreparedWay, asked: DerivedRequest, events: Iterable[Event]) -> FoundEntities:
    found = tuple(each for each in events if isinstance(each, EntityRow))
    return FoundEntities(of, asked.name, found)


def _neighbourhood(
    of: PreparedWay, asked: DerivedRequest, events: Iterable[Event]
) -> FoundNeighbourhood:
    found = (each for each in events if isinstance(each, EntityNeighbourhood))
    return FoundNeighbourhood(of, asked.name, next(found, EntityNeighbourhood(asked.name, (), ())))
