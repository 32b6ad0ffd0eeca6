"""A double with one chat model, and what a call of it needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama import OllamaChat
from testing.ollama_double import OllamaDouble

MODEL = "llama3.2:3b"


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def model(double: OllamaDouble) -> OllamaChat:
    return OllamaChat(double.url, MODEL, Ollama())
