"""The age of files: newer ones a little ahead, by a factor that can be worked out by hand."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from desktop_rag.core.types import DocumentId, Passage
from desktop_rag.retrieval.age_weighting import LEAST, age_weight, weigh_by_age
from desktop_rag.retrieval.query import Query
from testing.indexed_texts import IndexedTexts
from tests.retrieval.test_diversify import ranked

DAY = 86400.0
OLD = "The annual fee of the harbour club is forty crowns for every member."
NEW = "The annual fee of the harbour club was raised to fifty crowns."
QUESTION = "What is the annual fee of the harbour club for every member?"


def days_ago(days: float) -> float:
    return time.time() - days * DAY


def paths(found: tuple[Passage, ...]) -> list[str]:
    return [passage.path for passage in found]


@pytest.fixture
def dated(library: IndexedTexts) -> IndexedTexts:
    library.put("/docs/old.txt", OLD, mtime=days_ago(900))
    library.put("/docs/new.txt", NEW, mtime=days_ago(1))
    for number in range(8):
        text = f"Berth {number} of the harbour takes ferries of the northern line."
        library.put(f"/docs/{number}.txt", text, mtime=days_ago(30))
    return library


@pytest.mark.parametrize(
    ("days", "left"), [(0, 1.0), (-5, 1.0), (100, 0.75), (200, 0.625), (1e6, 0.5)]
)
def test_a_half_life_takes_half_of_what_age_can_take(days: float, left: float) -> None:
    assert age_weight(days * DAY, 100) == pytest.approx(left)


def test_a_newer_file_comes_first_only_where_age_counts(dated: IndexedTexts) -> None:
    assert paths(dated.search(QUESTION).passages)[:2] == ["/docs/old.txt", "/docs/new.txt"]
    weighed = dated.search(QUESTION, half_life_days=30).passages
    assert paths(weighed)[:2] == ["/docs/new.txt", "/docs/old.txt"]


def test_every_score_is_the_former_one_times_what_age_leaves(dated: IndexedTexts) -> None:
    before = {p.path: p.score for p in dated.search(QUESTION, k=10).passages}
    found = dated.search(QUESTION, k=10, half_life_days=365).passages
    left = {"/docs/old.txt": age_weight(900 * DAY, 365), "/docs/new.txt": age_weight(DAY, 365)}
    for passage in found:
        factor = left.get(passage.path, age_weight(30 * DAY, 365))
        assert passage.age_weight == pytest.approx(factor, abs=1e-4)
        assert passage.score == pytest.approx(before[passage.path] * factor, abs=1e-4)
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert [p.rank for p in found] == list(range(1, len(found) + 1))


def test_a_row_of_a_search_names_the_factor_only_where_there_is_one(dated: IndexedTexts) -> None:
    (first, *_) = dated.search(QUESTION).passages
    assert "age_weight" not in first.as_json()
    (first, *_) = dated.search(QUESTION, half_life_days=30).passages
    assert first.as_json()["age_weight"] == first.age_weight


def test_age_alone_hides_nothing_that_fits_far_better(dated: IndexedTexts) -> None:
    dated.put("/docs/pilot.txt", "The pilot of Tolland is called Greta Lund.", mtime=0.0)
    best = dated.search("Who is the pilot of Tolland?", half_life_days=1).passages[0]
    assert best.path == "/docs/pilot.txt"
    assert best.age_weight == pytest.approx(LEAST)


def test_what_was_not_reranked_stays_behind_what_was() -> None:
    """The scores are 1.0, 0.9, 0.8 and 0.7; the first two are old, and alone were read."""
    read = [
        replace(x, candidate=replace(x.candidate, rerank_score=1.0, fused_rank=1))
        for x in ranked("a", "b")
    ]
    found = [*read, *ranked("a", "b", "c", "d")[2:]]
    weighed = weigh_by_age(found, {DocumentId(3): 100.0}, 1.0, 100.0)
    assert [each.chunk.text for each in weighed] == ["a", "b", "d", "c"]
    scores = [each.candidate.score for each in weighed]
    assert scores == pytest.approx([0.5, 0.45, 0.45, 0.4])


def test_of_copies_the_newest_date_counts(dated: IndexedTexts) -> None:
    dated.put("/archive/old.txt", OLD, mtime=days_ago(0))
    best = dated.search(QUESTION, half_life_days=30).passages[0]
    assert best.text == OLD
    assert best.age_weight == pytest.approx(1.0, abs=1e-4)


def test_a_copy_in_another_knowledge_base_makes_nothing_younger(dated: IndexedTexts) -> None:
    other = dated.catalog.kbs.create("other").id
    dated.put("/docs/old.txt", OLD, mtime=days_ago(0), kb=other)
    rules = dated.retriever(half_life_days=30)
    (alone, *_) = rules.search(Query(QUESTION, (dated.kb,), 5)).passages
    assert alone.text == NEW
    both = rules.search(Query(QUESTION, (dated.kb, other), 5)).passages
    assert both[0].text == OLD


def test_of_near_duplicates_the_newer_one_stays(library: IndexedTexts) -> None:
    library.put("/docs/first.txt", OLD, mtime=days_ago(700))
    library.put("/docs/second.txt", OLD + " So it is.", mtime=days_ago(2))
    library.put("/docs/tea.txt", "Tea is grown in the hills.", mtime=days_ago(2))
    rules: dict[str, Any] = {"duplicate_similarity": 0.7}
    assert paths(library.search(QUESTION, **rules).passages)[:2] == [
        "/docs/first.txt",
        "/docs/tea.txt",
    ]
    dated = library.search(QUESTION, half_life_days=30, **rules).passages
    assert paths(dated) == ["/docs/second.txt", "/docs/tea.txt"]
