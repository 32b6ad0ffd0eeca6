"""What may go wrong with Chroma's copy: it is seen, costs no answer, and is made good."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.outbox import Reader
from desktop_rag.core.catalog_records import FileRead, FileStamp
from desktop_rag.core.errors import StoreDamaged, UserError
from desktop_rag.core.types import KbId, VectorSearch
from desktop_rag.index import chroma_recall, chroma_replica
from tests.catalog.stored_documents import (
    MODEL,
    many,
    put,
    vector,
    vectors,
)
from tests.index.index_checks import fed, half, opened


def test_vectors_that_come_by_another_knowledge_base_are_told_of(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    """After a change of model, two bases with one document: one of them embeds it."""
    other = catalog.kbs.create("other").id
    shared = many("a", 30)
    for each in (kb, other):
        catalog.documents.store(
            FileRead(each, "/d/a", FileStamp(1, 1, shared.content_hash)), shared, {}, MODEL
        )
        put(catalog, each, "/d/own", many(f"own {each}", 5))
    indexes = opened(home, catalog)
    for each in (kb, other):
        indexes.of(each).open()
        indexes.of(each).replica.feed()
    catalog.embeddings.add(vectors(shared), MODEL)
    for each in (kb, other):
        indexes.of(each).sync()
        assert len(indexes.of(each).dense(vector("x"), 50).hits) == 35
        indexes.of(each).replica.feed()
        state = indexes.of(each).replica.state()
        assert (state.vectors, state.held, state.behind) == (35, 35, 0)
    indexes.close()


def test_a_folder_that_was_deleted_while_it_was_open_is_made_anew_at_the_next_start(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    fed(indexes, kb)
    shutil.rmtree(half(home, kb, "dense"))
    indexes.close()
    again = opened(home, catalog)
    again.of(kb).open()
    assert len(again.of(kb).dense(vector("x"), 99).hits) == 60
    again.of(kb).replica.warm_up()
    again.of(kb).replica.feed()
    assert fed(again, kb).ids() == set(catalog.documents.chunk_ids(kb))
    again.close()


def test_chunks_that_come_while_it_is_made_are_no_damage(
    catalog: Catalog, kb: KbId, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its health is judged by what it was told of, and not by what came meanwhile."""
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 20))
    indexes.of(kb).sync()
    replica = indexes.of(kb).replica
    number = iter(range(10**6))

    def more() -> None:
        if (n := next(number)) < 12:
            put(catalog, kb, f"/d/more{n}", many(f"more{n}", 60))

    replica.feed(more)
    folder = half(home, kb, "dense")
    replica.feed()
    assert half(home, kb, "dense") == folder
    assert "does not find" not in caplog.text
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    indexes.close()


def test_chroma_that_finds_too_few_is_not_asked(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    monkeypatch.setattr(chroma_replica, "measure_recall", lambda *_: chroma_recall.Recall(0.98, 64))
    fed(indexes, kb)
    assert indexes.of(kb).dense(vector("x"), 50).by is VectorSearch.EXACT
    monkeypatch.setattr(chroma_replica, "measure_recall", lambda *_: chroma_recall.Recall(0.99, 64))
    put(catalog, kb, "/d/b", many("b", 60))
    indexes.of(kb).sync()
    fed(indexes, kb)
    assert indexes.of(kb).dense(vector("x"), 50).by is VectorSearch.CHROMA
    indexes.close()


def test_chroma_is_not_opened_for_searches_that_do_not_ask_it(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each search had it warmed up: its ids were read, of a million for seconds."""
    monkeypatch.setattr(chroma_replica, "measure_recall", lambda *_: chroma_recall.Recall(0.9, 64))
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 40))
    indexes.of(kb).sync()
    fed(indexes, kb)
    index = indexes.of(kb)
    index.feed()
    index.replica.release()
    wakes: list[bool] = []
    monkeypatch.setattr(index.replica, "wake", lambda: wakes.append(True))
    assert len(index.dense(vector("x"), 5).hits) == 5
    assert not index.replica.is_open()
    assert wakes == []
    indexes.close()


def test_recall_is_measured_again_after_as_many_came_as_went(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    fed(indexes, kb)
    measured: list[int] = []

    def measure(*given: Any) -> chroma_recall.Recall:
        measured.append(given[3])
        return chroma_recall.Recall(1.0, 1)

    monkeypatch.setattr(chroma_replica, "measure_recall", measure)
    put(catalog, kb, "/d/b", many("b", 5))
    fed(indexes, kb)
    assert measured == []
    put(catalog, kb, "/d/a", many("c", 60))
    fed(indexes, kb)
    assert measured == [65]
    indexes.close()


def test_a_search_on_a_copy_that_was_replaced_discards_no_new_one(
    catalog: Catalog, kb: KbId, home: Path
) -> None:
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 60))
    indexes.of(kb).sync()
    old = fed(indexes, kb)
    replica = indexes.of(kb).replica
    replica.discard()
    fed(indexes, kb)
    folder = half(home, kb, "dense")
    with pytest.raises(StoreDamaged) as damage:
        old.nearest(vector("x"), 5)
    replica._recover(damage.value, old)
    assert half(home, kb, "dense") == folder
    assert replica.state().held == 60
    indexes.close()


def test_the_outbox_keeps_no_more_for_chroma_than_making_the_copy_anew_takes(
    catalog: Catalog, kb: KbId, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_replica, "_MOST_WAITING", 50)
    indexes = opened(home, catalog)
    put(catalog, kb, "/d/a", many("a", 20))
    indexes.of(kb).sync()
    fed(indexes, kb)

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with monkeypatch.context() as broken:
        broken.setattr(chroma_replica, "require_disk_space", full)
        for n in range(4):
            put(catalog, kb, f"/d/b{n}", many(f"b{n}", 30))
            indexes.of(kb).sync()
            with pytest.raises(UserError, match="cannot be written"):
                indexes.of(kb).replica.feed()
    assert catalog.outbox.position(kb, Reader.VECTORS) is None
    assert catalog.outbox.last(kb) == 0
    assert len(indexes.of(kb).dense(vector("x"), 500).hits) == 140
    assert fed(indexes, kb).ids() == set(catalog.documents.chunk_ids(kb))
    indexes.close()
