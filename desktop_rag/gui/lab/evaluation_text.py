"""What the page of evaluations says: names of methods, metrics and abilities, what changed.

All is translated in one context, the page's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import IndexProgress, NoticeCode
from desktop_rag.core.phrases import Phrase, parts_of
from desktop_rag.core.settings_file import setting_declarations
from desktop_rag.gui.display_text import fill, join_details, join_list, shown_name
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.run_comparison import ScoreChange
from desktop_rag.gui.message_translation import (
    join_sentences,
    translate_message,
    translate_setting,
)

NOISE, REJECTION = "noise_robustness", "negative_rejection"
INTEGRATION, COUNTERFACTUAL = "information_integration", "counterfactual_robustness"
RETRIEVAL, ANSWERS, SIZES, RGB, CRUD = "retrieval", "answers", "sizes", "rgb", "crud"
BM25, DENSE = "bm25", "dense"
_MINUTE = 60.0
_SHOWN = {
    RETRIEVAL: (
        "recall@2", "recall@5", "recall@10", "all@5", "mrr@10", "ndcg@10", "llm_calls", "ms_p50",
        "interval",
    ),
    SIZES: ("size", "recall@2", "recall@5", "recall@10", "all@5", "mrr@10", "ms_p50", "interval"),
    ANSWERS: (
        "exact", "holds", "f1", "interval", "citation_precision", "citation_recall", "refused",
        "refused_right", "refused_wrong", "f1_single", "f1_multi", "f1_en", "f1_zh", "llm_calls",
        "seconds_p50",
    ),
    RGB: ("questions", "right", "interval"),
    CRUD: (
        "questions", "bleu", "rouge_l", "interval", "f1", "corrected", "citation_precision",
        "citation_recall", "refused", "llm_calls", "seconds_p50",
    ),
}  # fmt: skip


def tr(text: str, *values: object) -> str:
    """Translate a sentence of this page, and fill its gaps."""
    return fill(QCoreApplication.translate("EvaluationPage", text), *values)


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
        "holds": tr("Holds it"),
        "refused_wrong": tr("Wrongly refused"),
        "f1_single": tr("F1, one document"),
        "f1_multi": tr("F1, several"),
        "f1_en": tr("F1, English"),
        "f1_zh": tr("F1, Chinese"),
        "seconds_p50": tr("Seconds"),
        "bleu": tr("BLEU"),
        "rouge_l": tr("ROUGE-L"),
        "corrected": tr("Corrected"),
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
        "holds": tr("Answers in which a right one stands word for word. In percent."),
        "refused_wrong": tr(
            "Of the questions that have an answer, those that were refused. In percent."
        ),
        "f1_single": tr("F1 of the questions that one document answers."),
        "f1_multi": tr("F1 of the questions that need two or three documents."),
        "f1_en": tr("F1 of the English questions."),
        "f1_zh": tr("F1 of the Chinese questions."),
        "seconds_p50": tr("Seconds that half of the questions took at most."),
        "bleu": tr(
            "Runs of one to four words that the answer shares with the documents' wording. "
            "In percent."
        ),
        "rouge_l": tr(
            "The longest sequence of words that the answer shares with the documents' wording. "
            "In percent."
        ),
        "corrected": tr(
            "Of the figures and names that were made wrong, those that are right in the answer. "
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


def unprepared_base(notices: Iterable[str]) -> str:
    """Return the knowledge base that is to be prepared before a way is measured, "" for none."""
    said = (each for notice in notices for each in parts_of(notice))
    missing = (
        each.arguments[1]
        for each in said
        if isinstance(each, Phrase)
        and each.code == NoticeCode.NOT_MEASURED
        and len(each.arguments) > 1
    )
    return str(next(missing, ""))


def method_name(name: str, titles: Mapping[str, str]) -> str:
    """Return a way's name for people."""
    known = {
        BM25: tr("Words alone (BM25)"),
        DENSE: tr("Meaning alone"),
        QUOTES: tr("Quotes, without a model"),
    }
    return known.get(name) or translate_message(
        titles.get(name, name.replace("_", " ").capitalize())
    )


def row_name(figures: Mapping[str, object], titles: Mapping[str, str]) -> str:
    """Return the name of a row; without the second stage, that as well."""
    if "ability" in figures:
        return ability_name(str(figures["ability"]))
    named = method_name(str(figures["strategy"]), titles)
    if "task" in figures:
        return tr("%1: %2", task_name(str(figures["task"])), named)
    if figures.get("second_stage") is False and figures["strategy"] != BM25:
        return tr("%1, first stage alone", named)
    return named


def task_name(task: str) -> str:
    """Return the name of a task that is made of documents (CRUD-RAG)."""
    return {
        "create": tr("Go on"),
        "read": tr("Answer"),
        "update": tr("Correct"),
        "delete": tr("Sum up"),
    }.get(task, task)


def columns(task: str, rows: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the figures that a table of these rows shows, the task's own first."""
    shown = _SHOWN[task]
    judged = dict.fromkeys(key for row in rows for key in row if key.startswith("judged_"))
    return tuple(key for key in shown if not rows or any(key in row for row in rows)) + tuple(
        judged
    )


def questions(count: int) -> str:
    """Return so many questions in words."""
    return tr("1 question") if count == 1 else tr("%1 questions", f"{count:,}")


def set_name(chosen: QuestionSource) -> str:
    """Return what a set is called."""
    if chosen.builtin:
        return tr("100 built-in questions")
    if chosen.tasks_of:
        return tr("Tasks made of “%1”", shown_name(chosen.tasks_of))
    if chosen.saved:
        return chosen.saved
    file = Path(chosen.questions)
    return f"{file.parent.name}/{file.name.split('.')[0]}"


def time_text(seconds: float) -> str:
    """Return a day and time as the user's system writes them."""
    at = QDateTime.fromSecsSinceEpoch(int(seconds))
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def progress(found: IndexProgress, titles: Mapping[str, str]) -> str:
    """Return how far a run has come."""
    if found.stage == "embed":
        return tr("Indexing the passages: %1 of %2", found.done, found.total)
    if is_ability(found.current):
        named, being_made = ability_name(found.current), found.done + 1
        return tr("%1: reply %2 of %3", named, being_made, found.total)
    name = method_name(found.current, titles)
    if found.eta is None:
        return tr("%1: question %2 of %3", name, found.done, found.total)
    left = _left(found.eta)
    return tr("%1: question %2 of %3, %4", name, found.done, found.total, left)


def _left(seconds: float) -> str:
    """Return about how long it still takes."""
    if seconds < _MINUTE:
        return tr("less than a minute left")
    if seconds < 90 * _MINUTE:
        return tr("about %1 min left", round(seconds / _MINUTE))
    return tr("about %1 h left", f"{seconds / _MINUTE / _MINUTE:.1f}")


def setup_text(figures: Mapping[str, Any]) -> str:
    """Return with which model a row's answers were measured; empty for a row that does not say."""
    if "task" in figures:
        told = tr("The model was %1.", figures["model"])
        return told if figures["model"] else tr("Measured without a language model.")
    setup = figures.get("setup")
    if not setup:
        return ""
    if not setup["model"]:
        return tr("Measured without a language model.")
    size = join_details(*(each for each in (setup["parameters"], setup["quantization"]) if each))
    told = tr("The model was %1.", f"{setup['model']} ({size})" if size else setup["model"])
    if figures["instead"]:
        instead = tr("A single pass stood in for this way in %1 answers.", figures["instead"])
        return join_sentences(told, instead)
    return told


def change_text(name: str, measure: str, found: ScoreChange) -> str:
    """Return what a way gained since an earlier run, in one line."""
    when = time_text(found.since)
    parts = [tr("%1, %2: %3 points since %4", name, measure, f"{found.points:+.1f}", when)]
    if not found.points:
        parts = [tr("%1, %2: unchanged since %3", name, measure, when)]
    if found.found or found.lost:
        parts.append(tr("now right: %1, lost: %2", len(found.found), len(found.lost)))
    if not found.is_all:
        parts.append(tr("over the %1 questions that both runs asked", found.asked))
    return " · ".join(parts)


def changed_settings_text(keys: Sequence[str]) -> str:
    """Return which settings differ from those of the run before."""
    if not keys:
        return tr("No setting that matters here has changed since.")
    titles = {each.key: each.title for each in setting_declarations()}
    named = join_list(translate_setting(titles.get(key, key)) for key in keys)
    return tr("Changed in the settings since: %1", named)


def is_ability(ability: str) -> bool:
    """Say whether this is the name of an ability."""
    return ability in ability_names()


def ability_name(ability: str) -> str:
    """Return an ability's name for people."""
    return ability_names().get(ability, ability)


def ability_text(ability: str) -> str:
    """Return what an ability is, as the question that is put."""
    return {
        NOISE: tr(
            "The answer stands in one passage, the others are about something else: is it given?"
        ),
        REJECTION: tr(
            "No passage holds the answer: does the model say so, instead of making one up?"
        ),
        INTEGRATION: tr(
            "Two questions at once, each with its own passage: are both answers given?"
        ),
        COUNTERFACTUAL: tr(
            "Beside the passage stands a copy with another answer: is the right one still given?"
        ),
    }.get(ability, "")


def criterion_text(ability: str) -> str:
    """Return by what a reply is judged."""
    holds = tr("Right is a reply that holds the saved answer word for word, whatever else it says.")
    return {
        REJECTION: tr("Right is a reply that says that nothing was found."),
        INTEGRATION: tr("Right is a reply that holds both saved answers word for word."),
    }.get(ability, holds)


def ability_row_text(figures: Mapping[str, object], before: Mapping[str, object]) -> str:
    """Return what a row of figures is about: the ability, by what it was judged, and the model.

    `before` are the figures of the run before, empty where there are none.
    """
    ability, model = str(figures["ability"]), figures["model"]
    was = tr("The model was %1.", model)
    if before.get("model", model) != model:
        was = tr("The model was %1; in the run before it was %2.", model, before["model"])
    return join_sentences(
        ability_text(ability), criterion_text(ability), tr("No model judges."), was
    )


def ability_names() -> dict[str, str]:
    """Return each ability's name for people."""
    return {
        NOISE: tr("Finds the answer among noise"),
        REJECTION: tr("Says when there is none"),
        INTEGRATION: tr("Joins two answers"),
        COUNTERFACTUAL: tr("Withstands a false copy"),
    }
