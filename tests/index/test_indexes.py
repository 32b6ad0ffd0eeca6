from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.types import KbId
from desktop_rag.index import tokenizer
from desktop_rag.index.flat import CachedVectors
from desktop_rag.index.indexes import EXACT_UPTO, IndexManager
from desktop_rag.index.knowledge_base_index import KnowledgeBaseIndex
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from tests.catalog.stored_documents import IDENTITY, document, many, put, vector, vectors
from tests.index.index_checks import (
    assert_complete,
    chroma_process,
    fed,
    first_text,
    half,
    nearest_text,
    opened,
    small_files,
)


def test_what_is_stored_is_found_once_the_indexes_are_told(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    indexes.open_all()
    put(catalog, kb, "/d/a", document("apples and pears", "cherries"))
    assert indexes.of(kb).check() == IndexProblem(IndexProblemCode.UNTOLD, wanted=2)
    assert indexes.of(kb).sync() == 2
    assert indexes.of(kb).sync() == 0
    assert first_text(catalog, indexes, kb, "pear") == "apples and pears"
    assert nearest_text(catalog, indexes, kb, "cherries") == "cherries"
    assert indexes.of(kb).check() is None


def test_removed_and_changed_files_are_no_longer_found(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    put(catalog, kb, "/d/a", document("apples"))
    put(catalog, kb, "/d/b", document("pears"))
    indexes.of(kb).sync()
    catalog.files.remove(kb, ["/d/a"])
    put(catalog, kb, "/d/b", document("plums"))
    indexes.of(kb).sync()
    assert indexes.of(kb).lexical("apples pears", 10) == []
    assert nearest_text(catalog, indexes, kb, "apples") == "plums"
    assert indexes.of(kb).check() is None


def test_the_outbox_may_be_applied_again(catalog: Catalog, kb: KbId, indexes: IndexManager) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    put(catalog, kb, "/d/b", document("plums"))
    catalog.files.remove(kb, ["/d/b"])
    entries = catalog.outbox.pending(kb, Reader.WORDS)
    indexes.of(kb).sync()
    with catalog.database.write() as tx:
        tx.executemany(
            "INSERT INTO outbox (kb, chunk_id, action) VALUES (?, ?, ?)",
            [(kb, e.chunk_id, e.action.value) for e in entries],
        )
    indexes.of(kb).sync()
    assert len(indexes.of(kb).lexical("apples pears plums", 10)) == 2
    assert indexes.of(kb).check() is None


def test_a_file_that_goes_and_comes_back_is_found(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    new = document("apples")
    other = catalog.kbs.create("other").id
    document_id = put(catalog, other, "/x", new)
    for _ in range(2):
        catalog.documents.attach(
            FileRead(kb, "/d/a", FileStamp(1, 1, new.content_hash)), document_id
        )
        indexes.of(kb).sync()
        assert first_text(catalog, indexes, kb, "apples") == "apples"
        catalog.files.remove(kb, ["/d/a"])
    catalog.documents.attach(FileRead(kb, "/d/a", FileStamp(1, 1, new.content_hash)), document_id)
    indexes.of(kb).sync()
    assert_complete(catalog, indexes, kb)


def test_each_knowledge_base_finds_only_its_own(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    other = catalog.kbs.create("other").id
    put(catalog, kb, "/d/a", document("apples"))
    put(catalog, other, "/d/b", document("apples from elsewhere"))
    indexes.of(kb).sync()
    indexes.of(other).sync()
    assert len(indexes.of(kb).lexical("apples", 10)) == 1
    assert len(indexes.of(other).dense(vector("apples"), 10).hits) == 1


def test_a_filter_by_documents_holds_in_both_halves(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    first = put(catalog, kb, "/d/a", document("red apples", "green apples"))
    put(catalog, kb, "/d/b", document("blue apples"))
    indexes.of(kb).sync()
    ids = {c.chunk_id for c in catalog.documents.chunks(first)}
    assert {i for i, _ in indexes.of(kb).dense(vector("blue apples"), 9, {first}).hits} == ids
    assert {i for i, _ in indexes.of(kb).lexical("blue apples", 9, {first})} == ids


def test_a_clean_end_needs_no_mending(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    fed(indexes, kb)
    indexes.close()
    put(catalog, kb, "/d/b", many("b", 30))
    before = half(home, kb, "dense"), half(home, kb, "lexical")
    indexes = opened(home, catalog)
    assert indexes.open_all() == {}
    assert (half(home, kb, "dense"), half(home, kb, "lexical")) == before
    assert_complete(catalog, indexes, kb)
    indexes.close()


def test_another_model_starts_anew_with_the_vectors_that_it_has(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    new = document("apples", "pears")
    put(catalog, kb, "/d/a", new)
    first = opened(home, catalog)
    first.of(kb).sync()
    first.close()
    second = opened(home, catalog, "model-2")
    assert second.open_all() == {kb: IndexProblem(IndexProblemCode.OUTDATED)}
    assert second.of(kb).dense(vector("apples", "model-2"), 5).hits == []
    assert second.of(kb).check() == IndexProblem(IndexProblemCode.UNEMBEDDED)
    assert first_text(catalog, second, kb, "pears") == "pears"
    catalog.embeddings.add(vectors(new, "model-2"), "model-2")
    second.of(kb).rebuild()
    assert len(second.of(kb).dense(vector("apples", "model-2"), 5).hits) == 2
    assert second.of(kb).check() is None
    second.close()


def test_words_cut_in_another_way_are_indexed_anew(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(catalog, kb, "/d/a", document("apples", "pears"))
    first = opened(home, catalog)
    first.of(kb).sync()
    fed(first, kb)
    first.close()
    before = half(home, kb, "dense"), half(home, kb, "lexical")
    monkeypatch.setattr(tokenizer, "VERSION", 999)
    second = opened(home, catalog)
    assert second.open_all() == {}
    assert half(home, kb, "dense") == before[0]
    assert half(home, kb, "lexical") != before[1]
    assert_complete(catalog, second, kb)
    second.close()


@pytest.mark.skipif(sys.platform != "linux", reason="files cannot be kept small there")
def test_a_copy_that_cannot_be_written_is_said_with_what_to_do_and_costs_no_answer(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 400))
    indexes.of(kb).sync()
    chroma_process().open(home / "started").close()
    with (
        small_files(chroma_process(), 100_000),
        pytest.raises(UserError, match="cannot be written") as told,
    ):
        indexes.of(kb).replica.feed()
    assert not isinstance(told.value, StoreDamaged)
    assert nearest_text(catalog, indexes, kb, "a passage number7 of subject0")
    half(home, kb, "lexical")
    assert_complete(catalog, indexes, kb)
    half(home, kb, "dense")
    indexes.close()


def test_a_rebuild_leaves_one_folder_a_half(catalog: Catalog, kb: KbId, home: Path) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 40))
    for _ in range(2):
        indexes.of(kb).rebuild()
        assert_complete(catalog, indexes, kb)
    half(home, kb, "dense")
    half(home, kb, "lexical")
    indexes.close()


def test_searches_go_on_while_the_indexes_are_rebuilt(
    catalog: Catalog, kb: KbId, indexes: IndexManager
) -> None:
    put(catalog, kb, "/d/a", many("a", 200))
    indexes.of(kb).sync()
    failures: list[object] = []
    done = threading.Event()
    text = "a passage number7 of subject0"

    def search() -> None:
        try:
            while not done.is_set():
                assert nearest_text(catalog, indexes, kb, text) == text
                assert first_text(catalog, indexes, kb, text) == text
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(3):
        indexes.of(kb).rebuild()
        put(catalog, kb, f"/d/{n}", many(f"other{n}", 20))
        indexes.of(kb).sync()
        catalog.files.remove(kb, [f"/d/{n}"])
        indexes.of(kb).sync()
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_dropped_knowledge_base_leaves_no_files(
    catalog: Catalog, kb: KbId, indexes: IndexManager, home: Path
) -> None:
    put(catalog, kb, "/d/a", document("apples"))
    indexes.of(kb).sync()
    catalog.kbs.delete("default")
    indexes.drop(kb)
    assert not (home / "indexes" / str(kb)).exists()


def test_a_knowledge_base_is_not_dropped_from_under_a_search_of_another(
    catalog: Catalog, kb: KbId, indexes: IndexManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = catalog.kbs.ensure("other").id
    for each in (kb, other):
        indexes.of(each).sync()
    dropping = threading.Thread(target=indexes.drop, args=(other,))
    begun, going, held = threading.Event(), threading.Event(), vars(CachedVectors)["held"].fget

    def looked_at(vectors: CachedVectors) -> int:
        going.set()
        dropping.join(0.3)
        return held(vectors)

    def drop(index: KnowledgeBaseIndex) -> None:
        begun.set()
        going.wait()

    monkeypatch.setattr(KnowledgeBaseIndex, "drop", drop)
    monkeypatch.setattr(CachedVectors, "held", property(looked_at))
    dropping.start()
    begun.wait()
    indexes.of(kb).dense(vector("apples"), 1)
    dropping.join()
    assert set(indexes._indexes) == {kb}


def test_what_a_deleted_knowledge_base_left_goes_at_the_next_start(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    indexes.of(kb).sync()
    indexes.close()
    catalog.kbs.delete("default")
    indexes = opened(home, catalog)
    indexes.open_all()
    assert not (home / "indexes" / str(kb)).exists()
    indexes.close()


@pytest.mark.parametrize("exact_upto", [EXACT_UPTO, 0])
def test_a_filter_of_very_many_documents_is_answered(
    catalog: Catalog, kb: KbId, home: Path, exact_upto: int
) -> None:
    indexes = IndexManager(home, catalog, IDENTITY, exact_upto=exact_upto, process=chroma_process())
    first = put(catalog, kb, "/d/a", document("apples"))
    put(catalog, kb, "/d/b", document("pears"))
    indexes.of(kb).sync()
    everything = {first, *range(100_000, 140_000)}
    assert len(indexes.of(kb).dense(vector("pears"), 5, everything).hits) == 1
    assert len(indexes.of(kb).lexical("pears apples", 5, everything)) == 1
    indexes.close()
