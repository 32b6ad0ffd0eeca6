"""The built-in models, loaded once, and a knowledge base of a few texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings
from desktop_rag.models.bilingual_embedder import BilingualEmbedder
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER, READER_NAME, load_embedder
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.pair_reader import PairReader
from testing.indexed_texts import IndexedTexts


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(resources() / "models" / BUILT_IN_EMBEDDER)


@pytest.fixture(scope="session")
def bilingual() -> BilingualEmbedder:
    made = load_embedder("builtin", Settings())
    assert isinstance(made, BilingualEmbedder)
    return made


@pytest.fixture(scope="session")
def reader() -> PairReader:
    return PairReader(resources() / "models" / READER_NAME)


@pytest.fixture
def library(tmp_path: Path, bilingual: BilingualEmbedder) -> Iterator[IndexedTexts]:
    made = IndexedTexts(tmp_path / "home", bilingual)
    yield made
    made.close()
