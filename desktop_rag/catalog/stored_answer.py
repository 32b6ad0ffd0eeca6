"""What is kept of an answer beside its text: how it ended, its sources, citations and steps.

`commands/conversation_recorder` writes it. What older versions wrote is read as well.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, get_args

from desktop_rag.catalog import locators
from desktop_rag.core import codec
from desktop_rag.core.catalog_records import SCORES
from desktop_rag.core.events import (
    NO_QUOTE,
    AwaitedFiles,
    Chain,
    DocumentsTask,
    ModelCall,
    Notice,
    PassagesFound,
    SearchStarted,
    Step,
    TraceEvent,
    answer_broken_off,
    is_unfinished,
)
from desktop_rag.core.phrases import load
from desktop_rag.core.requests import AskRequest
from desktop_rag.core.types import Box, ChunkId, Citation, Passage

_EVENTS = {kind.event: kind for kind in get_args(TraceEvent)}
_UNKNOWN: dict[str, Any] = dict.fromkeys(SCORES) | {"score": 0.0}
_LOCATOR = ("kind", "value", "start", "end", "cells", "boxes")
_BROKEN_OFF_IN_0_1 = " What came until then is kept."
_BOX = tuple(each.name for each in fields(Box))


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer without its text; `mode` is "" where nothing is kept beside it.

    `mode` is that of `Answer`, or `running`, `stopped` or `failed`: then `what` and `remedy` say
    why. `retrieved` are the passages that were found and are no source, `trace` the steps' lines.
    `request` is how it was asked, kept while it `awaits` files, `manner` the prompt that said how
    it is written. `task` is what was done with whole documents, None for a question.
    """

    mode: str = ""
    strategy: str = ""
    preset: str = ""
    options: tuple[str, ...] = ()
    transforms: tuple[str, ...] = ()
    model: str | None = None
    seconds: float = 0.0
    searches: int = 0
    llm_calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    what: str = ""
    remedy: str = ""
    sources: tuple[Passage, ...] = ()
    citations: tuple[Citation, ...] = ()
    retrieved: tuple[Passage, ...] = ()
    trace: tuple[dict[str, Any], ...] = ()
    notices: tuple[str, ...] = ()
    from_model: tuple[int, ...] = ()
    awaits: AwaitedFiles | None = None
    request: AskRequest | None = None
    manner: str = ""
    task: DocumentsTask | None = None

    @property
    def is_unfinished(self) -> bool:
        """Whether it can be continued: a model wrote it, and not to its end."""
        if self.task is not None:  # it is done again instead
            return False
        return self.mode in ("generated", "stopped") and is_unfinished(self.notices)

    def steps(self) -> tuple[TraceEvent, ...]:
        """Return the steps, without those of another version that say nothing here."""
        known = {each.chunk_id: each for each in (*self.retrieved, *self.sources)}
        steps = [_step(line, known) for line in self.trace]
        return tuple(each for each in steps if each is not None)


def read_answer(payload: str) -> StoredAnswer:
    """Read what is kept beside an answer's text; nothing, where that cannot be read."""
    kept = payload_of(payload)
    try:
        for name in ("sources", "citations", "retrieved"):
            kept[name] = [_with_locator(row) for row in kept.get(name, ())]
        answer = codec.decode(kept, StoredAnswer, strict=False)
        return replace(
            answer,
            what=load(answer.what),
            remedy=load(answer.remedy),
            notices=tuple(map(_notice, answer.notices)),
        )
    except (ValueError, TypeError, LookupError, AttributeError):
        return StoredAnswer()


def payload_of(raw: str) -> dict[str, Any]:
    """Return a message's payload as an object; an empty one, where it cannot be read."""
    try:
        kept = json.loads(raw or "{}")
    except (ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) else {}


def passage_row(passage: Passage) -> dict[str, Any]:
    """Return a passage with what showing it needs: of the boxes, those of the match."""
    row = {each.name: getattr(passage, each.name) for each in fields(passage)}
    marked = passage.locator.narrowed(*passage.match).boxes
    row["locator"] = locators.to_row(replace(passage.locator, boxes=marked))
    return {name: value for name, value in row.items() if value is not None and value != ()}


def _with_locator(row: dict[str, Any]) -> dict[str, Any]:
    """Return a passage or a citation with its locator as an object.

    A passage's is a short list, as are its boxes; those of a citation lack their offsets, and
    stand apart where they are on another page.
    """
    locator = _named(_LOCATOR, row["locator"])
    boxes = [{"start": 0, "end": 0} | _named(_BOX, each) for each in locator.get("boxes", ())]
    for *corners, page in locator.get("other_boxes", ()):
        boxes.append({"start": 0, "end": 0, "page": page} | _named(_BOX, corners))
    return {"sentence": 0} | row | {"locator": locator | {"boxes": boxes}}


def _named(names: tuple[str, ...], kept: Any) -> dict[str, Any]:
    return dict(zip(names, kept, strict=False)) if isinstance(kept, list) else kept


def _step(line: dict[str, Any], known: dict[ChunkId, Passage]) -> TraceEvent | None:
    """Return a step from its line; None also where its passage was taken out since."""
    kind = _EVENTS.get(str(line.get("event")))
    try:
        if kind is PassagesFound:
            return _found(codec.decode(line, _Search), known)
        if kind is Chain:
            line = _titled(line, known)
        return None if kind is None else _said(codec.decode(line, kind, strict=False))
    except (ValueError, TypeError, LookupError):
        return None


def _said(event: TraceEvent) -> TraceEvent:
    """Return an event with its sentences as what they are made of."""
    match event:
        case SearchStarted():
            return replace(event, why=load(event.why))
        case Step():
            return replace(event, text=load(event.text))
        case Notice():
            return replace(event, text=_notice(event.text))
        case ModelCall():
            dropped = tuple(map(load, event.dropped))
            return replace(event, purpose=load(event.purpose), dropped=dropped)
    return event


def _notice(kept: str) -> str:
    """Return a notice; in version 0.1 it was one text, two of which are asked for."""
    if kept == NO_QUOTE:
        return NO_QUOTE
    if kept.endswith(_BROKEN_OFF_IN_0_1):
        return answer_broken_off(kept.removesuffix(_BROKEN_OFF_IN_0_1)).text
    return load(kept)


class _Hit(NamedTuple):
    chunk_id: ChunkId
    rank: int
    kept: bool


@dataclass(frozen=True, slots=True)
class _Search:
    """A search's line; older ones have no scores."""

    query: str
    passages: tuple[_Hit, ...]
    scores: tuple[tuple[int | float | None, ...], ...] | None = None
    at: float | None = None


def _found(line: _Search, known: dict[ChunkId, Passage]) -> PassagesFound:
    """Put the passages back in a search's line, each with the rank and the scores it had there.

    Where the line tells no scores, they are those of the first search, and unknown in later ones.
    """
    found = []
    for hit, scores in zip(line.passages, line.scores or [()] * len(line.passages), strict=True):
        if hit.chunk_id in known:
            scored: dict[str, Any] = dict(zip(SCORES, scores, strict=False))
            found.append(replace(known[hit.chunk_id], rank=hit.rank, **scored))
    if line.scores is None:
        known |= {each.chunk_id: replace(each, **_UNKNOWN) for each in found}
    kept = frozenset(hit.chunk_id for hit in line.passages if hit.kept)
    return PassagesFound(line.query, tuple(found), kept, at=line.at)


def _titled(line: dict[str, Any], known: Mapping[ChunkId, Passage]) -> dict[str, Any]:
    """Return a chain's line with its passages' titles; without those that were taken out since."""
    follows = [
        each | {"title": known[number].title}
        for each in line["follows"]
        if (number := ChunkId(int(each["chunk_id"]))) in known
    ]
    return line | {"title": known[ChunkId(int(line["chunk_id"]))].title, "follows": follows}
