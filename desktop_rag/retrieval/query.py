"""What is asked of the index, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import ChunkId, KbId, Passage


@dataclass(frozen=True, slots=True)
class Query:
    """A search. `where` is a filter as users write it (`metadata_filter`).

    `question` is the user's own, where a strategy searches for something else in this round: a
    passage's rerank score is then the better of the two. `alike` are texts such as are looked for:
    the query's vector is the mean of its own and theirs. `asked` is what the evidence is measured
    by, where the text holds words that a model made up; empty, the text itself. `reads` is how many
    candidates are reranked at most, where that is fewer than the settings say. `derived` is a way
    that knowledge bases are prepared for: what was derived for it finds chunks as well;
    `by_heads`: by the votes of attention heads. `chunks`
    are chunks with a cosine each that are candidates as well; `only_chunks`, no others. `adapts`:
    the query's vector is moved as the knowledge base's adaptation says, where it has one.
    """

    text: str
    kbs: tuple[KbId, ...]
    k: int
    question: str | None = None
    where: str = ""
    alike: tuple[str, ...] = ()
    asked: str = ""
    reads: int | None = None
    derived: str = ""
    by_heads: bool = False
    chunks: tuple[tuple[ChunkId, float], ...] = ()
    only_chunks: bool = False
    adapts: bool = True


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The passages, best first; how long each stage took in seconds; and the evidence.

    `evidence` in [0, 1] is the calibrated confidence that the passages answer the query. `problems`
    are sentences about models that failed, and what was done without them. `derived` are texts that
    led to passages, by their chunks, best first.
    """

    passages: tuple[Passage, ...]
    timings: dict[str, float] = field(default_factory=dict)
    evidence: float = 0.0
    problems: tuple[str, ...] = ()
    derived: tuple[tuple[ChunkId, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk on its way through the stages; ranks count from 1, `score` is the last stage's.

    `page_rank` is that of the page it stands on; None where no page counts, or none was found.
    """

    chunk_id: ChunkId
    score: float
    dense_rank: int | None = None
    lexical_rank: int | None = None
    dense_score: float | None = None
    lexical_score: float | None = None
    page_rank: int | None = None
    rerank_score: float | None = None
    fused_rank: int | None = None
    age_weight: float | None = None


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A candidate with its chunk as it lies in the catalog."""

    candidate: Candidate
    chunk: StoredChunk

    def at_most(self, score: float) -> RankedChunk:
        """Return it with no better a score: what was not reranked stays below what was."""
        kept = min(score, self.candidate.score)
        return replace(self, candidate=replace(self.candidate, score=kept))
