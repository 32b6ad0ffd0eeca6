"""What one search did, stage by stage, and of one chunk where it stood, or fell out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.explain_events import Stage, StageName, StageState
from desktop_rag.core.language import FUNCTION_WORDS
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId, Passage, VectorSearch
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.retrieval.diversify import duplicate_of
from desktop_rag.retrieval.expand import (
    is_same_page,
    is_within,
    passage_range,
    passage_ranges,
)
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk, SearchResult

_SHOWN_WORDS = 6
_FOUND_BY = {
    VectorSearch.EXACT: "Every vector was compared.",
    VectorSearch.CHROMA: "Chroma named the candidates, exact cosines ordered them.",
}


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """The stages of one search, each best first.

    `query` is as it was searched, `documents` are those that the filter lets pass (None: all).
    `ranked` is the order after the second stage, `dated` that with the files' age counted, `unlike`
    that without near-duplicates, `chosen` what variety left of it. `vector_search` says how `dense`
    was found, None where no model read the query.
    """

    query: Query
    documents: Collection[DocumentId] | None
    dense: Hits
    vector_search: VectorSearch | None
    lexical: Hits
    fused: tuple[Candidate, ...]
    ranked: tuple[RankedChunk, ...]
    dated: tuple[RankedChunk, ...]
    unlike: tuple[RankedChunk, ...]
    chosen: tuple[RankedChunk, ...]
    found: SearchResult


@dataclass(frozen=True, slots=True)
class ChunkTrace:
    """A chunk, the search that it should have been found by, and that search's uncut orders.

    `files` are the names of the files that the candidates and the chunk are in.
    """

    chunk: StoredChunk
    course: SearchTrace
    dense: Hits
    lexical: Hits
    rules: Retrieval
    files: Mapping[DocumentId, str]

    @property
    def holder(self) -> Passage | None:
        """The passage that hands the chunk over, if one does."""
        found = self.course.found.passages
        return next((each for each in found if contains_chunk(each, self.chunk)), None)


def contains_chunk(passage: Passage, chunk: StoredChunk) -> bool:
    """Say whether a passage's text has all of a chunk."""
    if passage.chunk_id == chunk.chunk_id:
        return True
    start, end = chunk_range(chunk)
    at = passage.locator
    is_around = (at.start or 0) <= start and end <= (at.end or 0)
    return passage.document_id == chunk.document_id and is_around


def chunk_range(chunk: StoredChunk) -> tuple[int, int]:
    """Return a chunk's range in its document's text."""
    start = chunk.big[0] if chunk.locator.start is None else chunk.locator.start
    return start, start + len(chunk.text) if chunk.locator.end is None else chunk.locator.end


def trace_stages(trail: ChunkTrace) -> Iterator[Stage]:
    """Yield what each stage of the search did with the chunk; after it fell out, no more."""
    for stage in _STAGES:
        yield from (made := list(stage(trail)))
        if made and all(each.state is StageState.OUT for each in made):
            return


def _filter(trail: ChunkTrace) -> Iterator[Stage]:
    documents = trail.course.documents
    if documents is None:
        yield Stage(StageName.FILTER, StageState.OFF, "No filter is set.")
    elif trail.chunk.document_id in documents:
        yield Stage(StageName.FILTER, StageState.PASSED, "The filter lets its file pass.")
    else:
        yield Stage(StageName.FILTER, StageState.OUT, "The filter leaves its file out.")


def _candidates(trail: ChunkTrace) -> Iterator[Stage]:
    """Tell of the two first searches: a chunk is out where neither brings it."""
    cut, chunk_id = trail.rules.candidates, trail.chunk.chunk_id
    came = [_has(hits, chunk_id) for hits in (trail.course.dense, trail.course.lexical)]
    lost = StageState.MISSED if any(came) else StageState.OUT
    states = [StageState.PASSED if each else lost for each in came]
    yield _by_meaning(trail, states[0], cut)
    yield _by_words(trail, states[1], cut)


def _by_meaning(trail: ChunkTrace, state: StageState, cut: int) -> Stage:
    rank, score = _place(trail.dense, trail.chunk.chunk_id)
    of = len(trail.dense)
    if not of:
        unread = "The question was not searched by its meaning: no model here reads it."
        return Stage(
            StageName.MEANING, StageState.OFF if state is StageState.MISSED else state, unread
        )
    text: str
    if rank is None:
        text = "It has no vector of the model that is in use."
    elif state is StageState.PASSED or rank > cut:
        text = Phrase(
            "By meaning it is number {0} of {1}; the first {2} go on.",
            f"{rank:,}",
            f"{of:,}",
            f"{cut:,}",
        )
    else:
        text = Phrase(
            "By meaning it is number {0} of {1}, but the vector index missed it.",
            f"{rank:,}",
            f"{of:,}",
        )
    by = trail.course.vector_search
    if by is not None:
        text = joined(text, _FOUND_BY[by])
    return Stage(StageName.MEANING, state, text, rank, of, cut, score, by)


def _by_words(trail: ChunkTrace, state: StageState, cut: int) -> Stage:
    rank, score = _place(trail.lexical, trail.chunk.chunk_id)
    of = len(trail.lexical)
    shared = shared_words(trail.course.query.text, trail.chunk)
    if rank is not None:
        number = Phrase(
            "By words it is number {0} of {1}; the first {2} go on.",
            f"{rank:,}",
            f"{of:,}",
            f"{cut:,}",
        )
        shares = Phrase("It shares with the question: {0}.", ", ".join(shared[:_SHOWN_WORDS]))
        text = joined(number, shares) if shared else number
    elif shared:
        text = "It shares words with the question, but the word index does not hold it."
    else:
        text = "It holds no word of the question."
    return Stage(StageName.WORDS, state, text, rank, of, cut, score)


def shared_words(query: str, chunk: StoredChunk) -> list[str]:
    """Return the words of a query, as they are written there, that a chunk's text has.

    Those that carry meaning come first.
    """
    held = set(search_terms(f"{chunk.context}\n{chunk.text}"))
    if len(query.split()) == 1:  # Chinese is not parted by blanks: its pairs of characters are
        return [term for term in dict.fromkeys(search_terms(query)) if term in held]
    parts = dict.fromkeys(each.strip(".,;:?!\"'()“”‘’，。？！、；：（）") for each in query.split())
    shared = [each for each in parts if each and held & set(search_terms(each))]
    return sorted(shared, key=lambda each: each.casefold() in FUNCTION_WORDS)


def _joined(trail: ChunkTrace) -> Iterator[Stage]:
    fused = trail.course.fused
    at = next(each for each in fused if each.chunk_id == trail.chunk.chunk_id)
    rank = 1 + sum(each.score > at.score for each in fused)
    text: str = Phrase(
        "The two searches fused, it is number {0} of {1}.", f"{rank:,}", f"{len(fused):,}"
    )
    if at.page_rank is not None:
        page = Phrase("By its two nearest pieces, its page is number {0}.", f"{at.page_rank:,}")
        text = joined(text, page)
    yield Stage(StageName.JOINED, StageState.PASSED, text, rank, len(fused), score=at.score)


def _second(trail: ChunkTrace) -> Iterator[Stage]:
    ranked, cut = trail.course.ranked, trail.rules.rerank_candidates
    at = _index(ranked, trail.chunk.chunk_id)
    candidate = ranked[at].candidate
    read = sum(each.candidate.rerank_score is not None for each in ranked)
    if not read:
        text = "Nothing reads the candidates a second time."
        yield Stage(StageName.SECOND, StageState.OFF, text, at + 1, len(ranked))
    elif candidate.rerank_score is None and candidate.fused_rank is not None:
        text = Phrase(
            "The reranker does not read its language: it stays number {0}.", f"{at + 1:,}"
        )
        yield Stage(StageName.SECOND, StageState.PASSED, text, at + 1, len(ranked), cut)
    elif candidate.rerank_score is None:
        text = Phrase("The first {0} are read a second time; it is not among them.", f"{read:,}")
        yield Stage(StageName.SECOND, StageState.MISSED, text, at + 1, len(ranked), cut)
    else:
        was, now = candidate.fused_rank, at + 1
        text = Phrase(
            "Read a second time, it goes from number {0} to number {1}.", f"{was:,}", f"{now:,}"
        )
        if was == now:
            text = Phrase("Read a second time, it stays number {0}.", f"{now:,}")
        score = candidate.rerank_score
        yield Stage(StageName.SECOND, StageState.PASSED, text, at + 1, read, cut, score)


def _age(trail: ChunkTrace) -> Iterator[Stage]:
    if not trail.rules.half_life_days:
        yield Stage(StageName.AGE, StageState.OFF, "The age of files does not count.")
        return
    chunk_id, dated = trail.chunk.chunk_id, trail.course.dated
    was, now = _index(trail.course.ranked, chunk_id) + 1, _index(dated, chunk_id) + 1
    at = dated[now - 1].candidate
    left = 100 * (at.age_weight or 0.0)
    text = Phrase(
        "The age of its file leaves it {0}% of its score: it goes from number {1} to number {2}.",
        f"{left:.0f}",
        f"{was:,}",
        f"{now:,}",
    )
    if was == now:
        text = Phrase(
            "The age of its file leaves it {0}% of its score: it stays number {1}.",
            f"{left:.0f}",
            f"{now:,}",
        )
    yield Stage(StageName.AGE, StageState.PASSED, text, now, len(dated), score=at.score)


def _duplicates(trail: ChunkTrace) -> Iterator[Stage]:
    chunk_id = trail.chunk.chunk_id
    if any(each.chunk.chunk_id == chunk_id for each in trail.course.unlike):
        yield Stage(StageName.DUPLICATES, StageState.PASSED, "No better passage says the same.")
        return
    other = duplicate_of(
        trail.course.dated[_index(trail.course.dated, chunk_id)],
        trail.course.unlike,
        trail.rules.duplicate_similarity,
    )
    name = trail.files.get(other.chunk.document_id, other.chunk.title)
    number = other.chunk.ordinal + 1
    text = Phrase("Passage {0} of “{1}” says the same and stands higher.", f"{number:,}", name)
    yield Stage(StageName.DUPLICATES, StageState.OUT, text)


def _variety(trail: ChunkTrace) -> Iterator[Stage]:
    if trail.rules.mmr_lambda >= 1.0:
        yield Stage(
            StageName.VARIETY, StageState.OFF, "Variety is not asked for: relevance alone counts."
        )
        return
    chosen = trail.course.chosen
    places = [n for n, each in enumerate(chosen) if each.chunk.chunk_id == trail.chunk.chunk_id]
    text: str
    if places:
        text = Phrase(
            "Chosen for variety, it is number {0} of {1}.", f"{places[0] + 1:,}", f"{len(chosen):,}"
        )
        yield Stage(StageName.VARIETY, StageState.PASSED, text, places[0] + 1, len(chosen))
    else:
        text = "Passages that differ more from each other were chosen instead."
        yield Stage(StageName.VARIETY, StageState.OUT, text, of=len(chosen))


def _passages(trail: ChunkTrace) -> Iterator[Stage]:
    k, expand = trail.course.query.k, trail.rules.expand
    chosen = trail.course.chosen
    places = list(passage_ranges(chosen, len(chosen), expand=expand))
    number = _index(chosen, trail.chunk.chunk_id)
    at = chosen[number]
    own, holder = passage_range(at, expand=expand), trail.holder
    rank = 1 + next(n for n, place in enumerate(places) if is_within(own, place))
    if holder is not None:
        text: str = Phrase("It is used as passage {0} of {1}.", f"{holder.rank:,}", f"{k:,}")
        if holder.chunk_id != trail.chunk.chunk_id:
            text = Phrase("It is used as part of passage {0}.", f"{holder.rank:,}")
        yield Stage(StageName.PASSAGES, StageState.PASSED, text, holder.rank, len(places), k)
        return
    text = Phrase("It would be passage {0}; only the first {1} are used.", f"{rank:,}", f"{k:,}")
    if any(is_same_page(at, each) for each in passage_ranges(chosen, k, expand=expand).values()):
        text = "Its page is used already, with what matches better there."
    elif rank != number + 1:
        text = Phrase(
            "Pieces of one passage count once: it would be passage {0}; only the "
            "first {1} are used.",
            f"{rank:,}",
            f"{k:,}",
        )
    yield Stage(StageName.PASSAGES, StageState.OUT, text, rank, len(places), k)


_STAGES: tuple[Callable[[ChunkTrace], Iterator[Stage]], ...] = (
    _filter,
    _candidates,
    _joined,
    _second,
    _age,
    _duplicates,
    _variety,
    _passages,
)


def _has(hits: Hits, chunk_id: ChunkId) -> bool:
    return any(each == chunk_id for each, _ in hits)


def _place(hits: Hits, chunk_id: ChunkId) -> tuple[int | None, float | None]:
    """Return a chunk's place in an order, from 1, and its score; None for what is not in it."""
    for place, (each, score) in enumerate(hits, start=1):
        if each == chunk_id:
            return place, score
    return None, None


def _index(ranked: Sequence[RankedChunk], chunk_id: ChunkId) -> int:
    return next(n for n, each in enumerate(ranked) if each.chunk.chunk_id == chunk_id)
