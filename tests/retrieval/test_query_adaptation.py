"""A kept adaptation moves what is found by meaning, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desktop_rag.catalog.retriever_adaptations import QueryMap
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.query_adaptation import adapted_query
from testing.indexed_texts import IndexedTexts

ASKED = "Which animal is the largest of all?"
WHALE = "The blue whale is the largest animal that has ever lived, longer than three buses."
BREAD = "Bread dough is left to rise for two hours, then baked in a hot oven until it is brown."
MOTOR = "The motor of the ferry burns less oil since its cylinders were cleaned last winter."


@pytest.fixture
def filled(tmp_path: Path, embedder: OnnxEmbedder) -> Iterator[IndexedTexts]:
    texts = IndexedTexts(tmp_path / "home", embedder)
    for name, text in (("whale", WHALE), ("bread", BREAD), ("motor", MOTOR)):
        texts.put(f"/{name}.txt", text)
    yield texts
    texts.close()


def to_bread(filled: IndexedTexts) -> QueryMap:
    """A map by which the question is as near to the text on bread as can be."""
    asked = filled.embedder.embed_query(ASKED)
    aim = filled.embedder.embed([BREAD])[0]
    return np.outer(aim - asked, asked).astype(np.float16)


def keep(filled: IndexedTexts, query_map: QueryMap, fingerprint: str = "") -> None:
    told = RetrieverAdaptation(fingerprint or filled.embedder.fingerprint, "", 3, 40)
    filled.catalog.adaptations.store(filled.kb, told, query_map)


def nearest(filled: IndexedTexts, **query: object) -> str:
    asked = replace(Query(ASKED, (filled.kb,), 3), **query)  # type: ignore[arg-type]
    trace = filled.retriever(reranker="off").followed(asked)
    chunk = trace.dense[0][0]
    return filled.catalog.documents.get_chunks([chunk])[chunk].text


def test_a_kept_map_decides_what_is_near(filled: IndexedTexts) -> None:
    assert nearest(filled) == WHALE
    keep(filled, to_bread(filled))
    assert nearest(filled) == BREAD
    filled.catalog.adaptations.remove(filled.kb)
    assert nearest(filled) == WHALE


def test_another_model_s_map_is_not_applied(filled: IndexedTexts) -> None:
    keep(filled, to_bread(filled), "another model")
    assert nearest(filled) == WHALE
    keep(filled, to_bread(filled)[:50, :50])
    assert nearest(filled) == WHALE


def test_evidence_is_measured_by_the_vector_as_it_was(filled: IndexedTexts) -> None:
    before = filled.search(ASKED)
    told = {each.title: each.dense_score for each in before.passages}
    keep(filled, to_bread(filled))
    after = filled.search(ASKED)
    assert {each.title for each in after.passages} == told.keys()
    assert {each.title: each.dense_score for each in after.passages} != told
    assert after.evidence == before.evidence > 0.5


def test_where_other_vectors_have_a_say_nothing_is_moved(filled: IndexedTexts) -> None:
    keep(filled, to_bread(filled))
    other = filled.catalog.kbs.ensure("other").id
    filled.put("/other.txt", "Nothing of that kind is told in this text, which is short.", kb=other)
    assert nearest(filled, alike=("An animal that is larger than all others.",)) == WHALE
    assert nearest(filled, kbs=(filled.kb, other)) == WHALE


def test_a_question_that_a_map_makes_nothing_of_stays_as_it_was() -> None:
    vector = np.array([0.6, 0.8], np.float32)
    assert (adapted_query(vector, -np.eye(2, dtype=np.float16)) == vector).all()
    moved = adapted_query(vector, np.array([[0, 0], [0, 1]], np.float16))
    assert moved.tolist() == pytest.approx([0.6 / 1.708801, 1.6 / 1.708801])
