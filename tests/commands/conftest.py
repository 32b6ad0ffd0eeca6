from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.ollama_double import OllamaDouble
from tests.commands.ask_setup import AskSetup
from tests.indexing.conftest import library

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
