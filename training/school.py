"""All lessons of the pair reader, and how a step of training is put together from them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training import sets
from training.lessons import Group, Lesson, filters, labels, taught
from training.sets import RERANKED, Guard, Passage
from training.statements import of_facts, of_sentences

_UNRANKED = 60  # the rank of what the first stage did not find
_PEOPLE = 9  # how often a person's question is drawn for each made-up one
_OF_PEOPLE = ("asked", "asked on", "part")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Share:
    """How many lessons of each kind a step has."""

    groups: int = 4
    negatives: int = 5
    labels: int = 5
    filters: int = 2
    statements: int = 4


class School:
    """All lessons; `steps` draws them, in the same order in every run with the same seed."""

    def __init__(self, data: Path, work: Path) -> None:
        self._groups = _groups(data, work)
        corpora = {name: sets.corpus(data, name) for name in RERANKED}
        self._passages = [each for corpus in corpora.values() for each in corpus.values()]
        self._facts = of_facts(sets.training_questions(data, "2wiki"), corpora["2wiki"])
        guard = Guard(data)
        self._labels = list(labels(data / "efficientrag/labeler.train.jsonl.gz", guard))
        self._filters = list(filters(data / "efficientrag/filter.train.jsonl.gz", guard))

    def steps(self, share: Share, seed: int) -> Iterator[tuple[list[Group], list[Lesson]]]:
        """Yield each step's groups and its other lessons."""
        dice = random.Random(seed)
        people = _endless([row for row in self._groups if row[0]["kind"] in _OF_PEOPLE], dice)
        made_up = _endless([row for row in self._groups if row[0]["kind"] not in _OF_PEOPLE], dice)
        ways, chance = (people, made_up), self._chance()
        labelled, filtered = _endless(self._labels, dice), _endless(self._filters, dice)
        stated = (_endless(self._facts, dice), of_sentences(self._passages, dice))
        while True:
            chosen = [next(ways[dice.random() >= chance]) for _ in range(share.groups)]
            groups = [_group(row, passages, share, dice) for row, passages in chosen]
            more = [next(labelled) for _ in range(share.labels)]
            more += [next(filtered) for _ in range(share.filters)]
            more += [next(stated[at % 2]).lesson for at in range(share.statements)]
            yield groups, more

    def _chance(self) -> float:
        asked = sum(row["kind"] in _OF_PEOPLE for row, _ in self._groups)
        return _PEOPLE * asked / (_PEOPLE * asked + len(self._groups) - asked)


def _groups(data: Path, work: Path) -> list[tuple[Row, dict[str, Passage]]]:
    """Return the groups that can be ranked at all, each with the corpus that its ids are of."""
    found = []
    for name in RERANKED:
        passages = sets.corpus(data, name)
        rows = sets.rows(work / f"groups-{name}.jsonl.gz")
        found += [(row, passages) for row in rows if row["rank"] or not row["ranks"]]
    return found


def _endless(rows: list[Any], dice: random.Random) -> Iterator[Any]:
    while True:
        dice.shuffle(rows)
        yield from rows


def _group(row: Row, passages: dict[str, Passage], share: Share, dice: random.Random) -> Group:
    places = range(len(row["others"]))
    some = sorted(dice.sample(places, min(share.negatives, len(places))))
    queries = row["queries"] or [row["query"]] * len(places)
    ranks = row["ranks"] or [1] * len(places)
    rank = (row["rank"] or _UNRANKED) if row["ranks"] else 1
    answers = row["answers"]
    right = passages[row["gold"]].read
    made = [Lesson(row["query"], right, rank, taught(answers, right))]
    for at in some:
        wrong = passages[row["others"][at]].read
        # One that holds the answer all the same may answer, or not: it teaches nothing of it.
        none_here = () if taught(answers, wrong) == () else None
        made.append(Lesson(queries[at], wrong, ranks[at], none_here))
    return made
