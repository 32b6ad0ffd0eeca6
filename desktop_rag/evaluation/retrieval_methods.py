"""The ways to retrieve that an evaluation compares: strategies and presets, and two baselines.

The baselines are plain: BM25, or the embedding model, over chunks, whose passages are handed over
each once. They have as many candidates as the search of a strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable, UserError
from desktop_rag.core.language import language
from desktop_rag.core.types import KbId, Passage
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import EvaluationScope, FoundRange, places_of
from desktop_rag.evaluation.retrieval_run import Ranking, Retrieve
from desktop_rag.index.knowledge_base_index import ModelChanged
from desktop_rag.models.protocols import ChatModel
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.strategies import presets
from desktop_rag.strategies.base import Question, Steps, StrategyResult, run_to_end
from desktop_rag.strategies.presets import Composition
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from desktop_rag.strategies.transforms.base import apply_transforms

BM25 = "bm25"
DENSE = "dense"


class RetrievalOnlyTools(ResearchTools):
    """A question's tools, except that nothing is answered: the passages are what is measured."""

    __slots__ = ()

    def answer(
        self,
        passages: Sequence[Passage],
        manner: str = "answer/brief",  # noqa: ARG002
        aside: str = "",  # noqa: ARG002
    ) -> Steps[StrategyResult]:
        """Hand the passages back; an answer's generator that yields nothing."""
        yield from ()
        return StrategyResult("", tuple(passages))

    def written(self, *, unfinished: bool = False) -> Steps[StrategyResult]:
        """Hand back the passages that an answer in parts was shown, the first ones first."""
        yield from ()
        return StrategyResult("", self.tally.shown, unfinished=unfinished)


@dataclass(frozen=True, slots=True)
class RetrievalMethods:
    """What turns a name into a way to retrieve `k` passages from documents."""

    grounds: EvaluationScope
    engine: ResearchContext
    load_model: Callable[[], ChatModel]
    k: int
    token: CancelToken

    def named(self, name: str) -> Retrieve:
        """Return a way by its name; `UsageError` or `ModelUnavailable` when it can't be had."""
        if name == BM25:
            return self._lexical
        if name == DENSE:
            return self._dense
        way = presets.compose(name)
        model = self.load_model() if way.needs_model else None
        return self.by(way, model)

    def _lexical(self, item: EvalQuestion) -> Ranking:
        def search(kb: KbId) -> Hits:
            return self.grounds.indexes.of(kb).lexical(item.question, self._candidates)

        return self._of_chunks(item, search)

    def _dense(self, item: EvalQuestion) -> Ranking:
        model = self.grounds.embedder
        vector = model.embed_query(item.question)

        def search(kb: KbId) -> Hits:
            index = self.grounds.indexes.of(kb)
            return index.dense(vector, self._candidates, model=model.fingerprint).hits

        try:
            return self._of_chunks(item, search)
        except ModelChanged as problem:
            raise UserError(
                "The vectors of a knowledge base are still those of another embedding model.",
                "Index again: every passage is embedded anew.",
            ) from problem

    @property
    def _candidates(self) -> int:
        """The chunks that are asked for: those of one passage count once."""
        return max(self.k, self.engine.settings.retrieval.candidates)

    def _of_chunks(self, item: EvalQuestion, search: Callable[[KbId], Hits]) -> Ranking:
        """Return the first k of what a search finds in the question's knowledge bases.

        As a passage counts what would be handed over: the piece around a chunk, each once.
        """
        kbs, documents = self.grounds.kbs(item), self.grounds.catalog.documents
        scores = {chunk_id: score for kb in kbs for chunk_id, score in search(kb)}
        wanted = sorted(scores, key=lambda each: (-scores[each], each))
        chunks = documents.get_chunks(wanted)
        found = [chunks[each] for each in wanted if each in chunks]
        paths = documents.paths([each.document_id for each in found], kbs)
        places = [
            FoundRange(each.document_id, paths[each.document_id][0], *each.big)
            for each in found
            if each.document_id in paths
        ]
        return Ranking(self.grounds.ids(item, dict.fromkeys(places))[: self.k])

    def by(self, way: Composition, model: ChatModel | None) -> Retrieve:
        """Return how a way retrieves, under the options it has."""
        engine = self.engine.reading_at_most(way.reads).answering_with(way.answering)
        engine = replace(engine, model=model)
        # With a model it keeps its own number: what is read changes what is written.
        k = self.k if model is None else 0

        def retrieve(item: EvalQuestion) -> Ranking:
            text = item.question
            question = Question(text, text, language(text), self.grounds.kbs(item), k)
            research = RetrievalOnlyTools(engine, question, self.token)
            steps = apply_transforms(way.transforms, way.chosen(text))
            outcome = run_to_end(steps.run(question, research))
            if research.tally.problems:
                raise ModelUnavailable(
                    research.tally.problems[0], "Figures without it would mislead."
                )
            ids = self.grounds.ids(item, places_of(outcome.sources))
            return Ranking(ids, research.tally.llm_calls)

        return retrieve
