"""The figures of answers to the built-in questions as Markdown, to be sent to somebody.

What they were measured with stands above. There is nothing private in it: no path, no name of a
user or a computer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.core.evaluation_records import QUOTES

Figures = Mapping[str, Any]

SUMMARY = {
    "questions": "questions",
    "exact": "exact",
    "holds": "holds it",
    "f1": "F1",
    "interval": "95 % of F1",
    "citation_precision": "citations right",
    "citation_recall": "gold cited",
    "refused_right": "rightly refused",
    "refused_wrong": "wrongly refused",
    "failed": "failed",
}
PARTS = {
    "f1_single": "F1: one document",
    "f1_multi": "several",
    "f1_en": "English",
    "f1_zh": "Chinese",
    "holds_single": "holds it: one document",
    "holds_multi": "several",
    "holds_en": "English",
    "holds_zh": "Chinese",
}
COST = {
    "llm_calls": "calls",
    "prompt_tokens": "tokens in",
    "answer_tokens": "tokens out",
    "seconds_p50": "seconds, median",
    "seconds": "seconds, all",
}
_NAMES = {QUOTES: "quotes, without a model"}
_LEGEND = (
    "Shares are in percent; calls and tokens are those of a question, in the mean. Exact, “holds "
    "it” (a right answer stands in it word for word) and F1 are over the questions that have an "
    "answer, refusals counted as wrong. F1 compares words, in Chinese characters, with the short "
    "known answer: a whole sentence around it lowers it."
)


def answers_table(rows: Sequence[Figures]) -> str:
    """Return rows of figures as Markdown; empty where there are none."""
    if not rows:
        return ""
    tables = [_table(rows, columns) for columns in (SUMMARY, PARTS, COST)]
    return "\n\n".join([_setup(rows), *tables, _LEGEND, *_remarks(rows)]) + "\n"


def _setup(rows: Sequence[Figures]) -> str:
    """Return what was measured with: that of the last row, which has a model if any has."""
    setup = next((row["setup"] for row in reversed(rows) if row["setup"]["model"]), None)
    found: Figures = setup or rows[0]["setup"]
    title = f"Desktop RAG {found['program']}: answers to {rows[0]['questions']} built-in questions"
    lines = [
        f"**{title}** (set `{found['set']}`, {found['day']})",
        "",
        f"- Model: {_model(found)}",
        f"- Search: `{found['embedder']}`, second stage `{found['reranker']}`",
        f"- Computer: {found['system']}, {found['cores']} cores, {found['memory_gb']} GB",
    ]
    return "\n".join(lines)


def _model(setup: Figures) -> str:
    if not setup["model"]:
        return "none"
    size = ", ".join(each for each in (setup["parameters"], setup["quantization"]) if each)
    return (
        f"`{setup['model']}` ({size or 'size unknown'}; digest `{setup['digest']}`), "
        f"{_server(setup['server'])}, context {setup['num_ctx']}, "
        f"temperature {setup['temperature']:g}, no seed, at most {setup['answer_tokens']} tokens "
        f"an answer, thinking {'on' if setup['think'] else 'off'}"
    )


def _server(told: str) -> str:
    """Return what the server is called: Ollama's is a version."""
    return f"Ollama {told}" if told[:1].isdigit() else told


def _table(rows: Sequence[Figures], columns: Mapping[str, str]) -> str:
    lines = [
        f"| strategy | {' | '.join(columns.values())} |",
        f"| --- |{' ---: |' * len(columns)}",
    ]
    for row in rows:
        name = _NAMES.get(row["strategy"], row["strategy"])
        lines.append(f"| {name} | {' | '.join(_cell(row[key]) for key in columns)} |")
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return "–".join(f"{each:.1f}" for each in value)
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"


def _remarks(rows: Sequence[Figures]) -> list[str]:
    """Return what must be known of some rows."""
    made = [
        f"{row['strategy']}: a single pass stood in for it in {row['instead']} answers; "
        "the server tells no probabilities of tokens."
        for row in rows
        if row["instead"]
    ]
    counts = {row["questions"] for row in rows}
    if len(counts) > 1:
        made.append("Not every row is over the same number of questions: some are not finished.")
    return made
