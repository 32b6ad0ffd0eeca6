"""Whether a passage reached the language model, and whether an answer rests on it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.explained import Name, Stage, State
from desktop_rag.core.language import language
from desktop_rag.core.requests import ExplainRequest
from desktop_rag.core.types import ChatId
from desktop_rag.engine.answering.compose import Composer, Prompt
from desktop_rag.engine.answering.shortened import Identity, Shortened, excerpts, identity
from desktop_rag.engine.models.protocols import ChatModel, Measured
from desktop_rag.engine.operations.bench import Bench
from desktop_rag.engine.operations.consent import consent_of
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.retrieval.chain import Trail, holds, span_of
from desktop_rag.engine.strategies.engine import Engine
from desktop_rag.engine.strategies.shortening import SENTENCES, SHORTENED, SUMMARY
from desktop_rag.engine.strategies.sufficiency import asked_for, is_enough
from desktop_rag.engine.workspace import Workspace
from desktop_rag.store.catalog import Catalog
from desktop_rag.store.records import StoredChunk

_WHOLE = 0.97  # of a text: blanks between sentences are in none of them
_NO_ANSWER = Stage(Name.ANSWER, State.OFF, "No answer was looked at: this is a search alone.")


@dataclass(frozen=True, slots=True)
class Told:
    """What a kept answer did with a chunk.

    `number` is the source of the answer that holds it and `rank` its best in the answer's searches,
    0 where there is none; `is_cited` says that a sentence rests on it. `mode` is how it was made;
    `is_shortened` says that the model was told less than the passages' text.
    """

    number: int
    rank: int
    is_cited: bool
    mode: str
    is_shortened: bool = False


def model_of(workspace: Workspace, kbs: tuple[str, ...]) -> ChatModel | None:
    """Return the language model that would answer, None where none would."""
    try:
        return workspace.chat_model("", consent_of(workspace, kbs))
    except ModelUnavailable:
        return None


def given(bench: Bench, trail: Trail, kbs: tuple[str, ...]) -> Iterator[Stage]:
    """Tell whether a chunk that is handed over would reach the model."""
    settings = replace(bench.workspace.settings, retrieval=bench.rules)
    model = model_of(bench.workspace, kbs)
    engine = replace(engine_of(bench.workspace), model=model, settings=settings)
    found = trail.course.found
    if not is_enough(found.passages, trail.course.query.text, engine, found.evidence):
        yield _too_little(found.evidence, engine)
    elif model is None:
        text = "There is no language model: the best passages are quoted as they are."
        yield Stage(Name.PROMPT, State.OFF, text)
    else:
        yield _sent(trail, engine, model)
    yield _NO_ANSWER


def prompt_of(trail: Trail, engine: Engine, model: Measured) -> Prompt:
    """Return the prompt of an answer to the search's question."""
    question = trail.course.query.text
    composer = Composer(model, engine.settings, question, language(question))
    found = trail.course.found.passages
    shortened = replace(composer, shorter=_excerpts(trail, engine))
    return shortened.answer(found, "brief")


def _excerpts(trail: Trail, engine: Engine) -> dict[Identity, Shortened]:
    """Return what is told of the passages, none where they are told whole."""
    rules, found = engine.settings.answering, trail.course.found.passages
    if rules.compression != SENTENCES:
        return {}
    return excerpts(trail.course.query.text, found, rules.compression_share, engine.embedder)


def number_in(prompt: Prompt, chunk: StoredChunk) -> int:
    """Return the number of the source that holds all of a chunk, 0 for none."""
    whole = (n for n, each in enumerate(prompt.sources, start=1) if _is_inside(each.locator, chunk))
    same = {n for n, each in enumerate(prompt.sources, start=1) if holds(each, chunk)}
    return next((n for n in whole if n in same), 0)


def _is_inside(locator: Any, chunk: StoredChunk) -> bool:
    start, end = span_of(chunk)
    if locator.start is None or locator.end is None:
        return True
    return bool(locator.start <= start and end <= locator.end)


def _too_little(evidence: float, engine: Engine) -> Stage:
    bar = asked_for(engine)
    text = (
        f"What was found counts as nothing: its evidence is {evidence:.2f}, "
        f"and an answer needs {bar:.2f}."
    )
    return Stage(Name.PROMPT, State.OUT, text, score=evidence)


def _sent(trail: Trail, engine: Engine, model: ChatModel) -> Stage:
    """Tell whether a chunk fits the prompt, and how much of it the prompt tells."""
    if engine.settings.answering.compression == SUMMARY:
        text = "The model is told a summary of its passage, which it writes at each question."
        return Stage(Name.PROMPT, State.OFF, text)
    stage = _packed(trail, prompt_of(trail, engine, model), model)
    shortened = _excerpts(trail, engine).get(identity(trail.holder)) if trail.holder else None
    if stage.state is not State.PASSED or shortened is None or trail.holder is None:
        return stage
    start, end = (at - (trail.holder.locator.start or 0) for at in span_of(trail.chunk))
    parts = [min(end, each.end) - max(start, each.start) for each in shortened.kept]
    share = sum(part for part in parts if part > 0) / max(1, end - start)
    if not share:
        text = "None of its sentences is among those of its passage that the model is told."
        return Stage(Name.PROMPT, State.OUT, text)
    if share > _WHOLE:
        return stage
    kept = f"Of its text {100 * share:.0f}% is told: the best sentences."
    return replace(stage, text=f"{stage.text} {kept}")


def _packed(trail: Trail, prompt: Prompt, model: ChatModel) -> Stage:
    holder, room = trail.holder, model.context_tokens
    sent = [each for each in prompt.sources if holder and each.chunk_id == holder.chunk_id]
    if number := number_in(prompt, trail.chunk):
        text = f"It fits the context of {room:,} tokens, as source {number:,}."
        return Stage(Name.PROMPT, State.PASSED, text, number, len(prompt.sources))
    if sent:
        text = f"Only a part of its passage fits the context of {room:,} tokens, without this."
    else:
        text = f"It does not fit the context of {room:,} tokens any more."
    return Stage(Name.PROMPT, State.OUT, text, of=len(prompt.sources))


def told_of(catalog: Catalog, request: ExplainRequest, chunk: StoredChunk) -> Told:
    """Return what the answer that a request names did with a chunk."""
    payload = _payload(catalog, request)
    numbers = [n for n, each in enumerate(payload.get("sources", ()), 1) if _kept(each, chunk)]
    same = {
        int(each["chunk_id"])
        for each in (*payload.get("sources", ()), *payload.get("retrieved", ()))
        if _kept(each, chunk)
    }
    ranks = [
        int(rank)
        for line in payload.get("trace", ())
        if line.get("event") == "passages"
        for chunk_id, rank, _ in line["passages"]
        if int(chunk_id) in same
    ]
    cited = {int(each["n"]) for each in payload.get("citations", ())}
    number = next((n for n in numbers if n in cited), min(numbers, default=0))
    mode = str(payload.get("mode", "generated"))
    short = any(line.get("name") == SHORTENED for line in payload.get("trace", ()))
    return Told(number, min(ranks, default=0), bool(cited & set(numbers)), mode, short)


def recorded(told: Told) -> Iterator[Stage]:
    """Tell what became of a chunk in a kept answer."""
    if not told.number and told.mode == "refused" and told.rank:
        found = f"A search for this answer found it, as passage {told.rank:,}."
        yield Stage(Name.PROMPT, State.OFF, found, told.rank)
        text = "The answer says that your documents do not hold what was asked for."
        yield Stage(Name.ANSWER, State.OUT, text)
        return
    if not told.number:
        yield Stage(Name.PROMPT, State.OUT, _not_handed(told))
        return
    text = f"It was source {told.number:,} of this answer."
    yield Stage(Name.PROMPT, State.PASSED, text, told.number)
    if told.is_cited:
        yield Stage(Name.ANSWER, State.PASSED, "The answer rests on it, and cites it.")
    else:
        text = _UNUSED.get(told.mode, _UNFINISHED)
        is_told = told.mode == "generated" and told.is_shortened
        yield Stage(Name.ANSWER, State.OUT, _SHORT if is_told else text)


_UNFINISHED = "The answer did not come to its end."
_SHORT = "The model was told its passage in short, and no sentence of the answer rests on it."
_UNUSED = {
    "generated": "The model had it, but no sentence of the answer rests on it.",
    "extracted": "The answer quotes other passages, without a language model.",
}


def _not_handed(told: Told) -> str:
    if not told.rank:
        return "No search for this answer found it."
    return (
        f"A search for this answer found it, as passage {told.rank:,}, but it was not among the "
        "sources of the answer."
    )


def _payload(catalog: Catalog, request: ExplainRequest) -> Mapping[str, Any]:
    chat = ChatId(request.chat_id or 0)
    catalog.chats.get(chat)  # says so where it is gone
    answers = [
        each
        for each in catalog.chats.messages(chat, request.answer or None)
        if each.role == "assistant" and request.answer in (0, each.id)
    ]
    if not answers:
        raise UserError("This conversation has no answer.", "Ask in it first.")
    try:
        kept = json.loads(answers[-1].payload or "{}")
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def _kept(row: Mapping[str, Any], chunk: StoredChunk) -> bool:
    """Say whether a kept passage, as its row tells, has all of a chunk."""
    if int(row["chunk_id"]) == int(chunk.chunk_id):
        return True
    place = row["locator"]
    is_same = int(row["document_id"]) == int(chunk.document_id)
    start, end = span_of(chunk)
    return is_same and (place[2] or 0) <= start and end <= (place[3] or 0)
