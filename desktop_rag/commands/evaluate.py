"""Measure strategies on a question set: what they find, or how right their answers are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path

from desktop_rag.catalog.evaluation_questions import set_source
from desktop_rag.catalog.evaluation_runs import file_source, tasks_source
from desktop_rag.commands import ask
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.commands.unprepared_ways import prepared_ways
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UsageError, UserError
from desktop_rag.core.evaluation_records import BUILTIN, EvaluationResult, EvaluationRun
from desktop_rag.core.events import Answer, Event, IndexProgress, Notice, NoticeCode
from desktop_rag.core.language import language
from desktop_rag.core.phrases import Phrase, code_of, joined
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.requests import AskRequest, EvalRequest
from desktop_rag.core.settings_file import setting_declarations, value_of
from desktop_rag.evaluation import answer_metrics, llm_judge, retrieval_run, saved_question_set
from desktop_rag.evaluation.answer_metrics import GradedAnswer
from desktop_rag.evaluation.corpus_index import KB, open_corpus_index, workspace_over
from desktop_rag.evaluation.datasets import (
    EvalQuestion,
    checksum,
    dataset_name,
    read_corpus,
    read_questions,
)
from desktop_rag.evaluation.gold_matching import (
    CorpusScope,
    EvaluationScope,
    LibraryScope,
    places_cited,
)
from desktop_rag.evaluation.llm_judge import Judge, Judgement
from desktop_rag.evaluation.retrieval_methods import BM25, RetrievalMethods
from desktop_rag.evaluation.retrieval_run import ScoredRow
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies import presets
from desktop_rag.strategies.base import Question, Steps, run_to_end
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.workspace import Workspace

_RGB = "rgb"
_CRUD = "crud"
_ELSEWHERE = ("window.", "privacy.")  # settings that no figure depends on


@dataclass(frozen=True, slots=True)
class _Exam:
    """Questions over grounds; `workspace` sees those as its documents."""

    workspace: Workspace
    grounds: EvaluationScope
    request: EvalRequest
    dataset: str
    questions: Sequence[EvalQuestion]
    token: CancelToken
    bases: dict[str, tuple[str, ...]]

    def names(self, item: EvalQuestion) -> tuple[str, ...]:
        """Return the names of the knowledge bases that a question is asked of."""
        return self.bases.get(item.id, (KB,))

    def named_bases(self) -> tuple[str, ...]:
        """Return the names of the user's knowledge bases that are asked; none of a corpus."""
        return tuple(dict.fromkeys(name for names in self.bases.values() for name in names))

    def consent(self) -> Consent:
        """Return what may be done with the passages of all of them together."""
        return common_consent(self.workspace, self.named_bases() or (KB,))

    def progress(self, done: int, way: str) -> IndexProgress:
        """Return how far one way has come."""
        return IndexProgress(done, len(self.questions), way, "ask", 0, 0.0, None)


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield one row a strategy, and keep the run in the data folder.

    A corpus is indexed first, and kept there as well. Beside what is retrieved stands a row of
    plain BM25; of `rgb` there is a row an ability of the language model, of `crud` a row a task and
    way.
    """
    _check(request)
    if request.task != _RGB:
        for reranker in workspace.models.rerankers:
            reranker.score("a", ["b"])  # figures without a model that cannot be used would mislead
    rows: list[ScoredRow] = []
    for event in _steps(workspace, request, token):
        if isinstance(event, ScoredRow):
            rows.append(event)
        yield event
    if not request.so_far:
        _keep(workspace, request, rows)


def _check(request: EvalRequest) -> None:
    """Raise a `UsageError` where what is asked for cannot be measured."""
    if request.task not in ("retrieval", "answers", _RGB, _CRUD):
        raise UsageError(
            Phrase("There is no evaluation of {0}.", request.task),
            "Use retrieval, answers, rgb or crud.",
        )
    if request.task == _RGB and not request.saved:
        raise UsageError("This is measured on questions of your own.", "Name a set with --set.")
    if request.builtin and (request.task != "answers" or request.judge):
        raise UsageError(
            "The built-in questions measure answers, and no model judges them.",
            "Use `eval answers --real` without --judge.",
        )
    is_named = request.saved or (request.corpus and request.questions)
    if not (is_named or request.builtin or request.task == _CRUD):
        raise UsageError("No question set is named.", "Name one of yours, or corpus and questions.")
    if request.sizes and (request.saved or request.task != "retrieval"):
        raise UsageError("Sizes are those of a corpus.", "Use eval retrieval with --corpus.")


def _steps(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    if request.task == _RGB:
        from desktop_rag.commands import evaluate_rgb

        return evaluate_rgb.run(workspace, request, token)
    if request.task == _CRUD:
        from desktop_rag.commands import evaluate_crud

        return evaluate_crud.run(workspace, request, token)
    if request.builtin:
        from desktop_rag.commands import evaluate_builtin

        return evaluate_builtin.run(workspace, request, token)
    if request.saved:
        return _on_own(workspace, request, token)
    if request.sizes:
        from desktop_rag.commands import evaluate_sizes

        names, notices = prepared_ways(workspace, request.strategies, ())
        by_size = evaluate_sizes.run(workspace, replace(request, strategies=names), token)
        return chain(notices, by_size)
    return _on_files(workspace, request, token)


def run_source(workspace: Workspace, request: EvalRequest) -> str:
    """Return the name by which runs over a request's questions are known."""
    if request.builtin:
        return BUILTIN
    if request.task == _CRUD:
        return tasks_source(workspace.catalog.kbs.get(kb).id for kb in request.kbs or (KB,))
    if request.saved:
        return set_source(workspace.catalog.questions.get(request.saved))
    return file_source(request.corpus, request.questions)


def _on_own(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Measure over the user's own knowledge bases."""
    catalog = workspace.catalog
    saved = catalog.questions.all(request.saved)
    found = saved_question_set.measurable(catalog, saved, request.kbs)
    items = found.items[: request.limit]
    if not items:
        raise UserError(
            Phrase("No question of “{0}” can be asked: their documents are gone.", request.saved),
            "Add the documents again, or save questions about those that are there.",
        )
    embedder = workspace.models.embedder
    grounds = LibraryScope(catalog, workspace.indexes, embedder, found.targets, found.bases)
    for notice in found.notices:
        yield Notice(notice)
    names = dict(found.names)
    exam = _Exam(workspace, grounds, request, request.saved, items, token, names)
    yield from _measured(exam)


def _on_files(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Measure over a corpus that a file holds."""
    file = Path(request.corpus)
    corpus = read_corpus(file)
    questions = read_questions(Path(request.questions), request.limit)
    embedder, settings = workspace.models.embedder, workspace.settings
    with ExitStack() as stack:
        named = checksum(file)
        collection = stack.enter_context(
            open_corpus_index(workspace.data_dir, named, embedder, settings)
        )
        collection.catalog.kbs.ensure(KB)
        seen, grounds = workspace_over(workspace, collection), CorpusScope(collection)
        exam = _Exam(seen, grounds, request, dataset_name(request.questions), questions, token, {})
        measured = _measured(exam)
        for done in collection.fill(corpus, token):
            yield IndexProgress(done, len(corpus), file.name, "embed", done, 0.0, None)
        yield from measured


def _measured(exam: _Exam) -> Iterator[Event]:
    """Return the rows of those ways that are what their name says, after what is told of others."""
    names, notices = prepared_ways(exam.workspace, exam.request.strategies, exam.named_bases())
    exam = replace(exam, request=replace(exam.request, strategies=names))
    rows = _retrieval(exam) if exam.request.task == "retrieval" else _answers(exam)
    return chain(notices, rows)


def _retrieval(exam: _Exam) -> Iterator[Event]:
    """Return the rows of what is found; a strategy that there is not is told at once."""
    workspace, request = exam.workspace, exam.request
    ks = sorted(set(request.ks) or {5})
    load_model = partial(workspace.chat_model, request.model, exam.consent())
    ways = RetrievalMethods(
        exam.grounds,
        research_context_of(workspace),
        load_model,
        retrieval_run.depth(ks),
        exam.token,
    )
    names = dict.fromkeys((BM25, *request.strategies))
    chosen = [(name, ways.named(name)) for name in names]

    def rows() -> Iterator[Event]:
        for name, retrieve in chosen:
            outcomes = []
            for outcome in retrieval_run.measure_questions(exam.questions, retrieve, exam.token):
                outcomes.append(outcome)
                yield exam.progress(len(outcomes), name)
            yield ScoredRow(
                retrieval_run.retrieval_row(exam.dataset, name, outcomes, ks),
                retrieval_run.scores(outcomes),
            )

    return rows()


def _answers(exam: _Exam) -> Iterator[Event]:
    """Return the rows of how right the answers are; without a model they are quotes."""
    needing = [name for name in exam.request.strategies if _needs_model(exam, name)]
    model = _model(exam) if needing or exam.request.judge else None
    judge = model if exam.request.judge else None
    told: set[str] = set()

    def rows() -> Iterator[Event]:
        for name in exam.request.strategies:
            marked: list[GradedAnswer] = []
            judged: list[Judgement] = []
            for item in exam.questions:
                answer = yield from _asked(exam, name, item, told)
                marked.append(_marked(exam, item, answer))
                judged += _judged(exam, marked[-1], judge)
                yield exam.progress(len(marked), name)
            scores = {each.item.id: round(each.score, 4) for each in marked}
            row = answer_metrics.answer_row(exam.dataset, name, marked)
            row |= llm_judge.figures(judged, judge.name) if judge is not None else {}
            yield ScoredRow(row, scores)

    return rows()


def _needs_model(exam: _Exam, name: str) -> bool:
    """Return whether a way's figures would be another's without the model."""
    return "llm" in presets.compose(name).strategy.needs or bool(exam.request.model)


def _model(exam: _Exam) -> ChatModel:
    return exam.workspace.chat_model(exam.request.model, exam.consent())


def _judged(exam: _Exam, marked: GradedAnswer, model: ChatModel | None) -> Iterator[Judgement]:
    """Yield what the model says of an answer, if it is to say anything."""
    if model is None:
        return
    text = marked.item.question
    question = Question(text, text, language(text))
    calls = ModelTools(
        replace(research_context_of(exam.workspace), model=model), question, exam.token
    )
    judge = Judge(calls, exam.grounds.embedder, marked.item, marked.answer)
    yield run_to_end(judge.judged())


def _asked(exam: _Exam, strategy: str, item: EvalQuestion, told: set[str]) -> Steps[Answer]:
    """Ask a question; a notice is passed on once, whatever the numbers in it."""
    asked = AskRequest(
        exam.names(item),
        item.question,
        strategy,
        model=exam.request.model,
        kept_options="",  # figures are of ways under their defaults
    )
    events = list(ask.run(exam.workspace, asked, exam.token))
    notices = [event for event in events if isinstance(event, Notice)]
    answer = events[-1]
    if not isinstance(answer, Answer):
        raise TypeError("an ask ends with its answer")
    is_quoted = answer.mode == "extracted" or any(
        each.says(NoticeCode.QUOTES_ONLY) for each in notices
    )
    if is_quoted and _needs_model(exam, strategy):
        raise ModelUnavailable(
            joined(*(n.text for n in notices)), "Figures without it would mislead."
        )
    for notice in notices:
        kind = code_of(notice.text)
        if kind not in told:
            told.add(kind)
            yield Notice(notice.text)
    return answer


def _marked(exam: _Exam, item: EvalQuestion, answer: Answer) -> GradedAnswer:
    return GradedAnswer(item, answer, frozenset(exam.grounds.ids(item, places_cited(answer))))


def _keep(workspace: Workspace, request: EvalRequest, rows: Sequence[ScoredRow]) -> None:
    """Keep what was measured, with the settings that it depends on."""
    settings = {
        each.key: str(value_of(workspace.settings, each.key))
        for each in setting_declarations()
        if not each.key.startswith(_ELSEWHERE)
    }
    ways = tuple(EvaluationResult(each.values, each.scores) for each in rows)
    task = "sizes" if request.sizes else request.task
    run_ = EvaluationRun(run_source(workspace, request), task, ways, settings)
    workspace.catalog.measured.keep(run_)
