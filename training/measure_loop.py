"""Measures EfficientRAG's loop (Zhuang et al. 2024) over the shipped reader: recall, and passages.

    python -m training.measure_loop DATA WORK resources/models/pair-reader [--limit 60]

Each round searches, labels and tags the ten best; what leads on makes the next query. A question's
passages are all those that are not surely TERMINATE; beside their recall that of as many of the
first stage's best.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from desktop_rag.evaluation.metrics import interval
from desktop_rag.models.pair_reader import CharRange, PairReader
from training import question_sets
from training.first_stage import FirstStage
from training.question_sets import MULTIHOP, Passage

_ROUNDS, _FOUND = 4, 10


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("model", type=Path)
    asked.add_argument("--on", choices=("dev", "held-out"), default="dev")
    asked.add_argument("--sure", type=float, default=0.8, help="of TERMINATE, to leave it out")
    asked.add_argument("--limit", type=int, default=0)
    asked.add_argument("--sets", default=",".join(MULTIHOP))
    given = asked.parse_args()
    reader = PairReader(given.model)
    for name in given.sets.split(","):
        passages = question_sets.corpus(given.data, name)
        stage = FirstStage(passages, given.work / name)
        recalls, counts, at_once = [], [], []
        if given.on == "dev":
            asking = question_sets.measured_questions(given.data, name)
        else:
            asking = question_sets.training_questions(given.data, name, held_out=True)
        for question in asking[: given.limit or None]:
            found = loop(question.text, stage, passages, reader, given.sure)
            gold = set(question.gold)
            first = [hit.id for hit in stage.search(question.text, max(1, len(found)))]
            recalls.append(len(gold & set(found)) / len(gold))
            at_once.append(len(gold & set(first)) / len(gold))
            counts.append(len(found))
        told = {
            "set": name,
            "questions": len(recalls),
            "recall": _percent(recalls),
            "range": interval(recalls),
            "passages": round(float(np.mean(counts)), 1),
            "fusion at as many": _percent(at_once),
        }
        print(json.dumps(told), flush=True)


def loop(
    question: str,
    stage: FirstStage,
    passages: dict[str, Passage],
    reader: PairReader,
    sure: float,
) -> list[str]:
    """Return the passages that are not surely of no use, in the order of their coming."""
    kept: dict[str, None] = {}
    query, asked = question, {question}
    for _ in range(_ROUNDS):
        ids = [hit.id for hit in stage.search(query, _FOUND)]
        infos = []
        read = reader.read(query, [passages[each].read for each in ids])
        for each, said in zip(ids, read, strict=True):
            if said.irrelevance < sure:
                kept[each] = None
            if said.tag == "CONTINUE":
                useful = _joined(passages[each].read, said.useful())
                infos.append(f"{passages[each].title} {useful}")
        query = next_query(query, "; ".join(infos), reader) if infos else ""
        if not query or query in asked:
            break
        asked.add(query)
    return list(kept)


def next_query(query: str, info: str, reader: PairReader) -> str:
    """Return what the filter keeps of a query and of what is known by now."""
    (said,) = reader.read(query, [info])
    of_query, of_info = said.kept()
    return f"{_joined(query, of_query)} {_joined(info, of_info)}".strip()


def _joined(text: str, ranges: Sequence[CharRange]) -> str:
    return " ".join(text[begin:end] for begin, end in ranges)


def _percent(shares: Sequence[float]) -> float:
    return round(100 * float(np.mean(shares)), 1)


if __name__ == "__main__":
    main()
