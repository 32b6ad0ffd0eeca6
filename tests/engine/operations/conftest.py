from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.ingest.conftest import library
from tests.engine.operations.desk import Desk
from tests.ollama_double import OllamaDouble

__all__ = ["library"]


@pytest.fixture
def double() -> Iterator[OllamaDouble]:
    with OllamaDouble() as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, double: OllamaDouble) -> Iterator[Desk]:
    made = Desk(tmp_path, double.url)
    yield made
    made.catalog.close()
