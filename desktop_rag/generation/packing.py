"""Choose what fits a prompt, and the order in which it stands there.

The best passage stands first, last (next to the question), or the better ones at both ends with the
weak in the middle (Liu et al. 2023, "Lost in the middle"); see "repacking" in Wang et al. 2024,
where last was best. What does not fit is named, never dropped in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.phrases import Phrase, SourceName
from desktop_rag.core.types import Passage
from desktop_rag.generation.extractive_compression import CompressedPassages, prompt_text
from desktop_rag.generation.prompt_delimiters import Numbered, source_label

Estimate = Callable[[str], int]
_FENCE_TOKENS = 60  # tags, number and origin of one passage
_LEAST_TOKENS = 48  # less of a passage is not worth showing
_SAFETY = 0.95  # a cut text is estimated anew; this keeps one cut enough


@dataclass(frozen=True, slots=True)
class Packed:
    """What fits, best first, as it is a source; the same as the prompt tells it; the rest in words.

    The two differ in text alone, where passages are shortened.
    """

    shown: tuple[Passage, ...]
    in_prompt: tuple[Passage, ...]
    dropped: tuple[str, ...]


def pack(
    passages: Sequence[Passage],
    room: int,
    estimate: Estimate,
    shorter: CompressedPassages | None = None,
) -> Packed:
    """Keep the best passages that fit `room` tokens; the first that does not is cut to fit."""
    texts = [prompt_text(each, shorter or {}) for each in passages]
    for at, passage in enumerate(passages):
        cost = estimate(texts[at].text) + _FENCE_TOKENS
        if cost > room:
            cut = _cut_to(passage, room - _FENCE_TOKENS, estimate)
            left = passages[at + len(cut) :]
            parts = [Phrase("part of passage {0} ({1})", at + 1, _origin(passage))] if cut else []
            dropped = (*parts, *_named(left, at + len(cut) + 1))
            return Packed((*passages[:at], *cut), (*texts[:at], *cut), dropped)
        room -= cost
    return Packed(tuple(passages), tuple(texts), ())


def tokens_of(passages: Sequence[Passage], estimate: Estimate, shorter: CompressedPassages) -> int:
    """Return how many tokens all of these passages take in a prompt."""
    return sum(estimate(prompt_text(each, shorter).text) + _FENCE_TOKENS for each in passages)


def ordered(passages: Sequence[Passage], order: str) -> list[Numbered]:
    """Number passages from 1, best first, then arrange them: `forward`, `reverse` or `sides`."""
    numbered = list(enumerate(passages, start=1))
    if order == "reverse":
        return numbered[::-1]
    if order == "sides":
        return numbered[::2] + numbered[1::2][::-1]
    return numbered


def _named(passages: Sequence[Passage], first: int) -> list[str]:
    return [Phrase("passage {0} ({1})", n, _origin(p)) for n, p in enumerate(passages, start=first)]


def _origin(passage: Passage) -> SourceName:
    return SourceName(source_label(passage), passage.chunk_id)


def _cut_to(passage: Passage, room: int, estimate: Estimate) -> tuple[Passage, ...]:
    """Return the part around the match that fits, or nothing when hardly any would."""
    if room < _LEAST_TOKENS:
        return ()
    length = int(len(passage.text) * _SAFETY * room / max(1, estimate(passage.text)))
    start = _window(passage, length)
    return (slice_passage(passage, start, min(len(passage.text), start + length)),)


def slice_passage(passage: Passage, start: int, end: int) -> Passage:
    """Return a passage that is characters `start` to `end` of this one's text."""
    begin = passage.locator.start
    locator = passage.locator
    if begin is not None:
        locator = locator.narrowed(begin + start, begin + end)
    return replace(passage, text=passage.text[start:end], locator=locator)


def _window(passage: Passage, length: int) -> int:
    """Return where a window of `length` characters around the match starts."""
    begin = passage.locator.start or 0
    middle = (passage.match[0] + passage.match[1]) // 2 - begin
    latest = max(0, len(passage.text) - length)
    return min(latest, max(0, middle - length // 2))
