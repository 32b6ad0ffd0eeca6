"""The built-in models, as the measures of answers use them."""

from __future__ import annotations

from desktop_rag.core.settings import Settings
from desktop_rag.models.model_loader import load_embedder, load_rerankers
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import Embedder


def models() -> tuple[Embedder, PairReader]:
    """Return the embedder and the reader."""
    settings = Settings()
    embedder = load_embedder("builtin", settings)
    for each in load_rerankers("auto", settings, embedder):
        if isinstance(each, PairReader):
            return embedder, each
    raise SystemExit("The built-in reader is missing.")
