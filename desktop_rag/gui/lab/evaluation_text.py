"""What the page of evaluations says: names of ways and figures, what changed; translated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale

from desktop_rag.core.events import IndexProgress
from desktop_rag.core.settings_file import setting_declarations
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.lab import rgb_page
from desktop_rag.gui.lab.eval_words import tr
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.run_comparison import ScoreChange
from desktop_rag.gui.message_translation import translate_message, translate_setting

RETRIEVAL, ANSWERS, SIZES, RGB = "retrieval", "answers", "sizes", "rgb"
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
    RGB: ("questions", "right", "interval"),
}  # fmt: skip


def method_name(name: str, titles: Mapping[str, str]) -> str:
    """Return a way's name for people."""
    known = {BM25: tr("Words alone (BM25)"), DENSE: tr("Meaning alone")}
    return known.get(name) or translate_message(
        titles.get(name, name.replace("_", " ").capitalize())
    )


def row_name(figures: Mapping[str, object], titles: Mapping[str, str]) -> str:
    """Return the name of a row; without the second stage, that as well."""
    if "ability" in figures:
        return rgb_page.ability_name(str(figures["ability"]))
    named = method_name(str(figures["strategy"]), titles)
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


def questions(count: int) -> str:
    """Return so many questions in words."""
    return tr("1 question") if count == 1 else tr("%1 questions", f"{count:,}")


def set_name(chosen: QuestionSource) -> str:
    """Return what a set is called."""
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
    if rgb_page.is_ability(found.current):
        named, being_made = rgb_page.ability_name(found.current), found.done + 1
        return tr("%1: reply %2 of %3", named, being_made, found.total)
    return tr("%1: question %2 of %3", method_name(found.current, titles), found.done, found.total)


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
