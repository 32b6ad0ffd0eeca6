from dataclasses import replace

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import UserError
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import DocumentId
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import GoldTarget, LibraryScope
from desktop_rag.evaluation.retrieval_methods import (
    BM25,
    DENSE,
    RetrievalMethods,
    RetrievalOnlyTools,
)
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import ChatModel
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.research_context import ResearchContext
from testing.fake_retriever import FakeRetriever, passages
from testing.indexed_texts import IndexedTexts
from testing.narrowing import narrow
from tests.strategies.conftest import finished

ASKED = EvalQuestion("1", "When does the harbour ferry sail?", (), frozenset({"gold"}))
ROW = "The harbour ferry sails at {hour}:{minute:02}, and the harbour ferry sails back at noon. "
LONG = "".join(ROW.format(hour=n // 60, minute=n % 60) for n in range(60))
OTHER = "In winter the ice lies on the water, and no ferry leaves its place before the thaw."


def ways(library: IndexedTexts, k: int, gold: DocumentId) -> RetrievalMethods:
    target = GoldTarget("gold", frozenset({gold}))
    parts = (library.catalog, library.indexes, library.embedder)
    grounds = LibraryScope(*parts, {"1": (target,)}, {"1": (library.kb,)})
    return RetrievalMethods(
        grounds,
        ResearchContext(FakeRetriever(), None, None, Settings()),
        no_model,
        k,
        CancelToken(),
    )


class Newer(OnnxEmbedder):
    """The embedder, as if it were another model."""

    def __init__(self, model: OnnxEmbedder) -> None:
        vars(self).update(vars(model), fingerprint="newer")


def no_model() -> ChatModel:
    raise AssertionError("no way here asks one")


@pytest.mark.parametrize("name", [BM25, DENSE])
def test_chunks_of_one_passage_take_no_place_of_another(library: IndexedTexts, name: str) -> None:
    library.put("/docs/timetable.md", LONG)
    gold = library.put("/docs/winter.md", OTHER)
    found = ways(library, 6, gold).named(name)(ASKED)
    assert "gold" in found.ids


def test_vectors_of_another_model_are_not_compared(library: IndexedTexts) -> None:
    gold = library.put("/docs/winter.md", OTHER)
    made = ways(library, 5, gold)
    grounds = narrow(made.grounds, LibraryScope)
    newer = replace(
        made, grounds=replace(grounds, embedder=Newer(narrow(library.embedder, OnnxEmbedder)))
    )
    with pytest.raises(UserError, match="another embedding model"):
        newer.named(DENSE)(ASKED)


def test_of_an_answer_in_parts_the_passages_are_measured_too() -> None:
    question = Question("Where?", "Where?", "en")
    research = RetrievalOnlyTools(
        ResearchContext(FakeRetriever(), None, None, Settings()), question, CancelToken()
    )
    shown = passages("She was born in Oslo.", "Oslo is a city.")
    research.tally.shown = shown
    _, outcome = finished(research.written())
    assert outcome.sources == shown
