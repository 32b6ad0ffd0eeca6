from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.settings import Ollama, Settings
from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import AskSetup
from tests.indexing.conftest import library
from tests.indexing.indexed_folder import IndexedFolder

__all__ = ["library"]


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def context(tmp_path: Path, double: OllamaDouble) -> Iterator[AskSetup]:
    made = AskSetup(tmp_path, double.url)
    yield made
    made.catalog.close()


@pytest.fixture
def modelled(tmp_path: Path, double: OllamaDouble) -> Iterator[IndexedFolder]:
    """An empty folder of documents, and a double of Ollama that answers questions on it."""
    made = IndexedFolder(tmp_path, Settings(ollama=Ollama(host=double.url, model="llama3.2:3b")))
    yield made
    made.close()
