"""Runs over question sets: their figures, and each question's score, to compare later ones with."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence

from desktop_rag.catalog.column_values import json_value
from desktop_rag.catalog.database import Database
from desktop_rag.core.evaluation_records import EvaluationResult, EvaluationRun
from desktop_rag.core.types import KbId
from desktop_rag.core.unicode import shown_path, stored_path

MOST = 20
"""The runs that are kept of one task over one set."""

_BETWEEN = "\t"
_TASKS = "tasks:"
_SELECT = "SELECT id, source, task, made, settings, results FROM measured_runs"


def file_source(corpus: str, questions: str) -> str:
    """Return the name by which runs know a set in files."""
    return f"file:{stored_path(corpus)}{_BETWEEN}{stored_path(questions)}"


def tasks_source(kbs: Iterable[KbId]) -> str:
    """Return the name by which runs know the tasks made of knowledge bases' documents."""
    return f"{_TASKS}{','.join(map(str, sorted(set(kbs))))}"


def drop_task_runs(tx: sqlite3.Connection, kb: KbId) -> None:
    """Delete the runs over tasks made of a knowledge base."""
    tx.execute(
        "DELETE FROM measured_runs WHERE substr(source, 1, ?1) = ?2 "
        "AND instr(',' || substr(source, ?1 + 1) || ',', ',' || ?3 || ',') > 0",
        (len(_TASKS), _TASKS, kb),
    )


class EvaluationRuns:
    """The catalog's runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, run: EvaluationRun) -> EvaluationRun:
        """Keep a run, of each set and task the last `MOST`; return it with its number."""
        made = run.made or time.time()
        results = [[dict(each.figures), dict(each.scores)] for each in run.ways]
        with self._database.write() as tx:
            row = tx.execute(
                "INSERT INTO measured_runs (source, task, made, settings, results) "
                "VALUES (?, ?, ?, ?, ?) RETURNING id",
                (
                    run.source,
                    run.task,
                    made,
                    json.dumps(dict(run.settings), ensure_ascii=False),
                    json.dumps(results, ensure_ascii=False),
                ),
            ).fetchone()
            tx.execute(
                "DELETE FROM measured_runs WHERE source = ?1 AND task = ?2 AND id NOT IN (SELECT "
                "id FROM measured_runs WHERE source = ?1 AND task = ?2 ORDER BY id DESC LIMIT ?3)",
                (run.source, run.task, MOST),
            )
        return EvaluationRun(run.source, run.task, run.ways, run.settings, made, int(row[0]))

    def of(self, source: str, task: str) -> list[EvaluationRun]:
        """Return the runs of a task over a set, the newest first."""
        rows = self._database.read().execute(
            f"{_SELECT} WHERE source = ? AND task = ? ORDER BY id DESC", (source, task)
        )
        return [_run(row) for row in rows]

    def files(self) -> list[tuple[str, str]]:
        """Return the corpus and the questions of every set in files that was measured."""
        rows = self._database.read().execute(
            "SELECT source FROM measured_runs WHERE source LIKE 'file:%' GROUP BY source "
            "ORDER BY max(id) DESC"
        )
        found = (row[0].removeprefix("file:").partition(_BETWEEN) for row in rows)
        return [(shown_path(corpus), shown_path(questions)) for corpus, _, questions in found]

    def delete(self, ids: Sequence[int]) -> None:
        """Delete runs."""
        with self._database.write() as tx:
            tx.execute(
                "DELETE FROM measured_runs WHERE id IN (SELECT value FROM json_each(?))",
                (json.dumps(list(ids)),),
            )


def _run(row: tuple[int, str, str, float, str, str]) -> EvaluationRun:
    number, source, task, made, settings, results = row
    ways = tuple(EvaluationResult(figures, scores) for figures, scores in json_value(results))
    return EvaluationRun(source, task, ways, json_value(settings), made, number)
