"""The embeddings of a vocabulary's pieces, in 4 bits, where they lie on the disk.

The encoder and the reader that was made of its layers read one table. It is mapped into memory, of
which only the rows that texts have are ever loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

BLOCK = 32
"""Weights that share a scale."""

Numbers = npt.NDArray[np.float32]


def row_type(width: int) -> np.dtype[np.void]:
    """Return what a row is stored as: a scale for each block, then two weights a byte, the lower
    four bits first, each from 0 to 15 for -8 to 7.
    """
    return np.dtype([("scales", "<f2", width // BLOCK), ("weights", "u1", width // 2)])


class EmbeddingTable:
    """Rows of a `.npy` file of `row_type`. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._rows = np.load(path, mmap_mode="r", allow_pickle=False)

    def embeddings(self, ids: Sequence[int]) -> Numbers:
        """Return the embeddings of some pieces: shape `(len(ids), width)`."""
        rows = self._rows[np.asarray(ids, np.int64)]
        packed = rows["weights"]
        weights = np.empty((len(rows), 2 * packed.shape[1]), np.int8)
        weights[:, 0::2] = packed & 15
        weights[:, 1::2] = packed >> 4
        weights -= 8
        blocks = weights.astype(np.float16).reshape(*rows["scales"].shape, BLOCK)
        found: Numbers = (blocks * rows["scales"][:, :, None]).astype(np.float32)
        return found.reshape(weights.shape)


@lru_cache(maxsize=4)
def open_table(path: Path) -> EmbeddingTable:
    """Return the table of a file: the same one to everybody in this process."""
    return EmbeddingTable(path)
