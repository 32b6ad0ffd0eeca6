"""Measure retrieval strategies on a question set, plain BM25 always beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, IndexProgress, Row
from desktop_rag.core.requests import EvalRequest
from desktop_rag.engine.evaluation import runs
from desktop_rag.engine.evaluation.collection import Collection, opened
from desktop_rag.engine.evaluation.datasets import Entry, checksum, read_corpus, read_questions
from desktop_rag.engine.evaluation.ways import BM25, Ways
from desktop_rag.engine.retrieval.two_stage import TwoStage
from desktop_rag.engine.strategies.research import Engine
from desktop_rag.engine.workspace import Workspace


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield one row a strategy; the corpus is indexed first, and kept in the data folder."""
    if request.task != "retrieval":
        raise UsageError(f"There is no evaluation of {request.task}.", "Use: eval retrieval.")
    corpus_file, questions_file = Path(request.corpus), Path(request.questions)
    corpus = read_corpus(corpus_file)
    questions = read_questions(questions_file, request.limit)
    names = list(dict.fromkeys((BM25, *request.strategies)))
    ks = sorted(set(request.ks) or {5})
    settings, embedder = workspace.settings, workspace.models.embedder
    name = checksum(corpus_file)
    with opened(workspace.data_dir, name, embedder, settings.chunking) as collection:
        ways = _ways(workspace, collection, request.model, max(ks), token)
        chosen = [(each, ways.named(each)) for each in names]
        yield from _indexed(collection, corpus, token)
        for each, retrieve in chosen:
            outcomes = list(runs.asked(questions, retrieve, token))
            yield Row(runs.row(_dataset(questions_file), each, outcomes, ks))


def _ways(
    workspace: Workspace, collection: Collection, model: str, k: int, token: CancelToken
) -> Ways:
    """Return the ways to retrieve, with two-stage search over the collection."""
    settings, embedder = workspace.settings, workspace.models.embedder
    retriever = TwoStage(
        collection.catalog,
        collection.indexes,
        embedder,
        workspace.models.reranker,
        settings.retrieval,
    )
    engine = Engine(retriever, embedder, None, settings)
    return Ways(collection, engine, partial(workspace.chat_model, model), k, token)


def _indexed(
    collection: Collection, corpus: Sequence[Entry], token: CancelToken
) -> Iterator[IndexProgress]:
    """Index the corpus, with news for people."""
    for done in collection.fill(corpus, token):
        yield IndexProgress(
            done=done,
            total=len(corpus),
            current="corpus",
            stage="embed",
            chunks=done,
            chunks_per_second=0.0,
            eta=None,
        )


def _dataset(questions: Path) -> str:
    """Return `hotpotqa/dev` for `…/hotpotqa/dev.jsonl.gz`."""
    return f"{questions.absolute().parent.name}/{questions.name.split('.')[0]}"
