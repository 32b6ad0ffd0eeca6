"""What a step of training teaches: pairs of texts, and what the heads should say of each.

A lesson on ranking is a group of one right passage among wrong ones, and teaches reading as well:
where the answer stands in the right one, and that it stands in no other. Lessons on labels, tags
and filters are EfficientRAG's (Zhuang et al. 2024, section 3.2); `school` puts steps together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training import question_sets
from training.question_sets import Passage
from training.token_pairs import Span

_IN_WORD = re.compile(r"[^\W\u3040-\u30ff\u3400-\u9fff]")  # no letter of Chinese or Japanese
_NO_SPAN = {"yes", "no", "maybe", ""}  # answers that stand in no passage
MARKS = ("start", "end", "useful", "kept")
"""What is said of each token: an answer's first and last, useful for the next query, kept in it."""
START, END, USEFUL, KEPT = range(len(MARKS))
TAGS = ("CONTINUE", "FINISH", "TERMINATE", "POSITIVE")
"""Of a passage: leads on, answers, says nothing of it, is of use (it isn't known how)."""


@dataclass(frozen=True, slots=True)
class Example:
    """A pair, and what the heads should say; None is for what this pair does not teach."""

    query: str
    passage: str
    rank: int = 1
    answers: tuple[Span, ...] | None = None
    useful: tuple[Span, ...] | None = None
    tag: int | None = None
    kept: tuple[tuple[Span, ...], tuple[Span, ...]] | None = None
    """Of the query, and of the passage."""
    score: float | None = None
    """What a teacher scores the pair."""


Group = list[Example]
"""The first lesson's passage is right."""


def spans_of(answers: Iterable[str], text: str) -> tuple[Span, ...]:
    """Return where answers stand in a text as whole words, whatever their case.

    Beside a Chinese or Japanese letter there is no edge of a word to look for.
    """
    found: set[Span] = set()
    plain = _lower(text)
    for answer in filter(None, map(str.strip, answers)):
        wanted, begin = _lower(answer), -1
        while (begin := plain.find(wanted, begin + 1)) >= 0:
            end = begin + len(wanted)
            if not (_joins(plain[begin - 1 : begin + 1]) or _joins(plain[end - 1 : end + 1])):
                found.add((begin, end))
    return tuple(sorted(found))


def _lower(text: str) -> str:
    """Return a text in small letters, where that leaves each at its place."""
    small = text.lower()
    return small if len(small) == len(text) else text


def _joins(pair: str) -> bool:
    """Say whether two characters are inside one word."""
    return len(pair) == len(_IN_WORD.findall(pair)) == 2


Allows = Callable[[str, str], bool]
"""Says of a question and its id whether it may be taught."""


def _any(_question: str, _id: str) -> bool:
    return True


def labels(path: Path, allows: Allows = _any) -> Iterator[Example]:
    """Yield what a labeler and tagger should say; spans are moved behind the title."""
    for row in question_sets.rows(path):
        if allows(row["query"], row["qid"]):
            passage = Passage("", row["title"], row["chunk"])
            behind = len(passage.read) - len(passage.text)
            useful = tuple((begin + behind, end + behind) for begin, end in row["spans"])
            yield Example(row["query"], passage.read, useful=useful, tag=TAGS.index(row["tag"]))


def filters(path: Path, allows: Allows = _any) -> Iterator[Example]:
    """Yield what a filter should keep of `Query: … Info: …`, which are the pair's two texts."""
    for row in question_sets.rows(path):
        query, info = asked_and_info(row["input"])
        if allows(query, row["qid"]):
            kept = _kept(row["tokens"], row["labels"], query, info)
            yield Example(query, info, kept=kept)


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


def taught(answers: Sequence[str], passage: str) -> tuple[Span, ...] | None:
    """Return where the answers stand in a passage; None if they are of those that never do."""
    if all(each.casefold().strip() in _NO_SPAN for each in answers):
        return None
    return spans_of(answers, passage)
