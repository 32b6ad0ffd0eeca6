"""Which places count as a saved passage."""

from __future__ import annotations

from typing import Any, cast

import pytest

from desktop_rag.core.evaluation_records import WHOLE
from desktop_rag.core.types import DocumentId
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import FoundRange, GoldTarget, LibraryScope

ONE, OTHER = DocumentId(1), DocumentId(2)
GOLD = GoldTarget("gold", frozenset({ONE}), 100, 200)


@pytest.mark.parametrize(
    ("start", "stop", "counts"),
    [
        (0, 1000, True),  # a larger piece around it
        (120, 130, True),  # a quote of it
        (150, 250, True),  # half of it
        (151, 251, False),  # less than half
        (200, 300, False),  # beside it
    ],
)
def test_a_place_counts_that_shares_half_of_the_shorter_range(
    start: int, stop: int, counts: bool
) -> None:
    assert GOLD.has(FoundRange(ONE, "/a", start, stop)) is counts
    assert not GOLD.has(FoundRange(OTHER, "/b", start, stop))


def test_any_place_counts_of_a_whole_document_and_of_one_that_changed() -> None:
    far = FoundRange(ONE, "/a", 900, 950)
    assert not GOLD.has(far)
    assert GoldTarget("gold", frozenset({ONE}), 0, WHOLE).has(far)
    assert GoldTarget("gold", frozenset({ONE}), 100, 200, is_loose=True).has(far)


def test_two_pieces_of_one_passage_are_found_once_and_a_piece_of_two_finds_both() -> None:
    second = GoldTarget("second", frozenset({ONE}), 200, 300)
    item = EvalQuestion("q", "?", (), frozenset({"gold", "second"}))
    unused = cast("Any", None)  # where the gold lies is compared, nothing is searched
    grounds = LibraryScope(unused, unused, unused, {"q": (GOLD, second)}, {"q": ()})
    halves = [
        FoundRange(ONE, "/a", 100, 150),
        FoundRange(ONE, "/a", 150, 200),
        FoundRange(OTHER, "/b", 0, 9),
    ]
    assert grounds.ids(item, halves) == ("gold", "2:0-9")
    assert grounds.ids(item, [FoundRange(ONE, "/a", 100, 300)]) == ("gold", "second")
