"""Measure answers to the built-in questions, way by way, with the language model that is there.

Every answer is kept as it comes, under all that it depends on: a run that was stopped or killed
goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.commands import ask
from desktop_rag.commands.answers_setup import AnswersSetup, answers_setup
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.core.answers_table import answers_table
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, NotAllowed, UserError
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import Answer, Event, IndexProgress, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, EvalRequest
from desktop_rag.evaluation.answer_breakdown import breakdown_row
from desktop_rag.evaluation.answer_records import FAILED, AnswerRecord, AnswerRecordFile
from desktop_rag.evaluation.builtin_questions import (
    NAME,
    builtin_checksum,
    builtin_corpus,
    builtin_questions,
)
from desktop_rag.evaluation.corpus_index import (
    FOLDER,
    KB,
    open_corpus_index,
    workspace_over,
)
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import CorpusScope, places_cited
from desktop_rag.evaluation.retrieval_run import ScoredRow
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies import presets, registry
from desktop_rag.workspace import Workspace

USUAL = (
    QUOTES,
    "single_pass",
    "linked_hops",
    "iter_retgen",
    "ircot",
    "self_ask",
    "react",
    "flare_direct",
    "self_rag",
    "crag",
)
"""The ways that are measured where none is named."""

ALL = "all"
_QUOTING = "single_pass"
_MOST_FAILURES = 3  # in a row, after which something is wrong with the model, not the questions


@dataclass(slots=True)
class _Way:
    """A way to answer, and what is known of its answers."""

    name: str
    workspace: Workspace
    model: str
    names: frozenset[str]
    file: AnswerRecordFile
    known: dict[str, AnswerRecord] = field(default_factory=dict)

    def waiting(self, items: Sequence[EvalQuestion]) -> list[EvalQuestion]:
        """Return the questions that are not answered yet."""
        return [each for each in items if each.id not in self.known]


@dataclass(slots=True)
class _Exam:
    """All ways over the questions."""

    setup: AnswersSetup
    scope: CorpusScope
    items: Sequence[EvalQuestion]
    ways: Sequence[_Way]
    token: CancelToken

    def progress(self, current: _Way) -> IndexProgress:
        """Return how far all ways have come, and about how many seconds are left."""
        waiting = {way.name: len(way.waiting(self.items)) for way in self.ways}
        total = len(self.items) * len(self.ways)
        left = self._left(waiting)
        return IndexProgress(
            total - sum(waiting.values()), total, current.name, "ask", 0, 0.0, left
        )

    def _left(self, waiting: Mapping[str, int]) -> float | None:
        """Return the seconds that are left, by what each way took; a new way as all others."""
        taken = {way.name: [each.seconds for each in way.known.values()] for way in self.ways}
        of_all = [each for name, one in taken.items() if name != QUOTES for each in one]
        if not of_all:
            return None
        mean = sum(of_all) / len(of_all)
        return sum(
            number * (sum(taken[name]) / len(taken[name]) if taken[name] else mean)
            for name, number in waiting.items()
        )


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row a way, in the order of the ways; a file for the table is written at the end."""
    names = _names(request)
    _check_file(request.out)
    items = builtin_questions(request.limit)
    with ExitStack() as stack:
        collection = stack.enter_context(
            open_corpus_index(
                workspace.data_dir,
                builtin_checksum(),
                workspace.models.embedder,
                workspace.settings,
            )
        )
        collection.catalog.kbs.ensure(KB)
        seen = workspace_over(workspace, collection)
        needs_model = any(name != QUOTES for name in names)
        setup = _setup(seen, request, token, needs_model=needs_model)
        ways = [_way(seen, name, setup) for name in names]
        yield from _resumed(request, ways, items)
        corpus = builtin_corpus()
        for done in collection.fill(corpus, token):
            yield IndexProgress(done, len(corpus), NAME, "embed", done, 0.0, None)
        exam = _Exam(setup, CorpusScope(collection), items, ways, token)
        rows = []
        for way in ways:
            if not request.so_far:
                yield from _answered(exam, way)
            row = _row(exam, way)
            if row.values["questions"]:
                rows.append(row.values)
                yield row
    if request.out:
        _write(Path(request.out), answers_table(rows))


def _setup(
    seen: Workspace, request: EvalRequest, token: CancelToken, *, needs_model: bool
) -> AnswersSetup:
    """Return the setup; the error of a missing model names what can be measured without."""
    consent = common_consent(seen, (KB,))
    try:
        return answers_setup(seen, request.model, consent, token, needs_model=needs_model)
    except NotAllowed:
        raise
    except ModelUnavailable as problem:
        remedy = "Without a model, only quotes can be measured (--strategy quotes)."
        raise ModelUnavailable(problem.what, joined(problem.remedy, remedy)) from problem


def _names(request: EvalRequest) -> tuple[str, ...]:
    """Return the ways by their names, each once; a `UsageError` for one that there is not."""
    named = request.strategies or USUAL
    if ALL in named:
        named = (QUOTES, *(each.name for each in registry.STRATEGIES))
    for name in named:
        if name != QUOTES:
            presets.compose(name)
    return tuple(dict.fromkeys(named))


def _way(seen: Workspace, name: str, setup: AnswersSetup) -> _Way:
    """Return a way with the file of its answers."""
    is_quoting = name == QUOTES
    made = presets.compose(_QUOTING if is_quoting else name)
    strategies = (made.strategy, made.several)
    key = {"way": name, "parts": repr(made)} | setup.key(with_model=not is_quoting)
    return _Way(
        name,
        replace(seen, make_chat_model=_no_model) if is_quoting else seen,
        "" if is_quoting else setup.model,
        frozenset(each.name for each in strategies if each is not None),
        AnswerRecordFile(seen.data_dir / FOLDER / "answers", key),
    )


def _no_model(name: str, consent: Consent) -> ChatModel:  # noqa: ARG001 - a factory of models
    raise ModelUnavailable("This is measured without a language model.")


def _resumed(
    request: EvalRequest, ways: Sequence[_Way], items: Sequence[EvalQuestion]
) -> Iterator[Event]:
    """Read what was answered before, or forget it; say how much that is."""
    for way in ways:
        if request.fresh and not request.so_far:
            way.file.clear()
        way.known = way.file.read()
    total = len(ways) * len(items)
    there = total - sum(len(way.waiting(items)) for way in ways)
    if there and not request.so_far:
        yield Notice(Phrase("{0} of {1} were answered before; the run goes on.", there, total))


def _answered(exam: _Exam, way: _Way) -> Iterator[Event]:
    """Ask the questions that are not answered yet, and keep each answer."""
    failures = 0
    for item in way.waiting(exam.items):
        exam.token.check()
        record, problem = _asked(exam, way, item)
        failures = failures + 1 if problem else 0
        if failures == _MOST_FAILURES:
            raise ModelUnavailable(
                problem, "What was answered is kept; the same command goes on from there."
            )
        way.known[item.id] = record
        way.file.add(record)
        yield exam.progress(way)


def _asked(exam: _Exam, way: _Way, item: EvalQuestion) -> tuple[AnswerRecord, str]:
    """Return an answer, and what went wrong where it is none."""
    began = time.monotonic()
    asked = AskRequest(
        (KB,), item.question, "single_pass" if way.name == QUOTES else way.name, model=way.model
    )
    events = list(ask.run(way.workspace, asked, exam.token))
    answer = events[-1]
    if not isinstance(answer, Answer):
        raise TypeError("an ask ends with its answer")
    told = [event for event in events if isinstance(event, Notice)]
    is_failed = way.model != "" and any(each.says(NoticeCode.QUOTES_ONLY) for each in told)
    if is_failed:
        exam.setup.require_model(exam.token)
        answer = replace(answer, text="", mode=FAILED)
    cited = () if is_failed else exam.scope.ids(item, places_cited(answer))
    record = AnswerRecord(
        item.id,
        answer.text,
        answer.mode,
        cited,
        answer.strategy,
        answer.llm_calls,
        answer.prompt_tokens,
        answer.answer_tokens,
        round(time.monotonic() - began, 3),
    )
    return record, joined(*(each.text for each in told)) if is_failed else ""


def _row(exam: _Exam, way: _Way) -> ScoredRow:
    """Return the figures of the answers that are there; `instead` counts those of another way."""
    marked = [way.known[item.id].graded(item) for item in exam.items if item.id in way.known]
    others = sum(each.answer.strategy not in way.names for each in marked)
    setup = dict(exam.setup.figures)
    if way.name == QUOTES:
        setup["model"] = None
    row = breakdown_row(way.name, marked) | {"instead": others, "setup": setup}
    return ScoredRow(row, {each.item.id: round(each.score, 4) for each in marked})


def _check_file(name: str) -> None:
    """Raise a `UserError` where the table's file is there: nothing is written over."""
    if name and Path(name).exists():
        raise UserError(
            Phrase("{0} is there already.", name), "Choose another name, or delete the file first."
        )


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UserError(
            Phrase("{0} could not be written: {1}.", path, error.strerror or error),
            "Choose another place, or another name.",
        ) from error
