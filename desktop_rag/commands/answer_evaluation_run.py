"""Ask questions way by way, and keep every answer: what evaluations of answers share.

Every answer is kept as it comes, under all that it depends on: a run that was stopped or killed
goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.commands import ask
from desktop_rag.commands.answers_setup import AnswersSetup
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import Answer, Event, IndexProgress, Notice, NoticeCode
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, EvalRequest
from desktop_rag.evaluation.answer_records import FAILED, AnswerRecord, AnswerRecordFile
from desktop_rag.evaluation.corpus_index import FOLDER
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import EvaluationScope, places_cited
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies import presets
from desktop_rag.workspace import Workspace

_QUOTING = "single_pass"
_MOST_FAILURES = 3  # in a row, after which something is wrong with the model, not the questions


def _whole(_item: EvalQuestion, record: AnswerRecord) -> AnswerRecord:
    return record


@dataclass(slots=True)
class AnsweringWay:
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
class AnswersRun:
    """All ways over the questions, which are asked of the knowledge bases `kbs`.

    `kept` gives what is kept of an answer.
    """

    setup: AnswersSetup
    scope: EvaluationScope
    items: Sequence[EvalQuestion]
    ways: Sequence[AnsweringWay]
    token: CancelToken
    kbs: tuple[str, ...]
    kept: Callable[[EvalQuestion, AnswerRecord], AnswerRecord] = _whole

    def progress(self, current: AnsweringWay) -> IndexProgress:
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


def answering_way(
    seen: Workspace, name: str, setup: AnswersSetup, more: Mapping[str, str] | None = None
) -> AnsweringWay:
    """Return a way with the file of its answers; `more` is what else they depend on."""
    is_quoting = name == QUOTES
    made = presets.compose(_QUOTING if is_quoting else name)
    strategies = (made.strategy, made.several)
    key = (
        {"way": name, "parts": repr(made)} | setup.key(with_model=not is_quoting) | dict(more or {})
    )
    return AnsweringWay(
        name,
        replace(seen, make_chat_model=_no_model) if is_quoting else seen,
        "" if is_quoting else setup.model,
        frozenset(each.name for each in strategies if each is not None),
        AnswerRecordFile(seen.data_dir / FOLDER / "answers", key),
    )


def _no_model(name: str, consent: Consent) -> ChatModel:  # noqa: ARG001 - a factory of models
    raise ModelUnavailable("This is measured without a language model.")


def resume(
    request: EvalRequest, ways: Sequence[AnsweringWay], items: Sequence[EvalQuestion]
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


def answer_rest(exam: AnswersRun, way: AnsweringWay) -> Iterator[Event]:
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
        record = exam.kept(item, record)
        way.known[item.id] = record
        way.file.add(record)
        yield exam.progress(way)


def _asked(exam: AnswersRun, way: AnsweringWay, item: EvalQuestion) -> tuple[AnswerRecord, str]:
    """Return an answer, and what went wrong where it is none."""
    began = time.monotonic()
    asked = AskRequest(
        exam.kbs, item.question, "single_pass" if way.name == QUOTES else way.name, model=way.model
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


def check_file(name: str) -> None:
    """Raise a `UserError` where the table's file is there: nothing is written over."""
    if name and Path(name).exists():
        raise UserError(
            Phrase("{0} is there already.", name), "Choose another name, or delete the file first."
        )


def write_table(path: Path, text: str) -> None:
    """Write a table into a new file; a `UserError` where that cannot be."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UserError(
            Phrase("{0} could not be written: {1}.", path, error.strerror or error),
            "Choose another place, or another name.",
        ) from error
