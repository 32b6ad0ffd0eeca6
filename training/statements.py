"""Statements that a passage supports, and ones that it does not: what a support check learns from.

Of a sentence of a passage a part is kept; for a wrong one, a name or number in it is another's.
Facts whose three parts are known are said in words (`The director of Devotion is …`). The reading
head says of a statement what it says of a question: where it is borne out, or that it is nowhere.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from training.examples import Example, spans_of
from training.question_sets import Fact, Passage, Question
from training.synthetic_questions import SPAN, about, sentences
from training.title_links import bare

_LEAST_WORDS, _MOST_WORDS = 5, 24
_PASSAGE_WORDS = 130
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about a passage, the part of it that matters, and whether the passage says so."""

    text: str
    passage: str
    part: str
    holds: bool

    @property
    def lesson(self) -> Example:
        """What the reading head should say of it."""
        spans = spans_of([self.part], self.passage) if self.holds else ()
        return Example(self.text, self.passage, answers=spans)


class Sentences:
    """Makes statements of passages' sentences: each second one is wrong."""

    def __init__(self, passages: Sequence[Passage], seed: int = 1) -> None:
        self._passages = passages
        self._others = _parts(passages, random.Random(seed))

    def one(self, dice: random.Random) -> Statement:
        """Return a statement that the dice choose."""
        while True:
            made = self._of(dice.choice(self._passages), dice)
            if made is not None:
                return made

    def _of(self, passage: Passage, dice: random.Random) -> Statement | None:
        every = sentences(passage.text)
        said = [at for at, s in enumerate(every) if len(s.split()) >= _LEAST_WORDS]
        if not said:
            return None
        at = dice.choice(said)
        passage = replace(passage, text=_near(every, at))
        sentence = about(passage, every[at])
        spans = list(SPAN.finditer(sentence))
        if not spans:
            return None
        span = dice.choice(spans)
        begin, end = _around(sentence, span.span(), dice)
        part, holds = span.group(), dice.random() < 0.5
        if not holds:
            part = dice.choice(self._others[_kind(part)])
            if spans_of([part], passage.read):
                return None  # which the passage may say as well
        text = sentence[begin : span.start()] + part + sentence[span.end() : end]
        return Statement(text.strip(" ,;"), passage.read, part, holds)


def _near(every: Sequence[str], at: int) -> str:
    """Return a sentence among its neighbours, as much as is read at once."""
    begin = end = at
    while (end - begin + 1) < len(every):
        wider = (max(0, begin - 1), min(len(every) - 1, end + 1))
        if sum(len(each.split()) for each in every[wider[0] : wider[1] + 1]) > _PASSAGE_WORDS:
            break
        begin, end = wider
    return " ".join(every[begin : end + 1])


def of_facts(asking: Sequence[Question], passages: Mapping[str, Passage]) -> list[Statement]:
    """Return what questions' facts say, each beside what another's object makes of it."""
    objects: dict[str, list[str]] = defaultdict(list)
    known = [fact for question in asking for fact in question.facts]
    for fact in known:
        objects[fact.relation].append(fact.object)
    made = []
    for question in asking:
        titles = {bare(passages[each].title).casefold(): passages[each] for each in question.gold}
        for number, fact in enumerate(question.facts):
            passage = titles.get(fact.subject.casefold())
            if passage is None or not spans_of([fact.object], passage.read):
                continue
            made.append(Statement(_said(fact, fact.object), passage.read, fact.object, holds=True))
            same = [o for o in objects[fact.relation] if not spans_of([o], passage.read)]
            if same:
                other = same[(len(made) * 7 + number) % len(same)]
                made.append(Statement(_said(fact, other), passage.read, other, holds=False))
    return made


def _said(fact: Fact, what: str) -> str:
    return f"The {fact.relation} of {fact.subject} is {what}."


def _parts(passages: Sequence[Passage], dice: random.Random) -> dict[str, list[str]]:
    """Return names and numbers of a sample of the passages, by their kind."""
    found: dict[str, list[str]] = defaultdict(list)
    for passage in dice.sample(passages, min(4000, len(passages))):
        for span in SPAN.finditer(passage.text[:300]):
            found[_kind(span.group())].append(span.group())
    return found


def _kind(part: str) -> str:
    if _YEAR.search(part):
        return "year"
    return "number" if part[0].isdigit() else "name"


def _around(sentence: str, span: tuple[int, int], dice: random.Random) -> tuple[int, int]:
    """Return where to cut a sentence, at words, so that it is not too long to be a claim."""
    places = [match.start() for match in re.finditer(r"\S+", sentence)] + [len(sentence)]
    if len(places) - 1 <= _MOST_WORDS:
        return 0, len(sentence)
    within = max(at for at, place in enumerate(places) if place <= span[0])
    first = max(0, within - dice.randrange(_MOST_WORDS // 2))
    after = min(len(places) - 1, first + _MOST_WORDS)
    return places[first], max(places[after], span[1])
