"""Questions that ask for figures, and what that does to tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.retrieval.figure_questions import asks_for_figures, prefer_tables
from desktop_rag.retrieval.query import Candidate, RankedChunk


@pytest.mark.parametrize(
    "question",
    [
        "How much did the company spend on equipment?",
        "How many people work there?",
        "What were net sales in FY2022?",
        "Which margin did the segment reach?",
        "What is 5 % of it worth?",
        "公司的研发费用是多少？",
        "营业收入同比变化如何？",
    ],
)
def test_amounts_shares_and_years_are_figures(question: str) -> None:
    assert asks_for_figures(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who signed the lease?",
        "Why was the bridge closed?",
        "Is it rated?",
        "谁签了合同？",
        "Why did costs rise in 2022?",
        "2022年应收账款变动的原因是什么？",
    ],
)
def test_names_and_reasons_are_none(question: str) -> None:
    assert not asks_for_figures(question)


def piece(
    number: int, kind: BlockKind, score: float, place: LocatorKind = LocatorKind.PAGE
) -> RankedChunk:
    where = Locator(place, number, 0, 4)
    chunk = StoredChunk(
        ChunkId(number), DocumentId(1), number, kind, "text", "", "", "", where, (0, 4)
    )
    return RankedChunk(Candidate(chunk.chunk_id, score, page_rank=1), chunk)


def test_a_table_a_little_below_comes_first_and_one_far_below_does_not() -> None:
    ranked = [
        piece(1, BlockKind.TEXT, 0.9),
        piece(2, BlockKind.TABLE, 0.8),
        piece(3, BlockKind.TABLE, 0.5),
    ]
    found = prefer_tables(ranked, "How much was spent?")
    assert [int(each.chunk.chunk_id) for each in found] == [2, 1, 3]
    assert all(0.0 <= each.candidate.score <= 1.0 for each in found)
    assert prefer_tables(ranked, "Who signed it?") == ranked


def test_rows_of_sheets_and_what_has_no_ranked_page_stay() -> None:
    rows = [
        piece(1, BlockKind.TEXT, 0.9),
        piece(2, BlockKind.TABLE, 0.8, LocatorKind.SHEET),
    ]
    found = prefer_tables(rows, "How much was spent?")
    assert [int(each.chunk.chunk_id) for each in found] == [1, 2]
    unranked = [
        replace(each, candidate=replace(each.candidate, page_rank=None))
        for each in (piece(1, BlockKind.TEXT, 0.9), piece(2, BlockKind.TABLE, 0.8))
    ]
    assert prefer_tables(unranked, "How much was spent?") == unranked
