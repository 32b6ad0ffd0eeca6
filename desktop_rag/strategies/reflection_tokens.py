"""The reflection tokens of Self-RAG (Asai et al. 2024, table 1), taken out of what a model wrote.

    Retrieve   [Retrieval], [No Retrieval], [Continue to Use Evidence]
    ISREL      [Relevant], [Irrelevant]
    ISSUP      [Fully supported], [Partially supported], [No support / Contradictory]
    ISUSE      [Utility:1] to [Utility:5]

A token's probability is that over the sum of its type's, by what could have stood in its place
(section 3.3). Where that is not told, only the emitted one is known: then it is its own, or the
product of its pieces', as a server may send it in one piece or in several. A model that emits none
is read the same way: then its first sentence is the segment.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompt_builder import RawForm
from desktop_rag.generation.prompt_delimiters import PASSAGE_TAG
from desktop_rag.strategies.base import Generated
from desktop_rag.strategies.choice_probabilities import choice_probabilities

_NAMES = (
    r"Retrieval|No Retrieval|Continue to Use Evidence|Relevant|Irrelevant|Fully supported|"
    r"Partially supported|No support\s*/\s*Contradictory|Utility:\s*[1-5]"
)
_REFLECTION_TOKEN = re.compile(
    rf"\[\s*(?P<name>{_NAMES})\s*\]"
    rf"|<paragraph>.*?(?:</paragraph>|\Z)|</?paragraph>|</?s>|{PASSAGE_TAG}",
    re.IGNORECASE | re.DOTALL,
)
_CONTROL = re.compile(
    rf"\[\s*(?:{_NAMES}|PAD)\s*\]|</?\s*(?:paragraph|s|unk)\s*>"
    r"|#+(?=\s*(?:Instruction|Input|Response)\s*:)",
    re.IGNORECASE,
)
_HARMLESS = str.maketrans("[]<>#", "()()-")
NO_RETRIEVAL, CONTINUE = "[No Retrieval]", "[Continue to Use Evidence]"
"""After these a model writes from what it knows, and from the passages that it has."""
_RETRIEVAL = "[Retrieval]"
_UNSUPPORTED = "[No support / Contradictory]"
_RELEVANCE = {"[Relevant]": 1.0, "[Irrelevant]": 0.0}
_SUPPORT = {
    "[Fully supported]": 1.0,
    "[Partially supported]": 0.5,
    _UNSUPPORTED: 0.0,
}
_UTILITY = {f"[Utility:{n}]": (n - 3) / 2 for n in range(1, 6)}  # -1 to 1, as in the paper
_LEAST_PROBABILITY = 1e-12  # a probability whose logarithm can be taken
Tokens = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Critique:
    """The s_G of a segment: ISREL and ISSUP in [0, 1], ISUSE in [-1, 1].

    `is_unsupported`: that its passage does not support it, or contradicts it, is the likeliest.
    """

    relevant: float = 0.5
    support: float = 0.5
    useful: float = 0.0
    is_unsupported: bool = False


NEUTRAL = Critique()
"""Where nothing was said."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The next part of an answer, without reflection tokens; empty where nothing was written.

    `retrieve` is the probability that the model wants passages for it, `is_last` says that it wrote
    nothing after it, `unfinished` that it was cut off in it. `emitted` is the text with its
    critique's tokens, as the model reads it again.
    """

    text: str
    tokens: Tokens = ()
    critique: Critique = NEUTRAL
    retrieve: float = 1.0
    is_last: bool = True
    unfinished: bool = False
    emitted: str = ""

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
    reply = reply if reply.tokens else replace(reply, tokens=((reply.text, 1.0),))
    tokens = reply.tokens
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
        _critique(reply, _before(marks, limit)),
        _retrieve_probability(reply, _before(marks, start if own else limit)),
        is_last,
        is_last and reply.reason != "stop",
        _with_critique(own, _before(marks, limit), start),
    )


def response_form(question: str, before: str, after: str = "") -> RawForm:
    """Return the prompt that the paper's models were trained on, made of the passages in it.

    `before` and `after` are what was emitted before the passages and from them. No text of a
    passage can be a token of the model's, or a part of the form.
    """

    def form(passages: Sequence[Passage]) -> str:
        told = (f"{each.title}\n{each.text}".strip() for each in passages)
        evidence = "".join(f"{_RETRIEVAL}<paragraph>{_harmless(text)}</paragraph>" for text in told)
        return f"### Instruction:\n{question}\n\n### Response:\n{before}{evidence}{after}"

    return form


def _harmless(text: str) -> str:
    """Return a text with what a model would read as its own in other brackets."""
    return _CONTROL.sub(lambda found: found[0].translate(_HARMLESS), text)


def _with_critique(own: str, marks: list[re.Match[str]], start: int) -> str:
    """Return a segment between the tokens of its critique, those of the next one left out."""
    critique = {_plain(each) for group in (_RELEVANCE, _SUPPORT, _UTILITY) for each in group}
    judged = [mark for mark in marks if _plain(mark.group()) in critique]
    ahead = "".join(mark.group() for mark in judged if mark.start() < start)
    return f"{ahead}{own}{''.join(mark.group() for mark in judged if mark.start() >= start)}"


def _first_words(text: str, marks: list[re.Match[str]]) -> tuple[int, int]:
    """Return where the first words between reflection tokens stand; an empty span at the end."""
    at = 0
    for mark in marks:
        if text[at : mark.start()].strip():
            return at, mark.start()
        at = mark.end()
    return (at, len(text)) if text[at:].strip() else (len(text), len(text))


def _before(marks: list[re.Match[str]], end: int) -> list[re.Match[str]]:
    """Return the reflection tokens before a place in the text, without tags."""
    return [mark for mark in marks if mark["name"] and mark.end() <= end]


def _critique(reply: Generated, marks: list[re.Match[str]]) -> Critique:
    """Return the s_G that the tokens say: the mean of a type's weights, by their probability."""
    relevant, support, useful = NEUTRAL.relevant, NEUTRAL.support, NEUTRAL.useful
    is_unsupported = False
    for mark in marks:
        if probabilities := _probabilities(reply, mark, _RELEVANCE):
            relevant = _mean(_RELEVANCE, probabilities)
        elif probabilities := _probabilities(reply, mark, _SUPPORT):
            support = _mean(_SUPPORT, probabilities)
            is_unsupported = max(probabilities, key=probabilities.__getitem__) == _UNSUPPORTED
        elif probabilities := _probabilities(reply, mark, _UTILITY):
            useful = _mean(_UTILITY, probabilities)
    return Critique(relevant, support, useful, is_unsupported)


def _retrieve_probability(reply: Generated, marks: list[re.Match[str]]) -> float:
    """Return p(Retrieval) among the two that say yes or no; 1 where the model says nothing of it.

    A model that goes on with the evidence it has was free to say all three.
    """
    group = (_RETRIEVAL, NO_RETRIEVAL)
    for mark in marks:
        probabilities = _probabilities(reply, mark, group)
        probabilities = probabilities or _probabilities(reply, mark, (*group, CONTINUE))
        if probabilities:
            return probabilities.get(_RETRIEVAL, 1.0 - sum(probabilities.values()))
    text = "".join(token for token, _ in reply.tokens)
    first = len(text) - len(text.lstrip())
    return choice_probabilities(reply, (first, first + 1), group).get(_RETRIEVAL, 1.0)


def _probabilities(
    reply: Generated, mark: re.Match[str], group: Iterable[str]
) -> Mapping[str, float]:
    """Return the probabilities of a token's type; empty where it is of another one.

    Without alternatives that is the emitted one's, and what is missing to 1 of the other of two.
    """
    by_name = {_plain(each): each for each in group}
    emitted = by_name.get(_plain(mark.group()))
    if emitted is None:
        return {}
    known = choice_probabilities(reply, mark.span(), tuple(by_name.values()))
    own = math.prod(p for _, p in _tokens_within(reply.tokens, mark.span()))
    others = [each for each in by_name.values() if each != emitted]
    rest = {others[0]: 1.0 - own} if len(others) == 1 else {}
    return known or {emitted: own} | rest


def _mean(weights: Mapping[str, float], probabilities: Mapping[str, float]) -> float:
    return sum(weights[each] * p for each, p in probabilities.items())


def _plain(token: str) -> str:
    return "".join(token.split()).casefold()


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
