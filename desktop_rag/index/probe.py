"""A look at a Chroma folder from a child process: a damaged one may crash whoever opens it."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

SECONDS = 60.0
_QUERIES, _HITS = 50, 500


def opens_in_child(folder: Path, dimensions: int, seconds: float = SECONDS) -> bool:
    """Say whether a child process could open and query a Chroma folder, and lived."""
    child = multiprocessing.get_context("spawn").Process(
        target=_look, args=(str(folder), dimensions), daemon=True
    )
    child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
    code = child.exitcode
    child.close()
    return code == 0


def _look(folder: str, dimensions: int) -> None:
    """Open the folder and ask much of it: in the child, which ends with a status."""
    import numpy as np

    from desktop_rag.core.errors import StoreDamaged
    from desktop_rag.index.chroma import ChromaIndex

    asked = np.random.default_rng(0).standard_normal((_QUERIES, dimensions))
    try:
        store = ChromaIndex.in_folder(Path(folder))
        store.ids()
        for vector in asked.astype(np.float32):
            store.nearest(vector, _HITS)
        store.close()
    except StoreDamaged:
        sys.exit(1)
