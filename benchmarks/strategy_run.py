"""A question set over its corpus, each strategy asked every question, each search made once."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop_rag.bootstrap import open_workspace
from desktop_rag.commands.research_setup import research_context_of
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import Preparation
from desktop_rag.core.settings_file import load
from desktop_rag.evaluation import retrieval_run
from desktop_rag.evaluation.corpus_index import CorpusIndex, open_corpus_index
from desktop_rag.evaluation.datasets import EvalQuestion, checksum, read_corpus, read_questions
from desktop_rag.evaluation.gold_matching import CorpusScope
from desktop_rag.evaluation.retrieval_methods import BM25, RetrievalMethods
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.models.protocols import ChatModel
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationRun
from desktop_rag.retrieval.derived_tree import NodeSearch
from desktop_rag.retrieval.entity_graph_search import GraphSearch
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from desktop_rag.strategies import registry
from desktop_rag.strategies.presets import Composition
from desktop_rag.strategies.research_context import Retriever
from desktop_rag.workspace import Workspace

_MOST = 10  # passages of what needs no model, as `eval retrieval` asks for
_DEPTH = 40  # passages of the one search that the simulated ones are held against


@dataclass(frozen=True, slots=True)
class RunSetup:
    """Where the question sets lie, where their indexes are kept, how many questions are asked.

    `prepared` are ways that the documents are prepared for, `split` names the questions: `dev`, or
    `train` to choose by. `settings` are others than the program's own, by key.
    """

    data: Path
    data_dir: Path
    limit: int
    prepared: tuple[str, ...] = ()
    split: str = "dev"
    settings: Mapping[str, str] = field(default_factory=dict)


class CachedRetriever:
    """Retrieval that makes each search once: strategies and readers ask much of the same.

    `saved` are the seconds that what was not searched again had taken.
    """

    def __init__(self, inner: TwoStageRetriever) -> None:
        self.inner, self.saved = inner, 0.0
        self.links, self.outlines = inner.links, inner.outlines
        self._made: dict[Query, tuple[SearchResult, float]] = {}

    def search(self, query: Query) -> SearchResult:
        """Return what is found, or was."""
        if query in self._made:
            found, took = self._made[query]
            self.saved += took
            return found
        begun = time.perf_counter()
        found = self.inner.search(query)
        self._made[query] = found, time.perf_counter() - begun
        return found

    def tree(self, query: Query, way: str) -> NodeSearch:
        """Return the nodes of trees, which are searched quickly."""
        return self.inner.tree(query, way)

    def graph(self, query: Query, way: str) -> GraphSearch:
        """Return the graph of entities, which is walked quickly."""
        return self.inner.graph(query, way)

    def reading_at_most(self, count: int) -> Retriever:
        """Return retrieval whose second stage reads no more: other searches, which are made."""
        return self.inner.reading_at_most(count)


@dataclass(frozen=True, slots=True)
class Exam:
    """Questions of one set, and the ways to retrieve from its opened corpus."""

    ways: RetrievalMethods
    items: Sequence[EvalQuestion]
    searches: CachedRetriever

    def asked(
        self, written: str, model: ChatModel | None = None
    ) -> list[retrieval_run.QuestionRanking]:
        """Ask every question in a way, written like `dsp:version=v2`."""
        name, _, options = written.partition(":")
        if name == BM25:
            retrieve = self.ways.named(BM25)
        else:
            given = dict(each.split("=") for each in options.split(",") if each)
            way = Composition(registry.make(name, given))
            retrieve = self.ways.by(way, model if way.needs_model else None)
        return list(
            self._timed(retrieval_run.measure_questions(self.items, retrieve, self.ways.token))
        )

    def _timed(
        self, outcomes: Iterable[retrieval_run.QuestionRanking]
    ) -> Iterator[retrieval_run.QuestionRanking]:
        """Add to each question's time what remembered searches took when they were made."""
        self.searches.saved = 0.0
        for each in outcomes:
            saved, self.searches.saved = self.searches.saved, 0.0
            yield replace(each, milliseconds=each.milliseconds + 1000.0 * saved)


@contextmanager
def open_exam(place: RunSetup, name: str, *, first_stage: bool = False) -> Iterator[Exam]:
    """Open a question set's corpus, which is indexed first if it isn't yet."""
    folder, token = place.data / name, CancelToken()
    corpus = folder / "corpus.jsonl.gz"
    workspace = open_workspace(place.data_dir, load(place.data_dir, place.settings))
    try:
        embedder, settings = workspace.models.embedder, workspace.settings
        with open_corpus_index(
            workspace.data_dir, checksum(corpus), embedder, settings
        ) as collection:
            for _ in collection.fill(read_corpus(corpus), token):
                pass
            for way in place.prepared:
                prepare_corpus(collection, way, token)
            retriever = CachedRetriever(_retriever(workspace, collection, first_stage=first_stage))
            engine = replace(
                research_context_of(workspace),
                retriever=retriever if first_stage else retriever.inner,
                prepared=collection.catalog.preparations.coverage,
            )
            ways = RetrievalMethods(
                CorpusScope(collection),
                engine,
                _no_model,
                _DEPTH if first_stage else _MOST,
                token,
            )
            yield Exam(ways, read_questions(folder / f"{place.split}.jsonl.gz"), retriever)
    finally:
        workspace.close()


def prepare_corpus(collection: CorpusIndex, way: str, token: CancelToken) -> None:
    """Prepare a corpus for a way, without a language model; print what that cost."""
    begun, processor = time.monotonic(), time.process_time()
    collection.catalog.preparations.request(collection.kb, way)
    tools = PreparationTools(collection.embedder, None, token)
    run = PreparationRun(
        Preparation(collection.kb, way), collection.catalog, tools, RunCoordinator()
    )
    if run.state().done < run.state().documents:
        for _ in run.run():
            pass
        took, used = time.monotonic() - begun, time.process_time() - processor
        print(f"prepared for {way}: {took:.0f} s, {used:.0f} s of the processor", flush=True)


def _retriever(
    workspace: Workspace, collection: CorpusIndex, *, first_stage: bool
) -> TwoStageRetriever:
    """Return retrieval from the corpus, the second stage left out where it is not wanted."""
    models, rules = workspace.models, workspace.settings.retrieval
    over = collection.catalog, collection.indexes, models.embedder
    if first_stage:
        return TwoStageRetriever(*over, (), replace(rules, rerank_candidates=0))
    return TwoStageRetriever(*over, models.rerankers, rules)


def _no_model() -> ChatModel:
    raise TypeError("models are handed over with a strategy")
