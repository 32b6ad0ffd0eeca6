"""What is told of derived texts to whoever looks at them; see `DerivedRequest`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.events import Event
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId, Locator


@dataclass(frozen=True, slots=True)
class DerivedDocument(Event):
    """A document that `texts` texts were derived from.

    `model` is the language model that it was prepared with, empty for none, and None where it was
    prepared otherwise than the knowledge base would be now.
    """

    event = "derived_document"
    document_id: DocumentId
    title: str
    path: str
    texts: int
    model: str | None


@dataclass(frozen=True, slots=True)
class DerivedOutline(Event):
    """All texts that were derived from a document for a way, the lowest level first.

    `tops` are those that no other one stands over, the highest first.
    """

    event = "derived_outline"
    document_id: DocumentId
    way: str
    texts: tuple[DerivedText, ...]
    tops: tuple[DerivedId, ...]

    def as_json(self) -> dict[str, Any]:
        """Return each text with the numbers of its chunks and children."""
        texts = [
            {
                "derived_id": each.derived_id,
                "level": each.level,
                "text": each.text,
                "sources": list(each.sources),
                "children": list(each.children),
            }
            for each in self.texts
        ]
        head = {"event": self.event, "document_id": self.document_id, "way": self.way}
        return head | {"texts": texts, "tops": list(self.tops)}


@dataclass(frozen=True, slots=True)
class SourcePassage(Event):
    """A chunk that a text was derived from, in its document."""

    event = "derived_passage"
    chunk_id: ChunkId
    text: str
    place: Locator
    document_id: DocumentId
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class EntityRow(Event):
    """An entity of a knowledge base, and how many chunks name it."""

    event = "entity"
    name: str
    chunks: int


@dataclass(frozen=True, slots=True)
class EntityNeighbour:
    """An entity beside another one: how they are joined, how strongly, and by which chunks.

    `by` is `relation` (weight: triples, which `triples` are in words), `synonym` (a cosine) or
    `passage` (weight: chunks that name both).
    """

    name: str
    by: str
    weight: float
    chunks: tuple[ChunkId, ...]
    triples: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        return {
            "name": self.name,
            "by": self.by,
            "weight": round(self.weight, 4),
            "chunks": list(self.chunks),
            "triples": list(self.triples),
        }


@dataclass(frozen=True, slots=True)
class EntityNeighbourhood(Event):
    """An entity, the chunks that name it, and what is joined with it, the strongest first.

    An entity that is joined in several ways comes once for each; told by a request, once with all.
    """

    event = "entity_neighbourhood"
    name: str
    chunks: tuple[ChunkId, ...]
    neighbours: tuple[EntityNeighbour, ...]
