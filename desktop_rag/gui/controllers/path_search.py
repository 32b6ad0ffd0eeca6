"""Finding names and paths by some of their letters."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate


class PathSearch:
    """Finds the paths that hold words, whatever their case; of 100,000 in some milliseconds.

    They are searched as one text: what is found in it tells by its place whose it is. With `names`,
    one for each, these are searched instead of the paths.
    """

    def __init__(self, paths: Sequence[str], names: Iterable[str] | None = None) -> None:
        self._paths = paths
        folded = [each.casefold() for each in (paths if names is None else names)]
        self._text = "\n".join(folded)
        self._ends = list(accumulate(len(path) + 1 for path in folded))

    def holding(self, words: Sequence[str]) -> Iterator[str]:
        """Yield the paths that hold all words, which are in small letters, in their order."""
        rarest = min(words, key=self._text.count)
        at = self._text.find(rarest)
        while at >= 0:
            number = bisect_right(self._ends, at)
            begin = self._ends[number - 1] if number else 0
            end = self._ends[number] - 1
            if all(self._text.find(word, begin, end) >= 0 for word in words):
                yield self._paths[number]
            at = self._text.find(rarest, end)
