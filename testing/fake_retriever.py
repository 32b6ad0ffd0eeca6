"""A few passages that can be searched in a test, and what was searched for."""

from __future__ import annotations

from dataclasses import replace

from rank_bm25 import BM25Plus

from desktop_rag.core.language import content_words
from desktop_rag.core.types import ChunkId, DocumentId, Locator, LocatorKind, Passage
from desktop_rag.retrieval.derived_tree import NO_NODES, NodeSearch
from desktop_rag.retrieval.entity_graph_search import NO_GRAPH, GraphSearch
from desktop_rag.retrieval.outline_search import OutlineSearch
from desktop_rag.retrieval.passage_links import PassageLinks
from desktop_rag.retrieval.query import Query, SearchResult

OFFSET = 1000  # where each passage starts in its document


def passage(
    text: str,
    *,
    rank: int = 1,
    path: str = "/docs/report.pdf",
    kind: LocatorKind = LocatorKind.PAGE,
) -> Passage:
    """Return a passage that stands OFFSET characters into its document, on page `rank`."""
    end = OFFSET + len(text)
    return Passage(
        rank=rank,
        chunk_id=ChunkId(100 + rank),
        document_id=DocumentId(rank),
        path=path,
        locator=Locator(kind, rank, OFFSET, end),
        title="Report",
        section="",
        text=text,
        match=(OFFSET, end),
        score=1.0 / rank,
    )


def passages(*texts: str) -> tuple[Passage, ...]:
    """Return passages of these texts, ranked in this order."""
    return tuple(passage(text, rank=rank) for rank, text in enumerate(texts, start=1))


class FakeRetriever:
    """Searches its passages by BM25; the evidence is 0 where no word of the query is found."""

    def __init__(self, *texts: str, evidence: float | None = None) -> None:
        self.passages = passages(*texts)
        self.evidence = evidence
        self.queries: list[Query] = []
        self.links: PassageLinks | None = None
        self.outlines: OutlineSearch | None = None
        self.reads = 0
        self.nodes: NodeSearch = NO_NODES

    def search(self, query: Query) -> SearchResult:
        """Return the k best passages, and remember the query."""
        self.queries.append(query)
        if not self.passages:
            return SearchResult(())
        words = [content_words(each.text) for each in self.passages]
        scores = BM25Plus([*words, [""]]).get_scores(content_words(query.text))
        order = sorted(range(len(words)), key=lambda at: -scores[at])[: query.k]
        ranked = tuple(replace(self.passages[at], rank=n) for n, at in enumerate(order, start=1))
        shared = any(set(content_words(query.text)) & set(each) for each in words)
        return SearchResult(ranked, {}, float(shared) if self.evidence is None else self.evidence)

    def tree(self, query: Query, way: str) -> NodeSearch:
        """Return the nodes that a test has put here: none, as a rule."""
        del query, way
        return self.nodes

    def graph(self, query: Query, way: str) -> GraphSearch:  # noqa: ARG002
        """Return no graph: nothing is prepared here."""
        return NO_GRAPH

    def reading_at_most(self, count: int) -> FakeRetriever:
        """Remember what the second stage would read; here is none."""
        self.reads = count
        return self
