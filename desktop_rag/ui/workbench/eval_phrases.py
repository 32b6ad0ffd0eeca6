"""What the page of evaluations says: names of ways and figures, what changed; translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop_rag.app.compared import Change
from desktop_rag.app.trials import Chosen
from desktop_rag.core.events import IndexProgress
from desktop_rag.store.settings import declared
from desktop_rag.ui.filling import filled
from desktop_rag.ui.spoken import setting, spoken

RETRIEVAL, ANSWERS, SIZES = "retrieval", "answers", "sizes"
BM25, DENSE = "bm25", "dense"

_SHOWN = {
    RETRIEVAL: (
        "recall@2", "recall@5", "recall@10", "all@5", "mrr@10", "ndcg@10", "llm_calls", "ms_p50",
        "interval",
    ),
    SIZES: ("size", "recall@2", "recall@5", "recall@10", "all@5", "mrr@10", "ms_p50", "interval"),
    ANSWERS: (
        "exact", "f1", "interval", "citation_precision", "citation_recall", "refused",
        "refused_right", "llm_calls",
    ),
}  # fmt: skip


def tr(text: str, *values: object) -> str:
    """Translate a sentence of this page, and fill its gaps."""
    return filled(QCoreApplication.translate("Evaluation", text), *values)


def way(name: str, titles: Mapping[str, str]) -> str:
    """Return a way's name for people."""
    known = {BM25: tr("Words alone (BM25)"), DENSE: tr("Meaning alone")}
    return known.get(name) or spoken(titles.get(name, name.replace("_", " ").capitalize()))


def row_name(figures: Mapping[str, object], titles: Mapping[str, str]) -> str:
    """Return the name of a row; without the second stage, that as well."""
    named = way(str(figures["strategy"]), titles)
    if figures.get("second_stage") is False and figures["strategy"] != BM25:
        return tr("%1, first stage alone", named)
    return named


def columns(task: str, rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the figures that a table of these rows shows, the task's own first."""
    shown = _SHOWN[task]
    judged = dict.fromkeys(key for row in rows for key in row if key.startswith("judged_"))
    return tuple(key for key in shown if not rows or any(key in row for row in rows)) + tuple(
        judged
    )


def heading(column: str) -> str:
    """Return a figure's short name."""
    named = {
        "size": tr("Passages"),
        "recall@2": tr("R@2"),
        "recall@5": tr("R@5"),
        "recall@10": tr("R@10"),
        "all@5": tr("All@5"),
        "mrr@10": tr("MRR"),
        "ndcg@10": tr("nDCG"),
        "llm_calls": tr("Calls"),
        "ms_p50": tr("ms"),
        "interval": tr("95 % between"),
        "exact": tr("Exact"),
        "f1": tr("F1"),
        "citation_precision": tr("Citations right"),
        "citation_recall": tr("Gold cited"),
        "refused": tr("Refused"),
        "refused_right": tr("Rightly refused"),
        "judged_right": tr("Judged right"),
        "judged_faithful": tr("Judged faithful"),
        "judged_relevance": tr("Judged relevant"),
        "judged_precision": tr("Judged precision"),
        "judged_recall": tr("Judged recall"),
        "judged_facts": tr("Judged facts"),
        "judged_asked": tr("Answers judged"),
        "judged_unsaid": tr("Not judged"),
    }
    return named.get(column, column)


def meaning(column: str) -> str:
    """Return what a figure says, for its tooltip."""
    if column == "judged_unsaid":
        return tr("Judgements that the model twice did not give in the form that was asked for.")
    if column == "judged_asked":
        return tr("Answers that the language model was asked to judge.")
    if column.startswith("judged_"):
        return tr("The language model's own judgement, not a measurement. In percent.")
    return (_found() | _answered()).get(column, "")


def _found() -> dict[str, str]:
    return {
        "size": tr("How many passages the knowledge base had."),
        "recall@2": tr("How much of the saved passages is among the first 2. In percent."),
        "recall@5": tr("How much of the saved passages is among the first 5. In percent."),
        "recall@10": tr("How much of the saved passages is among the first 10. In percent."),
        "all@5": tr("Questions with all their passages among the first 5. In percent."),
        "mrr@10": tr("1 for a passage in the first place, 1/2 in the second … In percent."),
        "ndcg@10": tr("How near the passages are to the top of the first 10. In percent."),
        "llm_calls": tr("Calls of the language model for one question."),
        "ms_p50": tr("Milliseconds that half of the questions took at most."),
        "interval": tr(
            "The plotted figure would lie here for 95 of 100 sets of such questions (bootstrap)."
        ),
    }


def _answered() -> dict[str, str]:
    return {
        "exact": tr("Answers that are word for word a right one. In percent."),
        "f1": tr("Words that the answer and the best right one share. In percent."),
        "citation_precision": tr("Citations that are saved passages. In percent."),
        "citation_recall": tr("Saved passages that are cited. In percent."),
        "refused": tr("Questions to which the answer was that nothing was found. In percent."),
        "refused_right": tr(
            "Of the questions that the documents do not answer, those that were refused. "
            "In percent."
        ),
    }


def figure(column: str, value: object) -> str:
    """Return a figure as the table shows it."""
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return " – ".join(f"{each:.1f}" for each in value)
    if column == "llm_calls" and isinstance(value, (int, float)):
        return f"{value:g}"
    if column in ("size", "ms_p50", "judged_asked", "judged_unsaid") and isinstance(
        value, (int, float)
    ):
        return f"{value:,.0f}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def questions(count: int) -> str:
    """Return so many questions in words."""
    return tr("1 question") if count == 1 else tr("%1 questions", f"{count:,}")


def set_name(chosen: Chosen) -> str:
    """Return what a set is called."""
    if chosen.saved:
        return chosen.saved
    file = Path(chosen.questions)
    return f"{file.parent.name}/{file.name.split('.')[0]}"


def moment(seconds: float) -> str:
    """Return a day and time as the user's system writes them."""
    at = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def progress(found: IndexProgress, titles: Mapping[str, str]) -> str:
    """Return how far a run has come."""
    if found.stage == "embed":
        return tr("Indexing the passages: %1 of %2", found.done, found.total)
    return tr("%1: question %2 of %3", way(found.current, titles), found.done, found.total)


def gained(name: str, measure: str, found: Change) -> str:
    """Return what a way gained since an earlier run, in one line."""
    sign = "±0.0" if not found.points else f"{found.points:+.1f}"
    parts = [tr("%1, %2: %3 points since %4", name, measure, sign, moment(found.since))]
    if found.found or found.lost:
        parts.append(tr("now right: %1, lost: %2", len(found.found), len(found.lost)))
    if not found.is_all:
        parts.append(tr("over the %1 questions that both runs asked", found.asked))
    return " · ".join(parts)


def changed(keys: Sequence[str]) -> str:
    """Return which settings differ from those of the run before."""
    if not keys:
        return tr("No setting that matters here has changed since.")
    titles = {each.key: each.title for each in declared()}
    named = ", ".join(setting(titles.get(key, key)) for key in keys)
    return tr("Changed in the settings since: %1", named)
