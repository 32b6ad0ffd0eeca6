"""What would help a passage that was found, and did not reach the model or the answer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from desktop_rag.core.explained import Change, Name, Remedy
from desktop_rag.engine.models.protocols import ChatModel
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.operations.given import model_of, number_in, prompt_of
from desktop_rag.engine.operations.remedies import Case, telling_words
from desktop_rag.engine.strategies.sufficiency import asked_for

_MOST_TIMES = 16


@dataclass(frozen=True, slots=True)
class _Wider:
    """As much of a model as a prompt asks of it, with another context."""

    model: ChatModel
    context_tokens: int

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes."""
        return self.model.estimate_tokens(text)


def after_search(case: Case, kbs: tuple[str, ...]) -> Remedy:
    """Return what to do about a passage that the search found."""
    if case.fell.name is Name.ANSWER:
        return _by_name(case)
    model = model_of(case.bench.workspace, kbs)
    if case.fell.score is not None:
        return _lower_bar(case, model)
    if case.fell.of is None or model is None:  # a kept answer tells no more
        return _by_name(case)
    return _more_room(case, model)


def _by_name(case: Case) -> Remedy:
    said, query = telling_words(case.bench, case.trail), case.trail.course.query
    return Remedy(f"Ask again, naming what it says: “{said}”.", ask=f"{query.text} {said}")


def _lower_bar(case: Case, model: ChatModel | None) -> Remedy:
    """Return the setting under which so little evidence is enough."""
    engine = replace(engine_of(case.bench.workspace), model=model)
    share = asked_for(engine) / engine.refuse_below if engine.refuse_below else 1.0
    bar = math.floor(100 * (case.fell.score or 0.0) / share) / 100
    text = (
        f"Lower “Found nothing below” to {bar:.2f} in the retrieval settings, or ask with words "
        "that stand in it."
    )
    rank = case.trail.holder.rank if case.trail.holder else 0
    return Remedy(text, Change("retrieval.refuse_below", bar, rank))


def _more_room(case: Case, model: ChatModel) -> Remedy:
    """Return the context that the passage fits."""
    settings = replace(case.bench.workspace.settings, retrieval=case.bench.rules)
    engine = replace(engine_of(case.bench.workspace), settings=settings)
    rank = case.trail.holder.rank if case.trail.holder else 0
    times = 2
    while times <= _MOST_TIMES:
        wider = _Wider(model, model.context_tokens * times)
        if number_in(prompt_of(case.trail, engine, wider), case.trail.chunk):
            tokens = wider.context_tokens
            text = (
                f"Raise “Context length” to {tokens:,} in Ollama's settings, if the model has so "
                "much: then it fits."
            )
            return Remedy(text, Change("ollama.num_ctx", tokens, rank))
        times *= 2
    return Remedy("Ask for fewer passages, or make “Passage size” smaller.")
