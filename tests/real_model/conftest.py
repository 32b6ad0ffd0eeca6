"""A real language model behind Ollama's protocol, and a small knowledge base to ask it about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop_rag.core.remote_consent import Consent
from desktop_rag.core.settings import Settings
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.protocols import ChatModel
from testing.indexed_texts import IndexedTexts
from testing.llama_server import LlamaServer, missing
from testing.ollama_double import OllamaDouble
from testing.ollama_double.llama import LlamaGenerator
from testing.ollama_double.models import SMALL
from tests.commands.ask_setup import COURT, TEA, AskSetup

CONTEXT = 2048
"""Tokens of context that the program asks for: few enough for budgets to matter."""

FOUNDER = "Anna Berg was born in Lund. She was a judge before she founded the court."


class RealSetup(AskSetup):
    """Where questions are asked: real catalog, index, retriever, client and model."""

    def __init__(self, folder: Path, url: str, embedder: OnnxEmbedder) -> None:
        super().__init__(folder / "unused", url)
        self.catalog.close()
        self.indexed = IndexedTexts(folder / "home", embedder)
        self.indexed.put("/docs/court.pdf", COURT)
        self.indexed.put("/docs/founder.pdf", FOUNDER)
        self.indexed.put("/docs/tea.pdf", TEA)
        self.catalog = self.indexed.catalog
        self.retriever = self.indexed.retriever()  # type: ignore[assignment]
        self.settings = settings()

    def chat_model(self, name: str, consent: Consent) -> ChatModel:
        return super().chat_model(name or SMALL.name, consent)


def settings(context: int = CONTEXT, longest: int = 48) -> Settings:
    """Return settings under which this model is asked, for short answers."""
    made = Settings()
    ollama = replace(made.ollama, model=SMALL.name, num_ctx=context, answer_tokens=longest)
    return replace(made, ollama=ollama)


@pytest.fixture(scope="session")
def llama() -> Iterator[LlamaServer]:
    why = missing()
    if why:
        pytest.skip(why)
    with LlamaServer() as running:
        yield running


@pytest.fixture
def ollama(llama: LlamaServer) -> Iterator[OllamaDouble]:
    with OllamaDouble(SMALL) as double:
        double.generator = LlamaGenerator(llama.url)
        double.ends_repetition = True
        double.queue.slots = 1
        yield double


@pytest.fixture
def asking(tmp_path: Path, ollama: OllamaDouble, embedder: OnnxEmbedder) -> Iterator[RealSetup]:
    made = RealSetup(tmp_path, ollama.url, embedder)
    yield made
    made.indexed.close()
