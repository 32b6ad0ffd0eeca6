"""The steps of an answer in order, as a timeline shows them: pure values, pure functions.

A `TimelineEntry` is one event with what its neighbours say of it; `TimelineTotals` is all of them
in a line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from desktop_rag.core.events import (
    Chain,
    Draft,
    ModelCall,
    Notice,
    PassagesFound,
    SearchStarted,
    Step,
    TraceEvent,
)
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.strategies.token_confidence import locate_tokens

UNSURE, VERY_UNSURE = 0.8, 0.4
"""Probabilities below which a word is tinted: FLARE's defaults for searching, and leaving out."""

_LEADS_ON = ("thought", "sub-question", "decision", "another wording", "step back", "rewritten")
_LOOKING_AHEAD = ("flare_direct",)  # whose drafts are sentences that were kept or searched with
_LOOKED_AT = 4000  # letters of a draft
_ALIKE = 40  # characters by which a draft is known again in a query
_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_PIECE = re.compile(rf"[^\W{_WIDE}]+(?:[-'’.,][^\W{_WIDE}]+)*|[^\s]")
_CITED = re.compile(r"[\[【][\d,，、\s-]+[\]】]")


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One event of a run; `number` is its place in the trace, -1 for what has none there.

    `depth` is 1 where a thought, a sub-question or a draft before it set it off. `first` is the
    place of its first passage among the turn's `retrieved`. `thought` counts the thoughts from 1.
    `searched` says of a draft that was not kept that the next search followed from it.
    """

    number: int
    event: TraceEvent
    depth: int = 0
    first: int = 0
    thought: int = 0
    searched: bool = False


class TimelineTotals(NamedTuple):
    """What a run took; `seconds` are those in the model, `drafted` sentences looked ahead."""

    searches: int
    passages: int
    calls: int
    read: int
    written: int
    seconds: float
    drafted: int
    again: int


class UnsureWord(NamedTuple):
    """Characters `start` to `end` of a draft, and how probable the model found them."""

    start: int
    end: int
    probability: float


def entries(turn: Turn) -> tuple[TimelineEntry, ...]:
    """Return a turn's steps; notices that were kept without their place come first."""
    placed = {each.text for each in turn.trace if isinstance(each, Notice)}
    lost = [TimelineEntry(-1, Notice(text)) for text in turn.notices if text not in placed]
    return (*lost, *_entries(turn.trace))


def sums(turn: Turn) -> TimelineTotals:
    """Return what a turn's steps took together; a passage that was found twice counts once."""
    calls = [each for each in turn.trace if isinstance(each, ModelCall)]
    drafted, again = _looked_ahead(turn)
    return TimelineTotals(
        searches=sum(isinstance(each, SearchStarted) for each in turn.trace),
        passages=len({each.chunk_id for each in turn.retrieved}),
        calls=len(calls),
        read=sum(each.prompt_tokens or 0 for each in calls),
        written=sum(each.answer_tokens or 0 for each in calls),
        seconds=sum(each.seconds for each in calls),
        drafted=drafted,
        again=again,
    )


def chains(turn: Turn) -> tuple[Chain, ...]:
    """Return the chains of passages that a turn followed."""
    return tuple(each for each in turn.trace if isinstance(each, Chain))


def place_of(turn: Turn, chunk_id: ChunkId) -> int:
    """Return where a passage stands among those that were retrieved, -1 if it does not."""
    found = (at for at, each in enumerate(turn.retrieved) if each.chunk_id == chunk_id)
    return next(found, -1)


def source_number(turn: Turn, passage: Passage) -> int:
    """Return which source of the finished answer a passage is, 0 for none or none yet."""
    if turn.running:
        return 0
    numbered = enumerate(turn.sources, start=1)
    return next((n for n, each in numbered if each.chunk_id == passage.chunk_id), 0)


def unsure_words(draft: Draft) -> tuple[UnsureWord, ...]:
    """Return the words of a draft that the model was not sure of, in order.

    A word's probability is that of its least probable token; what is Chinese is a word a token. The
    numbers of sources are left out: they are no fact, and no search follows from them. Of a very
    long draft the beginning is looked at.
    """
    text = draft.text[:_LOOKED_AT]
    tokens = locate_tokens(text, (draft.tokens or ())[:_LOOKED_AT])
    starts, ends = [each.start for each in tokens], [each.end for each in tokens]
    cited = [each.span() for each in _CITED.finditer(text)]
    found: list[UnsureWord] = []
    for piece in _PIECE.finditer(text):
        start, end = piece.span()
        within = tokens[bisect_right(ends, start) : bisect_left(starts, end)]
        least = min((each.probability for each in within), default=1.0)
        if least >= UNSURE or any(a < end and start < b for a, b in cited):
            continue
        joins = found and found[-1].end == start and found[-1].probability == least
        begin = found.pop().start if joins else start
        found.append(UnsureWord(begin, end, least))
    return tuple(found)


def _entries(trace: tuple[TraceEvent, ...]) -> Iterator[TimelineEntry]:
    first = thought = 0
    is_led = False
    for number, event in enumerate(trace):
        is_search = isinstance(event, (SearchStarted, PassagesFound))
        is_thought = isinstance(event, Step) and event.name == "thought"
        is_searched = _is_searched(trace, number)
        thought += is_thought
        yield TimelineEntry(
            number,
            event,
            depth=int(is_search and is_led),
            first=first,
            thought=thought if is_thought else 0,
            searched=is_searched,
        )
        if isinstance(event, PassagesFound):
            first += len(event.passages)
        goes_on = is_search or isinstance(event, (ModelCall, Notice))
        leads_on = is_searched or (isinstance(event, Step) and event.name in _LEADS_ON)
        is_led = leads_on or (is_led and goes_on)


def _is_searched(trace: tuple[TraceEvent, ...], number: int) -> bool:
    """Say whether an event is a draft that was not kept but searched with.

    That is told by what follows it: FLARE's search, or one whose query repeats the draft.
    """
    event = trace[number]
    if not isinstance(event, Draft) or event.kept:
        return False
    for each in trace[number + 1 :]:
        if isinstance(each, SearchStarted):
            said = " ".join(event.text.split())[:_ALIKE]
            return event.tokens is not None or (bool(said) and said in each.query)
        if isinstance(each, Draft) or (isinstance(each, Step) and each.name == "decision"):
            return False
    return False


def _looked_ahead(turn: Turn) -> tuple[int, int]:
    """Return how many sentences FLARE looked ahead to, and how many it searched again for."""
    if turn.strategy not in _LOOKING_AHEAD:
        return 0, 0
    drafts = [each for each in turn.trace if isinstance(each, Draft) and each.tokens is not None]
    again = sum(_is_searched(turn.trace, number) for number in range(len(turn.trace)))
    anew = sum(not a.kept and b.kept for a, b in pairwise(drafts))
    return len(drafts) - anew, again
