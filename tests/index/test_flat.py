"""Searching by meaning: exactly up to a limit, by Chroma above it, right while things change."""

from __future__ import annotations

import random
import threading
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop_rag.catalog.embeddings import VectorBlock
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.types import DocumentId, KbId
from desktop_rag.index import flat
from desktop_rag.index.chroma_recall import NEAREST
from desktop_rag.index.indexes import EXACT_UPTO, IndexManager
from tests.catalog.stored_documents import IDENTITY, MODEL, document, many, put, vector, vectors
from tests.index.index_checks import fed


@pytest.fixture
def small(home: Path, catalog: Catalog) -> Iterator[IndexManager]:
    """Indexes that compare every vector of up to 60 chunks."""
    opened = IndexManager(home, catalog, IDENTITY, exact_upto=60)
    yield opened
    opened.close()


def by_hand(
    catalog: Catalog, kb: KbId, question: np.ndarray, documents: Collection[int] | None = None
) -> list[tuple[int, float]]:
    """Every vector of the catalog compared in double precision: best first, then by number."""
    scored = []
    for chunk_id, document_id, row in catalog.embeddings.of_chunks(kb, MODEL):
        if documents is None or document_id in documents:
            wide = row.astype(np.float64)
            scored.append((-float(wide @ question) / float(np.linalg.norm(wide)), chunk_id))
    return [(chunk_id, -negative) for negative, chunk_id in sorted(scored)]


def assert_same(found: Sequence[tuple[int, float]], wanted: Sequence[tuple[int, float]]) -> None:
    assert [chunk_id for chunk_id, _ in found] == [chunk_id for chunk_id, _ in wanted]
    assert [s for _, s in found] == pytest.approx([s for _, s in wanted], abs=1e-5)


def asked_of_chroma(indexes: IndexManager, kb: KbId, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many hits each question brought that Chroma was asked from now on.

    Those with which its recall is measured, in the background, ask for fifty and more.
    """
    store = fed(indexes, kb)
    asked, nearest = [], store.nearest

    def count(*words: Any) -> Any:
        hits = nearest(*words)
        if len(hits) < NEAREST:
            asked.append(len(hits))
        return hits

    monkeypatch.setattr(store, "nearest", count)
    return asked


@pytest.mark.parametrize("seed", range(3))
def test_whatever_comes_and_goes_searches_find_what_a_comparison_by_hand_does(
    catalog: Catalog, kb: KbId, indexes: IndexManager, seed: int
) -> None:
    chance = random.Random(seed)
    other = catalog.kbs.create("other").id
    held: dict[str, DocumentId] = {}
    for step in range(40):
        path = f"/d/{chance.randrange(12)}"
        if path in held and chance.random() < 0.4:
            catalog.files.remove(kb, [path])
            del held[path]
        else:
            new = many(f"{seed} {step}", chance.randint(1, 30))
            held[path] = put(catalog, kb, path, new)
            put(catalog, other, path, new)
        if chance.random() < 0.7:
            indexes.of(kb).sync()
            question = vector(f"question {step}")
            assert_same(
                indexes.of(kb).dense(question, 25).hits, by_hand(catalog, kb, question)[:25]
            )
            few = set(chance.sample(sorted(held.values()), len(held) // 2))
            found = indexes.of(kb).dense(question, 25, few).hits
            assert_same(found, by_hand(catalog, kb, question, few)[:25])
    indexes.of(other).sync()
    question = vector("elsewhere")
    assert_same(indexes.of(other).dense(question, 99).hits, by_hand(catalog, other, question)[:99])


@pytest.mark.parametrize("indexes", [EXACT_UPTO], indirect=True)
def test_like_vectors_are_all_found_and_in_the_order_of_their_numbers(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    new, one = many("a", 1500), vector("the one")
    alike = dict.fromkeys(vectors(new), one.astype(np.float16))
    catalog.documents.store(FileRead(kb, "/d/a", FileStamp(1, 1, "a")), new, alike, MODEL)
    indexes.of(kb).sync()
    ids = catalog.documents.chunk_ids(kb)
    assert [chunk_id for chunk_id, _ in indexes.of(kb).dense(one, 700).hits] == ids[:700]
    assert [chunk_id for chunk_id, _ in indexes.of(kb).dense(one, 5000).hits] == ids


def test_blocks_that_are_compared_one_by_one_give_the_same(catalog: Catalog, kb: KbId) -> None:
    put(catalog, kb, "/d/a", many("a", 300))
    (whole,) = catalog.embeddings.blocks(kb, MODEL)
    cut = [
        VectorBlock(
            whole.chunks[at : at + 7], whole.documents[at : at + 7], whole.vectors[at : at + 7]
        )
        for at in range(0, 300, 7)
    ]
    question = vector("question")
    assert flat.nearest_in_blocks(cut, question, 40) == flat.nearest_in_blocks(
        [whole], question, 40
    )
    assert flat.nearest_in_blocks([], question, 40) == []
    assert flat.FlatIndex.of(cut).nearest(question, 40) == flat.nearest_in_blocks(
        [whole], question, 40
    )
    assert flat.FlatIndex.of([]).nearest(question, 40) == []


def test_every_half_is_the_same_number_in_single_precision() -> None:
    every = np.arange(2**16, dtype=np.uint16).view(np.float16)
    finite = every[np.isfinite(every)].reshape(2, -1)

    found = flat.as_float32(finite)

    assert found.dtype == np.float32
    assert np.array_equal(found.view(np.int32), finite.astype(np.float32).view(np.int32))


def test_of_many_blocks_the_best_are_found_whatever_their_lengths_and_where_equal_ones_lie() -> (
    None
):
    dice = np.random.default_rng(5)
    rows = dice.normal(size=(9000, 12)) * dice.uniform(0.01, 8, size=(9000, 1))
    rows[[40, 3000, 8999]] = rows[7777]
    rows[::1000] = 0
    halves = rows.astype(np.float16)
    numbers = dice.permutation(9000) + 1
    blocks = [
        VectorBlock(numbers[at : at + 3500], numbers[at : at + 3500] % 7, halves[at : at + 3500])
        for at in range(0, 9000, 3500)
    ]
    question = rows[7777] / np.linalg.norm(rows[7777])
    for of in (None, [1, 4], [0]):
        wide = halves.astype(np.float64)
        cosines = wide @ question / np.maximum(np.linalg.norm(wide, axis=1), 1e-9)
        order = [
            at
            for at in np.lexsort((numbers, -cosines.round(6)))
            if of is None or numbers[at] % 7 in of
        ]

        hits = flat.nearest_in_blocks(blocks, question.astype(np.float32), 25, of)  # type: ignore[arg-type]

        assert [chunk for chunk, _ in hits] == [numbers[at] for at in order[:25]]
        assert [score for _, score in hits] == pytest.approx(cosines[order[:25]], abs=1e-5)


def test_above_the_limit_chroma_is_asked_and_below_it_no_more(
    catalog: Catalog, kb: KbId, small: IndexManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", many("a", 60))
    small.of(kb).sync()
    asked = asked_of_chroma(small, kb, monkeypatch)
    text = "a passage number7 of subject0"
    assert len(small.of(kb).dense(vector(text), 5).hits) == 5
    assert asked == []
    put(catalog, kb, "/d/b", document("one more"))
    small.of(kb).sync()
    for _ in range(2):
        assert small.of(kb).dense(vector("one more"), 5).hits[0][1] == pytest.approx(1.0, abs=1e-3)
    assert asked == [5, 5]
    catalog.files.remove(kb, ["/d/b"])
    small.of(kb).sync()
    found = small.of(kb).dense(vector("one more"), 60).hits
    assert_same(found, by_hand(catalog, kb, vector("one more")))
    assert asked == [5, 5]


def test_a_base_that_grows_over_the_limit_is_no_longer_held_in_memory(
    catalog: Catalog, kb: KbId, small: IndexManager
) -> None:
    put(catalog, kb, "/d/a", many("a", 50))
    small.of(kb).sync()
    small.of(kb).dense(vector("x"), 5)
    held = small.of(kb)._vectors
    assert held._matrix is not None
    put(catalog, kb, "/d/b", many("b", 50))
    small.of(kb).sync()
    assert len(small.of(kb).dense(vector("x"), 5).hits) == 5
    assert held._matrix is None


def test_very_many_changes_are_read_anew_and_found(
    catalog: Catalog, kb: KbId, indexes: IndexManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flat, "_MANY", 20)
    put(catalog, kb, "/d/a", many("a", 10))
    indexes.of(kb).sync()
    indexes.of(kb).dense(vector("x"), 5)
    put(catalog, kb, "/d/b", many("b", 50))
    indexes.of(kb).sync()
    assert indexes.of(kb)._vectors._matrix is None
    assert_same(indexes.of(kb).dense(vector("x"), 60).hits, by_hand(catalog, kb, vector("x")))


@pytest.mark.parametrize("indexes", [EXACT_UPTO], indirect=True)
def test_what_is_held_in_memory_goes_when_the_indexes_are_closed_or_dropped(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    put(catalog, kb, "/d/a", many("a", 10))
    indexes.of(kb).sync()
    indexes.of(kb).dense(vector("x"), 5)
    held = indexes.of(kb)._vectors
    indexes.drop(kb)
    assert held._matrix is None
    indexes.of(kb).dense(vector("x"), 5)
    held = indexes.of(kb)._vectors
    assert held._matrix is not None
    indexes.close()
    assert held._matrix is None


def test_what_was_searched_longest_ago_makes_room_and_is_found_again(
    home: Path, catalog: Catalog, kb: KbId
) -> None:
    kbs = [kb, *(catalog.kbs.create(name).id for name in ("second", "third"))]
    indexes = IndexManager(home, catalog, IDENTITY, most_held=25)
    for number, each in enumerate(kbs):
        put(catalog, each, f"/d/{number}", many(f"kb {number}", 10))
        indexes.of(each).sync()
        indexes.of(each).dense(vector("x"), 5)
    assert [indexes.of(each)._vectors.held for each in kbs] == [0, 10, 10]
    assert len(indexes.of(kbs[0]).dense(vector("x"), 5).hits) == 5
    assert [indexes.of(each)._vectors.held for each in kbs] == [10, 0, 10]
    indexes.close()


def test_vectors_of_a_rebuild_are_found(catalog: Catalog, kb: KbId, indexes: IndexManager) -> None:
    new = document("apples", "pears")
    put(catalog, kb, "/d/a", new)
    indexes.of(kb).sync()
    with catalog.database.write() as tx:
        tx.execute("DELETE FROM embeddings")
    indexes.of(kb).rebuild()
    assert indexes.of(kb).dense(vector("pears"), 5).hits == []
    catalog.embeddings.add(vectors(new), MODEL)
    indexes.of(kb).rebuild()
    assert len(indexes.of(kb).dense(vector("pears"), 5).hits) == 2


@pytest.mark.parametrize("exact_upto", [EXACT_UPTO, 0])
def test_searches_find_what_stays_while_everything_else_changes(
    home: Path, catalog: Catalog, kb: KbId, exact_upto: int
) -> None:
    """What stays is in every answer; once told, what came is in each, and what went in none."""
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=exact_upto)
    kept = put(catalog, kb, "/d/kept", many("kept", 40))
    indexes.of(kb).sync()
    staying = {chunk.chunk_id for chunk in catalog.documents.chunks(kept)}
    failures: list[object] = []
    done = threading.Event()

    def search() -> None:
        try:
            while not done.is_set():
                hits = indexes.of(kb).dense(vector("x"), 500).hits
                found = [chunk_id for chunk_id, _ in hits]
                assert staying <= set(found)
                assert len(set(found)) == len(found)
                assert len(indexes.of(kb).dense(vector("x"), 500, {kept}).hits) == 40
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(12):
        put(catalog, kb, "/d/other", many(f"other{n}", 30))
        indexes.of(kb).sync()
        now = {chunk_id for chunk_id, _ in indexes.of(kb).dense(vector("x"), 500).hits}
        assert now == set(catalog.documents.chunk_ids(kb))
        if n % 5 == 4:
            indexes.of(kb).rebuild()
    done.set()
    for thread in threads:
        thread.join()
    indexes.close()
    assert failures == []
