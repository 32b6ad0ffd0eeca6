"""Shows what was derived from documents for a way: texts, passages, and what joins entities."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import DerivedText, KnowledgeBase, PreparedDocument
from desktop_rag.core.derived_events import (
    DerivedDocument,
    DerivedOutline,
    EntityNeighbour,
    EntityNeighbourhood,
    EntityRow,
    SourcePassage,
)
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import DerivedRequest
from desktop_rag.core.types import ChunkId, DerivedId, DocumentId
from desktop_rag.preparation.registry import find, recipe
from desktop_rag.retrieval.entity_graph import EntityGraph
from desktop_rag.workspace import Workspace

_WAYS_JOINED = 3  # by triples, as synonyms, by passages


def run(workspace: Workspace, request: DerivedRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what is asked for."""
    kb, way = workspace.catalog.kbs.get(request.kb), find(request.way).name
    if request.action == "documents":
        yield from _documents(workspace, kb, way)
    elif request.action == "outline":
        yield _outline(workspace, kb, request)
    elif request.action == "passages":
        yield from _passages(workspace, kb, request)
    elif request.action == "entities":
        for name, chunks in _graph(workspace, kb, way).most_connected(request.name, request.most):
            yield EntityRow(name, chunks)
    elif request.action == "neighbourhood":
        around = _neighbourhood(_graph(workspace, kb, way), request)
        token.check()
        yield around
    else:
        raise UsageError(Phrase("Of derived texts no {0} can be shown.", repr(request.action)), "")


def _documents(workspace: Workspace, kb: KnowledgeBase, way: str) -> Iterator[DerivedDocument]:
    catalog = workspace.catalog
    known = catalog.preparations.find(kb.id, way)
    if known is None:
        return
    now = recipe(find(way), known.model)
    found = catalog.preparations.documents(kb.id, way)
    paths = catalog.documents.paths([each.document_id for each in found], [kb.id])
    for each in found:
        model = known.model if each.recipe == now else None
        yield _document(each, paths.get(each.document_id, ("",))[0], model)


def _document(found: PreparedDocument, path: str, model: str | None) -> DerivedDocument:
    title = found.title or Path(path).name
    return DerivedDocument(found.document_id, title, path, found.texts, model)


def _outline(workspace: Workspace, kb: KnowledgeBase, request: DerivedRequest) -> DerivedOutline:
    document_id, catalog = DocumentId(request.document), workspace.catalog
    is_here = bool(catalog.documents.paths([document_id], [kb.id]))
    found = catalog.preparations.texts_of(document_id, request.way) if is_here else []
    texts = {each.derived_id: each for each in found}
    below = {child for each in found for child in each.children}

    def order(number: DerivedId) -> tuple[int, int]:
        """Order the highest first, those of a level as the document has them."""
        return -texts[number].level, _first(texts[number])

    tops = sorted((each for each in texts if each not in below), key=order)
    return DerivedOutline(document_id, request.way, tuple(found), tuple(tops))


def _first(text: DerivedText) -> int:
    return min(text.sources, default=0)


def _passages(
    workspace: Workspace, kb: KnowledgeBase, request: DerivedRequest
) -> Iterator[SourcePassage]:
    """Yield chunks of documents of the knowledge base, document by document, in their order."""
    catalog = workspace.catalog
    wanted = [ChunkId(each) for each in request.chunks[: request.most]]
    chunks = catalog.documents.get_chunks(wanted).values()
    paths = catalog.documents.paths({each.document_id for each in chunks}, [kb.id])
    here = [each for each in chunks if each.document_id in paths]
    for each in sorted(here, key=lambda chunk: (chunk.document_id, chunk.ordinal)):
        path = paths[each.document_id][0]
        title = each.title or Path(path).name
        where = each.document_id, title, path
        yield SourcePassage(each.chunk_id, each.text, each.locator, *where)


def _graph(workspace: Workspace, kb: KnowledgeBase, way: str) -> EntityGraph:
    return workspace.retriever.entity_graph(kb.id, way)


def _neighbourhood(graph: EntityGraph, request: DerivedRequest) -> EntityNeighbourhood:
    """Return an entity with up to `most` others, each once; alone where it is not known."""
    found = graph.neighbourhood(request.name, _WAYS_JOINED * request.most)
    if found is None:
        return EntityNeighbourhood(request.name, (), ())
    joined: dict[str, EntityNeighbour] = {}
    for each in found.neighbours:
        known = joined.get(each.name)
        joined[each.name] = each if known is None else _joined(known, each)
    return EntityNeighbourhood(found.name, found.chunks, tuple(joined.values())[: request.most])


def _joined(one: EntityNeighbour, other: EntityNeighbour) -> EntityNeighbour:
    """Return a neighbour with the chunks of another edge to it; it stays what it was by."""
    chunks = tuple(dict.fromkeys([*one.chunks, *other.chunks]))
    return EntityNeighbour(one.name, one.by, one.weight, chunks, one.triples)
