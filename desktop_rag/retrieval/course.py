"""What one search did, stage by stage: enough to say of any chunk where it stood, or fell out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from desktop_rag.core.types import DocumentId
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk, SearchResult


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """The stages of one search, each best first.

    `query` is as it was searched, `documents` are those that the filter lets pass (None: all).
    `ranked` is the order after the second stage, `dated` that with the files' age counted, `unlike`
    that without near-duplicates, `chosen` what variety left of it.
    """

    query: Query
    documents: Collection[DocumentId] | None
    dense: Hits
    lexical: Hits
    fused: tuple[Candidate, ...]
    ranked: tuple[RankedChunk, ...]
    dated: tuple[RankedChunk, ...]
    unlike: tuple[RankedChunk, ...]
    chosen: tuple[RankedChunk, ...]
    found: SearchResult
