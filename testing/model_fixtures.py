"""The built-in models, loaded once, and a knowledge base of a few texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.models.model_loader import BUILT_IN_EMBEDDER, READER_NAME
from desktop_rag.models.onnx_embedder import OnnxEmbedder
from desktop_rag.models.pair_reader import PairReader
from testing.indexed_texts import IndexedTexts


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(resources() / "models" / BUILT_IN_EMBEDDER)


@pytest.fixture(scope="session")
def reader() -> PairReader:
    return PairReader(resources() / "models" / READER_NAME)


@pytest.fixture
def library(tmp_path: Path, embedder: OnnxEmbedder) -> Iterator[IndexedTexts]:
    made = IndexedTexts(tmp_path / "home", embedder)
    yield made
    made.close()
