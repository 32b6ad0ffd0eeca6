"""Answer a question from the documents, with citations; keep it where a conversation is kept.

There is always an answer at the end: generated, made of quotes where no language model is there, or
a refusal. Only a stop ends without one, by `Cancelled`, after keeping what had come.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TypeVar, cast

from desktop_rag.commands.answer_reuse import AnswerReuse, given_again
from desktop_rag.commands.consent_check import common_consent, other_kbs_with_consent
from desktop_rag.commands.conversation_recorder import (
    AnswerRecorder,
    ConversationLog,
    open_conversation,
    with_scope,
)
from desktop_rag.commands.knowledge_base_choice import choose_for, may_know_elsewhere, other_kb
from desktop_rag.commands.near_kept_answers import earlier_answers
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.commands.share_status import away_notices
from desktop_rag.commands.unread_files import NOTHING_UNREAD, UnreadFiles, unread_files
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import (
    Cancelled,
    ModelUnavailable,
    UsageError,
    UserError,
    WithoutProbabilities,
)
from desktop_rag.core.events import (
    NO_QUOTE,
    SMALL_TALK,
    Answer,
    Event,
    Moment,
    Notice,
    NoticeCode,
    ResultTable,
    Step,
)
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.requests import AskRequest
from desktop_rag.generation.answer_type import is_aggregate_question
from desktop_rag.generation.citation_locator import locate_citations
from desktop_rag.generation.citation_support import CitedText
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies import presets
from desktop_rag.strategies.base import (
    Question,
    Steps,
    Strategy,
    StrategyResult,
    StrategyWithoutModel,
)
from desktop_rag.strategies.kept_options import with_kept_options
from desktop_rag.strategies.presets import Composition
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.single_pass import SinglePass
from desktop_rag.strategies.small_talk import SmallTalk, small_talk
from desktop_rag.strategies.transforms.base import Transform, apply_transforms
from desktop_rag.strategies.transforms.condense import condense_question, retry_other_reading
from desktop_rag.workspace import Workspace

T = TypeVar("T")

QUOTES_ONLY = Phrase(
    "Without a language model only quotes from your documents can be given.",
    code=NoticeCode.QUOTES_ONLY,
)
"""What a notice says where the model is missing and the answer is made of quotes."""


def run(workspace: Workspace, request: AskRequest, token: CancelToken) -> Iterator[Event]:
    """Yield what happens while a question is answered, and last an `Answer`."""
    began = time.monotonic()
    request, ignored = with_kept_options(request, workspace.settings.answering)
    way = _way(workspace, request)
    request = with_scope(workspace.catalog, request)
    request, first = _chosen_kbs(workspace, request, token)
    first += _ignored_options(ignored)
    kept, research = _begun(workspace, request, way, token)
    record = kept.asked(research.question.asked)
    reuse = AnswerReuse(workspace, request, way)
    try:
        yield from record.place()
        told = _told(first, _answer(workspace, request, way, research, reuse))
        steps = timed_steps(told, began)
        answer = yield from recorded(steps, record, research)
    except (Cancelled, GeneratorExit):
        record.stopped(research.tally, way.strategy.name)
        raise
    except UserError as error:
        record.failed(error, research.tally, way.strategy.name)
        raise
    seconds = round(time.monotonic() - began, 4)  # as it is kept: later it must read the same
    unread = _unread(workspace, request, research)
    answer = replace(
        answer,
        chat_id=record.chat_id,
        seconds=seconds,
        preset=way.preset,
        awaits=unread.awaited,
        options=tuple(f"{key}={text}" for key, text in request.options.items()),
        transforms=request.transforms,
    )
    doubts = _doubts(workspace, request, answer, research, unread)
    warnings = tuple(_at(each, began) for each in doubts)
    for warning in warnings:
        record.take(warning, research.tally)
    record.answered(answer, request, research.tally.manner)
    reuse.note(record, answer, research)
    yield from warnings
    yield answer


def _chosen_kbs(
    workspace: Workspace, request: AskRequest, token: CancelToken
) -> tuple[AskRequest, list[Event]]:
    """Return the request with the knowledge bases that it is to choose, and which those are."""
    if not request.chooses_kb:
        return request, []
    chosen = choose_for(workspace, request, token)
    return replace(request, kbs=chosen.kbs, chooses_kb=False), [chosen]


def _ignored_options(ignored: Sequence[str]) -> list[Event]:
    """Return a sentence on kept options that are not possible, where there are some."""
    if not ignored:
        return []
    told = "These kept options are not possible, and left out: {0}."
    return [Notice(Phrase(told, ", ".join(ignored)))]


def _told(first: Sequence[Event], steps: Steps[Answer]) -> Steps[Answer]:
    """Run the steps of an answer after what is told first."""
    with closing(steps):
        yield from first
        return (yield from steps)


def timed_steps(steps: Steps[T], began: float) -> Steps[T]:
    """Run the steps of an answer, with the time of each since `began` noted in it."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("T", end.value)
            yield _at(event, began)


def _at(event: Event, began: float) -> Event:
    """Return an event with the seconds since the question, where it is a step."""
    if not isinstance(event, Moment):
        return event
    return replace(event, at=round(time.monotonic() - began, 3))


def recorded(
    steps: Steps[Answer], record: AnswerRecorder, research: ResearchTools
) -> Steps[Answer]:
    """Run the steps of an answer, with each of them remembered."""
    with closing(steps):
        while True:
            try:
                event = next(steps)
            except StopIteration as end:
                return cast("Answer", end.value)
            if research.tally.is_reused and record.has_said(event):
                continue
            record.take(event, research.tally)
            research.tally.has_queried |= isinstance(event, ResultTable)
            yield event


def _answer(
    workspace: Workspace,
    request: AskRequest,
    way: Composition,
    research: ResearchTools,
    reuse: AnswerReuse,
) -> Steps[Answer]:
    """Research the question and return its answer, with every quote's place."""
    typed = research.question
    if (talk := _small_talk(request)) is not None:
        return (yield from _replied(talk, workspace, request, way, research))
    known = way.strategy
    without = known.without_model if isinstance(known, StrategyWithoutModel) else QUOTES_ONLY
    model = yield from language_model(workspace, request, without)
    if (before := reuse.find(research, model)) is not None:
        return (yield from given_again(before, research))
    research = replace(research, engine=replace(research.engine, model=model))
    if _stands_alone_first(workspace, request):
        research = replace(research, question=(yield from condense_question(research)))
    if request.may_reuse and workspace.settings.answering.earlier:
        yield from earlier_answers(workspace, research.question, request.kbs, request.chat_id)
    strategy, transforms = yield from _chosen(way, research)
    strategy, outcome = yield from _outcome(strategy, transforms, research)
    outcome = yield from retry_other_reading(strategy, outcome, research, typed)
    answer = _whole(strategy, outcome, research)
    if answer.mode == "refused" and not _chunks(workspace, request):
        answer = replace(answer, text=Prompts(typed.language).nothing_read)
    if may_know_elsewhere(answer) and (other := other_kb(workspace, research)) is not None:
        yield other
    cited = locate_citations(answer.citations, answer.sources, workspace.catalog.documents)
    return replace(answer, citations=cited)


def _small_talk(request: AskRequest) -> SmallTalk | None:
    """Return what small talk a request is; None of one that is to be searched as it is written."""
    return None if request.as_written else small_talk(request.question)


def _replied(
    talk: SmallTalk,
    workspace: Workspace,
    request: AskRequest,
    way: Composition,
    research: ResearchTools,
) -> Steps[Answer]:
    """Answer a greeting, thanks or a question about the program: nothing is searched or called."""
    yield Step(SMALL_TALK, "This asks nothing of the documents: nothing is searched.")
    text = talk.reply(request.kbs, is_empty=not _chunks(workspace, request))
    yield from research.keep(text)
    return Answer(
        text=text,
        mode="generated",
        citations=(),
        strategy=way.strategy.name,
        model=None,
        llm_calls=0,
        searches=0,
        passages=0,
        prompt_tokens=0,
        answer_tokens=0,
        seconds=0.0,
        from_model=(),
    )


def _unread(workspace: Workspace, request: AskRequest, research: ResearchTools) -> UnreadFiles:
    """Return what is unread that may matter to a question."""
    if _small_talk(request) is not None:
        return NOTHING_UNREAD
    return unread_files(workspace.catalog, research.question.kbs, request.question)


def _stands_alone_first(workspace: Workspace, request: AskRequest) -> bool:
    wanted = workspace.settings.answering.condense or "condense" in request.transforms
    return wanted and not request.as_written


def _way(workspace: Workspace, request: AskRequest) -> Composition:
    """Return what was asked for, checked; the settings' way where none is named."""
    if not request.question.strip():
        raise UsageError("The question is empty.", "Ask something.")
    is_named = request.preset or request.strategy
    return presets.compose(
        request.strategy if is_named else workspace.settings.answering.strategy,
        preset=request.preset,
        transforms=request.transforms,
        options=request.options,
    )


def _chosen(
    way: Composition, research: ResearchTools
) -> Steps[tuple[Strategy, Sequence[Transform]]]:
    """Return the strategy for a question, and the transforms; say what a preset decides."""
    strategy = way.chosen(research.question.text)
    if strategy is not way.strategy:
        title = strategy.title
        yield Step("decision", Phrase("The question seems to need several steps: {0}.", title))
    if not way.left_out or research.engine.model is not None:
        return strategy, way.transforms
    yield Notice(way.left_out)
    return strategy, [each for each in way.transforms if "llm" not in each.needs]


def _begun(
    workspace: Workspace, request: AskRequest, way: Composition, token: CancelToken
) -> tuple[ConversationLog, ResearchTools]:
    """Return the conversation and the question's tools, as yet without a model."""
    kbs = tuple(workspace.catalog.kbs.get(name).id for name in request.kbs)
    kept = open_conversation(workspace.catalog, request)
    text = request.question.strip()
    question = Question(
        text,
        text,
        language(text),
        kbs,
        request.k,
        request.where,
        kept.history(),
        () if request.only_these else other_kbs_with_consent(workspace, kbs),
    )
    context = research_context_of(workspace).reading_at_most(way.reads)
    return kept, ResearchTools(context.answering_with(way.answering), question, token)


def language_model(
    workspace: Workspace, request: AskRequest, without: Phrase = QUOTES_ONLY
) -> Steps[ChatModel | None]:
    """Return the language model, or None after a sentence that says why there is none.

    `without` tells what can be given then.
    """
    try:
        return workspace.chat_model(request.model, common_consent(workspace, request.kbs))
    except ModelUnavailable as problem:
        yield _quoting(problem, without)
        return None


def _outcome(
    strategy: Strategy, transforms: Sequence[Transform], research: ResearchTools
) -> Steps[tuple[Strategy, StrategyResult]]:
    """Run the strategy behind its transforms; a single pass where the model lacks what it needs."""
    if "llm" in strategy.needs and research.engine.model is None:
        yield Notice(
            Phrase("{0} needs a language model; a single pass is done instead.", strategy.title)
        )
        strategy = SinglePass()
    steps = apply_transforms(transforms, strategy).run(research.question, research)
    try:
        return strategy, (yield from steps)
    except WithoutProbabilities as problem:
        yield Notice(Phrase("{0} A single pass is done instead.", problem.sentence))
        return (yield from _outcome(SinglePass(), transforms, research))
    except ModelUnavailable as problem:
        yield _quoting(problem)
    research = replace(research, engine=replace(research.engine, model=None))
    strategy = SinglePass()
    return strategy, (yield from strategy.run(research.question, research))


def _quoting(problem: ModelUnavailable, without: Phrase = QUOTES_ONLY) -> Notice:
    return Notice(joined(problem.what, without, problem.remedy))


def _whole(strategy: Strategy, outcome: StrategyResult, research: ResearchTools) -> Answer:
    """Tie the answer's sentences to their quotes, and say what it took."""
    made = CitedText(outcome.text, outcome.citations, ())
    model = research.engine.model
    if outcome.mode == "generated":
        made = research.supported(outcome.text, outcome.sources, unfinished=outcome.unfinished)
    tally = research.tally
    return Answer(
        text=made.text,
        mode=outcome.mode,
        citations=made.citations,
        strategy=strategy.name,
        model=model.name if model and outcome.mode == "generated" else None,
        llm_calls=tally.llm_calls,
        searches=tally.searches,
        passages=len(outcome.sources),
        prompt_tokens=tally.prompt_tokens,
        answer_tokens=tally.answer_tokens,
        seconds=0.0,
        from_model=made.from_model,
        sources=outcome.sources,
    )


def _warnings(
    workspace: Workspace, request: AskRequest, answer: Answer, unread: UnreadFiles
) -> Iterator[Event]:
    """Yield what a reader should know before trusting an answer."""
    catalog = workspace.catalog
    kbs = [catalog.kbs.get(name).id for name in request.kbs]
    yield from away_notices(catalog, kbs)
    yield from unread.notices(is_refused=answer.mode == "refused")
    if answer.mode == "generated" and answer.from_model and not answer.citations:
        yield Notice(NO_QUOTE)


def _doubts(
    workspace: Workspace,
    request: AskRequest,
    answer: Answer,
    research: ResearchTools,
    unread: UnreadFiles,
) -> Iterator[Event]:
    """Yield all that is to be told behind an answer; of an earlier one it was told with it."""
    if research.tally.is_reused:
        return
    yield from _warnings(workspace, request, answer, unread)
    if not research.tally.has_queried:  # a query over tables reads every row
        yield from _too_few_passages(workspace, request, answer)


def _too_few_passages(workspace: Workspace, request: AskRequest, answer: Answer) -> Iterator[Event]:
    """Yield a warning where a question needs more passages than can be read."""
    chunks = _chunks(workspace, request)
    if answer.passages and chunks > answer.passages and is_aggregate_question(request.question):
        yield Notice(
            Phrase(
                "{0} passages were read, of {1} in the index: a question that counts, "
                "lists or sums up may need more of them.",
                answer.passages,
                chunks,
            )
        )


def _chunks(workspace: Workspace, request: AskRequest) -> int:
    """Return how many chunks there are to be found."""
    return sum(workspace.catalog.kbs.get(name).chunks for name in request.kbs)
