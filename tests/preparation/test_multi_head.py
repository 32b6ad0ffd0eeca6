"""Knowledge bases prepared with the vectors of the embedder's attention heads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import Preparation
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.paths import resources
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import DocumentId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationRun
from desktop_rag.retrieval.query import Query
from testing.indexed_texts import IndexedTexts
from tests.preparation.tree_setup import pages

WAY = "multi_head"
TIDES = "The tide in the harbour of Genoa rose by nine metres after the full moon."
BREAD = "The bakery lets its sourdough rest for thirty hours before the oven is heated."


def run_of(library: IndexedTexts, embedder: OnnxEmbedder | None = None) -> PreparationRun:
    library.catalog.preparations.request(library.kb, WAY)
    tools = PreparationTools(embedder or library.embedder, None, CancelToken())
    preparation = Preparation(library.kb, WAY)
    return PreparationRun(preparation, library.catalog, tools, RunCoordinator())


def prepare(library: IndexedTexts) -> None:
    list(run_of(library).run())


def stored(library: IndexedTexts, document: DocumentId) -> dict[int, np.ndarray]:
    """The vectors of a document's chunks, by the chunks."""
    catalog = library.catalog.preparations
    texts = catalog.texts_of(document, WAY)
    vectors = catalog.vectors_of([each.derived_id for each in texts], library.embedder.fingerprint)
    return {each.sources[0]: vectors[each.derived_id] for each in texts}


def expected(library: IndexedTexts, document: DocumentId) -> dict[int, np.ndarray]:
    chunks = library.catalog.documents.chunks(document)
    made = library.embedder.head_vectors([search_text(c.context, c.text) for c in chunks])
    return {c.chunk_id: row.astype(np.float16) for c, row in zip(chunks, made, strict=True)}


def same(one: dict[int, np.ndarray], other: dict[int, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all((one[at] == other[at]).all() for at in one)


def test_each_chunk_has_what_the_heads_saw_in_it(library: IndexedTexts) -> None:
    document = library.put("subjects.md", *pages(12), TIDES)
    prepare(library)
    assert same(stored(library, document), expected(library, document))
    state = run_of(library).state()
    assert (state.done, state.chunks) == (1, 0)


def test_a_run_that_is_stopped_is_gone_on_with(
    library: IndexedTexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.multi_head._BATCH", 3)
    document = library.put("subjects.md", *pages(30))
    next(run_of(library).run())
    assert len(stored(library, document)) == 3
    prepare(library)
    assert same(stored(library, document), expected(library, document))


def test_vectors_of_another_embedder_are_made_again_of_the_chunks(library: IndexedTexts) -> None:
    document = library.put("subjects.md", *pages(12))
    prepare(library)
    with library.catalog.database.write() as tx:
        tx.execute("UPDATE derived_vectors SET fingerprint = 'another'")
    assert stored_count(library) == 0
    prepare(library)
    assert same(stored(library, document), expected(library, document))


def stored_count(library: IndexedTexts) -> int:
    own = library.embedder.fingerprint
    return library.catalog.preparations.revision(library.kb, WAY, own)[0]


def test_votes_find_what_is_asked_for_and_lead_to_the_chunk(library: IndexedTexts) -> None:
    library.put("subjects.md", *pages(12), TIDES, BREAD)
    prepare(library)
    query = Query("How long does sourdough rest?", (library.kb,), 3, derived=WAY, by_heads=True)
    trace = library.retriever().followed(query)
    assert BREAD in trace.found.passages[0].text
    assert trace.found.derived == (), "what a head saw is no text to be shown"
    plain = library.search("How long does sourdough rest?")
    assert trace.found.evidence == pytest.approx(plain.evidence)


def test_an_embedder_that_does_not_tell_is_named_and_nothing_is_made(
    library: IndexedTexts,
) -> None:
    document = library.put("subjects.md", *pages(2))
    older = OnnxEmbedder(resources() / "models" / "all-minilm-l6-v2")
    with pytest.raises(ModelUnavailable, match=r"all-minilm-l6-v2.* attention heads"):
        list(run_of(library, older).run())
    assert library.catalog.preparations.texts_of(document, WAY) == []


def test_a_removed_document_takes_its_vectors_with_it(
    library: IndexedTexts, tmp_path: Path
) -> None:
    library.put(str(tmp_path / "subjects.md"), *pages(6))
    prepare(library)
    assert stored_count(library) > 0
    library.catalog.preparations.remove(library.kb, WAY)
    (left,) = library.catalog.database.read().execute("SELECT count(*) FROM derived_vectors")
    assert left == (0,)


def test_what_is_prepared_later_has_a_vote_too_and_what_was_let_go_has_none(
    library: IndexedTexts, tmp_path: Path
) -> None:
    first = str(tmp_path / "subjects.md")
    library.put(first, *pages(12), TIDES)
    prepare(library)
    retriever = library.retriever()
    query = Query("How long does sourdough rest?", (library.kb,), 3, derived=WAY, by_heads=True)
    retriever.followed(query)
    bread = library.put("bread.md", BREAD)
    prepare(library)
    library.indexes.of(library.kb).sync()
    later = retriever.followed(query)
    fresh = library.retriever().followed(query)
    assert later.dense == fresh.dense
    assert later.found.passages[0].document_id == bread
    library.catalog.files.remove(library.kb, [first])
    library.indexes.of(library.kb).sync()
    assert retriever.followed(query).dense == library.retriever().followed(query).dense
