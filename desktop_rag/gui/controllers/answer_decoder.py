"""A kept answer as a turn of the transcript again: its outcome, sources, citations and steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from desktop_rag.core.events import (
    Chain,
    Draft,
    LinkedPassage,
    ModelCall,
    Notice,
    PassagesFound,
    SearchStarted,
    Step,
)
from desktop_rag.core.phrases import from_json
from desktop_rag.core.records import SCORES, ChatMessage
from desktop_rag.core.types import (
    Box,
    ChunkId,
    Citation,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
)
from desktop_rag.gui.controllers.transcript import (
    Answered,
    Failed,
    Outcome,
    Stopped,
    TraceEvent,
    Turn,
)

INTERRUPTED = Failed("This answer was interrupted.", "Ask the question again.")
"""The outcome of an answer that was being written when the program ended."""

_UNKNOWN: dict[str, Any] = dict.fromkeys(SCORES) | {"score": 0.0}

_Payload = Mapping[str, Any]


def decode_answer(turn: Turn, message: ChatMessage) -> Turn:
    """Return a turn with its kept answer."""
    payload = payload_of(message)
    sources = tuple(passage(each) for each in payload.get("sources", ()))
    rest = tuple(passage(each) for each in payload.get("retrieved", ()))
    known = {int(each.chunk_id): each for each in (*rest, *sources)}
    trace = tuple(_steps(payload.get("trace", ()), known))
    found = (each.passages for each in trace if isinstance(each, PassagesFound))
    return replace(
        turn,
        text=message.text,
        strategy=str(payload.get("strategy", "")),
        preset=str(payload.get("preset", "")),
        outcome=outcome(payload),
        trace=trace,
        notices=tuple(map(from_json, payload.get("notices", ()))),
        sources=sources,
        citations=tuple(citation(each) for each in payload.get("citations", ())),
        retrieved=tuple(each for passages in found for each in passages),
        from_model=tuple(int(each) for each in payload.get("from_model", ())),
        answer_id=message.id,
    )


def payload_of(message: ChatMessage) -> dict[str, Any]:
    """Return what is kept beside an answer's text; nothing, where that cannot be read."""
    try:
        kept = json.loads(message.payload or "{}")
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def outcome(payload: _Payload) -> Outcome:
    """Return how an answer ended."""
    mode = str(payload.get("mode", "generated"))
    if mode == "stopped":
        return Stopped()
    if mode == "running":
        return INTERRUPTED
    if mode == "failed":
        return Failed(from_json(payload.get("what", "")), from_json(payload.get("remedy", "")))
    return Answered(
        mode=mode,
        model=payload.get("model"),
        seconds=float(payload.get("seconds", 0.0)),
        searches=int(payload.get("searches", 0)),
        llm_calls=int(payload.get("llm_calls", 0)),
        tokens=int(payload.get("prompt_tokens", 0)) + int(payload.get("answer_tokens", 0)),
    )


def _steps(lines: Sequence[_Payload], known: Mapping[int, Passage]) -> Iterator[TraceEvent]:
    """Yield the steps; lines of an older version tell no scores, but those of the first search."""
    left = dict(known)
    for line in lines:
        made = step(line, left)
        if made is not None:
            yield made
        if "scores" not in line:
            found = [int(row[0]) for row in line.get("passages", ())]
            left |= {n: replace(left[n], **_UNKNOWN) for n in found if n in left}


def step(line: _Payload, known: Mapping[int, Passage]) -> TraceEvent | None:
    """Return a step from its line; None for a line of another version that says nothing here."""
    made = _step(line, known)
    return made if made is None or "at" not in line else replace(made, at=float(line["at"]))


def _step(line: _Payload, known: Mapping[int, Passage]) -> TraceEvent | None:
    match line.get("event"):
        case "search":
            return SearchStarted(str(line["query"]), from_json(line["why"]))
        case "passages":
            return _found(line, known)
        case "step":
            return Step(str(line["name"]), from_json(line["text"]))
        case "chain":
            return _chain(line, known)
        case "notice":
            return Notice(from_json(line["text"]))
        case "draft":
            tokens = line.get("tokens")
            pairs = None if tokens is None else tuple((str(t), float(p)) for t, p in tokens)
            return Draft(str(line["text"]), bool(line["kept"]), pairs)
        case "call":
            return _call(line)
    return None


def passage(kept: _Payload) -> Passage:
    """Read a passage; what is not there has its default."""
    known = {name: kept[name] for name in Passage.__dataclass_fields__ if name in kept}
    start, end = kept["match"]
    known |= {
        "chunk_id": ChunkId(int(kept["chunk_id"])),
        "document_id": DocumentId(int(kept["document_id"])),
        "locator": locator(kept["locator"]),
        "match": (int(start), int(end)),
        "other_paths": tuple(kept.get("other_paths", ())),
    }
    return Passage(**known)


def citation(kept: _Payload) -> Citation:
    """Read a citation from the form of the command line."""
    return Citation(
        n=int(kept["n"]),
        chunk_id=ChunkId(int(kept["chunk_id"])),
        path=str(kept["path"]),
        locator=locator(kept["locator"]),
        quote=str(kept["quote"]),
        sentence=int(kept.get("sentence", 0)),
    )


def locator(kept: _Payload | Sequence[Any]) -> Locator:
    """Read a locator, from a passage's short list or a citation's object.

    The boxes of an object may lack their offsets.
    """
    if not isinstance(kept, Mapping):
        kind, value, start, end, cells, boxes = kept
        lines = tuple(Box(*box) for box in boxes)
        return Locator(LocatorKind(kind), value, start, end, lines, cells)
    return Locator(
        kind=LocatorKind(kept["kind"]),
        value=kept["value"],
        start=kept.get("start"),
        end=kept.get("end"),
        boxes=tuple(_box(each) for each in kept.get("boxes", ())),
        cells=kept.get("cells"),
    )


def _found(line: _Payload, known: Mapping[int, Passage]) -> PassagesFound:
    """Put the passages back in a search's line, each with the rank and the scores it had there."""
    rows = [(int(number), int(rank), kept) for number, rank, kept in line["passages"]]
    scores = line.get("scores") or [() for _ in rows]
    scored = [dict(zip(SCORES, each, strict=False)) for each in scores]
    return PassagesFound(
        query=str(line["query"]),
        passages=tuple(
            replace(known[n], rank=rank, **score)
            for (n, rank, _), score in zip(rows, scored, strict=True)
            if n in known
        ),
        kept=frozenset(number for number, _, kept in rows if kept),
    )


def _chain(line: _Payload, known: Mapping[int, Passage]) -> Chain | None:
    """Return a chain with its passages' titles; without those that were taken out since."""
    first = known.get(int(line["chunk_id"]))
    if first is None:
        return None
    numbered = [(known.get(int(each["chunk_id"])), each) for each in line["follows"]]
    follows = tuple(
        LinkedPassage(
            far.chunk_id, far.title, str(each["by"]), str(each["name"]), float(each["score"])
        )
        for far, each in numbered
        if far is not None
    )
    return Chain(first.chunk_id, first.title, float(line["score"]), follows)


def _call(line: _Payload) -> ModelCall:
    return ModelCall(
        model=str(line["model"]),
        purpose=from_json(line["purpose"]),
        prompt_tokens=line["prompt_tokens"],
        answer_tokens=line["answer_tokens"],
        dropped=tuple(map(from_json, line["dropped"])),
        seconds=float(line["seconds"]),
    )


def _box(kept: Any) -> Box:
    if isinstance(kept, dict):
        return Box(**kept)
    x0, y0, x1, y1 = map(float, kept)
    return Box(x0, y0, x1, y1, 0, 0)
