"""Whether a passage reached the language model, and whether an answer rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.stored_answer import StoredAnswer, read_answer
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.commands.what_if_search import WhatIfSearch
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.events import PassagesFound, Step
from desktop_rag.core.explain_events import Stage, StageName, StageState
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import ExplainRequest
from desktop_rag.core.types import ChatId
from desktop_rag.generation.extractive_compression import (
    CompressedPassage,
    Identity,
    passage_identity,
)
from desktop_rag.generation.prompt_builder import Prompt, PromptBuilder
from desktop_rag.models.protocols import ChatModel, TokenBudget
from desktop_rag.retrieval.search_trace import ChunkTrace, chunk_range, contains_chunk
from desktop_rag.strategies.passage_compression import (
    SENTENCES,
    SHORTENED,
    SUMMARY,
    TOKENS,
    shortened_passages,
)
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.sufficiency import is_enough, required_evidence
from desktop_rag.workspace import Workspace

_WHOLE = 0.97  # of a text: blanks between sentences are in none of them
_NO_ANSWER = Stage(
    StageName.ANSWER, StageState.OFF, "No answer was looked at: this is a search alone."
)


@dataclass(frozen=True, slots=True)
class AnswerUse:
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


def answering_model(workspace: Workspace, kbs: tuple[str, ...]) -> ChatModel | None:
    """Return the language model that would answer, None where none would."""
    try:
        return workspace.chat_model("", common_consent(workspace, kbs))
    except ModelUnavailable:
        return None


def generation_stages(
    bench: WhatIfSearch, trail: ChunkTrace, kbs: tuple[str, ...]
) -> Iterator[Stage]:
    """Tell whether a chunk that is handed over would reach the model."""
    settings = replace(bench.workspace.settings, retrieval=bench.rules)
    model = answering_model(bench.workspace, kbs)
    engine = replace(research_context_of(bench.workspace), model=model, settings=settings)
    found = trail.course.found
    if not is_enough(found.passages, trail.course.query.text, engine, found.evidence):
        yield _too_little(found.evidence, engine)
    elif model is None:
        text = "There is no language model: the best passages are quoted as they are."
        yield Stage(StageName.PROMPT, StageState.OFF, text)
    else:
        yield _sent(trail, engine, model)
    yield _NO_ANSWER


def prompt_for(trail: ChunkTrace, engine: ResearchContext, model: TokenBudget) -> Prompt:
    """Return the prompt of an answer to the search's question."""
    question = trail.course.query.text
    composer = PromptBuilder(model, engine.settings, question, language(question))
    found = trail.course.found.passages
    shortened = replace(composer, shorter=_excerpts(trail, engine))
    return shortened.answer(found, "answer/brief")


def _excerpts(trail: ChunkTrace, engine: ResearchContext) -> dict[Identity, CompressedPassage]:
    """Return what is told of the passages, none where they are told whole."""
    if engine.settings.answering.compression not in (SENTENCES, TOKENS):
        return {}
    return shortened_passages(engine, trail.course.query.text, trail.course.found.passages)


def prompt_source_number(prompt: Prompt, chunk: StoredChunk) -> int:
    """Return the number of the source that holds all of a chunk, 0 for none."""
    whole = (n for n, each in enumerate(prompt.sources, start=1) if _is_inside(each.locator, chunk))
    same = {n for n, each in enumerate(prompt.sources, start=1) if contains_chunk(each, chunk)}
    return next((n for n in whole if n in same), 0)


def _is_inside(locator: Any, chunk: StoredChunk) -> bool:
    start, end = chunk_range(chunk)
    if locator.start is None or locator.end is None:
        return True
    return bool(locator.start <= start and end <= locator.end)


def _too_little(evidence: float, engine: ResearchContext) -> Stage:
    bar = required_evidence(engine)
    text = Phrase(
        "What was found counts as nothing: its evidence is {0}, and an answer needs {1}.",
        f"{evidence:.2f}",
        f"{bar:.2f}",
    )
    return Stage(StageName.PROMPT, StageState.OUT, text, score=evidence)


def _sent(trail: ChunkTrace, engine: ResearchContext, model: ChatModel) -> Stage:
    """Tell whether a chunk fits the prompt, and how much of it the prompt tells."""
    if engine.settings.answering.compression == SUMMARY:
        text = "The model is told a summary of its passage, which it writes at each question."
        return Stage(StageName.PROMPT, StageState.OFF, text)
    stage = _packed(trail, prompt_for(trail, engine, model), model)
    shortened = (
        _excerpts(trail, engine).get(passage_identity(trail.holder)) if trail.holder else None
    )
    if stage.state is not StageState.PASSED or shortened is None or trail.holder is None:
        return stage
    start, end = (at - (trail.holder.locator.start or 0) for at in chunk_range(trail.chunk))
    parts = [min(end, each.end) - max(start, each.start) for each in shortened.kept]
    share = sum(part for part in parts if part > 0) / max(1, end - start)
    if not share:
        text = (
            "None of its words is among those of its passage that the model is told."
            if shortened.is_pruned
            else "None of its sentences is among those of its passage that the model is told."
        )
        return Stage(StageName.PROMPT, StageState.OUT, text)
    if share > _WHOLE:
        return stage
    percent = f"{100 * share:.0f}"
    kept = (
        Phrase("Of its text {0}% is told: the most useful words.", percent)
        if shortened.is_pruned
        else Phrase("Of its text {0}% is told: the best sentences.", percent)
    )
    return replace(stage, text=f"{stage.text} {kept}")


def _packed(trail: ChunkTrace, prompt: Prompt, model: ChatModel) -> Stage:
    holder, room = trail.holder, model.context_tokens
    sent = [each for each in prompt.sources if holder and each.chunk_id == holder.chunk_id]
    if number := prompt_source_number(prompt, trail.chunk):
        text = Phrase(
            "It fits the context of {0} tokens, as source {1}.", f"{room:,}", f"{number:,}"
        )
        return Stage(StageName.PROMPT, StageState.PASSED, text, number, len(prompt.sources))
    if sent:
        text = Phrase(
            "Only a part of its passage fits the context of {0} tokens, without this.", f"{room:,}"
        )
    else:
        text = Phrase("It does not fit the context of {0} tokens any more.", f"{room:,}")
    return Stage(StageName.PROMPT, StageState.OUT, text, of=len(prompt.sources))


def answer_use(catalog: Catalog, request: ExplainRequest, chunk: StoredChunk) -> AnswerUse:
    """Return what the answer that a request names did with a chunk."""
    answer = _stored_answer(catalog, request)
    numbers = [n for n, each in enumerate(answer.sources, 1) if contains_chunk(each, chunk)]
    steps = answer.steps()
    searches = (each for each in steps if isinstance(each, PassagesFound))
    found = (each for search in searches for each in search.passages)
    ranks = [each.rank for each in found if contains_chunk(each, chunk)]
    cited = {each.n for each in answer.citations}
    number = next((n for n in numbers if n in cited), min(numbers, default=0))
    mode = answer.mode or "generated"
    short = any(isinstance(each, Step) and each.name == SHORTENED for each in steps)
    return AnswerUse(number, min(ranks, default=0), bool(cited & set(numbers)), mode, short)


def recorded_stages(told: AnswerUse) -> Iterator[Stage]:
    """Tell what became of a chunk in a kept answer."""
    if not told.number and told.mode == "refused" and told.rank:
        found = Phrase("A search for this answer found it, as passage {0}.", f"{told.rank:,}")
        yield Stage(StageName.PROMPT, StageState.OFF, found, told.rank)
        text = "The answer says that your documents do not hold what was asked for."
        yield Stage(StageName.ANSWER, StageState.OUT, text)
        return
    if not told.number:
        yield Stage(StageName.PROMPT, StageState.OUT, _not_handed(told))
        return
    text = Phrase("It was source {0} of this answer.", f"{told.number:,}")
    yield Stage(StageName.PROMPT, StageState.PASSED, text, told.number)
    if told.is_cited:
        yield Stage(StageName.ANSWER, StageState.PASSED, "The answer rests on it, and cites it.")
    else:
        text = _UNUSED.get(told.mode, _UNFINISHED)
        is_told = told.mode == "generated" and told.is_shortened
        yield Stage(StageName.ANSWER, StageState.OUT, _SHORT if is_told else text)


_UNFINISHED = "The answer did not come to its end."
_SHORT = "The model was told its passage in short, and no sentence of the answer rests on it."
_UNUSED = {
    "generated": "The model had it, but no sentence of the answer rests on it.",
    "extracted": "The answer quotes other passages, without a language model.",
}


def _not_handed(told: AnswerUse) -> str:
    if not told.rank:
        return "No search for this answer found it."
    return Phrase(
        "A search for this answer found it, as passage {0}, but it was not among the "
        "sources of the answer.",
        f"{told.rank:,}",
    )


def _stored_answer(catalog: Catalog, request: ExplainRequest) -> StoredAnswer:
    chat = ChatId(request.chat_id or 0)
    catalog.chats.get(chat)  # says so where it is gone
    answers = [
        each
        for each in catalog.chats.messages(chat, request.answer or None)
        if each.role == "assistant" and request.answer in (0, each.id)
    ]
    if not answers:
        raise UserError("This conversation has no answer.", "Ask in it first.")
    return read_answer(answers[-1].payload)
