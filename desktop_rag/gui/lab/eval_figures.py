"""The figures of an evaluation: what each is called, what it says, and how it is written."""

from __future__ import annotations

from desktop_rag.gui.lab.eval_words import tr


def metric_name(column: str) -> str:
    """Return a figure's short name."""
    return (_finding() | _answering() | _judging() | _reading()).get(column, column)


def metric_text(column: str) -> str:
    """Return what a figure says, for its tooltip."""
    told = (_told_of_finding() | _told_of_answering() | _told_of_reading()).get(column)
    if told is None and column.startswith("judged_"):
        return tr("The language model's own judgement, not a measurement. In percent.")
    return told or ""


def metric_value(column: str, value: object) -> str:
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


def _finding() -> dict[str, str]:
    """Name what is measured of searches."""
    return {
        "size": tr("Passages"),
        "recall@2": tr("R@2"),
        "recall@5": tr("R@5"),
        "recall@10": tr("R@10"),
        "all@5": tr("All@5"),
        "mrr@10": tr("MRR"),
        "ndcg@10": tr("nDCG"),
        "llm_calls": tr("Calls"),
        "ms_p50": tr("ms"),
        "interval": tr("95% between"),
    }


def _answering() -> dict[str, str]:
    """Name what is measured of answers."""
    return {
        "exact": tr("Exact"),
        "f1": tr("F1"),
        "citation_precision": tr("Citations right"),
        "citation_recall": tr("Gold cited"),
        "refused": tr("Refused"),
        "refused_right": tr("Rightly refused"),
    }


def _judging() -> dict[str, str]:
    """Name what the language model judged."""
    return {
        "judged_right": tr("Judged right"),
        "judged_faithful": tr("Judged faithful"),
        "judged_relevance": tr("Judged relevant"),
        "judged_precision": tr("Judged precision"),
        "judged_recall": tr("Judged recall"),
        "judged_facts": tr("Judged facts"),
        "judged_asked": tr("Answers judged"),
        "judged_unsaid": tr("Not judged"),
    }


def _reading() -> dict[str, str]:
    """Name what is measured of the language model's replies."""
    return {"questions": tr("Questions"), "right": tr("Right")}


def _told_of_finding() -> dict[str, str]:
    """Tell what figures of searches say."""
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


def _told_of_answering() -> dict[str, str]:
    """Tell what figures of answers say."""
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
        "judged_asked": tr("Answers that the language model was asked to judge."),
        "judged_unsaid": tr(
            "Judgements that the model twice did not give in the form that was asked for."
        ),
    }


def _told_of_reading() -> dict[str, str]:
    """Tell what figures of the language model's replies say."""
    return {
        "questions": tr("How many questions the model was asked so, each once."),
        "right": tr("Replies that are right. In percent."),
    }
