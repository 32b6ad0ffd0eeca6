"""Looking at what was derived: documents, their texts, passages, entities and what joins them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from desktop_rag.commands.dispatch import perform
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.derived_events import (
    DerivedDocument,
    DerivedOutline,
    EntityNeighbourhood,
    EntityRow,
    SourcePassage,
)
from desktop_rag.core.errors import UsageError, UserError
from desktop_rag.core.events import Event
from desktop_rag.core.requests import DerivedRequest, PrepareRequest
from desktop_rag.ipc.wire import pack
from testing.narrowing import narrow
from testing.ollama_double import OllamaDouble
from tests.indexing.indexed_folder import KB, IndexedFolder

GRAPH = "entity_graph"
HALDEN = "The Halden lighthouse was designed by Marta Ekeland in 1880. Boats pass it at night.\n"
EKELAND = "Marta Ekeland was born in Bergen, where the Halden Society printed her letters.\n"


@pytest.fixture
def shelf(library: IndexedFolder) -> IndexedFolder:
    """Two documents that share a name."""
    library.write("halden.md", f"# Lights\n\n{HALDEN}")
    library.write("ekeland.md", f"# Childhood\n\n{EKELAND}")
    library.index()
    return library


def prepare(shelf: IndexedFolder, way: str, model: str = "") -> None:
    request = PrepareRequest(KB, way, model=model)
    list(perform(shelf.workspace, request, CancelToken()))


def shown(shelf: IndexedFolder, action: str, way: str = GRAPH, **more: Any) -> list[Event]:
    request = DerivedRequest(KB, way, action, **more)
    return list(perform(shelf.workspace, request, CancelToken()))


def test_documents_texts_and_passages_are_shown_one_after_the_other(shelf: IndexedFolder) -> None:
    prepare(shelf, "propositions")
    documents = shown(shelf, "documents", "propositions")
    titles = [narrow(each, DerivedDocument).title for each in documents]
    assert titles == ["Lights"]
    first = narrow(documents[0], DerivedDocument)
    (found,) = shown(shelf, "outline", "propositions", document=first.document_id)
    outline = narrow(found, DerivedOutline)
    assert len(outline.texts) == len(outline.tops) == first.texts
    passages = shown(shelf, "passages", "propositions", chunks=outline.texts[0].sources)
    passage = narrow(passages[0], SourcePassage)
    assert "Marta Ekeland" in passage.text
    assert passage.path.endswith("halden.md")
    assert passage.as_json()["event"] == "derived_passage"
    assert outline.as_json()["texts"][0]["sources"] == [passage.chunk_id]


def test_entities_come_by_how_much_they_are_joined_and_by_their_names(
    shelf: IndexedFolder,
) -> None:
    prepare(shelf, GRAPH)
    first = narrow(shown(shelf, "entities")[0], EntityRow)
    assert (first.name, first.chunks) == ("Marta Ekeland", 2)
    named = [narrow(each, EntityRow).name for each in shown(shelf, "entities", name="hald")]
    assert sorted(named) == ["Halden", "Halden Society"]
    assert len(shown(shelf, "entities", most=1)) == 1
    assert shown(shelf, "entities", name="zeppelin") == []


def test_a_neighbour_comes_once_with_all_passages(shelf: IndexedFolder) -> None:
    prepare(shelf, GRAPH)
    (found,) = shown(shelf, "neighbourhood", name="marta ekeland")
    around = narrow(found, EntityNeighbourhood)
    assert around.name == "Marta Ekeland"
    names = [each.name for each in around.neighbours]
    assert len(names) == len(set(names))
    assert "Bergen" in names
    halden = next(each for each in around.neighbours if each.name == "Halden")
    passages = shown(shelf, "passages", chunks=halden.chunks)
    assert [narrow(each, SourcePassage).title for each in passages] == ["Lights"]
    assert found.as_json()["neighbours"][0].keys() >= {"name", "by", "weight", "chunks", "triples"}
    (alone,) = shown(shelf, "neighbourhood", name="zeppelin")
    assert narrow(alone, EntityNeighbourhood).neighbours == ()


def test_a_triple_of_a_model_joins_two_entities_in_its_words(
    modelled: IndexedFolder, double: OllamaDouble
) -> None:
    modelled.write("halden.md", f"# Lights\n\n{HALDEN}")
    modelled.index()
    triple = {"subject": "Marta Ekeland", "relation": "designed", "object": "Halden lighthouse"}
    double.otherwise = json.dumps({"triples": [triple]})
    prepare(modelled, GRAPH, "llama3.2:3b")
    (found,) = shown(modelled, "neighbourhood", name="Marta Ekeland")
    joined = narrow(found, EntityNeighbourhood).neighbours[0]
    assert (joined.name, joined.by) == ("Halden lighthouse", "relation")
    assert joined.triples == ("Marta Ekeland designed Halden lighthouse",)
    assert joined.chunks


def test_passages_of_other_knowledge_bases_are_not_shown(shelf: IndexedFolder) -> None:
    prepare(shelf, "propositions")
    first = narrow(shown(shelf, "documents", "propositions")[0], DerivedDocument)
    shelf.workspace.catalog.kbs.create("other")
    for action in ("outline", "passages"):
        request = DerivedRequest(
            "other", "propositions", action, first.document_id, tuple(range(1, 50))
        )
        found = list(perform(shelf.workspace, request, CancelToken()))
        assert all(narrow(each, DerivedOutline).texts == () for each in found)


def test_what_is_not_there_is_refused_in_words(shelf: IndexedFolder) -> None:
    with pytest.raises(UserError):
        shown(shelf, "documents", "nothing")
    with pytest.raises(UsageError):
        shown(shelf, "colours")
    with pytest.raises(UserError):
        list(perform(shelf.workspace, DerivedRequest("x", GRAPH, "documents"), CancelToken()))


def test_all_that_is_shown_can_cross_the_socket(shelf: IndexedFolder) -> None:
    prepare(shelf, GRAPH)
    first = narrow(shown(shelf, "documents")[0], DerivedDocument)
    outline = narrow(shown(shelf, "outline", document=first.document_id)[0], DerivedOutline)
    told = [
        *shown(shelf, "documents"),
        outline,
        *shown(shelf, "passages", chunks=outline.texts[0].sources),
        *shown(shelf, "entities"),
        *shown(shelf, "neighbourhood", name="Marta Ekeland"),
    ]
    sent = [json.loads(pack({"line": each.as_json()})) for each in told]
    assert {each["line"]["event"] for each in sent} == {
        "derived_document",
        "derived_outline",
        "derived_passage",
        "entity",
        "entity_neighbourhood",
    }
