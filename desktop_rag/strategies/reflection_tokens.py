"""The reflection tokens of Self-RAG (Asai et al. 2024), read and taken out of what a model wrote.

A server may send such a token in one piece or in several; its probability is the product of theirs.
A model that emits none is read the same way: then its first sentence is the segment.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.strategies.base import Generated

_MARK = re.compile(
    r"\[\s*(?P<name>Retrieval|No Retrieval|Continue to Use Evidence|Relevant|Irrelevant|"
    r"Fully supported|Partially supported|No support\s*/\s*Contradictory|Utility:\s*[1-5])\s*\]"
    r"|<paragraph>.*?(?:</paragraph>|\Z)|</?paragraph>|</?s>",
    re.IGNORECASE | re.DOTALL,
)
_SUPPORT = {"fully supported": 1.0, "partially supported": 0.5}
_LEAST = 1e-12  # a probability whose logarithm can be taken
Tokens = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Critique:
    """What was said of a segment: relevance and support in [0, 1], usefulness in [-1, 1]."""

    relevant: float = 0.5
    support: float = 0.5
    useful: float = 0.0


MIDDLE = Critique()
"""Where nothing was said."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The next part of an answer, without reflection tokens; empty where nothing was written.

    `retrieve` is the probability that the model wants passages for it, `is_last` says that it wrote
    nothing after it, `unfinished` that it was cut off in it.
    """

    text: str
    tokens: Tokens = ()
    critique: Critique = MIDDLE
    retrieve: float = 1.0
    is_last: bool = True
    unfinished: bool = False

    @property
    def likelihood(self) -> float:
        """exp(mean log p) of its tokens: their geometric mean, in [0, 1]."""
        if not self.tokens:
            return 0.0
        logs = [math.log(max(probability, _LEAST)) for _, probability in self.tokens]
        return math.exp(sum(logs) / len(logs))


def segment_of(said: Generated, *, by_token: bool) -> Segment:
    """Return the first segment of what a model wrote.

    `by_token`: the stretch that its reflection tokens frame; else the first sentence of it.
    """
    tokens = said.tokens or ((said.text, 1.0),)
    text = "".join(token for token, _ in tokens)
    marks = list(_MARK.finditer(text))
    start, end = _stretch(text, marks)
    if not by_token:
        end = start + sum(first.end for first in sentences(text[start:end])[:1])
    own = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(own)
    rest = _stretch(text[end:], list(_MARK.finditer(text[end:])))
    is_last = rest[0] == rest[1]
    limit = end + rest[0]
    named = [(m, _probability(tokens, m.span())) for m in marks if m["name"] and m.end() <= limit]
    return Segment(
        own,
        _covering(tokens, (start, end)),
        _critique([(m["name"].casefold(), p) for m, p in named]),
        _wants([(m["name"].casefold(), p) for m, p in named if m.end() <= start or not own]),
        is_last,
        is_last and said.reason != "stop",
    )


def _stretch(text: str, marks: list[re.Match[str]]) -> tuple[int, int]:
    """Return where the first stretch with words between marks lies; an empty one at the end."""
    at = 0
    for mark in marks:
        if text[at : mark.start()].strip():
            return at, mark.start()
        at = mark.end()
    return (at, len(text)) if text[at:].strip() else (len(text), len(text))


def _critique(named: list[tuple[str, float]]) -> Critique:
    """Return what the tokens say, each as sure as the model is of it."""
    relevant, support, useful = MIDDLE.relevant, MIDDLE.support, MIDDLE.useful
    for name, p in named:
        if name == "relevant":
            relevant = p
        elif name == "irrelevant":
            relevant = 1.0 - p
        elif name.startswith(("fully", "partially", "no support")):
            support = _SUPPORT.get(name, 0.0) * p
        elif name.startswith("utility"):
            useful = (int(name[-1]) - 3) / 2 * p
    return Critique(relevant, support, useful)


def _wants(named: list[tuple[str, float]]) -> float:
    """Return p(Retrieval): what is missing to 1 where the model says the contrary; 1 unsaid."""
    for name, p in named:
        if name == "retrieval":
            return p
        if name in ("no retrieval", "continue to use evidence"):
            return 1.0 - p
    return 1.0


def _covering(tokens: Tokens, place: tuple[int, int]) -> Tokens:
    """Return the tokens that lie in a stretch, or reach into it, cut to it."""
    found = []
    at = 0
    for token, probability in tokens:
        inside = token[max(0, place[0] - at) : max(0, place[1] - at)]
        if inside:
            found.append((inside, probability))
        at += len(token)
    return tuple(found)


def _probability(tokens: Tokens, place: tuple[int, int]) -> float:
    return math.prod(probability for _, probability in _covering(tokens, place))
