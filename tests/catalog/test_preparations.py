"""What is derived from documents: stored step by step, found again, gone with its document."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import NewDerivedText, PendingDocument, PreparedStep
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from tests.catalog.stored_documents import DIMENSIONS, MODEL, bytes_hold, many, put, vector

WAY, RECIPE = "hypothetical_questions", "hypothetical_questions:1:"
SECRET = "what does the zanzibar ledger say"


@pytest.fixture
def document_id(catalog: Catalog, kb: KbId) -> DocumentId:
    return put(catalog, kb, "/d/a", many("a", 4))


def texts(catalog: Catalog, document_id: DocumentId, *said: str) -> list[NewDerivedText]:
    """Derived texts, each made of the chunk at its place."""
    chunks = catalog.documents.chunks(document_id)
    return [
        NewDerivedText(text, (chunk.chunk_id,)) for text, chunk in zip(said, chunks, strict=False)
    ]


def vectors(*said: str) -> np.ndarray:
    return np.array([vector(each) for each in said], np.float16).reshape(-1, DIMENSIONS)


def store(
    catalog: Catalog, document_id: DocumentId, *said: str, begin: int = 0, is_done: bool = True
) -> list[int] | None:
    step = PreparedStep(document_id, WAY, RECIPE, begin, begin + len(said), is_done)
    made = catalog.preparations.store(
        step, texts(catalog, document_id, *said), vectors(*said), MODEL
    )
    return None if made is None else [int(each) for each in made]


def rows(catalog: Catalog, table: str) -> int:
    found = catalog.database.read().execute(f"SELECT count(*) FROM {table}")
    return int(found.fetchone()[0])


def test_a_document_waits_until_all_of_it_is_prepared(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    prepared = catalog.preparations
    prepared.request(kb, WAY)
    assert prepared.pending(kb, WAY, RECIPE) == [PendingDocument(document_id, "A title", 4)]
    store(catalog, document_id, "one?", "two?", is_done=False)
    assert prepared.pending(kb, WAY, RECIPE) == [PendingDocument(document_id, "A title", 4, 2)]
    assert prepared.coverage([kb], WAY) == (0, 1)
    store(catalog, document_id, "three?", begin=2)
    assert prepared.pending(kb, WAY, RECIPE) == []
    assert prepared.coverage([kb], WAY) == (1, 1)
    state = prepared.state(kb, WAY, RECIPE)
    assert (state.documents, state.done, state.texts, state.chunks) == (1, 1, 3, 0)


def test_what_is_stored_leads_to_its_chunks_and_children(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    catalog.preparations.request(kb, "raptor")
    chunks = [each.chunk_id for each in catalog.documents.chunks(document_id)]
    leaves = [NewDerivedText(f"summary {n}", (chunks[n], chunks[n + 1]), 1) for n in (0, 2)]
    step = PreparedStep(document_id, "raptor", "raptor:1:", 0, 1, is_done=False)
    made = catalog.preparations.store(step, leaves, None, MODEL)
    assert made is not None
    top = NewDerivedText("all of it", tuple(chunks), 2, tuple(made))
    last = PreparedStep(document_id, "raptor", "raptor:1:", 1, 2, is_done=True)
    catalog.preparations.store(last, [top], None, MODEL)
    found = catalog.preparations.texts_of(document_id, "raptor")
    assert [each.level for each in found] == [1, 1, 2]
    assert found[2].sources == tuple(chunks)
    assert found[2].children == tuple(made)
    assert found[0].sources == tuple(chunks[:2])


def test_a_step_that_another_run_has_done_is_not_stored_twice(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    catalog.preparations.request(kb, WAY)
    assert store(catalog, document_id, "one?", is_done=False)
    assert store(catalog, document_id, "one?", is_done=False) is None
    assert rows(catalog, "derived_texts") == 1


def test_another_recipe_takes_the_place_of_what_was_derived(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    catalog.preparations.request(kb, WAY)
    store(catalog, document_id, "old?")
    assert catalog.preparations.pending(kb, WAY, "newer")
    step = PreparedStep(document_id, WAY, "newer", 0, 1, is_done=True)
    catalog.preparations.store(step, texts(catalog, document_id, "new?"), vectors("new?"), MODEL)
    assert [each.text for each in catalog.preparations.texts_of(document_id, WAY)] == ["new?"]


def test_nothing_is_stored_that_nobody_asks_for(catalog: Catalog, document_id: DocumentId) -> None:
    assert store(catalog, document_id, "one?") is None
    assert rows(catalog, "prepared_documents") == 0


def test_with_its_document_everything_goes_that_was_derived_from_it(
    catalog: Catalog, kb: KbId, document_id: DocumentId, home: Path
) -> None:
    catalog.preparations.request(kb, WAY)
    store(catalog, document_id, SECRET)
    assert bytes_hold(home, SECRET)
    catalog.files.remove(kb, ["/d/a"])
    for table in ("derived_texts", "derived_sources", "derived_vectors", "prepared_documents"):
        assert rows(catalog, table) == 0, table
    assert bytes_hold(home, SECRET) == []


def test_a_document_in_two_bases_is_prepared_once_and_kept_for_the_one_that_asks(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    other = catalog.kbs.ensure("other").id
    assert put(catalog, other, "/e/a", many("a", 4)) == document_id
    catalog.preparations.request(kb, WAY)
    catalog.preparations.request(other, WAY)
    store(catalog, document_id, "one?")
    assert catalog.preparations.pending(other, WAY, RECIPE) == []
    catalog.preparations.remove(kb, WAY)
    assert rows(catalog, "derived_texts") == 1, "the other one still asks for it"
    catalog.kbs.delete("other")
    assert rows(catalog, "derived_texts") == 0
    assert catalog.documents.chunk_count(document_id) == 4, "the document stays"


def test_vectors_of_another_model_are_missing_until_they_are_made(
    catalog: Catalog, kb: KbId, document_id: DocumentId
) -> None:
    prepared = catalog.preparations
    prepared.request(kb, WAY)
    made = store(catalog, document_id, "one?", "two?")
    assert made is not None
    assert prepared.without_vector(kb, WAY, MODEL) == {}
    missing = prepared.without_vector(kb, WAY, "model-2")
    assert list(missing.values()) == ["one?", "two?"]
    before = prepared.revision(kb, WAY, "model-2")
    prepared.add_vectors(dict.fromkeys(missing, vectors("x")[0]), "model-2")
    assert prepared.without_vector(kb, WAY, "model-2") == {}
    assert prepared.revision(kb, WAY, "model-2") != before
    ((ids, owners, matrix),) = prepared.vectors(kb, WAY, MODEL)
    assert ids.tolist() == made
    assert set(owners.tolist()) == {document_id}
    assert matrix.shape == (2, DIMENSIONS)


def test_pausing_and_asking_again(catalog: Catalog, kb: KbId) -> None:
    prepared = catalog.preparations
    prepared.request(kb, WAY, "llama3")
    prepared.pause(kb, WAY)
    found = prepared.find(kb, WAY)
    assert found is not None
    assert (found.model, found.is_paused) == ("llama3", True)
    prepared.request(kb, WAY, found.model)
    assert [each.is_paused for each in prepared.all()] == [False]
    assert prepared.find(kb, "raptor") is None


def test_a_source_that_is_gone_is_none(catalog: Catalog) -> None:
    assert catalog.preparations.get([]) == {}
    assert catalog.preparations.texts_of(DocumentId(99), WAY) == []
    assert catalog.preparations.position(DocumentId(99), WAY, RECIPE) == 0
    assert catalog.documents.get_chunks([ChunkId(99)]) == {}
