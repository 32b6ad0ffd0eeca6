"""Whether what was found is enough to answer from."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_rag.core.language import is_same_language
from desktop_rag.core.types import Passage
from desktop_rag.strategies.research_context import ResearchContext

_WITH_MODEL = 0.5  # a model reads for itself: only half the evidence is asked for before it may


def is_enough(
    passages: Sequence[Passage], question: str, engine: ResearchContext, evidence: float
) -> bool:
    """Tell whether there is anything to answer from: `evidence` is the best search's, in [0, 1]."""
    if engine.model is None:
        return bool(passages) and evidence >= required_evidence(engine)
    if not engine.settings.answering.only_documents:
        return True
    has_evidence = evidence >= required_evidence(engine)
    return bool(passages) and (
        has_evidence or _may_hold_it_in_other_words(passages, question, engine)
    )


def required_evidence(engine: ResearchContext) -> float:
    """Return the evidence that is asked for before anything is answered."""
    return engine.refuse_below * (1.0 if engine.model is None else _WITH_MODEL)


def _may_hold_it_in_other_words(
    passages: Sequence[Passage], question: str, engine: ResearchContext
) -> bool:
    """Say whether meaning found a passage in another language: its words are no evidence then.

    Who set a bar of their own gets what they set.
    """
    if engine.embedder is None or engine.settings.retrieval.refuse_below >= 0:
        return False
    return any(
        each.dense_rank is not None and not is_same_language(each.text, question)
        for each in passages[:1]
    )
