"""What a multilingual encoder's vectors say of a text's language, taken out of them.

Such an encoder puts texts of one language near each other whatever they say: a question finds what
is in its own language first, and texts that have nothing to do with each other have a cosine of
0.8. Both lie in the mean of all vectors and in the few directions in which the means of the
languages differ; without these, translations lie together (Yang et al. 2021, "A Simple and
Effective Method To Eliminate the Self Language Bias in Multilingual Representations").
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Self

import numpy as np

from desktop_rag.models.protocols import Vectors


@dataclass(frozen=True, slots=True)
class LanguageBias:
    """The means of questions' and of passages' unit vectors, shape `(dimensions,)`, and the
    directions of languages, orthonormal rows: shape `(directions, dimensions)`.
    """

    query: Vectors
    passage: Vectors
    directions: Vectors

    @classmethod
    def read(cls, raw: bytes) -> Self:
        """Read the file's bytes."""
        with np.load(io.BytesIO(raw), allow_pickle=False) as held:
            return cls(held["query"], held["passage"], held["directions"])

    def without(self, vectors: Vectors, mean: Vectors) -> Vectors:
        """Return unit vectors, a row each, with a mean and the directions taken out of them."""
        rest = vectors - mean
        rest -= (rest @ self.directions.T) @ self.directions
        unit: Vectors = rest / np.linalg.norm(rest, axis=-1, keepdims=True)
        return unit
