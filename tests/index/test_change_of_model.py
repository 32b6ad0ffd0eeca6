"""Another embedding model is chosen: the old vectors answer until there is a new one for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import KbId, ModelIdentity
from desktop_rag.index.flat import VectorMemory
from desktop_rag.index.indexes import IndexManager
from desktop_rag.index.knowledge_base_index import ModelChanged
from desktop_rag.index.problems import IndexProblem, IndexProblemCode
from tests.catalog.stored_documents import (
    DIMENSIONS,
    IDENTITY,
    MODEL,
    document,
    many,
    put,
    vector,
    vectors,
)
from tests.index.index_checks import chroma_process, fed

NEW = "model-2"
OLD = document("apples", "pears", "plums")


def opened(home: Path, catalog: Catalog, *usable: str, exact_upto: int) -> IndexManager:
    """Indexes of the new model; a question can still be embedded by the usable ones."""
    return IndexManager(
        home,
        catalog,
        ModelIdentity(NEW, DIMENSIONS),
        exact_upto=exact_upto,
        process=chroma_process(),
        is_usable=lambda each: each in usable,
    )


@pytest.fixture
def indexed(home: Path, catalog: Catalog, kb: KbId) -> KbId:
    """A knowledge base as the old model left it."""
    first = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=chroma_process())
    put(catalog, kb, "/d/a", OLD)
    first.of(kb).sync()
    fed(first, kb)
    first.close()
    return kb


@pytest.fixture(params=[0, 1000], ids=["Chroma", "compared"])
def exact_upto(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def nearest(catalog: Catalog, indexes: IndexManager, kb: KbId, text: str) -> str:
    model = indexes.of(kb).model()
    hits = indexes.of(kb).dense(vector(text, model), 1, model=model).hits
    return catalog.documents.get_chunks([hits[0][0]])[hits[0][0]].text if hits else ""


def test_the_old_vectors_answer_until_every_chunk_has_a_new_one(
    home: Path, catalog: Catalog, indexed: KbId, exact_upto: int
) -> None:
    indexes = opened(home, catalog, MODEL, exact_upto=exact_upto)
    assert indexes.open_all() == {}
    assert indexes.of(indexed).model() == MODEL
    assert nearest(catalog, indexes, indexed, "pears") == "pears"

    catalog.embeddings.add(dict(list(vectors(OLD, NEW).items())[:2]), NEW)
    indexes.of(indexed).rebuild()
    assert indexes.of(indexed).model() == MODEL, "one chunk has no new vector yet"
    assert nearest(catalog, indexes, indexed, "plums") == "plums"
    assert indexes.of(indexed).check() == IndexProblem(IndexProblemCode.UNEMBEDDED)

    catalog.embeddings.add(vectors(OLD, NEW), NEW)
    indexes.of(indexed).rebuild()
    assert indexes.of(indexed).model() == NEW
    assert nearest(catalog, indexes, indexed, "plums") == "plums"
    assert indexes.of(indexed).check() is None
    indexes.close()


def test_what_comes_meanwhile_is_found_by_words_and_what_goes_is_gone(
    home: Path, catalog: Catalog, indexed: KbId, exact_upto: int
) -> None:
    indexes = opened(home, catalog, MODEL, exact_upto=exact_upto)
    put(catalog, indexed, "/d/b", document("cherries"), model=NEW)
    put(catalog, indexed, "/d/c", document("quinces"), model=MODEL)
    indexes.of(indexed).sync()
    assert len(indexes.of(indexed).lexical("cherries", 5)) == 1
    assert nearest(catalog, indexes, indexed, "pears") == "pears"
    catalog.files.remove(indexed, ["/d/a"])
    indexes.of(indexed).sync()
    assert indexes.of(indexed).lexical("pears", 5) == []
    assert indexes.of(indexed).model() == MODEL
    assert nearest(catalog, indexes, indexed, "pears") == "quinces"
    indexes.close()


def test_the_new_vectors_take_over_as_soon_as_none_lacks(
    home: Path, catalog: Catalog, indexed: KbId, exact_upto: int
) -> None:
    """The last chunk without one goes, or another knowledge base's run embeds it."""
    indexes = opened(home, catalog, MODEL, exact_upto=exact_upto)
    put(catalog, indexed, "/d/b", document("cherries"), model=NEW)
    catalog.files.remove(indexed, ["/d/a"])
    indexes.of(indexed).sync()
    assert indexes.of(indexed).model() == NEW
    assert nearest(catalog, indexes, indexed, "cherries") == "cherries"
    assert indexes.of(indexed).check() is None
    indexes.close()


def test_an_old_model_that_was_away_at_one_start_answers_at_the_next(
    home: Path, catalog: Catalog, indexed: KbId, exact_upto: int
) -> None:
    for usable, model, found in (((), NEW, ""), ((), NEW, ""), ((MODEL,), MODEL, "pears")):
        indexes = opened(home, catalog, *usable, exact_upto=exact_upto)
        indexes.open_all()
        assert indexes.of(indexed).model() == model
        assert nearest(catalog, indexes, indexed, "pears") == found
        indexes.close()
    catalog.embeddings.add(vectors(OLD, NEW), NEW)
    for _ in range(2):
        indexes = opened(home, catalog, MODEL, exact_upto=exact_upto)
        assert nearest(catalog, indexes, indexed, "pears") == "pears"
        assert indexes.of(indexed).model() == NEW
        indexes.close()


def test_the_model_in_use_is_not_taken_for_one_of_before(
    home: Path, catalog: Catalog, indexed: KbId
) -> None:
    asked: list[str] = []
    put(catalog, indexed, "/d/b", document("cherries"), model=NEW)  # it lacks a vector of MODEL

    def refused(each: str) -> bool:
        asked.append(each)
        return False

    indexes = IndexManager(home, catalog, IDENTITY, is_usable=refused)
    indexes.open_all()
    assert asked == []
    assert indexes.of(indexed).model() == MODEL
    indexes.close()


def test_a_start_goes_on_where_the_last_one_stopped(
    home: Path, catalog: Catalog, indexed: KbId
) -> None:
    for _ in range(2):
        indexes = opened(home, catalog, MODEL, exact_upto=0)
        assert nearest(catalog, indexes, indexed, "pears") == "pears"
        indexes.close()
    catalog.embeddings.add(vectors(OLD, NEW), NEW)  # and killed before the indexes were made
    indexes = opened(home, catalog, MODEL, exact_upto=0)
    indexes.open_all()
    assert indexes.of(indexed).model() == NEW
    assert nearest(catalog, indexes, indexed, "pears") == "pears"
    indexes.close()


def test_after_an_unclean_end_the_old_vectors_are_looked_at_and_mended(
    home: Path, catalog: Catalog, indexed: KbId
) -> None:
    next((home / "indexes" / str(indexed)).glob("dense-*/chroma.sqlite3")).write_bytes(b"no")
    indexes = opened(home, catalog, MODEL, exact_upto=0)
    assert indexes.open_all() == {}
    assert indexes.of(indexed).model() == MODEL
    assert nearest(catalog, indexes, indexed, "pears") == "pears"
    assert len(fed(indexes, indexed).ids()) == 3
    assert nearest(catalog, indexes, indexed, "pears") == "pears"
    indexes.close()


def test_a_model_that_cannot_be_used_any_more_leaves_words_and_what_there_is(
    home: Path, catalog: Catalog, indexed: KbId
) -> None:
    catalog.embeddings.add(dict(list(vectors(OLD, NEW).items())[:1]), NEW)
    indexes = opened(home, catalog, exact_upto=0)
    indexes.open_all()
    assert indexes.of(indexed).model() == NEW
    assert len(indexes.of(indexed).dense(vector("pears", NEW), 5).hits) == 1
    assert len(indexes.of(indexed).lexical("pears", 5)) == 1
    indexes.close()


def test_a_question_embedded_by_the_old_model_meets_no_new_vectors(
    home: Path, catalog: Catalog, indexed: KbId, exact_upto: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexes = opened(home, catalog, MODEL, exact_upto=exact_upto)
    index = indexes.of(indexed)
    model = index.model()
    keep = VectorMemory.keep

    def rebuild_meanwhile(*kept: Any) -> None:
        keep(*kept)
        catalog.embeddings.add(vectors(OLD, NEW), NEW)
        index.rebuild()

    with monkeypatch.context() as slow:
        slow.setattr(VectorMemory, "keep", rebuild_meanwhile)
        # a search that had begun goes on among the vectors that it began with
        assert len(index.dense(vector("pears", MODEL), 5, model=model).hits) == 3
    assert index.model() == NEW
    with pytest.raises(ModelChanged):
        index.dense(vector("pears", MODEL), 5, model=model)
    indexes.close()


def test_a_model_of_another_length_takes_its_turn(home: Path, catalog: Catalog, kb: KbId) -> None:
    first = IndexManager(home, catalog, IDENTITY, exact_upto=0, process=chroma_process())
    put(catalog, kb, "/d/a", many("old", 40))
    first.of(kb).sync()
    fed(first, kb)
    first.close()
    (home / "indexes" / str(kb) / "chroma-sealed.json").unlink()
    indexes = IndexManager(
        home, catalog, ModelIdentity(NEW, 3), exact_upto=0, is_usable=lambda each: each == MODEL
    )
    assert indexes.open_all() == {}
    assert len(fed(indexes, kb).ids()) == 40
    assert len(indexes.of(kb).dense(vector("x", MODEL), 50).hits) == 40
    catalog.embeddings.add(
        {key: each[:3] for key, each in vectors(many("old", 40), NEW).items()}, NEW
    )
    indexes.of(kb).rebuild()
    assert len(indexes.of(kb).dense(vector("x", NEW)[:3], 50).hits) == 40
    assert len(fed(indexes, kb).ids()) == 40
    assert len(indexes.of(kb).dense(vector("x", NEW)[:3], 50).hits) == 40
    indexes.close()
