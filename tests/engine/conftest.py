"""The built-in embedder, and its half for Latin letters, loaded once."""

from __future__ import annotations

import pytest

from desktop_rag.core.paths import resources
from desktop_rag.core.settings import Settings
from desktop_rag.engine.models.bilingual import Bilingual
from desktop_rag.engine.models.embedding import OnnxEmbedder
from desktop_rag.engine.models.registry import BUILT_IN, load_embedder


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(resources() / "models" / BUILT_IN)


@pytest.fixture(scope="session")
def bilingual() -> Bilingual:
    made = load_embedder("builtin", Settings())
    assert isinstance(made, Bilingual)
    return made
