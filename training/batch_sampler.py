"""All lessons of the pair reader, and how a step of training is put together from them."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from desktop_rag.core.language import language
from training import question_sets
from training.code_switching import Dictionary
from training.examples import Example, Group, filters, labels, taught
from training.question_sets import ASIAN, RERANKED, Guard, Passage, is_held_out
from training.statements import Sentences, of_facts

_UNRANKED = 60  # the rank of what the first stage did not find
_CROP = 220  # characters of a Chinese or Japanese passage that are read at once
_OF_PEOPLE_SHARE = 0.65  # of the groups; the others are of questions made up
_OF_PEOPLE = ("asked", "asked on", "part")
Row = dict[str, Any]


class Teacher(Protocol):
    """Scores pairs, as the reader does that is shipped."""

    def score_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return one score a pair."""
        ...


@dataclass(frozen=True, slots=True)
class Share:
    """How many lessons of each kind a step has."""

    groups: int = 4
    negatives: int = 5
    labels: int = 3
    filters: int = 1
    statements: int = 6
    asian: int = 0
    """Groups of Chinese and Japanese questions."""
    switched: float = 0.0
    """Of the groups' questions, which share has words in the other of English and Chinese."""

    def times(self, number: int) -> Share:
        """Return a step with so many times the lessons."""
        return Share(
            number * self.groups,
            self.negatives,
            number * self.labels,
            number * self.filters,
            number * self.statements,
            number * self.asian,
            self.switched,
        )


class BatchSampler:
    """All lessons; `step` draws some of them.

    Questions that choices are made on are taught with `held_out_too`, once all are made.
    """

    def __init__(
        self,
        data: Path,
        work: Path,
        *,
        held_out_too: bool = False,
        dictionary: Dictionary | None = None,
        teacher: Teacher | None = None,
    ) -> None:
        self._dictionary = dictionary
        self._teacher = teacher
        groups = _groups(data, work, RERANKED)
        self._asian = [] if dictionary is None else _groups(data, work, ASIAN)
        if not held_out_too:
            groups = [row for row in groups if not row[0].get("held out")]
            self._asian = [row for row in self._asian if not row[0].get("held out")]
        people: dict[str, list[Any]] = defaultdict(list)
        for row, passages in groups:
            if row["kind"] in _OF_PEOPLE:
                people[row["set"]].append((row, passages))
        self._people = list(people.values())
        self._made_up = [row for row in groups if row[0]["kind"] not in _OF_PEOPLE]
        corpora = {name: question_sets.corpus(data, name) for name in RERANKED}
        every = [each for corpus in corpora.values() for each in corpus.values()]
        self._sentences = Sentences(every)
        self._facts = of_facts(question_sets.training_questions(data, "2wiki"), corpora["2wiki"])
        guard = Guard(data)

        def allows(question: str, id_: str) -> bool:
            return guard.allows(question) and (held_out_too or not is_held_out(id_))

        self._labels = list(labels(data / "efficientrag/labeler.train.jsonl.gz", allows))
        self._filters = list(filters(data / "efficientrag/filter.train.jsonl.gz", allows))

    def step(self, number: int, share: Share, seed: int) -> tuple[list[Group], list[Example]]:
        """Return a step's groups and its other lessons: the same for the same seed and number."""
        dice = random.Random(f"{seed}/{number}")
        groups = []
        for _ in range(share.groups):
            rows = self._made_up
            if dice.random() < _OF_PEOPLE_SHARE:  # a small set's come oftener than a large one's
                (rows,) = dice.choices(self._people, [math.sqrt(len(e)) for e in self._people])
            group = self._scored(_group(*dice.choice(rows), share, dice))
            groups.append(self._switched(group, share, dice))
        for _ in range(share.asian):
            group = [_cropped(e, dice) for e in _group(*dice.choice(self._asian), share, dice)]
            groups.append(self._in_other_letters(self._switched(group, share, dice), dice))
        more = dice.choices(self._labels, k=share.labels)
        more += dice.choices(self._filters, k=share.filters)
        for at in range(share.statements):
            said = dice.choice(self._facts) if at % 2 else self._sentences.one(dice)
            more.append(said.lesson)
        return groups, more

    def _scored(self, group: Group) -> Group:
        """Return a group with what the teacher scores its pairs."""
        if self._teacher is None:
            return group
        scores = self._teacher.score_pairs([(each.query, each.passage) for each in group])
        return [replace(each, score=score) for each, score in zip(group, scores, strict=True)]

    def _switched(self, group: Group, share: Share, dice: random.Random) -> Group:
        """Return a group whose question has, maybe, words of another language."""
        if self._dictionary is None or dice.random() >= share.switched:
            return group
        kind, seed = language(group[0].query), dice.random()
        if kind not in ("en", "zh"):
            return group
        told = self._dictionary.in_chinese if kind == "en" else self._dictionary.in_english
        return [replace(each, query=told(each.query, random.Random(seed))) for each in group]

    def _in_other_letters(self, group: Group, dice: random.Random) -> Group:
        """Return a group in simplified letters, maybe."""
        if self._dictionary is None or language(group[0].passage) != "zh" or dice.random() < 0.5:
            return group
        simple = self._dictionary.simplified
        return [
            replace(each, query=simple(each.query), passage=simple(each.passage)) for each in group
        ]


def _groups(data: Path, work: Path, names: Sequence[str]) -> list[tuple[Row, dict[str, Passage]]]:
    """Return the groups that can be ranked at all, each with the corpus that its ids are of."""
    found = []
    for name in names:
        passages = question_sets.corpus(data, name)
        rows = question_sets.rows(work / f"groups-{name}.jsonl.gz")
        ranked = (row | {"set": name} for row in rows if row["rank"] or not row["ranks"])
        found += [(row, passages) for row in ranked]
    return found


def _group(row: Row, passages: dict[str, Passage], share: Share, dice: random.Random) -> Group:
    places = range(len(row["others"]))
    some = sorted(dice.sample(places, min(share.negatives, len(places))))
    queries = row["queries"] or [row["query"]] * len(places)
    ranks = row["ranks"] or [1] * len(places)
    rank = (row["rank"] or _UNRANKED) if row["ranks"] else 1
    answers = row["answers"]
    right = passages[row["gold"]].read
    made = [Example(row["query"], right, rank, taught(answers, right))]
    for at in some:
        wrong = passages[row["others"][at]].read
        # One that holds the answer all the same may answer, or not: it teaches nothing of it.
        none_here = () if taught(answers, wrong) == () else None
        made.append(Example(queries[at], wrong, ranks[at], none_here))
    return made


def _cropped(each: Example, dice: random.Random) -> Example:
    """Return an example whose passage is a stretch of it under its title, with an answer if any."""
    title, line, text = each.passage.partition("\n")
    if not line or len(text) <= _CROP:
        return each
    behind, first, last = len(title) + 1, 0, len(text) - _CROP
    inside = [span for span in each.answers or () if span[0] >= behind]
    if inside:
        begin, end = (place - behind for place in dice.choice(inside))
        first, last = max(first, end - _CROP), max(min(last, begin), 0)
    at = dice.randint(min(first, last), last)
    whole = f"{title}\n{text[at : at + _CROP]}"
    spans = tuple((a - at, b - at) for a, b in inside if a - at >= behind and b - at <= len(whole))
    return replace(each, passage=whole, answers=None if each.answers is None else spans)
