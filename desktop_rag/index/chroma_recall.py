"""How many of the truly nearest chunks Chroma names, measured with some of its own vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.embeddings import VectorBlock
from desktop_rag.index.chroma_process import ChromaFolder
from desktop_rag.index.flat import least_of_nearest

ASKED, NEAREST = 32, 50
"""How many vectors are asked with, and how many of the nearest are looked for."""
ENOUGH = 0.99
"""Recall with which nobody need ask for more."""
MOST_DEPTH = 64
"""How many times as many are asked for at most; less is measured again with more."""
_DEPTHS = (1, 4, 16, MOST_DEPTH)
_ROUNDING = 1e-4  # of cosines


@dataclass(frozen=True, slots=True)
class Recall:
    """The share of the nearest that Chroma names when asked for `depth` times as many."""

    share: float
    depth: int


def measure_recall(
    handle: ChromaFolder,
    asked: Sequence[npt.NDArray[np.float32]],
    blocks: Iterable[VectorBlock],
    held: int,
    check: Callable[[], None] | None,
) -> Recall:
    """Compare Chroma's answers with those of a comparison of all `held` vectors (`blocks`).

    The least depth that is enough is kept, else the last. What `check` raises ends it.
    """
    units = np.stack([each / max(float(np.linalg.norm(each)), 1e-9) for each in asked])
    least, most = least_of_nearest(blocks, units, NEAREST), min(NEAREST, held)
    share, depth = 0.0, 0
    for depth in _DEPTHS:
        found = 0
        for vector, score in zip(units, least, strict=True):
            if check is not None:
                check()
            named = handle.nearest(vector, NEAREST * depth)
            found += min(most, sum(each > score - _ROUNDING for _, each in named))
        share = float(found / (len(units) * most))
        if share >= ENOUGH:
            break
    return Recall(share, depth)
