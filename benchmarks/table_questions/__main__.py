"""Measure how often questions over whole tables are answered exactly, without a language model.

python -m benchmarks.table_questions DOCUMENTS QUESTIONS --data-dir KEPT

DOCUMENTS is a folder of real files by format, QUESTIONS one with Chinese tables in `zh_csv`. Both
are indexed into KEPT, once. Each question is asked in each way; the answers it is held against are
computed from the original files, by `originals` and `questions`.
"""

from __future__ import annotations

import json
import time
from collections import defaultdict
from pathlib import Path

from benchmarks.question_arguments import question_arguments
from benchmarks.table_questions.originals import Originals
from benchmarks.table_questions.questions import FRESH, LATE, TRIED, Item
from benchmarks.table_questions.scoring import is_exact
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands import ask, index_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Answer
from desktop_rag.core.requests import AskRequest, IndexRequest
from desktop_rag.core.settings import Settings
from desktop_rag.workspace import Workspace

WAYS = ("tables", "single_pass", "linked_hops")


def main() -> None:
    given = question_arguments("table_questions", __doc__, WAYS)
    files = Originals(given.documents, given.questions / "zh_csv")
    workspace = open_workspace(given.data_dir, Settings())
    try:
        if "default" not in {each.name for each in workspace.catalog.kbs.all()}:
            _index(workspace, [given.documents, given.questions / "zh_csv"])
        for way in given.ways.split(","):
            _measure(workspace, way, files, show_misses=given.misses)
    finally:
        workspace.close()


def _measure(workspace: Workspace, way: str, files: Originals, *, show_misses: bool) -> None:
    hits: dict[str, list[bool]] = defaultdict(list)
    seconds: list[float] = []
    for name, items in (("tried", TRIED), ("fresh", FRESH), ("late", LATE)):
        for item in items:
            began = time.perf_counter()
            answer = _asked(workspace, way, item)
            seconds.append(time.perf_counter() - began)
            gold = item.gold(files)
            is_right = answer.mode != "refused" and is_exact(
                answer.text,
                gold,
                is_single=item.is_single and len(gold) == 1,
                is_ranked=item.is_ranked,
            )
            hits[name].append(is_right)
            hits[item.language].append(is_right)
            hits[item.shape].append(is_right)
            hits["all"].append(is_right)
            if show_misses and not is_right:
                told = [[str(part) for part in row] for row in gold[:3]]
                print(json.dumps([item.text, told, answer.text[:300]], ensure_ascii=False))
    seconds.sort()
    shares = {name: f"{sum(each)}/{len(each)}" for name, each in hits.items()}
    print(json.dumps({"way": way, **shares, "p50": round(seconds[len(seconds) // 2], 2)}))


def _asked(workspace: Workspace, way: str, item: Item) -> Answer:
    request = AskRequest(("default",), item.text, way, kept_options="")
    last = list(ask.run(workspace, request, CancelToken()))[-1]
    if not isinstance(last, Answer):
        raise TypeError("an ask ends with its answer")
    return last


def _index(workspace: Workspace, folders: list[Path]) -> None:
    request = IndexRequest("default", tuple(map(str, folders)))
    for _ in index_files.run(workspace, request, CancelToken()):
        pass


if __name__ == "__main__":
    main()
