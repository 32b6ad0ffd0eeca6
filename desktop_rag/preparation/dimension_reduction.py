"""Fewer dimensions for vectors, so that Gaussian mixtures can be fitted to them.

UMAP (McInnes et al. 2018, arXiv 1802.03426), where the extra `raptor` is installed, else principal
components. UMAP takes half a minute of a processor to be imported and compiled, in each process
that uses it; what it compiles lies in a temporary folder until the process ends.
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import shutil
import tempfile
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.preparation.gaussian_mixture import Points

DIMENSIONS = 10
_EACH = 8  # vectors for each component
_SEED = 224


class Reducer(Protocol):
    """Turns unit vectors into points of fewer dimensions; the same ones into the same."""

    name: ClassVar[str]

    @property
    def dimensions(self) -> int:
        """How many dimensions its points have, at most."""
        ...

    def reduce(self, vectors: npt.NDArray[np.float32], neighbours: int) -> Points:
        """Return points, shape `(n, dimensions)` or narrower, of vectors of shape `(n, d)`.

        `neighbours` is how many others of each are kept near, where the method asks for that.
        """
        ...


@dataclass(frozen=True, slots=True)
class PrincipalComponents:
    """The directions in which vectors differ most: fewer where there are few vectors.

    A covariance has as many figures as half the square of its width: in 10 dimensions BIC would
    see no clusters in less than some hundred points.
    """

    name: ClassVar[str] = "pca"
    dimensions: int = DIMENSIONS

    def reduce(
        self,
        vectors: npt.NDArray[np.float32],
        neighbours: int,  # noqa: ARG002 - it keeps all distances as well as it can
    ) -> Points:
        """Project vectors on their principal components."""
        apart = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
        width = max(1, min(self.dimensions, len(vectors) // _EACH, vectors.shape[1]))
        _, directions = np.linalg.eigh(apart.T @ apart)
        return np.asarray(apart @ directions[:, : -width - 1 : -1])


@dataclass(frozen=True, slots=True)
class UniformManifold:
    """UMAP with cosine distances, under a fixed seed and on one thread."""

    name: ClassVar[str] = "umap"
    dimensions: int = DIMENSIONS

    def reduce(self, vectors: npt.NDArray[np.float32], neighbours: int) -> Points:
        """Lay vectors out so that neighbours stay neighbours; few vectors are projected."""
        if len(vectors) <= self.dimensions + 2:  # too few for its spectral layout
            return PrincipalComponents(self.dimensions).reduce(vectors, neighbours)
        kind = _umap()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a seed that takes its threads, of loose points
            layout = kind(
                n_neighbors=min(neighbours, len(vectors) - 1),
                n_components=self.dimensions,
                metric="cosine",
                random_state=_SEED,
                n_jobs=1,
            ).fit_transform(vectors.astype(np.float32))
        return np.nan_to_num(np.asarray(layout, np.float64))


def available_reducer() -> Reducer:
    """Return UMAP where it is installed, else principal components."""
    return UniformManifold() if importlib.util.find_spec("umap") else PrincipalComponents()


@cache
def _umap() -> Any:
    """Import UMAP, with a folder of this process for what numba compiles: not that of libraries."""
    folder = tempfile.mkdtemp(prefix="desktop-rag-numba-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    importlib.import_module("numba").config.CACHE_DIR = folder
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module("umap").UMAP
