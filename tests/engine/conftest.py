"""The built-in models, loaded once, and a knowledge base of a few texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings
from desktop_rag.engine.models.bilingual import Bilingual
from desktop_rag.engine.models.embedding import OnnxEmbedder
from desktop_rag.engine.models.pair_reader import PairReader
from desktop_rag.engine.models.registry import BUILT_IN, READER, load_embedder
from tests.engine.library import Library


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(resources() / "models" / BUILT_IN)


@pytest.fixture(scope="session")
def bilingual() -> Bilingual:
    made = load_embedder("builtin", Settings())
    assert isinstance(made, Bilingual)
    return made


@pytest.fixture(scope="session")
def reader() -> PairReader:
    return PairReader(resources() / "models" / READER)


@pytest.fixture
def library(tmp_path: Path, bilingual: Bilingual) -> Iterator[Library]:
    made = Library(tmp_path / "home", bilingual)
    yield made
    made.close()
