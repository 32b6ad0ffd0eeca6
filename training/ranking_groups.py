"""Writes what the reranker is trained on: a query, its passage, and others that only look like it.

    python -m training.ranking_groups DATA WORK

Negatives are what the program itself would have shown: the best of its first stage, and for a
second passage what the first one leads to. WORK keeps the indexes, so that a second run is quick.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from training import question_sets
from training.chains import Neighbourhood
from training.first_stage import FirstStage
from training.first_stage_cache import Hit
from training.question_sets import RERANKED, Question
from training.synthetic_questions import MadeUp, made_up
from training.title_links import bare

_SEEN = 30  # of the first stage: what the program may rerank
_NEGATIVES = 24  # kept for each query; a step draws some of them
Row = dict[str, Any]
"""`query`, `answers`, `gold`, `others` (ids), `rank` and `ranks` (0: not among the first stage's
best); `held out` where a choice is made on the question.

Of a second passage the query depends on which one it is: `queries` has the others'.
"""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("data", type=Path)
    asked.add_argument("work", type=Path)
    asked.add_argument("--made-up", type=int, default=6000, help="questions made up of each corpus")
    asked.add_argument("--sets", default=",".join(RERANKED))
    asked.add_argument("--model", default="all-minilm-l6-v2", help="the first stage's embedder")
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    for name in given.sets.split(","):
        stage = FirstStage(question_sets.corpus(given.data, name), given.work / name, given.model)
        near = Neighbourhood.of(given.data, name, stage)
        asking = question_sets.training_questions(given.data, name)
        guard = question_sets.Guard(given.data)
        made = [
            q for q in made_up(near.passages, given.seed, given.made_up) if guard.allows(q.text)
        ]
        single = [each for each in parts(near, asking) if guard.allows(each[0])]
        rows = [*_of_people(near, asking), *_of_parts(near, single), *_of_made_up(near, made)]
        if near.chained:
            rows += [row | {"held out": True} for row in _held_out(given.data, name, near)]
        random.Random(given.seed).shuffle(rows)
        written = question_sets.write_rows(given.work / f"groups-{name}.jsonl.gz", rows)
        told = f"{len(asking)} questions, {len(single)} parts of them, {len(made)} made up"
        print(f"{name}: {told}, {written} groups", flush=True)


def _held_out(data: Path, name: str, near: Neighbourhood) -> Iterator[Row]:
    """Yield the groups of the questions on which choices are made."""
    asking = question_sets.training_questions(data, name, held_out=True)
    guard = question_sets.Guard(data)
    yield from _of_people(near, asking)
    yield from _of_parts(near, [each for each in parts(near, asking) if guard.allows(each[0])])


def _searched(near: Neighbourhood, texts: Sequence[str]) -> list[list[Hit]]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda text: near.stage.search(text, _SEEN), texts))


def _of_people(near: Neighbourhood, asking: Sequence[Question]) -> Iterator[Row]:
    found = _searched(near, [each.text for each in asking])
    for question, hits in zip(asking, found, strict=True):
        for gold in question.gold if near.chained else question.gold[:1]:
            row = _first(question.text, gold, question.gold, hits)
            yield row | {"kind": "asked", "answers": question.answers}
            for other in question.gold:
                if near.chained and other != gold:
                    row = _second(near, question.text, (other, gold), question.gold)
                    yield row | {"kind": "asked on", "answers": question.answers}


def parts(near: Neighbourhood, asking: Sequence[Question]) -> Iterator[tuple[str, str, str]]:
    """Yield the single questions that questions are made of, each with its passage and answer."""
    for question in asking:
        for hop in question.hops:
            text = hop.text
            for at, before in enumerate(question.hops, start=1):
                text = text.replace(f"#{at}", before.answer)
            yield text, hop.gold, hop.answer
        titles = {bare(near.passages[each].title).casefold(): each for each in question.gold}
        for fact in question.facts:
            if fact.subject.casefold() in titles:
                text = f"What is the {fact.relation} of {fact.subject}?"
                yield text, titles[fact.subject.casefold()], fact.object


def _of_parts(near: Neighbourhood, single: Sequence[tuple[str, str, str]]) -> Iterator[Row]:
    found = _searched(near, [text for text, _, _ in single])
    for (text, gold, answer), hits in zip(single, found, strict=True):
        yield _first(text, gold, (gold,), hits) | {"kind": "part", "answers": (answer,)}


def _of_made_up(near: Neighbourhood, made: Sequence[MadeUp]) -> Iterator[Row]:
    found = _searched(near, [each.text for each in made])
    for question, hits in zip(made, found, strict=True):
        for gold in question.gold[: question.first]:
            row = _first(question.text, gold, question.gold, hits)
            yield row | {"kind": question.kind, "answers": (question.answer,)}
        if question.kind == "bridge":
            row = _second(near, question.text, question.gold, question.gold)
            yield row | {"kind": "bridge on", "answers": (question.answer,)}


def _first(text: str, gold: str, right: Sequence[str], hits: Sequence[Hit]) -> Row:
    """Return a group for a passage that the question itself speaks of."""
    ranks = {hit.id: hit.rank for hit in hits}
    others = [hit.id for hit in hits if hit.id not in right][:_NEGATIVES]
    return {
        "query": text,
        "gold": gold,
        "rank": ranks.get(gold, 0),
        "others": others,
        "ranks": [ranks[each] for each in others],
        "queries": [],
    }


def _second(near: Neighbourhood, text: str, step: Sequence[str], right: Sequence[str]) -> Row:
    """Return a group for a passage, given another one that leads there."""
    begin, end = step[0], step[1]
    others = [each for each in near.beyond(text, begin) if each not in right][:_NEGATIVES]
    return {
        "query": near.asked(text, begin, end),
        "gold": end,
        "rank": 0,
        "others": others,
        "ranks": [],
        "queries": [near.asked(text, begin, each) for each in others],
    }


if __name__ == "__main__":
    main()
