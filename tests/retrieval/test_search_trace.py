"""What is said of a passage's way through a search."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import BlockKind, ChunkId, DocumentId, Locator, LocatorKind
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk, SearchResult
from desktop_rag.retrieval.search_trace import ChunkTrace, SearchTrace, _passages

PLACE = Locator(LocatorKind.PAGE, 1, 0, 4)


def piece(number: int, document: int) -> RankedChunk:
    chunk = StoredChunk(
        ChunkId(number), DocumentId(document), 0, BlockKind.TEXT, "text", "", "", "", PLACE, (0, 90)
    )
    return RankedChunk(Candidate(chunk.chunk_id, 1.0 / number), chunk)


def told(*chosen: RankedChunk) -> str:
    """Return what is said of the last of these pieces, where one passage is used."""
    course = SimpleNamespace(query=Query("why", (), 1), chosen=chosen, found=SearchResult(()))
    trail = ChunkTrace(chosen[-1].chunk, cast("SearchTrace", course), [], [], Retrieval(), {})
    return next(_passages(trail)).text


def test_a_number_that_changes_since_pieces_count_once_says_so() -> None:
    plain = "It would be passage 2; only the first 1 are used."
    assert told(piece(1, 1), piece(2, 2)) == plain
    merged = "Pieces of one passage count once: it would be passage 2; only the first 1 are used."
    assert told(piece(1, 1), piece(2, 1), piece(3, 2)) == merged


def test_a_part_of_a_page_that_is_used_already_says_so() -> None:
    first, other, later = piece(1, 1), piece(2, 2), piece(3, 1)
    later = replace(later, chunk=replace(later.chunk, big=(200, 290)))
    assert told(first, other, later) == "Its page is used already, with what matches better there."
