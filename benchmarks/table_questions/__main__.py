"""Measure how often questions over whole tables are answered exactly, without a language model.

python -m benchmarks.table_questions DOCUMENTS QUESTIONS --data-dir KEPT

DOCUMENTS is a folder of real files by format, QUESTIONS one with Chinese tables in `zh_csv`. Both
are indexed into KEPT, once. Each question is asked in each way; the answers it is held against are
computed from the original files, by `originals` and `questions`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from statistics import median

from benchmarks.question_arguments import question_arguments
from benchmarks.table_questions.measurement import AnsweredItem, answered_items, index
from benchmarks.table_questions.originals import Originals
from desktop_rag.bootstrap import open_workspace
from desktop_rag.core.settings import Settings

WAYS = ("tables", "single_pass", "linked_hops")


def main() -> None:
    given = question_arguments("table_questions", __doc__, WAYS)
    files = Originals(given.documents, given.questions / "zh_csv")
    workspace = open_workspace(given.data_dir, Settings())
    try:
        index(workspace, given.documents, given.questions)
        for way in given.ways.split(","):
            answered = list(answered_items(workspace, way, files))
            _print(way, answered, show_misses=given.misses)
    finally:
        workspace.close()


def _print(way: str, answered: Sequence[AnsweredItem], *, show_misses: bool) -> None:
    hits: dict[str, list[bool]] = defaultdict(list)
    for each in answered:
        for group in each.groups:
            hits[group].append(each.is_right)
        if show_misses and not each.is_right:
            told = [[str(part) for part in row] for row in each.gold[:3]]
            missed = [each.item.text, told, each.answer.text[:300]]
            print(json.dumps(missed, ensure_ascii=False))
    shares = {name: f"{sum(each)}/{len(each)}" for name, each in hits.items()}
    middle = median(each.seconds for each in answered)
    print(json.dumps({"way": way, **shares, "p50": round(middle, 2)}))


if __name__ == "__main__":
    main()
