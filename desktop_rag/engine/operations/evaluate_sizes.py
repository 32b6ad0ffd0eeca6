"""Measure how recall falls as a knowledge base grows, with the second stage and without it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Event, IndexProgress, Notice
from desktop_rag.core.requests import EvalRequest
from desktop_rag.engine.evaluation import runs
from desktop_rag.engine.evaluation.collection import KB, Collection, opened
from desktop_rag.engine.evaluation.datasets import (
    Entry,
    Item,
    checksum,
    read_corpus,
    read_questions,
)
from desktop_rag.engine.evaluation.grounds import CorpusGrounds
from desktop_rag.engine.evaluation.runs import Scored
from desktop_rag.engine.evaluation.ways import BM25, Ways
from desktop_rag.engine.models.protocols import Embedder, Vectors
from desktop_rag.engine.operations.consent import consent_of
from desktop_rag.engine.operations.engine import engine_of
from desktop_rag.engine.operations.evaluate import dataset_of, over
from desktop_rag.engine.workspace import Lazy, Models, Workspace

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
        yield Notice(f"Sizes below {needed} are left out: so many passages the questions need.")
    for size in sizes:
        entries = part_of(corpus, items, size)
        name = f"{checksum(file)} {request.limit} {len(entries)}"
        with opened(workspace.data_dir, name, embedder, workspace.settings) as collection:
            for done in collection.fill(entries, token):
                yield IndexProgress(done, len(entries), file.name, "embed", done, 0.0, None)
            yield from _measured(workspace, request, collection, items, token)


def part_of(corpus: Sequence[Entry], items: Sequence[Item], size: int) -> list[Entry]:
    """Return so many entries, the gold among them; a larger size gives those of a smaller one."""
    gold = {name for item in items for name in item.gold}
    needed = [entry for entry in corpus if entry.id in gold]
    if size < len(needed):
        raise UsageError(
            f"{size} passages are fewer than the {len(needed)} that the questions need.",
            "Name larger sizes, or ask fewer questions with --limit.",
        )
    others = [entry for entry in corpus if entry.id not in gold]
    order = np.random.default_rng(_SEED).permutation(len(others))
    return needed + [others[number] for number in order[: size - len(needed)]]


def _measured(
    workspace: Workspace,
    request: EvalRequest,
    collection: Collection,
    items: Sequence[Item],
    token: CancelToken,
) -> Iterator[Event]:
    ks = sorted(set(request.ks) or {5})
    both = over(workspace, collection)
    first = over(replace(workspace, models=_without_rerankers(workspace)), collection)
    spaces = ((both, True), (first, False)) if workspace.models.rerankers else ((first, False),)
    for space, has_second in spaces:
        ways = Ways(
            CorpusGrounds(collection),
            engine_of(space),
            partial(workspace.chat_model, request.model, consent_of(space, (KB,))),
            runs.depth(ks),
            token,
        )
        names = request.strategies if has_second else dict.fromkeys((BM25, *request.strategies))
        for name in names:
            retrieve, outcomes = ways.named(name), []
            for outcome in runs.asked(items, retrieve, token):
                outcomes.append(outcome)
                yield IndexProgress(len(outcomes), len(items), name, "ask", 0, 0.0, None)
            row = runs.row(dataset_of(request), name, outcomes, ks)
            size = len(collection.catalog.files.under(collection.kb))
            yield Scored(row | {"size": size, "second_stage": has_second}, runs.scores(outcomes))


def _without_rerankers(workspace: Workspace) -> Models:
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
