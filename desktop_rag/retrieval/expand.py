"""Small to big: a small piece matched, and the bigger one around it is handed over.

A page is handed over once: the ranges on it that matched make one passage, and the room goes to
other pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId, KbId, LocatorKind, Passage
from desktop_rag.core.unicode import valid_text
from desktop_rag.retrieval.query import RankedChunk

PassageRange = tuple[DocumentId, int, int]
"""A document, and the first character in it and the one after the last."""
_LONGEST = 6000  # characters of a page that are handed over as one passage


def expand_passages(
    catalog: Catalog, ranked: Sequence[RankedChunk], kbs: Iterable[KbId], k: int, *, expand: bool
) -> tuple[Passage, ...]:
    """Return up to `k` passages, best first; pieces of one range make one passage."""
    chosen = list(passage_ranges(ranked, k, expand=expand).items())
    paths = catalog.documents.paths({place[0] for place, _ in chosen}, kbs)
    kept = [(place, each) for place, each in chosen if place[0] in paths]
    contents = catalog.documents.content_hashes(paths)
    passages = (
        _passage(catalog, rank, place, each, paths[place[0]])
        for rank, (place, each) in enumerate(kept, start=1)
    )
    return tuple(replace(p, content_hash=contents.get(p.document_id, "")) for p in passages)


def passage_ranges(
    ranked: Sequence[RankedChunk], k: int, *, expand: bool
) -> dict[PassageRange, RankedChunk]:
    """Return the ranges of up to `k` passages, best first, each with the piece that matched best.

    Of the first `k` those on one page are joined, up to a length that is still read as one. A later
    one is taken only if its page has none yet.
    """
    best: dict[PassageRange, RankedChunk] = {}
    for each in ranked:
        best.setdefault(passage_range(each, expand=expand), each)
    if not expand:
        return dict(list(best.items())[:k])
    made: list[tuple[PassageRange, RankedChunk]] = []
    for number, (place, each) in enumerate(best.items()):
        beside = [n for n, (_, other) in enumerate(made) if is_same_page(each, other)]
        at = next((n for n in beside if _is_short(_around(made[n][0], place))), None)
        if at is not None and number < k:
            made[at] = (_around(made[at][0], place), made[at][1])
        elif len(made) < k and (number < k or not beside):
            made.append((place, each))
    return dict(made)


def is_same_page(one: RankedChunk, other: RankedChunk) -> bool:
    """Say whether two pieces stand on the same page of a document that has pages."""
    here, there = one.chunk.locator, other.chunk.locator
    is_page = here.kind is there.kind is LocatorKind.PAGE
    return is_page and (one.chunk.document_id, here.value) == (
        other.chunk.document_id,
        there.value,
    )


def passage_range(each: RankedChunk, *, expand: bool) -> PassageRange:
    """Return the range that is handed over when a piece matched: its own, or the big one."""
    start, end = each.chunk.big if expand else _match(each)
    return each.chunk.document_id, start, end


def is_within(one: PassageRange, other: PassageRange) -> bool:
    """Say whether a range lies in another one of the same document."""
    return one[0] == other[0] and other[1] <= one[1] and one[2] <= other[2]


def _around(one: PassageRange, other: PassageRange) -> PassageRange:
    """Return the range from the beginning of the first of two to the end of the last."""
    return one[0], min(one[1], other[1]), max(one[2], other[2])


def _is_short(place: PassageRange) -> bool:
    return place[2] - place[1] <= _LONGEST


def _match(each: RankedChunk) -> tuple[int, int]:
    """Return the character range of the small piece."""
    locator = each.chunk.locator
    start = locator.start if locator.start is not None else each.chunk.big[0]
    return start, locator.end if locator.end is not None else start + len(each.chunk.text)


def _passage(
    catalog: Catalog, rank: int, place: PassageRange, each: RankedChunk, paths: tuple[str, ...]
) -> Passage:
    document_id, start, end = place
    whole = (start, end) == _match(each)
    candidate, chunk = each.candidate, each.chunk
    return Passage(
        rank=rank,
        chunk_id=chunk.chunk_id,
        document_id=document_id,
        path=paths[0],
        other_paths=paths[1:],
        locator=chunk.locator if whole else catalog.documents.locator_for(*place),
        title=chunk.title or valid_text(PurePath(paths[0]).stem),
        section=chunk.section,
        text=chunk.text if whole else catalog.documents.text(*place),
        match=_match(each),
        score=candidate.score,
        dense_rank=candidate.dense_rank,
        lexical_rank=candidate.lexical_rank,
        dense_score=candidate.dense_score,
        lexical_score=candidate.lexical_score,
        rerank_score=candidate.rerank_score,
        fused_rank=candidate.fused_rank,
        age_weight=candidate.age_weight,
        match_value=None if whole else chunk.locator.value,
        match_cells=None if whole else chunk.locator.cells,
    )
