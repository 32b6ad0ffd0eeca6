"""A corpus indexed for one measurement, and the ways to search it: one stage alone, or both.

Models read nothing twice (`model_cache`); the second stage reads all of its candidates,
whatever time that takes, so that no figure depends on the machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.model_cache import RememberingEmbedder, RememberingReranker
from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Chunking, Settings
from desktop_rag.core.settings_file import load
from desktop_rag.evaluation.corpus_index import CorpusIndex, open_corpus_index, workspace_over
from desktop_rag.evaluation.datasets import CorpusPassage
from desktop_rag.evaluation.gold_matching import CorpusScope
from desktop_rag.evaluation.retrieval_methods import BM25, DENSE, RetrievalMethods
from desktop_rag.evaluation.retrieval_run import Retrieve
from desktop_rag.models.late_interaction import LateInteraction
from desktop_rag.models.model_loader import load_embedder, load_rerankers
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import ChatModel
from desktop_rag.workspace import Lazy, Workspace

FUSED = "fused"
TWO_STAGES = "two stages"
ONE_STAGE = (BM25, DENSE, FUSED)
WAYS = (*ONE_STAGE, TWO_STAGES)
_SINGLE_PASS = "single_pass"


@dataclass(frozen=True, slots=True)
class RememberingModels:
    """The built-in embedder, and the second stage: the reader, or late interaction."""

    embedder: RememberingEmbedder
    reranker: RememberingReranker

    def save(self) -> None:
        """Keep what they read."""
        self.embedder.save()
        self.reranker.save()


@dataclass(frozen=True, slots=True)
class IndexedCorpus:
    """An opened corpus, searched with the second stage and without it."""

    collection: CorpusIndex
    one_stage: Workspace
    both_stages: Workspace

    def way(self, name: str, k: int) -> Retrieve:
        """Return how one of `WAYS` retrieves k passages."""
        space = self.both_stages if name == TWO_STAGES else self.one_stage
        methods = RetrievalMethods(
            CorpusScope(self.collection), research_context_of(space), _no_model, k, CancelToken()
        )
        return methods.named(name if name in (BM25, DENSE) else _SINGLE_PASS)


def remembering_models(kept: Path, reranker: str = "pair-reader") -> RememberingModels:
    """Return the built-in models, with what they read before.

    `reranker` is a name of the setting `retrieval.reranker`. The reader reads English alone; for
    other languages there is `late-interaction`, which the program takes when it is told to.
    """
    settings = Settings()
    embedder = load_embedder("builtin", settings)
    if not isinstance(embedder, OnnxEmbedder):
        raise SystemExit("The built-in embedder is missing.")
    remembering = RememberingEmbedder(embedder, kept)
    if reranker == LateInteraction.name:
        second = RememberingReranker(LateInteraction(remembering), embedder.fingerprint, kept)
        return RememberingModels(remembering, second)
    (loaded,) = load_rerankers(reranker, settings, embedder)
    version = loaded.card.fingerprint if isinstance(loaded, PairReader) else ""
    return RememberingModels(remembering, RememberingReranker(loaded, version, kept))


@contextmanager
def indexed_corpus(
    corpus: Sequence[CorpusPassage], models: RememberingModels, sizes: Chunking | None = None
) -> Iterator[IndexedCorpus]:
    """Index a corpus in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="desktop-rag-corpus-") as scratch:
        folder = Path(scratch)
        settings = load(folder)
        if sizes is not None:
            settings = replace(settings, chunking=sizes)
        workspace = open_workspace(folder, settings)
        try:
            with open_corpus_index(folder, "corpus", models.embedder, settings) as collection:
                for _ in collection.fill(corpus, CancelToken()):
                    pass
                first, both = (
                    _over(workspace, collection, models, *(() if one else (models.reranker,)))
                    for one in (True, False)
                )
                yield IndexedCorpus(collection, first, both)
        finally:
            workspace.close()


def _over(
    workspace: Workspace,
    collection: CorpusIndex,
    models: RememberingModels,
    *rerankers: RememberingReranker,
) -> Workspace:
    lazy = replace(
        workspace.models,
        lazy_embedder=Lazy(lambda: models.embedder),
        lazy_rerankers=Lazy(lambda: rerankers),
    )
    return workspace_over(replace(workspace, models=lazy), collection)


def _no_model() -> ChatModel:
    raise TypeError("nothing here asks a language model")
