"""Small to big: a small piece matched, and the bigger one around it is handed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import DocumentId, KbId, Passage
from desktop_rag.core.unicode import valid_text
from desktop_rag.retrieval.query import RankedChunk

_Place = tuple[DocumentId, int, int]


def expand_passages(
    catalog: Catalog, ranked: Sequence[RankedChunk], kbs: Iterable[KbId], k: int, *, expand: bool
) -> tuple[Passage, ...]:
    """Return up to `k` passages, best first; pieces of one big range make one passage."""
    best: dict[_Place, RankedChunk] = {}
    for each in ranked:
        best.setdefault(passage_range(each, expand=expand), each)
    chosen = list(best.items())[:k]
    paths = catalog.documents.paths({place[0] for place, _ in chosen}, kbs)
    kept = [(place, each) for place, each in chosen if place[0] in paths]
    contents = catalog.documents.content_hashes(paths)
    passages = (
        _passage(catalog, rank, place, each, paths[place[0]])
        for rank, (place, each) in enumerate(kept, start=1)
    )
    return tuple(replace(p, content_hash=contents.get(p.document_id, "")) for p in passages)


def passage_range(each: RankedChunk, *, expand: bool) -> _Place:
    """Return the range that is handed over when a piece matched: its own, or the big one."""
    start, end = each.chunk.big if expand else _match(each)
    return each.chunk.document_id, start, end


def _match(each: RankedChunk) -> tuple[int, int]:
    """Return the character range of the small piece."""
    locator = each.chunk.locator
    start = locator.start if locator.start is not None else each.chunk.big[0]
    return start, locator.end if locator.end is not None else start + len(each.chunk.text)


def _passage(
    catalog: Catalog, rank: int, place: _Place, each: RankedChunk, paths: tuple[str, ...]
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
