"""A double of Ollama, a shelf of passages, and the tools of a question over both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.events import Event
from desktop_rag.core.language import language
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId
from desktop_rag.models.ollama import OllamaChat
from desktop_rag.models.protocols import Embedder, Message
from desktop_rag.strategies import registry
from desktop_rag.strategies.base import Question, Steps, StrategyResult, T
from desktop_rag.strategies.research_context import ResearchContext
from desktop_rag.strategies.research_tools import ResearchTools
from testing.fake_retriever import FakeRetriever
from testing.ollama_double import OllamaDouble

MODEL = "llama3.2:3b"
Begin = Callable[..., ResearchTools]
Run = Callable[..., tuple[FakeRetriever, list[Event], StrategyResult]]
QueryRun = Callable[..., tuple[list[str], list[Event], StrategyResult]]


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def begin(double: OllamaDouble) -> Begin:
    """Return tools: `begin(shelf, question)`, `model=False` for none, `settings=`, `history=`."""

    def make(
        retriever: FakeRetriever,
        text: str,
        *,
        model: bool = True,
        settings: Settings | None = None,
        history: tuple[Message, ...] = (),
        k: int = 0,
        embedder: Embedder | None = None,
    ) -> ResearchTools:
        chosen = settings or Settings()
        chat = OllamaChat(double.url, MODEL, chosen.ollama) if model else None
        question = Question(text, text, language(text), (KbId(1),), k=k, history=history)
        return ResearchTools(
            ResearchContext(retriever, embedder, chat, chosen, strategy=registry.make_default),
            question,
            CancelToken(),
        )

    return make


def finished(steps: Steps[T]) -> tuple[list[Event], T]:
    """Run steps to their end; return their events and their value."""
    events: list[Event] = []
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return events, end.value
