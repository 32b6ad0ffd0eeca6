"""Measure strategies on a question set: what they find, or how right their answers are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Answer, Event, IndexProgress, Row
from desktop_rag.core.requests import AskRequest, EvalRequest
from desktop_rag.engine.evaluation import answers, runs
from desktop_rag.engine.evaluation.answers import Marked
from desktop_rag.engine.evaluation.collection import KB, Collection, opened
from desktop_rag.engine.evaluation.datasets import Item, checksum, read_corpus, read_questions
from desktop_rag.engine.evaluation.ways import BM25, Ways
from desktop_rag.engine.operations import ask
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.retrieval.two_stage import TwoStage
from desktop_rag.engine.strategies import presets
from desktop_rag.engine.workspace import Lazy, Workspace


@dataclass(frozen=True, slots=True)
class _Exam:
    """A question set over an opened corpus; `workspace` sees the corpus as its documents."""

    workspace: Workspace
    collection: Collection
    request: EvalRequest
    questions: Sequence[Item]
    token: CancelToken

    @property
    def dataset(self) -> str:
        """Return `hotpotqa/dev` for `…/hotpotqa/dev.jsonl.gz`."""
        file = Path(self.request.questions)
        return f"{file.absolute().parent.name}/{file.name.split('.')[0]}"


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield one row a strategy; the corpus is indexed first, and kept in the data folder.

    Beside what is retrieved stands a row of plain BM25.
    """
    if request.task not in ("retrieval", "answers"):
        raise UsageError(f"There is no evaluation of {request.task}.", "Use retrieval or answers.")
    file = Path(request.corpus)
    corpus = read_corpus(file)
    questions = read_questions(Path(request.questions), request.limit)
    embedder, sizes = workspace.models.embedder, workspace.settings.chunking
    for reranker in workspace.models.rerankers:
        reranker.score("a", ["b"])  # figures without a model that cannot be used would mislead
    with opened(workspace.data_dir, checksum(file), embedder, sizes) as collection:
        exam = _Exam(_over(workspace, collection), collection, request, questions, token)
        measured = _retrieval(exam) if request.task == "retrieval" else _answers(exam)
        for done in collection.fill(corpus, token):
            yield IndexProgress(done, len(corpus), file.name, "embed", done, 0.0, None)
        yield from measured


def _over(workspace: Workspace, collection: Collection) -> Workspace:
    """Return a view of the workspace whose documents are the corpus."""
    retriever = TwoStage(
        collection.catalog,
        collection.indexes,
        workspace.models.embedder,
        workspace.models.rerankers,
        workspace.settings.retrieval,
    )
    return replace(
        workspace,
        catalog=collection.catalog,
        lazy_indexes=Lazy(lambda: collection.indexes),
        lazy_retriever=Lazy(lambda: retriever),
    )


def _retrieval(exam: _Exam) -> Iterator[Event]:
    """Return the rows of what is found; a strategy that there is not is told at once."""
    workspace, request = exam.workspace, exam.request
    ks = sorted(set(request.ks) or {5})
    load_model = partial(workspace.chat_model, request.model)
    ways = Ways(exam.collection, engine_of(workspace), load_model, max(ks), exam.token)
    names = dict.fromkeys((BM25, *request.strategies))
    chosen = [(name, ways.named(name)) for name in names]

    def rows() -> Iterator[Event]:
        for name, retrieve in chosen:
            outcomes = list(runs.asked(exam.questions, retrieve, exam.token))
            yield Row(runs.row(exam.dataset, name, outcomes, ks))

    return rows()


def _answers(exam: _Exam) -> Iterator[Event]:
    """Return the rows of how right the answers are; without a model they are quotes."""
    for name in exam.request.strategies:
        presets.way(name)

    def rows() -> Iterator[Event]:
        for name in exam.request.strategies:
            marked = [_marked(exam, name, item) for item in exam.questions]
            yield Row(answers.row(exam.dataset, name, marked))

    return rows()


def _marked(exam: _Exam, strategy: str, item: Item) -> Marked:
    asked = AskRequest((KB,), item.question, strategy, model=exam.request.model)
    *_, last = ask.run(exam.workspace, asked, exam.token)
    if not isinstance(last, Answer):
        raise TypeError("an ask ends with its answer")
    return Marked(item, last)
