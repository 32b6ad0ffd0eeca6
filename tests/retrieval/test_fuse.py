from __future__ import annotations

from dataclasses import replace

import pytest

from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId
from desktop_rag.retrieval.fuse import Hits, ScoreScale, fuse, interleave_models

A, B, C = ChunkId(1), ChunkId(2), ChunkId(3)
DENSE = [(A, 0.9), (B, 0.5)]
LEXICAL = [(B, 12.0), (C, 3.0)]
RRF = replace(Retrieval(), fusion="rrf", rrf_k=60)


def test_reciprocal_ranks_are_summed() -> None:
    found = {each.chunk_id: each.score for each in fuse(DENSE, LEXICAL, RRF)}
    assert found[B] == pytest.approx((61 / 62 + 61 / 61) / 2)
    assert found[A] == pytest.approx(61 / 61 / 2)
    assert found[C] == pytest.approx(61 / 62 / 2)


def test_ranks_and_scores_of_both_sides_are_kept() -> None:
    best = fuse(DENSE, LEXICAL, RRF)[0]
    assert (best.chunk_id, best.dense_rank, best.lexical_rank) == (B, 2, 1)
    assert (best.dense_score, best.lexical_score) == (0.5, 12.0)


def test_one_side_alone_keeps_its_order_and_starts_at_one() -> None:
    found = fuse([], LEXICAL, RRF)
    assert [each.chunk_id for each in found] == [B, C]
    assert found[0].score == 1.0
    assert found[0].dense_rank is None


@pytest.mark.parametrize(("alpha", "first"), [(1.0, A), (0.0, B)])
def test_alpha_weighs_the_dense_side(alpha: float, first: ChunkId) -> None:
    rules = replace(Retrieval(), fusion="weighted", alpha=alpha)
    assert fuse(DENSE, LEXICAL, rules)[0].chunk_id == first


def test_equal_scores_stand_in_the_order_of_their_ids() -> None:
    found = fuse([(C, 0.5)], [(A, 1.0)], RRF)
    assert [each.chunk_id for each in found] == [A, C]


def test_equal_scores_share_a_rank_and_the_other_side_decides() -> None:
    found = fuse([(C, 0.9), (B, 0.8), (A, 0.7)], [(A, 2.0), (B, 2.0), (C, 1.0)], RRF)
    assert {each.chunk_id: each.lexical_rank for each in found} == {A: 1, B: 1, C: 3}
    assert found[0].chunk_id == B


def test_the_numbers_of_equal_chunks_decide_nothing() -> None:
    dense = [(A, 0.9), (B, 0.8)]
    one, other = (fuse(dense, [(first, 2.0), (last, 2.0)], RRF) for first, last in ((A, B), (B, A)))
    assert one == other


def test_nothing_found_is_nothing() -> None:
    assert fuse([], [], RRF) == []


def by_sums(dense: Hits, lexical: Hits, cosine: float, words: float) -> list[ChunkId]:
    found = fuse(dense, lexical, replace(RRF, fusion="auto"), ScoreScale(cosine, words))
    assert all(0.0 <= each.score <= 1.0 for each in found)
    return [each.chunk_id for each in found]


def test_where_scores_compare_all_words_found_outweigh_a_nearness_that_counts_less() -> None:
    whole = 9.0  # the terms' inverse document frequencies together
    dense, lexical = [(A, 0.9), (B, 0.2)], [(B, 1.32 * whole)]
    assert by_sums(dense, lexical, 0.5, whole) == [B, A]
    assert by_sums(dense, lexical, 2.0, whole) == [A, B]


def test_few_words_of_many_count_less_than_their_share() -> None:
    whole = 9.0
    by_chance, all_of_them = 0.2 * 1.32 * whole, 1.32 * whole
    assert by_sums([(A, 0.5), (B, 0.4)], [(B, by_chance)], 1.0, whole) == [A, B]
    assert by_sums([(A, 0.95), (B, 0.0)], [(B, all_of_them)], 1.0, whole) == [B, A]


def test_where_words_fail_meaning_decides() -> None:
    assert by_sums([(A, 0.6), (B, 0.5)], [(C, 1.0), (B, 0.5)], 0.5, 20.0) == [A, B, C]


def test_a_query_without_a_term_of_its_own_is_ranked_by_meaning() -> None:
    assert by_sums([(B, 0.4), (A, 0.3)], [], 0.5, 0.0) == [B, A]


def test_what_meaning_did_not_find_is_not_nearer_than_what_it_found() -> None:
    assert by_sums([(A, -0.2)], [(A, 5.0), (B, 4.5)], 0.5, 20.0) == [A, B]


def test_ranks_are_fused_where_the_settings_say_so_or_nothing_is_known() -> None:
    dense, lexical = [(A, 0.9), (B, 0.8)], [(B, 2.0), (C, 1.0)]
    ranks = fuse(dense, lexical, RRF)
    assert fuse(dense, lexical, RRF, ScoreScale(2.0, 9.0)) == ranks
    assert fuse(dense, lexical, replace(RRF, fusion="auto")) == ranks


def test_rankings_of_two_models_are_joined_by_rank() -> None:
    one, other = [(A, 0.3), (C, 0.2)], [(B, 0.9), (C, 0.8)]
    assert [chunk_id for chunk_id, _ in interleave_models([one, other])] == [A, B, C]
    assert interleave_models([one]) == one
    assert interleave_models([]) == []
