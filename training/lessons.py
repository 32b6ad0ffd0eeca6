"""What a step of training teaches: pairs of texts, and what the heads should say of each.

A lesson on ranking is a group of one right passage among wrong ones, and teaches reading as well:
where the answer stands in the right one, and that it stands in no other. Lessons on labels, tags
and filters are EfficientRAG's (Zhuang et al. 2024, section 3.2).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training import sets
from training.cuts import Span
from training.sets import RERANKED, Guard, Passage

UNRANKED = 60  # the rank of what the first stage did not find
_PEOPLE = 9  # how often a person's question is drawn for each made-up one
_OF_PEOPLE = ("asked", "asked on", "part")
_NO_SPAN = {"yes", "no", "maybe", ""}  # answers that stand in no passage
TAGS = ("CONTINUE", "FINISH", "TERMINATE", "POSITIVE")
"""Of a passage: leads on, answers, says nothing of it, is of use (it isn't known how)."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A pair, and what the heads should say; None is for what this pair does not teach."""

    query: str
    passage: str
    rank: int = 1
    answers: tuple[Span, ...] | None = None
    useful: tuple[Span, ...] | None = None
    tag: int | None = None
    kept: tuple[tuple[Span, ...], tuple[Span, ...]] | None = None
    """Of the query, and of the passage."""


Group = list[Lesson]
"""The first lesson's passage is right."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many lessons of each kind a step has."""

    groups: int = 4
    negatives: int = 7
    labels: int = 6
    filters: int = 2


class School:
    """All lessons; `steps` draws them, in the same order in every run with the same seed."""

    def __init__(self, data: Path, work: Path) -> None:
        self._groups = _groups(data, work)
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
        while True:
            chosen = [next(ways[dice.random() >= chance]) for _ in range(share.groups)]
            groups = [_group(row, passages, share, dice) for row, passages in chosen]
            more = [next(labelled) for _ in range(share.labels)]
            yield groups, [*more, *(next(filtered) for _ in range(share.filters))]

    def _chance(self) -> float:
        asked = sum(row["kind"] in _OF_PEOPLE for row, _ in self._groups)
        return _PEOPLE * asked / (_PEOPLE * asked + len(self._groups) - asked)


def spans_of(answers: Iterable[str], text: str) -> tuple[Span, ...]:
    """Return where answers stand in a text as whole words, whatever their case."""
    found = []
    for answer in answers:
        if stripped := answer.strip():
            whole = rf"(?<!\w){re.escape(stripped)}(?!\w)"
            found += [match.span() for match in re.finditer(whole, text, re.IGNORECASE)]
    return tuple(sorted(set(found)))


def labels(path: Path, guard: Guard | None = None) -> Iterator[Lesson]:
    """Yield what a labeler and tagger should say; spans are moved behind the title."""
    for row in sets.rows(path):
        if guard is None or guard.allows(row["query"]):
            passage = Passage("", row["title"], row["chunk"])
            behind = len(passage.read) - len(passage.text)
            useful = tuple((begin + behind, end + behind) for begin, end in row["spans"])
            yield Lesson(row["query"], passage.read, useful=useful, tag=TAGS.index(row["tag"]))


def filters(path: Path, guard: Guard | None = None) -> Iterator[Lesson]:
    """Yield what a filter should keep of `Query: … Info: …`, which are the pair's two texts."""
    for row in sets.rows(path):
        query, info = asked_and_info(row["input"])
        if guard is None or guard.allows(query):
            kept = _kept(row["tokens"], row["labels"], query, info)
            yield Lesson(query, info, kept=kept)


def asked_and_info(text: str) -> tuple[str, str]:
    """Return the two texts in what a filter reads."""
    query, _, info = text.removeprefix("Query: ").partition(" Info: ")
    return query, info


def _kept(
    words: Sequence[str], labels: Sequence[int], query: str, info: str
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans of the words that are labelled 1, in either text."""
    middle = _divide(words, query)
    pairs = list(zip(words, labels, strict=True))
    return _spans(pairs[1:middle], query), _spans(pairs[middle + 1 :], info)


def _divide(words: Sequence[str], query: str) -> int:
    """Return where `Info` stands among the words: after as many as the query has."""
    at = 0
    for place, word in enumerate(words[1:], start=1):
        found = query.find(word, at)
        if found < 0:
            return place
        at = found + len(word)
    return len(words)


def _spans(pairs: Iterable[tuple[str, int]], text: str) -> tuple[Span, ...]:
    at, found = 0, []
    for word, label in pairs:
        begin = text.find(word, at)
        if begin < 0:
            continue
        at = begin + len(word)
        if label:
            found.append((begin, at))
    return tuple(found)


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
    rank = (row["rank"] or UNRANKED) if row["ranks"] else 1
    answers = row["answers"]
    right = passages[row["gold"]].read
    made = [Lesson(row["query"], right, rank, taught(answers, right))]
    for at in some:
        wrong = passages[row["others"][at]].read
        # One that holds the answer all the same may answer, or not: it teaches nothing of it.
        none_here = () if taught(answers, wrong) == () else None
        made.append(Lesson(queries[at], wrong, ranks[at], none_here))
    return made


def taught(answers: Sequence[str], passage: str) -> tuple[Span, ...] | None:
    """Return where the answers stand in a passage; None if they are of those that never do."""
    if all(each.casefold().strip() in _NO_SPAN for each in answers):
        return None
    return spans_of(answers, passage)
