"""What would help a passage that was found, and did not reach the model or the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from desktop_rag.commands.explain_generation import (
    answering_model,
    prompt_for,
    prompt_source_number,
)
from desktop_rag.commands.explain_remedies import FallenChunk, distinctive_words
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.explain_events import Remedy, SettingChange, StageName
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies.sufficiency import required_evidence

_MOST_TIMES = 16


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
    return Remedy(f"Ask again, naming what it says: “{said}”.", ask=f"{query.text} {said}")


def _lower_bar(case: FallenChunk, model: ChatModel | None) -> Remedy:
    """Return the setting under which so little evidence is enough."""
    engine = replace(research_context_of(case.bench.workspace), model=model)
    share = required_evidence(engine) / engine.refuse_below if engine.refuse_below else 1.0
    bar = math.floor(100 * (case.fell.score or 0.0) / share) / 100
    text = (
        f"Lower “Found nothing below” to {bar:.2f} in the retrieval settings, or ask with words "
        "that stand in it."
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
            text = (
                f"Raise “Context length” to {tokens:,} in Ollama's settings, if the model has so "
                "much: then it fits."
            )
            return Remedy(text, SettingChange("ollama.num_ctx", tokens, rank))
        times *= 2
    return Remedy("Ask for fewer passages, or make “Passage size” smaller.")
