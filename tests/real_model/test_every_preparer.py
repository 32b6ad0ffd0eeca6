"""What holds of every way of preparing with a real language model, whatever that writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import Preparation
from desktop_rag.core.errors import Cancelled
from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.types import DocumentId
from desktop_rag.indexing.run_coordinator import RunCoordinator
from desktop_rag.preparation.base import PreparationTools
from desktop_rag.preparation.preparation_run import PreparationRun
from desktop_rag.preparation.registry import PREPARERS
from desktop_rag.strategies.base import Question
from desktop_rag.strategies.model_calls import ModelTools
from desktop_rag.strategies.research_context import ResearchContext
from testing.indexed_texts import IndexedTexts
from testing.ollama_double import OllamaDouble
from testing.ollama_double.models import SMALL
from tests.preparation.tree_setup import pages
from tests.real_model.conftest import CONTEXT, RealSetup

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("only_loopback")]

TREE = "raptor"  # a dozen chunks are needed, and longer summaries: half of all the time
LEAVES = 12  # one more than is summed up


@dataclass(frozen=True, slots=True)
class Prepared:
    """A base that is prepared for a way with the real model."""

    asking: RealSetup
    way: str

    @property
    def library(self) -> IndexedTexts:
        return self.asking.indexed

    def run(self, token: CancelToken) -> PreparationRun:
        library, settings = self.library, self.asking.settings
        chat = self.asking.chat_model("", Consent())
        context = ResearchContext(library.retriever(), library.embedder, chat, settings)
        calls = ModelTools(context, Question("", "", "en"), token)
        library.catalog.preparations.request(library.kb, self.way, SMALL.name)
        tools = PreparationTools(library.embedder, calls, token)
        preparation = Preparation(library.kb, self.way, SMALL.name)
        return PreparationRun(preparation, library.catalog, tools, RunCoordinator())


def kinds() -> list[object]:
    return [
        pytest.param(kind, id=kind.name, marks=pytest.mark.slow if kind.name == TREE else ())
        for kind in PREPARERS
    ]


@pytest.mark.parametrize("kind", kinds())
def test_it_goes_on_after_a_stop_and_what_it_makes_leads_to_chunks(
    asking: RealSetup, ollama: OllamaDouble, kind: type[Any]
) -> None:
    library = asking.indexed
    if kind.name == TREE:
        library.put("/docs/subjects.md", *pages(LEAVES))
    prepared, token = Prepared(asking, kind.name), CancelToken()
    running = prepared.run(token).run()
    next(running)
    token.cancel()
    with pytest.raises(Cancelled):
        list(running)
    again = prepared.run(CancelToken())
    list(again.run())
    state = again.state()
    assert (state.done, state.chunks) == (state.documents, 0)
    read = library.catalog.database.read()
    chunks = {number for (number,) in read.execute("SELECT id FROM chunks")}
    documents = [DocumentId(number) for (number,) in read.execute("SELECT id FROM documents")]
    made = [
        each
        for document in documents
        for each in library.catalog.preparations.texts_of(document, kind.name)
    ]
    assert len(made) == state.texts
    assert all(each.text.strip() and set(each.sources) <= chunks for each in made)
    assert all(each.sources for each in made)
    asked = ollama.chats
    assert bool(asked) == (kind.name not in ("multi_head", "tables"))
    assert {request.options["num_ctx"] for request in asked} <= {CONTEXT}
