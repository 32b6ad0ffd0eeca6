"""The vector in the middle of a query and of texts like what is looked for (Gao et al. 2022)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from desktop_rag.models.protocols import Embedder, LanguageSupport, Vectors


def query_centroid(embedder: Embedder, query: str, alike: Sequence[str]) -> Vectors:
    """Return the unit mean of a query's vector and those of the texts that can be read."""
    own = embedder.embed_query(query)
    readable = [text for text in alike if embedder.trust(text) is not LanguageSupport.NONE]
    if not readable:
        return own
    mean: Vectors = np.vstack([own[None, :], embedder.embed(readable)]).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length else own
