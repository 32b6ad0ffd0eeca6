"""Moves a query's vector by the linear map that was distilled from a knowledge base's reranker.

Only the query moves; the chunks' vectors stay as they are, in the catalog and in Chroma. Shao et
al. 2023 (ITER-RETGEN, section 3.4) train the whole query encoder for that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from desktop_rag.catalog.retriever_adaptations import QueryMap
from desktop_rag.core.types import KbId
from desktop_rag.models.protocols import Vectors

QueryMaps = Callable[[KbId, str], QueryMap | None]
"""Gives the map of a knowledge base's query vectors by the model of a fingerprint, if any."""


def no_query_map(_kb: KbId, _fingerprint: str) -> None:
    """Return no map for any knowledge base."""


def adapted_query(vector: Vectors, query_map: QueryMap | None) -> Vectors:
    """Return `q + Mq`, scaled to length one; the vector itself where there is no map for it.

    Shapes `(dimensions,)` and `(dimensions, dimensions)`.
    """
    if query_map is None or query_map.shape != (len(vector), len(vector)):
        return vector
    moved: Vectors = vector + query_map.astype(np.float32) @ vector
    length = float(np.linalg.norm(moved))
    return (moved / length).astype(np.float32) if length else vector
