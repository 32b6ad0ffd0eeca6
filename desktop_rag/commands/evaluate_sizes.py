"""Measure how recall falls as a knowledge base grows, with the second stage and without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from desktop_rag.commands.consent_check import common_consent
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.requests import EvalRequest
from desktop_rag.evaluation import retrieval_run
from desktop_rag.evaluation.corpus_index import KB, CorpusIndex, open_corpus_index, workspace_over
from desktop_rag.evaluation.datasets import (
    CorpusPassage,
    EvalQuestion,
    checksum,
    dataset_name,
    read_corpus,
    read_questions,
)
from desktop_rag.evaluation.gold_matching import CorpusScope
from desktop_rag.evaluation.retrieval_methods import BM25, RetrievalMethods
from desktop_rag.evaluation.retrieval_run import ScoredRow
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.workspace import ActiveModels, Lazy, Workspace

_SEED = 0


def run(workspace: Workspace, request: EvalRequest, token: CancelToken) -> Iterator[Event]:
    """Yield a row for each size and way: plain BM25, and each strategy with and without rereading.

    A smaller knowledge base lies whole in a larger one; what the questions need is in all of them.
    """
    file = Path(request.corpus)
    corpus, items = read_corpus(file), read_questions(Path(request.questions), request.limit)
    embedder = _Remembering(workspace.models.embedder)
    needed = len({name for item in items for name in item.gold})
    sizes = sorted({min(size, len(corpus)) for size in request.sizes})
    if sizes[0] < needed <= sizes[-1]:
        sizes = [size for size in sizes if size >= needed]
        yield Notice(
            Phrase("Sizes below {0} are left out: so many passages the questions need.", needed)
        )
    for size in sizes:
        entries = corpus_subset(corpus, items, size)
        name = f"{checksum(file)} {request.limit} {len(entries)}"
        with open_corpus_index(
            workspace.data_dir, name, embedder, workspace.settings
        ) as collection:
            for done in collection.fill(entries, token):
                yield IndexProgress(done, len(entries), file.name, "embed", done, 0.0, None)
            yield from _measured(workspace, request, collection, items, token)


def corpus_subset(
    corpus: Sequence[CorpusPassage], items: Sequence[EvalQuestion], size: int, seed: int = _SEED
) -> list[CorpusPassage]:
    """Return so many entries, the gold among them; a larger size gives those of a smaller one.

    The others are drawn by the seed.
    """
    gold = {name for item in items for name in item.gold}
    needed = [entry for entry in corpus if entry.id in gold]
    if size < len(needed):
        raise UsageError(
            Phrase(
                "{0} passages are fewer than the {1} that the questions need.", size, len(needed)
            ),
            "Name larger sizes, or ask fewer questions with --limit.",
        )
    others = [entry for entry in corpus if entry.id not in gold]
    order = np.random.default_rng(seed).permutation(len(others))
    return needed + [others[number] for number in order[: size - len(needed)]]


def _measured(
    workspace: Workspace,
    request: EvalRequest,
    collection: CorpusIndex,
    items: Sequence[EvalQuestion],
    token: CancelToken,
) -> Iterator[Event]:
    ks = sorted(set(request.ks) or {5})
    both = workspace_over(workspace, collection)
    first = workspace_over(replace(workspace, models=_without_rerankers(workspace)), collection)
    spaces = ((both, True), (first, False)) if workspace.models.rerankers else ((first, False),)
    for space, has_second in spaces:
        ways = RetrievalMethods(
            CorpusScope(collection),
            research_context_of(space),
            partial(workspace.chat_model, request.model, common_consent(space, (KB,))),
            retrieval_run.depth(ks),
            token,
        )
        names = request.strategies if has_second else dict.fromkeys((BM25, *request.strategies))
        for name in names:
            retrieve, outcomes = ways.named(name), []
            for outcome in retrieval_run.measure_questions(items, retrieve, token):
                outcomes.append(outcome)
                yield IndexProgress(len(outcomes), len(items), name, "ask", 0, 0.0, None)
            row = retrieval_run.retrieval_row(dataset_name(request.questions), name, outcomes, ks)
            size = len(collection.catalog.files.under(collection.kb))
            yield ScoredRow(
                row | {"size": size, "second_stage": has_second}, retrieval_run.scores(outcomes)
            )


def _without_rerankers(workspace: Workspace) -> ActiveModels:
    return replace(workspace.models, lazy_rerankers=Lazy(tuple))


class _Remembering:
    """An embedder that reads no text twice: a larger size holds the texts of a smaller one."""

    def __init__(self, model: Embedder) -> None:
        self.fingerprint, self.dimensions = model.fingerprint, model.dimensions
        self.max_tokens = model.max_tokens
        self.trust, self.embed_query = model.trust, model.embed_query
        self.count_tokens = model.count_tokens
        self._model = model
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str], token: CancelToken | None = None) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._model.embed(new, token), strict=True))
        return np.stack([self._known[text] for text in texts])
