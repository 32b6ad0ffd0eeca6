"""The nearest derived texts: all of them, whatever comes and goes while they are in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import NewDerivedText, PreparedStep
from desktop_rag.core.types import DerivedId, DocumentId, KbId
from desktop_rag.retrieval import derived_search
from desktop_rag.retrieval.derived_search import DerivedSearch
from tests.catalog.stored_documents import MODEL, many, put, vector

WAY = "hypothetical_questions"
OF = (WAY, MODEL)
ASKED = vector("what is asked")


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def kb(catalog: Catalog) -> KbId:
    return catalog.kbs.ensure("default").id


def derive(catalog: Catalog, kb: KbId, name: str, count: int) -> DocumentId:
    """Store a document of that name and as many texts derived from it."""
    document_id = put(catalog, kb, f"/d/{name}", many(name, 1))
    catalog.preparations.request(kb, WAY)
    (chunk,) = catalog.documents.chunks(document_id)
    made = [NewDerivedText(f"{name} {n}?", (chunk.chunk_id,)) for n in range(count)]
    rows = np.array([vector(each.text) for each in made], np.float16)
    step = PreparedStep(document_id, WAY, "recipe", 0, 1, is_done=True)
    assert catalog.preparations.store(step, made, rows, MODEL)
    return document_id


def by_hand(
    catalog: Catalog, documents: Sequence[DocumentId], most: int
) -> list[tuple[DerivedId, float]]:
    found = []
    for document_id in documents:
        texts = catalog.preparations.texts_of(document_id, WAY)
        stored = catalog.preparations.vectors_of([each.derived_id for each in texts], MODEL)
        found += [(number, float(row.astype(np.float64) @ ASKED)) for number, row in stored.items()]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:most]


def same(
    found: Sequence[tuple[DerivedId, float]], wanted: Sequence[tuple[DerivedId, float]]
) -> bool:
    assert [score for _, score in found] == pytest.approx([s for _, s in wanted], abs=1e-5)
    return [number for number, _ in found] == [number for number, _ in wanted]


@pytest.mark.parametrize("largest", [200_000, 3], ids=["in memory", "too many for it"])
def test_what_comes_and_goes_is_found_and_no_longer(
    catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    monkeypatch.setattr(derived_search, "_LARGEST", largest)
    search = DerivedSearch(catalog)
    assert search.nearest(ASKED, kb, OF, 9) == []
    one = derive(catalog, kb, "one", 1300)
    assert same(search.nearest(ASKED, kb, OF, 40), by_hand(catalog, [one], 40))
    two = derive(catalog, kb, "two", 30)
    assert same(search.nearest(ASKED, kb, OF, 40), by_hand(catalog, [one, two], 40))
    assert same(search.nearest(ASKED, kb, OF, 9, [two]), by_hand(catalog, [two], 9))
    some = [number for number, _ in by_hand(catalog, [one, two], 400)[::7]]
    kept = [hit for hit in by_hand(catalog, [one, two], 400) if hit[0] in some]
    assert same(search.nearest_of(some, ASKED, kb, OF, 9), kept[:9])
    catalog.files.remove(kb, ["/d/one"])
    assert same(search.nearest(ASKED, kb, OF, 40), by_hand(catalog, [two], 40))
    catalog.preparations.remove(kb, WAY)
    assert search.nearest(ASKED, kb, OF, 9) == []


def test_a_document_that_another_base_has_prepared_is_found_in_a_new_one(
    catalog: Catalog, kb: KbId
) -> None:
    one = derive(catalog, kb, "one", 5)
    search, other = DerivedSearch(catalog), catalog.kbs.ensure("other").id
    catalog.preparations.request(other, WAY)
    assert search.nearest(ASKED, other, OF, 9) == []
    put(catalog, other, "/e/one", many("one", 1))
    assert same(search.nearest(ASKED, other, OF, 9), by_hand(catalog, [one], 9))


def test_nothing_is_counted_or_read_again_while_nothing_changes(
    catalog: Catalog, kb: KbId, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive(catalog, kb, "one", 20)
    search = DerivedSearch(catalog)
    first = search.nearest(ASKED, kb, OF, 9)

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(catalog.preparations, "revision", never)
    monkeypatch.setattr(catalog.preparations, "vectors", never)
    put(catalog, catalog.kbs.ensure("other").id, "/e/x", many("x", 3))  # of no concern
    assert search.nearest(ASKED, kb, OF, 9) == first


def test_other_documents_with_as_many_texts_and_the_same_newest_are_found(
    catalog: Catalog, kb: KbId
) -> None:
    derive(catalog, kb, "one", 5)
    other = catalog.kbs.ensure("other").id
    two = derive(catalog, other, "two", 5)
    three = derive(catalog, kb, "three", 5)
    search = DerivedSearch(catalog)
    search.nearest(ASKED, kb, OF, 9)
    catalog.files.remove(kb, ["/d/one"])
    put(catalog, kb, "/d/two", many("two", 1))
    assert same(search.nearest(ASKED, kb, OF, 9), by_hand(catalog, [two, three], 9))
