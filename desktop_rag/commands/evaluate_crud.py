"""Measure CRUD-RAG's four tasks on the user's own documents, way by way.

Each answer is graded, and its figures are kept as it comes (`answer_evaluation_run`). Its text is
not kept, nor what it cites: of a document that is removed figures stay, under hashes of tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.crud_table import crud_table
from desktop_rag.core.errors import ModelUnavailable, NotAllowed, UserError
from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.core.events import Event, Notice
from desktop_rag.core.phrases import Phrase, joined
from desktop_rag.core.requests import EvalRequest
from desktop_rag.evaluation import crud_benchmark, metrics
from desktop_rag.evaluation.answer_metrics import f1
from desktop_rag.evaluation.answer_records import FAILED, AnswerRecord
from desktop_rag.evaluation.crud_benchmark import CrudCase, CrudSource, crud_cases
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import LibraryScope
from desktop_rag.evaluation.retrieval_run import ScoredRow
from desktop_rag.evaluation.text_overlap import bleu, rouge_l, without_citations
from desktop_rag.strategies import presets
from desktop_rag.workspace import Workspace

USUAL_COUNT = 10
"""The cases of each task where no number is named."""

_USUAL = "single_pass"
_MISSING = {
    crud_benchmark.CREATE: "No text to go on with is there: that takes four sentences of running "
    "text, one after the other.",
    crud_benchmark.READ: "No question could be made: that takes a defined term, or a heading.",
    crud_benchmark.UPDATE: "No text to correct could be made: that takes a figure or a name in "
    "running text.",
    crud_benchmark.DELETE: "No documents to summarise are there: that takes two in one language.",
}


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row a task and way; a file for the table is written at the end."""
    check_file(request.out)
    kbs = request.kbs or ("default",)
    catalog = workspace.catalog
    ids = tuple(catalog.kbs.get(name).id for name in kbs)
    strategies, unprepared = prepared_ways(workspace, request.strategies, kbs)
    request = replace(request, strategies=strategies)
    names, setup, told = _ways(workspace, request, kbs, token)
    yield from (*unprepared, *told)
    source = CrudSource(catalog, ids, request.seed, token)
    cases = crud_cases(source, request.limit or USUAL_COUNT)
    yield from _missing(cases)
    by_id = {case.item.id: case for case in cases}
    scope = LibraryScope(
        catalog,
        workspace.indexes,
        workspace.models.embedder,
        {name: case.targets for name, case in by_id.items()},
        dict.fromkeys(by_id, ids),
    )
    more = {"set": "crud", "documents": source.state(), "kbs": "\n".join(kbs)}
    ways = [answering_way(workspace, name, setup, more) for name in names]
    items = [case.item for case in cases]
    yield from resume(request, ways, items)

    def graded(item: EvalQuestion, record: AnswerRecord) -> AnswerRecord:
        return graded_record(by_id[item.id], record)

    exam = AnswersRun(setup, scope, items, ways, token, kbs, graded)
    about = {"dataset": ", ".join(kbs), "documents": len(source.documents()), "seed": request.seed}
    rows = []
    for way in ways:
        if not request.so_far:
            yield from answer_rest(exam, way)
        for row in _rows(cases, way, about):
            rows.append(row.values)
            yield row
    if request.out:
        write_table(Path(request.out), crud_table(rows))


def graded_record(case: CrudCase, record: AnswerRecord) -> AnswerRecord:
    """Return an answer's figures, shares in [0, 1], without its text and its citations."""
    told = "" if record.mode in ("refused", FAILED) else without_citations(record.text)
    (reference,) = case.item.answers
    scores = {
        "bleu": bleu(told, reference),
        "rouge_l": rouge_l(told, reference),
        "f1": f1(told, [reference]),
    }
    if case.alterations:
        right = [float(each.is_corrected(told)) for each in case.alterations]
        scores["corrected"] = sum(right) / len(right)
    if told:
        gold, cited = case.item.gold, record.cited
        scores["citation_precision"] = metrics.recall(sorted(gold), cited, len(gold))
        scores["citation_recall"] = metrics.recall(cited, gold, len(cited))
    kept = {name: round(score, 4) for name, score in scores.items()}
    return replace(record, text="", cited=(), scores=kept)


def _ways(
    workspace: Workspace, request: EvalRequest, kbs: Sequence[str], token: CancelToken
) -> tuple[tuple[str, ...], AnswersSetup, list[Notice]]:
    """Return the ways by their names, the setup, and what has to be said of it.

    Where none is named, quotes, and beside them a single pass if there is a language model.
    """
    consent = common_consent(workspace, kbs)
    names = tuple(dict.fromkeys(request.strategies))
    for name in names:
        if name != QUOTES:
            presets.compose(name)
    needs_model = names != (QUOTES,)
    try:
        setup = answers_setup(workspace, request.model, consent, token, needs_model=needs_model)
    except NotAllowed:
        raise
    except ModelUnavailable as problem:
        if names or request.model:
            remedy = "Without a model, only quotes can be measured (--strategy quotes)."
            raise ModelUnavailable(problem.what, joined(problem.remedy, remedy)) from problem
        setup = answers_setup(workspace, "", consent, token, needs_model=False)
        told = Phrase("{0} What is answered without one, quotes, is measured.", problem.what)
        return (QUOTES,), setup, [Notice(told)]
    return names or (QUOTES, _USUAL), setup, []


def _missing(cases: Sequence[CrudCase]) -> Iterator[Event]:
    """Say of which tasks no case could be made; a `UserError` where there is none at all."""
    if not cases:
        raise UserError(
            "No task can be made of these documents.",
            "Add documents with running text, or name another knowledge base with --kb.",
        )
    made = {case.task for case in cases}
    yield from (Notice(told) for task, told in _MISSING.items() if task not in made)


def _rows(
    cases: Sequence[CrudCase], way: AnsweringWay, about: Mapping[str, object]
) -> Iterator[ScoredRow]:
    """Yield the figures of the answers that are there, task by task."""
    for task in crud_benchmark.TASKS:
        ids = [case.item.id for case in cases if case.task == task]
        known = [way.known[name] for name in ids if name in way.known]
        if known:
            figures = {**about, "task": task, "strategy": way.name, "model": way.model or None}
            scores = {each.question: each.scores["rouge_l"] for each in known}
            yield ScoredRow(figures | _figures(known, way), scores)


def _figures(known: Sequence[AnswerRecord], way: AnsweringWay) -> dict[str, object]:
    """Return the means in percent; `corrected` is None where nothing was to be corrected."""
    values = {
        name: [each.scores[name] for each in known if name in each.scores]
        for name in (
            "bleu", "rouge_l", "f1", "corrected", "citation_precision", "citation_recall",
        )
    }  # fmt: skip
    shares = {name: metrics.percent(each) if each else None for name, each in values.items()}
    return {
        "questions": len(known),
        **shares,
        "interval": metrics.interval(values["rouge_l"]),
        "refused": metrics.percent([float(each.mode == "refused") for each in known]),
        "failed": sum(each.mode == FAILED for each in known),
        "instead": sum(each.strategy not in way.names for each in known),
        "llm_calls": round(sum(each.llm_calls for each in known) / len(known), 2),
        "prompt_tokens": round(sum(each.prompt_tokens for each in known) / len(known)),
        "answer_tokens": round(sum(each.answer_tokens for each in known) / len(known)),
        "seconds_p50": metrics.percentile([each.seconds for each in known], 50),
    }
