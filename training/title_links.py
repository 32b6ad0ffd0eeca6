"""Which passages name which others: titles found in texts, as a reader would follow them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from training.question_sets import Passage

_WORD = re.compile(r"\w+|[^\w\s]")
_ASIDE = re.compile(r"\s*\([^()]*\)$")
_LONGEST = 8  # words of a title that is looked for
_LEAST = 4  # letters of a title of one word
_MOST_ALIKE = 4  # passages of one title: a name that more have tells nothing


@dataclass(frozen=True, slots=True)
class Mention:
    """A title in a text: where it stands, and the passages that are called so."""

    start: int
    end: int
    passages: tuple[str, ...]


class Titles:
    """Finds the titles of a corpus in texts."""

    def __init__(self, passages: Mapping[str, Passage]) -> None:
        self._known: dict[str, tuple[Mention, ...]] = {}
        by_words: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for each in passages.values():
            words = tuple(_WORD.findall(bare(each.title)))
            if len(words) > 1 or (words and len(words[0]) >= _LEAST):
                by_words[words].append(each.id)
        self._by_words = {
            words: tuple(ids) for words, ids in by_words.items() if len(ids) <= _MOST_ALIKE
        }

    def mentioned(self, text: str) -> tuple[Mention, ...]:
        """Return the longest titles in a text, from left to right; each text is read once.

        A title of one word counts where it is no part of a longer name, and begins no sentence.
        """
        if text not in self._known:
            self._known[text] = tuple(self._found(text))
        return self._known[text]

    def _found(self, text: str) -> Iterator[Mention]:
        words = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]
        at = 0
        while at < len(words):
            count = self._longest(words, at)
            if count > 1 or (count and _stands_alone(words, at)):
                key = tuple(word for word, _, _ in words[at : at + count])
                yield Mention(words[at][1], words[at + count - 1][2], self._by_words[key])
            at += max(1, count)

    def _longest(self, words: list[tuple[str, int, int]], at: int) -> int:
        if not words[at][0][0].isupper() and not words[at][0][0].isdigit():
            return 0
        for count in range(min(_LONGEST, len(words) - at), 0, -1):
            if tuple(word for word, _, _ in words[at : at + count]) in self._by_words:
                return count
        return 0


def bare(title: str) -> str:
    """Return a title without what tells it from others of its name: `September (film)`."""
    return _ASIDE.sub("", title).strip()


def linked(titles: Titles, texts: Iterable[str]) -> list[str]:
    """Return the passages that some texts name, each once, in the order of their mentions."""
    found = (
        each for text in texts for mention in titles.mentioned(text) for each in mention.passages
    )
    return list(dict.fromkeys(found))


def _stands_alone(words: list[tuple[str, int, int]], at: int) -> bool:
    before = words[at - 1][0] if at else "."
    after = words[at + 1][0] if at + 1 < len(words) else "."
    return not (before[0].isupper() or after[0].isupper() or after[0].isdigit() or before in ".!?")
