"""What is handed over of a page: one passage, and room for other pages."""

from __future__ import annotations

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.retrieval.expand import passage_ranges
from desktop_rag.retrieval.query import Candidate, RankedChunk


def piece(
    number: int, page: int, big: tuple[int, int], kind: LocatorKind = LocatorKind.PAGE
) -> RankedChunk:
    locator = Locator(kind, page, big[0], big[0] + 4)
    chunk = StoredChunk(
        ChunkId(number), DocumentId(1), 0, BlockKind.TEXT, "text", "", "", "", locator, big
    )
    return RankedChunk(Candidate(chunk.chunk_id, 1.0 / number), chunk)


def ranges(*ranked: RankedChunk, k: int) -> list[tuple[int, int, int]]:
    """Return the ranges with the number of the piece that matched best in each."""
    found = passage_ranges(ranked, k, expand=True)
    return [(start, end, int(best.chunk.chunk_id)) for (_, start, end), best in found.items()]


CROWDED = (
    piece(1, 1, (0, 100)),
    piece(2, 1, (200, 300)),
    piece(3, 2, (400, 500)),
    piece(4, 1, (100, 200)),
    piece(5, 3, (600, 700)),
    piece(6, 4, (800, 900)),
)


def test_the_ranges_of_one_page_are_one_passage_and_other_pages_take_the_room() -> None:
    assert ranges(*CROWDED, k=3) == [(0, 300, 1), (400, 500, 3), (600, 700, 5)]


def test_no_more_of_a_page_is_joined_than_would_have_been_handed_over() -> None:
    """The fourth range, of the first page, is not among the first three."""
    assert ranges(*CROWDED[:2], *CROWDED[3:], k=2) == [(0, 300, 1), (600, 700, 5)]
    far = piece(9, 1, (300, 350))
    assert ranges(*CROWDED, far, k=4)[0] == (0, 300, 1)


def test_a_page_too_long_to_be_read_as_one_is_handed_over_in_parts() -> None:
    parts = (piece(1, 1, (0, 100)), piece(2, 1, (9000, 9100)), piece(3, 2, (9500, 9600)))
    assert ranges(*parts, k=2) == [(0, 100, 1), (9000, 9100, 2)]
    assert ranges(parts[0], parts[2], parts[1], k=3) == [
        (0, 100, 1),
        (9500, 9600, 3),
        (9000, 9100, 2),
    ]


def test_what_has_no_pages_stays_apart() -> None:
    lines = [piece(n, 1, (100 * n, 100 * n + 100), LocatorKind.LINE) for n in range(1, 5)]
    assert [each[2] for each in ranges(*lines, k=3)] == [1, 2, 3]


def test_small_pieces_that_are_not_expanded_stay_apart() -> None:
    found = passage_ranges(CROWDED, 3, expand=False)
    assert [int(each.chunk.chunk_id) for each in found.values()] == [1, 2, 3]
