"""What would help a passage to be found, or one that was found to reach the model or the answer.

Each remedy that names a rank was tried, and did.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace

from desktop_rag.commands.explain_generation import (
    answering_model,
    prompt_for,
    prompt_source_number,
)
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.commands.what_if_search import WhatIfSearch
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.explain_events import Remedy, SettingChange, Stage, StageName
from desktop_rag.core.language import content_runs
from desktop_rag.core.phrases import Phrase
from desktop_rag.index.tokenizer import search_terms
from desktop_rag.models.protocols import ChatModel
from desktop_rag.retrieval.evidence import TermStatistics
from desktop_rag.retrieval.lexical import term_statistics
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.search_trace import ChunkTrace, contains_chunk
from desktop_rag.strategies.sufficiency import required_evidence

_MOST_CANDIDATES, _MOST_PASSAGES = 500, 50
_FEW_PASSAGES = 20
_WORDS = 3
_LONGEST = 8  # characters of a run of Chinese that is suggested
_MOST_TIMES = 16


@dataclass(frozen=True, slots=True)
class FallenChunk:
    """A chunk that fell out, and where."""

    bench: WhatIfSearch
    trail: ChunkTrace
    fell: Stage
    token: CancelToken

    def rank(self, query: Query | None = None, **rules: object) -> int:
        """Try a search; return as which passage it gives the chunk, 0 where it does not."""
        self.token.check()
        found = self.bench.course(query or self.trail.course.query, **rules).found
        return next(
            (each.rank for each in found.passages if contains_chunk(each, self.trail.chunk)), 0
        )


def search_remedy(case: FallenChunk) -> Remedy:
    """Return what to do about a chunk that fell out of a search."""
    return _REMEDIES[case.fell.name](case)


def distinctive_words(bench: WhatIfSearch, trail: ChunkTrace) -> str:
    """Return the words of a chunk that tell it from the others best, in their order."""
    runs = [each for each in content_runs(trail.chunk.text) if _is_said(each)]
    asked = set(search_terms(trail.course.query.text))
    new = [each for each in dict.fromkeys(runs) if not asked & set(search_terms(each))]
    terms = list({term for run in new for term in search_terms(run)})
    known = term_statistics(bench.workspace.indexes, trail.course.query.kbs, terms)
    weights = {run: runs.count(run) ** 0.5 * _weight(run, known) for run in new}
    best = sorted(new, key=lambda run: -weights[run])[:_WORDS]
    return " ".join(run for run in new if run in best)


def _candidates(case: FallenChunk) -> Remedy:
    trail = case.trail
    orders = [[chunk_id for chunk_id, _ in hits] for hits in (trail.dense, trail.lexical)]
    chunk_id = trail.chunk.chunk_id
    ranks = [order.index(chunk_id) + 1 for order in orders if chunk_id in order]
    wanted = -(-min(ranks, default=_MOST_CANDIDATES + 1) // 10) * 10
    is_within = trail.rules.candidates < wanted <= _MOST_CANDIDATES
    if is_within and (rank := case.rank(candidates=wanted)):
        text = Phrase(
            "Raise “Candidates” to {0} in the retrieval settings: then it is passage {1}.",
            f"{wanted:,}",
            f"{rank:,}",
        )
        return Remedy(text, SettingChange("retrieval.candidates", wanted, rank))
    return _asking(case)


def _passages(case: FallenChunk) -> Remedy:
    if case.trail.rules.half_life_days and (rank := case.rank(half_life_days=0)):
        text = Phrase(
            "Set “Half-life of documents” to 0 in the retrieval settings: it is passage {0} then.",
            f"{rank:,}",
        )
        return Remedy(text, SettingChange("retrieval.half_life_days", 0, rank))
    wanted = case.fell.rank or 0
    if wanted > _FEW_PASSAGES and (asking := _asking(case)).ask:
        return asking
    if wanted <= _MOST_PASSAGES:
        query = replace(case.trail.course.query, k=wanted)
        if rank := case.rank(query):
            text = Phrase(
                "Use {0} passages: then it is number {1} of them.", f"{wanted:,}", f"{rank:,}"
            )
            return Remedy(text, SettingChange("k", wanted, rank))
    return _asking(case)


def _filter(case: FallenChunk) -> Remedy:
    query = replace(case.trail.course.query, where="")
    if rank := case.rank(query):
        return Remedy(Phrase("Search without the filter: then it is passage {0}.", f"{rank:,}"))
    return Remedy("Search without the filter, or with one that lets its file pass.")


def _duplicates(case: FallenChunk) -> Remedy:
    if rank := case.rank(duplicate_similarity=1.0):
        text = Phrase(
            "Raise “Near-duplicate” to 1 in the retrieval settings: it is passage {0} then.",
            f"{rank:,}",
        )
        return Remedy(text, SettingChange("retrieval.duplicate_similarity", 1.0, rank))
    return Remedy("Read the other passage: it says the same.")


def _variety(case: FallenChunk) -> Remedy:
    if rank := case.rank(mmr_lambda=1.0):
        text = Phrase(
            "Set “Diversity (MMR λ)” to 1 in the retrieval settings: it is passage {0} then.",
            f"{rank:,}",
        )
        return Remedy(text, SettingChange("retrieval.mmr_lambda", 1.0, rank))
    return _asking(case)


def _asking(case: FallenChunk) -> Remedy:
    """Return with which of its words the passage is found."""
    said, query = distinctive_words(case.bench, case.trail), case.trail.course.query
    if not said:
        return _in_its_file(case)
    for ask in (f"{query.text} {said}", said):
        if rank := case.rank(replace(query, text=ask)):
            if ask == said:
                text = Phrase("Ask for “{0}” alone: then it is passage {1}.", said, f"{rank:,}")
            else:
                text = Phrase(
                    "Add “{0}” to the question: then it is passage {1}.", said, f"{rank:,}"
                )
            return Remedy(text, ask=ask)
    return _in_its_file(case)


def _in_its_file(case: FallenChunk) -> Remedy:
    """Return the filter with which the passage is found, if one does it."""
    where = f"path:{shlex.quote(case.trail.files[case.trail.chunk.document_id])}"
    if rank := case.rank(replace(case.trail.course.query, where=where)):
        return Remedy(
            Phrase(
                "Search in its file alone, with the filter {0}: it is passage {1}.",
                where,
                f"{rank:,}",
            )
        )
    return Remedy("Open its file, and read it there.")


_REMEDIES: dict[StageName, Callable[[FallenChunk], Remedy]] = {
    StageName.FILTER: _filter,
    StageName.MEANING: _candidates,
    StageName.WORDS: _candidates,
    StageName.DUPLICATES: _duplicates,
    StageName.VARIETY: _variety,
    StageName.PASSAGES: _passages,
}


def _is_said(run: str) -> bool:
    """Say whether somebody would ask with a word: no number, no single letter, no long run."""
    is_word = len(run) > 1 and not any(map(str.isdigit, run))
    return is_word and (run.isascii() or len(run) <= _LONGEST)


def _weight(run: str, known: TermStatistics) -> float:
    terms = search_terms(run)
    return sum(map(known.weight, terms)) / len(terms) if terms else 0.0


@dataclass(frozen=True, slots=True)
class _Wider:
    """As much of a model as a prompt asks of it, with another context."""

    model: ChatModel
    context_tokens: int

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes."""
        return self.model.estimate_tokens(text)


def generation_remedy(case: FallenChunk, kbs: tuple[str, ...]) -> Remedy:
    """Return what to do about a passage that the search found."""
    if case.fell.name is StageName.ANSWER:
        return _by_name(case)
    model = answering_model(case.bench.workspace, kbs)
    if case.fell.score is not None:
        return _lower_bar(case, model)
    if case.fell.of is None or model is None:  # a kept answer tells no more
        return _by_name(case)
    return _more_room(case, model)


def _by_name(case: FallenChunk) -> Remedy:
    said, query = distinctive_words(case.bench, case.trail), case.trail.course.query
    return Remedy(
        Phrase("Ask again, naming what it says: “{0}”.", said), ask=f"{query.text} {said}"
    )


def _lower_bar(case: FallenChunk, model: ChatModel | None) -> Remedy:
    """Return the setting under which so little evidence is enough."""
    engine = replace(research_context_of(case.bench.workspace), model=model)
    share = required_evidence(engine) / engine.refuse_below if engine.refuse_below else 1.0
    bar = math.floor(100 * (case.fell.score or 0.0) / share) / 100
    text = Phrase(
        "Lower “Found nothing below” to {0} in the retrieval settings, or ask with words "
        "that stand in it.",
        f"{bar:.2f}",
    )
    rank = case.trail.holder.rank if case.trail.holder else 0
    return Remedy(text, SettingChange("retrieval.refuse_below", bar, rank))


def _more_room(case: FallenChunk, model: ChatModel) -> Remedy:
    """Return the context that the passage fits."""
    settings = replace(case.bench.workspace.settings, retrieval=case.bench.rules)
    engine = replace(research_context_of(case.bench.workspace), settings=settings)
    rank = case.trail.holder.rank if case.trail.holder else 0
    times = 2
    while times <= _MOST_TIMES:
        wider = _Wider(model, model.context_tokens * times)
        if prompt_source_number(prompt_for(case.trail, engine, wider), case.trail.chunk):
            tokens = wider.context_tokens
            text = Phrase(
                "Raise “Context length” to {0} in Ollama's settings, if the model has so "
                "much: then it fits.",
                f"{tokens:,}",
            )
            return Remedy(text, SettingChange("ollama.num_ctx", tokens, rank))
        times *= 2
    return Remedy("Ask for fewer passages, or make “Passage size” smaller.")
