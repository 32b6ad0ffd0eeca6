"""Measure answers to the built-in questions, way by way, with the language model that is there.

Every answer is kept as it comes (`answer_evaluation_run`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from desktop_rag.commands.answer_evaluation_run import (
    AnsweringWay,
    AnswersRun,
    answer_rest,
    answering_way,
    check_file,
    resume,
    write_table,
)
from desktop_rag.commands.answers_setup import AnswersSetup, answers_setup
from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.unprepared_ways import prepared_ways
from desktop_rag.core.answers_table import answers_table
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, NotAllowed
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import Event, IndexProgress
from desktop_rag.core.phrases import joined
from desktop_rag.core.requests import EvalRequest
from desktop_rag.evaluation.answer_breakdown import breakdown_row
from desktop_rag.evaluation.builtin_questions import (
    NAME,
    builtin_checksum,
    builtin_corpus,
    builtin_questions,
)
from desktop_rag.evaluation.corpus_index import (
    KB,
    open_corpus_index,
    workspace_over,
)
from desktop_rag.evaluation.gold_matching import CorpusScope
from desktop_rag.evaluation.retrieval_run import ScoredRow
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


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row a way, in the order of the ways; a file for the table is written at the end."""
    names, unprepared = prepared_ways(workspace, _names(request), ())
    yield from unprepared
    check_file(request.out)
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
        ways = [answering_way(seen, name, setup) for name in names]
        yield from resume(request, ways, items)
        corpus = builtin_corpus()
        for done in collection.fill(corpus, token):
            yield IndexProgress(done, len(corpus), NAME, "embed", done, 0.0, None)
        exam = AnswersRun(setup, CorpusScope(collection), items, ways, token, (KB,))
        rows = []
        for way in ways:
            if not request.so_far:
                yield from answer_rest(exam, way)
            row = _row(exam, way)
            if row.values["questions"]:
                rows.append(row.values)
                yield row
    if request.out:
        write_table(Path(request.out), answers_table(rows))


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


def _row(exam: AnswersRun, way: AnsweringWay) -> ScoredRow:
    """Return the figures of the answers that are there; `instead` counts those of another way."""
    marked = [way.known[item.id].graded(item) for item in exam.items if item.id in way.known]
    others = sum(each.answer.strategy not in way.names for each in marked)
    setup = dict(exam.setup.figures)
    if way.name == QUOTES:
        setup["model"] = None
    row = breakdown_row(way.name, marked) | {"instead": others, "setup": setup}
    return ScoredRow(row, {each.item.id: round(each.score, 4) for each in marked})
