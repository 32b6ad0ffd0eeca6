"""The built-in embedder, loaded once."""

from __future__ import annotations

import pytest

from desktop_rag.core.settings import Settings
from desktop_rag.engine.models.embedding import OnnxEmbedder
from desktop_rag.engine.models.registry import load_embedder


@pytest.fixture(scope="session")
def embedder() -> OnnxEmbedder:
    made = load_embedder("builtin", Settings())
    assert isinstance(made, OnnxEmbedder)
    return made
