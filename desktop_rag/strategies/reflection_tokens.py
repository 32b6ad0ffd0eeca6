"""The reflection tokens of Self-RAG (Asai et al. 2024, table 1), taken out of what a model wrote.

    Retrieve   [Retrieval], [No Retrieval], [Continue to Use Evidence]
    ISREL      [Relevant], [Irrelevant]
    ISSUP      [Fully supported], [Partially supported], [No support / Contradictory]
    ISUSE      [Utility:1] to [Utility:5]

A server may send such a token in one piece or in several; its probability is the product of theirs.
A model that emits none is read the same way: then its first sentence is the segment.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from desktop_rag.core.sentences import sentences
from desktop_rag.strategies.base import Generated

_REFLECTION_TOKEN = re.compile(
    r"\[\s*(?P<name>Retrieval|No Retrieval|Continue to Use Evidence|Relevant|Irrelevant|"
    r"Fully supported|Partially supported|No support\s*/\s*Contradictory|Utility:\s*[1-5])\s*\]"
    r"|<paragraph>.*?(?:</paragraph>|\Z)|</?paragraph>|</?s>",
    re.IGNORECASE | re.DOTALL,
)
_SUPPORT = {"fully supported": 1.0, "partially supported": 0.5}
_LEAST_PROBABILITY = 1e-12  # a probability whose logarithm can be taken
Tokens = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Critique:
    """The s_G of a segment: ISREL and ISSUP in [0, 1], ISUSE in [-1, 1]."""

    relevant: float = 0.5
    support: float = 0.5
    useful: float = 0.0


NEUTRAL = Critique()
"""Where nothing was said."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The next part of an answer, without reflection tokens; empty where nothing was written.

    `retrieve` is the probability that the model wants passages for it, `is_last` says that it wrote
    nothing after it, `unfinished` that it was cut off in it.
    """

    text: str
    tokens: Tokens = ()
    critique: Critique = NEUTRAL
    retrieve: float = 1.0
    is_last: bool = True
    unfinished: bool = False

    @property
    def likelihood(self) -> float:
        """exp(mean log p) of its tokens: their geometric mean, in [0, 1]."""
        if not self.tokens:
            return 0.0
        logs = [math.log(max(probability, _LEAST_PROBABILITY)) for _, probability in self.tokens]
        return math.exp(sum(logs) / len(logs))


def segment_of(reply: Generated, *, by_token: bool) -> Segment:
    """Return the first segment of what a model wrote.

    `by_token`: the words that its reflection tokens frame; else the first sentence of it.
    """
    tokens = reply.tokens or ((reply.text, 1.0),)
    text = "".join(token for token, _ in tokens)
    marks = list(_REFLECTION_TOKEN.finditer(text))
    start, end = _first_words(text, marks)
    if not by_token:
        end = start + sum(first.end for first in sentences(text[start:end])[:1])
    own = text[start:end].strip()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end = start + len(own)
    next_start, next_end = _first_words(text[end:], list(_REFLECTION_TOKEN.finditer(text[end:])))
    is_last = next_start == next_end
    limit = end + next_start
    return Segment(
        own,
        _tokens_within(tokens, (start, end)),
        _critique(_emitted(tokens, marks, limit)),
        _retrieve_probability(_emitted(tokens, marks, start if own else limit)),
        is_last,
        is_last and reply.reason != "stop",
    )


def _first_words(text: str, marks: list[re.Match[str]]) -> tuple[int, int]:
    """Return where the first words between reflection tokens stand; an empty span at the end."""
    at = 0
    for mark in marks:
        if text[at : mark.start()].strip():
            return at, mark.start()
        at = mark.end()
    return (at, len(text)) if text[at:].strip() else (len(text), len(text))


def _emitted(tokens: Tokens, marks: list[re.Match[str]], before: int) -> list[tuple[str, float]]:
    """Return the reflection tokens before a place in the text, each with its probability."""
    return [
        (mark["name"].casefold(), math.prod(p for _, p in _tokens_within(tokens, mark.span())))
        for mark in marks
        if mark["name"] and mark.end() <= before
    ]


def _critique(named: list[tuple[str, float]]) -> Critique:
    """Return the s_G that the tokens say, each as sure as the model is of it.

    The paper weighs all tokens of a type; here only the one that was written is known.
    """
    relevant, support, useful = NEUTRAL.relevant, NEUTRAL.support, NEUTRAL.useful
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


def _retrieve_probability(named: list[tuple[str, float]]) -> float:
    """Return p(Retrieval): what is missing to 1 where the model says the contrary; 1 unsaid."""
    for name, p in named:
        if name == "retrieval":
            return p
        if name in ("no retrieval", "continue to use evidence"):
            return 1.0 - p
    return 1.0


def _tokens_within(tokens: Tokens, span: tuple[int, int]) -> Tokens:
    """Return the tokens that lie in a span, or reach into it, cut to it."""
    found = []
    at = 0
    for token, probability in tokens:
        inside = token[max(0, span[0] - at) : max(0, span[1] - at)]
        if inside:
            found.append((inside, probability))
        at += len(token)
    return tuple(found)
