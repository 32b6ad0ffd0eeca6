"""The figures of CRUD-RAG's tasks as Markdown: a row a task and way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_rag.core.evaluation_records import QUOTES

Figures = Mapping[str, Any]

COLUMNS = {
    "questions": "cases",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "interval": "95 % of ROUGE-L",
    "f1": "F1",
    "corrected": "corrected",
    "citation_precision": "citations right",
    "citation_recall": "gold cited",
    "refused": "refused",
    "llm_calls": "calls",
    "seconds_p50": "seconds, median",
    "failed": "failed",
}
_NAMES = {QUOTES: "quotes, without a model"}
_LEGEND = (
    "Shares are in percent; calls are those of a case, in the mean. BLEU, ROUGE-L and F1 compare "
    "an answer with how the documents word it, in Chinese by characters; a refusal counts 0. "
    "Corrected: of the figures and names that were made wrong, those that are right in the answer."
)


def crud_table(rows: Sequence[Figures]) -> str:
    """Return rows of figures as Markdown; empty where there are none."""
    if not rows:
        return ""
    first = rows[0]
    model = next((row["model"] for row in rows if row["model"]), None)
    told = f"seed {first['seed']}; model: {f'`{model}`' if model else 'none'}"
    lines = [
        f"**Four tasks made of {first['documents']:,} documents** ({told})",
        "",
        f"| task | strategy | {' | '.join(COLUMNS.values())} |",
        f"| --- | --- |{' ---: |' * len(COLUMNS)}",
    ]
    for row in rows:
        name = _NAMES.get(row["strategy"], row["strategy"])
        cells = " | ".join(_cell(row[key]) for key in COLUMNS)
        lines.append(f"| {row['task']} | {name} | {cells} |")
    return "\n".join([*lines, "", _LEGEND]) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, (list, tuple)):
        return "–".join(f"{each:.1f}" for each in value)
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
