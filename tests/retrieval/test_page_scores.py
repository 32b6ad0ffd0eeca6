"""Pages as units of retrieval: two pieces that match speak for a page."""

from __future__ import annotations

import pytest

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.retrieval.page_scores import add_page_ranks, add_page_support
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk
from testing.indexed_texts import IndexedTexts

WHOLE = 100  # characters of a big range


def piece(
    number: int,
    page: int,
    score: float,
    *,
    cosine: float | None = None,
    length: int = 40,
    kind: LocatorKind = LocatorKind.PAGE,
) -> RankedChunk:
    """Return a piece of a page's big range; of another kind, each is in a range of its own."""
    start = WHOLE * (page if kind is LocatorKind.PAGE else number)
    chunk = StoredChunk(
        ChunkId(number),
        DocumentId(1),
        number,
        BlockKind.TEXT,
        "x" * length,
        "",
        "",
        "",
        Locator(kind, page, start, start + length),
        (start, start + WHOLE),
    )
    return RankedChunk(Candidate(chunk.chunk_id, score, dense_score=cosine), chunk)


def order(ranked: list[RankedChunk]) -> list[int]:
    return [int(each.chunk.chunk_id) for each in ranked]


def test_a_page_with_two_near_pieces_is_put_before_one_with_a_single_nearer_piece() -> None:
    fused = [
        piece(1, 1, 0.60, cosine=0.62),
        piece(2, 2, 0.59, cosine=0.60),
        piece(3, 2, 0.30, cosine=0.58),
        piece(4, 3, 0.20, cosine=0.20),
    ]
    found = add_page_ranks(fused, 10)
    assert order(found) == [2, 1, 3, 4]
    assert [each.candidate.page_rank for each in found] == [1, 2, 1, 3]
    assert all(0.0 <= each.candidate.score <= 1.0 for each in found)


def test_what_is_found_by_words_alone_shares_the_rank_of_its_page() -> None:
    fused = [
        piece(1, 1, 0.50),
        piece(2, 2, 0.49),
        piece(3, 2, 0.40, cosine=0.7),
        piece(4, 3, 0.30, cosine=0.1),
    ]
    assert order(add_page_ranks(fused, 10))[0] == 2


def test_after_reranking_the_second_nearest_piece_of_a_page_counts() -> None:
    fused = add_page_ranks(
        [
            piece(1, 1, 0.60, cosine=0.62),
            piece(2, 2, 0.59, cosine=0.60),
            piece(3, 2, 0.30, cosine=0.58),
            piece(4, 3, 0.20, cosine=0.20),
        ],
        10,
    )
    reranked = [piece(1, 1, 1.0), piece(2, 2, 0.95), piece(4, 3, 0.0)]
    found = add_page_support(reranked, fused)
    assert order(found) == [2, 1, 4]
    assert all(0.0 <= each.candidate.score <= 1.0 for each in found)


def test_a_piece_that_is_all_of_its_page_needs_no_second_one() -> None:
    alone = piece(1, 1, 0.60, cosine=0.62, length=WHOLE)
    fused = add_page_ranks(
        [alone, piece(2, 2, 0.59, cosine=0.60), piece(3, 2, 0.3, cosine=0.58)], 10
    )
    reranked = [piece(1, 1, 1.0, length=WHOLE), piece(2, 2, 0.95)]
    assert order(add_page_support(reranked, fused))[0] == 1


@pytest.mark.parametrize("kind", [LocatorKind.LINE, LocatorKind.ROW, LocatorKind.SECTION])
def test_where_nothing_stands_on_a_page_nothing_changes(kind: LocatorKind) -> None:
    ranked = [piece(n, 1, 1.0 - n / 10, cosine=n / 10, kind=kind) for n in range(1, 5)]
    assert add_page_ranks(ranked, 10) == ranked
    assert add_page_support(ranked, ranked) == ranked


def test_nothing_and_what_no_model_read_stay_as_they_are() -> None:
    assert add_page_ranks([], 10) == []
    assert add_page_support([], []) == []
    by_words = [piece(1, 1, 0.5), piece(2, 2, 0.4)]
    assert add_page_ranks(by_words, 10) == by_words
    assert add_page_support(by_words, by_words) == by_words


def test_a_search_tells_the_rank_of_the_page(library: IndexedTexts) -> None:
    library.put("/whales.pdf", "The blue whale is the largest animal.", "Bread rises by yeast.")
    fused = (
        library.retriever().followed(Query("Which animal is the largest?", (library.kb,), 5)).fused
    )
    assert [each.page_rank for each in fused] == [1, 2]
