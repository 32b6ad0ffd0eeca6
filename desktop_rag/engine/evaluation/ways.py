"""The ways to retrieve that an evaluation compares: strategies by name, and two plain baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.language import language
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.engine.evaluation.collection import Collection
from desktop_rag.engine.evaluation.datasets import Item
from desktop_rag.engine.evaluation.runs import Retrieve, Retrieved
from desktop_rag.engine.models.protocols import ChatModel
from desktop_rag.engine.strategies import registry
from desktop_rag.engine.strategies.base import Outcome, Question, Steps, Strategy
from desktop_rag.engine.strategies.engine import Engine
from desktop_rag.engine.strategies.research import Research

BM25 = "bm25"
DENSE = "dense"


class Retrieving(Research):
    """A question's tools, except that nothing is answered: the passages are what is measured."""

    __slots__ = ()

    def answer(
        self,
        passages: Sequence[Passage],
        manner: str = "brief",  # noqa: ARG002
        aside: str = "",  # noqa: ARG002
    ) -> Steps[Outcome]:
        """Hand the passages back; an answer's generator that yields nothing."""
        yield from ()
        return Outcome("", tuple(passages))

    def written(self, *, unfinished: bool = False) -> Steps[Outcome]:
        """Hand back the passages that an answer in parts was shown, the first ones first."""
        yield from ()
        return Outcome("", self.tally.shown, unfinished=unfinished)


@dataclass(frozen=True, slots=True)
class Ways:
    """What turns a name into a way to retrieve `k` passages from a collection."""

    collection: Collection
    engine: Engine
    load_model: Callable[[], ChatModel]
    k: int
    token: CancelToken

    def named(self, name: str) -> Retrieve:
        """Return a way by its name; `UsageError` or `ModelUnavailable` when it can't be had."""
        if name == BM25:
            return self._lexical
        if name == DENSE:
            return self._dense
        strategy = registry.make(name, {})
        model = self.load_model() if "llm" in strategy.needs else None
        return self.by(strategy, model)

    def _lexical(self, item: Item) -> Retrieved:
        hits = self.collection.indexes.lexical(self.collection.kb, item.question, self.k)
        return self._of_chunks(chunk_id for chunk_id, _ in hits)

    def _dense(self, item: Item) -> Retrieved:
        vector = self.collection.embedder.embed_query(item.question)
        hits = self.collection.indexes.dense(self.collection.kb, vector, self.k)
        return self._of_chunks(chunk_id for chunk_id, _ in hits)

    def _of_chunks(self, ids: Iterable[ChunkId]) -> Retrieved:
        """Return the corpus ids of chunks, in their order."""
        wanted = list(ids)
        catalog = self.collection.catalog
        chunks = catalog.documents.get_chunks(wanted)
        documents = [chunks[each].document_id for each in wanted if each in chunks]
        paths = catalog.documents.paths(documents, (self.collection.kb,))
        return Retrieved(_distinct(paths[each][0] for each in documents))

    def by(self, strategy: Strategy, model: ChatModel | None) -> Retrieve:
        """Return a strategy's own way, under the options it has."""
        engine = replace(self.engine, model=model)
        # With a model it keeps its own number: what is read changes what is written.
        k = self.k if model is None else 0

        def retrieve(item: Item) -> Retrieved:
            text = item.question
            question = Question(text, text, language(text), (self.collection.kb,), k)
            research = Retrieving(engine, question, self.token)
            outcome = _finished(strategy.run(question, research))
            if research.tally.problems:
                raise ModelUnavailable(
                    research.tally.problems[0], "Figures without it would mislead."
                )
            return Retrieved(
                _distinct(passage.path for passage in outcome.sources), research.tally.llm_calls
            )

        return retrieve


def _finished(steps: Steps[Outcome]) -> Outcome:
    """Run a strategy to its end; its events are for people."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


def _distinct(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
