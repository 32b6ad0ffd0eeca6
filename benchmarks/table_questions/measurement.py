"""The questions over whole tables asked in a way, without a language model."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.table_questions.originals import Gold, Originals
from benchmarks.table_questions.questions import FRESH, LATE, TRIED, Item
from benchmarks.table_questions.scoring import is_exact
from desktop_rag.commands import ask, index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest, IndexRequest
from desktop_rag.workspace import Workspace

KB = "tables"


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """A question over a table, what was answered, and whether that is exactly right."""

    written: str
    item: Item
    is_right: bool
    answer: Answer
    gold: Gold
    seconds: float

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that it counts in: when it was written, its language, its shape, all."""
        return self.written, self.item.language, self.item.shape, "all"


def answered_items(workspace: Workspace, way: str, files: Originals) -> Iterator[AnsweredItem]:
    """Ask all questions in a way."""
    for written, items in (("tried", TRIED), ("fresh", FRESH), ("late", LATE)):
        for item in items:
            began = time.perf_counter()
            answer = _asked(workspace, way, item)
            took = time.perf_counter() - began
            gold = item.gold(files)
            is_single = item.is_single and len(gold) == 1
            is_right = answer.mode != "refused" and is_exact(
                answer.text, gold, is_single=is_single, is_ranked=item.is_ranked
            )
            yield AnsweredItem(written, item, is_right, answer, gold, took)


def _asked(workspace: Workspace, way: str, item: Item) -> Answer:
    request = AskRequest((KB,), item.text, way, kept_options="")
    last = list(ask.run(workspace, request, CancelToken()))[-1]
    if not isinstance(last, Answer):
        raise TypeError("an ask ends with its answer")
    return last


def index(workspace: Workspace, documents: Path, questions: Path) -> None:
    """Index all documents and the Chinese tables, once."""
    if KB in {each.name for each in workspace.catalog.kbs.all()}:
        return
    request = IndexRequest(KB, (str(documents), str(questions / "zh_csv")))
    for _ in index_files.run(workspace, request, CancelToken()):
        pass
