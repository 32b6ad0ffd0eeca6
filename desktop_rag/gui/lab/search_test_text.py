"""What the search test says about stages, scores and times; translated."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.explain_events import StageName, StageState
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import Passage, VectorSearch
from desktop_rag.gui.display_text import fill, locator_text
from desktop_rag.gui.lab.search_test_values import RankChange, SearchTestResult
from desktop_rag.gui.message_translation import translate_message

_CONTEXT = "SearchTestPage"


def tr(text: str, *values: object) -> str:
    """Translate a text and fill in %1, %2 and so on."""
    return fill(QCoreApplication.translate(_CONTEXT, text), *values)


def scored(score: float) -> str:
    """Return a stage's score as a sentence."""
    return tr("Score %1.", f"{score:.3f}")


def stage(name: StageName) -> str:
    """Return how a stage is called."""
    names = {
        StageName.INDEXED: tr("Read"),
        StageName.FILTER: tr("Filter"),
        StageName.MEANING: tr("By meaning"),
        StageName.WORDS: tr("By words"),
        StageName.JOINED: tr("Fusion"),
        StageName.SECOND: tr("Reranking"),
        StageName.AGE: tr("Age"),
        StageName.DUPLICATES: tr("Duplicates"),
        StageName.VARIETY: tr("Variety"),
        StageName.PASSAGES: tr("Used"),
        StageName.PROMPT: tr("Prompt"),
        StageName.ANSWER: tr("Answer"),
    }
    return names[name]


def state(given: StageState) -> str:
    """Return how a passage fared, for those who can't see the sign."""
    words = {
        StageState.PASSED: tr("passed"),
        StageState.MISSED: tr("not found here"),
        StageState.OUT: tr("fell out here"),
        StageState.OFF: tr("does not apply"),
        StageState.AFTER: tr("not reached"),
    }
    return words[given]


def summary_text(tested: SearchTestResult) -> str:
    """Return what is to be said of a search as a whole, in lines."""
    lines = (
        times(tested),
        counts(tested),
        vector_search_text(tested.vector_search),
        lost_text(tested),
        *map(translate_message, tested.problems),
    )
    return "\n".join(filter(None, lines))


def times(tested: SearchTestResult) -> str:
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
    parts = [fill(text, milliseconds(took[name])) for name, text in names.items() if name in took]
    return " · ".join((tr("%1 ms", milliseconds(tested.seconds)), *parts))


def milliseconds(seconds: float) -> str:
    """Return seconds as milliseconds: `0.4`, `12`, `1,204`."""
    number = seconds * 1000
    return f"{number:.1f}" if number < 1 else f"{number:,.0f}"


def counts(tested: SearchTestResult) -> str:
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


def vector_search_text(by: VectorSearch | None) -> str:
    """Return how the nearest vectors were found; empty where none were looked for."""
    names = {
        VectorSearch.EXACT: tr("Meaning: every vector was compared."),
        VectorSearch.CHROMA: tr(
            "Meaning: Chroma named the candidates, exact cosines ordered them."
        ),
    }
    return names[by] if by else ""


def lost_text(tested: SearchTestResult) -> str:
    """Return which passages of the run before are no longer found; empty where none is."""
    if not tested.gone:
        return ""
    first = tested.gone[0]
    name = f"{sanitize_name(first.title)} · {locator_text(first.place_of(*first.match))}"
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


def movement(row: RankChange) -> str:
    """Return how a passage moved against the run before: `▲ 2`; empty where it did not."""
    if row.by is None:
        return tr("new")
    if not row.by:
        return ""
    return f"{'▲' if row.by > 0 else '▼'} {abs(row.by)}"


def moved_aloud(row: RankChange) -> str:
    """Return the same for those who hear it."""
    if row.by is None:
        return tr("new against the run before")
    if not row.by:
        return ""
    places = f"{abs(row.by):,}"
    return tr("up by %1", places) if row.by > 0 else tr("down by %1", places)
