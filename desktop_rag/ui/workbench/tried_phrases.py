"""What the search test says about stages, scores and times; translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.app.tried import Moved, Result
from desktop_rag.core.explained import Name, State
from desktop_rag.core.legible import legible
from desktop_rag.core.types import Passage
from desktop_rag.ui.filling import filled
from desktop_rag.ui.places import placed
from desktop_rag.ui.spoken import spoken

_CONTEXT = "SearchTest"


def tr(text: str, *values: object) -> str:
    """Translate a text and fill in %1, %2 and so on."""
    return filled(QCoreApplication.translate(_CONTEXT, text), *values)


def scored(score: float) -> str:
    """Return a stage's score as a sentence."""
    return tr("Score %1.", f"{score:.3f}")


def stage(name: Name) -> str:
    """Return how a stage is called."""
    names = {
        Name.INDEXED: tr("Read"),
        Name.FILTER: tr("Filter"),
        Name.MEANING: tr("By meaning"),
        Name.WORDS: tr("By words"),
        Name.JOINED: tr("Fusion"),
        Name.SECOND: tr("Reranking"),
        Name.AGE: tr("Age"),
        Name.DUPLICATES: tr("Duplicates"),
        Name.VARIETY: tr("Variety"),
        Name.PASSAGES: tr("Used"),
        Name.PROMPT: tr("Prompt"),
        Name.ANSWER: tr("Answer"),
    }
    return names[name]


def state(given: State) -> str:
    """Return how a passage fared, for those who can't see the sign."""
    words = {
        State.PASSED: tr("passed"),
        State.MISSED: tr("not found here"),
        State.OUT: tr("fell out here"),
        State.OFF: tr("does not apply"),
        State.AFTER: tr("not reached"),
    }
    return words[given]


def about(tested: Result) -> str:
    """Return what is to be said of a search as a whole, in lines."""
    lines = (times(tested), counts(tested), gone(tested), *map(spoken, tested.problems))
    return "\n".join(filter(None, lines))


def times(tested: Result) -> str:
    """Return how long a search took, stage by stage, in milliseconds."""
    names = {
        "embed": tr("question %1"),
        "dense": tr("meaning %1"),
        "lexical": tr("words %1"),
        "read": tr("texts %1"),
        "rerank": tr("reranking %1"),
        "expand": tr("sorting out %1"),
        "evidence": tr("weighing it %1"),
    }
    took = dict(tested.timings)
    parts = [filled(text, milliseconds(took[name])) for name, text in names.items() if name in took]
    return " · ".join((tr("%1 ms", milliseconds(tested.seconds)), *parts))


def milliseconds(seconds: float) -> str:
    """Return seconds as milliseconds: `0.4`, `12`, `1,204`."""
    number = seconds * 1000
    return f"{number:.1f}" if number < 1 else f"{number:,.0f}"


def counts(tested: Result) -> str:
    """Return how many candidates there were, and how sure the evidence is."""
    had = tested.counts
    return tr(
        "%1 by meaning, %2 by words, %3 fused; %4 reranked. Evidence %5.",
        f"{had.dense:,}",
        f"{had.lexical:,}",
        f"{had.joined:,}",
        f"{had.read:,}",
        f"{tested.evidence:.2f}",
    )


def gone(tested: Result) -> str:
    """Return which passages of the run before are no longer found; empty where none is."""
    if not tested.gone:
        return ""
    first = tested.gone[0]
    name = f"{legible(first.title)} · {placed(first.place_of(*first.match))}"
    if len(tested.gone) == 1:
        return tr("No longer found: %1.", name)
    return tr("No longer found: %1, and %2 more.", name, f"{len(tested.gone) - 1:,}")


def scores(passage: Passage) -> str:
    """Return every rank and score that brought a passage here."""
    parts = [tr("score %1", f"{passage.score:.3f}")]
    if passage.dense_rank is not None and passage.dense_score is not None:
        parts.append(
            tr("meaning #%1 (%2)", f"{passage.dense_rank:,}", f"{passage.dense_score:.3f}")
        )
    if passage.lexical_rank is not None and passage.lexical_score is not None:
        parts.append(
            tr("words #%1 (%2)", f"{passage.lexical_rank:,}", f"{passage.lexical_score:.2f}")
        )
    if passage.fused_rank is not None:
        parts.append(tr("fused #%1", f"{passage.fused_rank:,}"))
    if passage.rerank_score is not None:
        parts.append(tr("reranked %1", f"{passage.rerank_score:.2f}"))
    if passage.age_weight is not None:
        parts.append(tr("age ×%1", f"{passage.age_weight:.2f}"))
    return "  ·  ".join(parts)


def movement(row: Moved) -> str:
    """Return how a passage moved against the run before: `▲ 2`; empty where it did not."""
    if row.by is None:
        return tr("new")
    if not row.by:
        return ""
    return f"{'▲' if row.by > 0 else '▼'} {abs(row.by)}"


def moved_aloud(row: Moved) -> str:
    """Return the same for those who hear it."""
    if row.by is None:
        return tr("new against the run before")
    if not row.by:
        return ""
    places = f"{abs(row.by):,}"
    return tr("up by %1", places) if row.by > 0 else tr("down by %1", places)
