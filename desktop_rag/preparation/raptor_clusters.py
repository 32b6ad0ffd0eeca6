"""Clusters the nodes of a tree's layer by meaning: in two steps, soft, and none too long to read.

Sarthi et al. 2024, "RAPTOR", arXiv 2401.18059, section 3 and appendix: fewer dimensions, Gaussian
mixtures whose number of components BIC chooses, first over all nodes, then within each cluster; a
node belongs to each cluster whose share of it is over 0.1; a cluster that is too long is clustered
again. A node that would be alone goes to the cluster that is nearest to it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from desktop_rag.preparation.dimension_reduction import Reducer
from desktop_rag.preparation.gaussian_mixture import Check, best_mixture

Members = tuple[int, ...]
"""The nodes of a cluster, by their places in the layer, in order."""

_MOST = 50  # components of a mixture
_LEAST_SHARE = 0.1  # of a node that makes it belong to a cluster
_LOCAL_NEIGHBOURS = 10
_TOKENS = 3500  # of a cluster that is summarised at once
_BLOCK = 5000  # nodes that are compared with each other; of more, those that follow each other
_SEED = 224  # the paper's code has it, too


@dataclass(frozen=True, slots=True)
class LayerNodes:
    """The nodes of a layer: unit vectors, shape `(n, d)`, and how long each is in tokens."""

    vectors: npt.NDArray[np.float32]
    tokens: Sequence[int]


def layer_clusters(nodes: LayerNodes, reducer: Reducer, check: Check) -> list[Members]:
    """Return the clusters of a layer in the order of their first nodes; every node is in one.

    The same nodes always give the same clusters. `check` is called often, and raises what is to
    stop the work.
    """
    count = len(nodes.tokens)
    blocks = np.array_split(np.arange(count), max(1, math.ceil(count / _BLOCK)))
    found: set[Members] = set()
    for block in blocks:
        steps = _ClusterSteps(nodes, reducer, check)
        for whole in steps.split(tuple(map(int, block)), None):
            found.update(steps.short(steps.split(whole, _LOCAL_NEIGHBOURS)))
    return sorted(_without_lone(found, nodes))


@dataclass(frozen=True, slots=True)
class _ClusterSteps:
    nodes: LayerNodes
    reducer: Reducer
    check: Check

    def split(self, members: Members, neighbours: int | None, least: int = 1) -> list[Members]:
        """Cluster some nodes once; one cluster where they are too few to be told apart."""
        self.check()
        width = self.reducer.dimensions
        if len(members) <= width + 1 and least == 1:
            return [members]
        near = neighbours or max(2, int(math.sqrt(len(members) - 1)))
        points = self.reducer.reduce(self.nodes.vectors[list(members)], near)
        shares = best_mixture(points, _MOST, _SEED, self.check, least).shares
        belongs = shares > _LEAST_SHARE
        belongs[np.arange(len(members)), shares.argmax(axis=1)] = True
        at = np.asarray(members)
        return [tuple(map(int, at[column])) for column in belongs.T if column.any()]

    def short(self, clusters: Sequence[Members]) -> list[Members]:
        """Return clusters that are short enough: a long one is clustered again, or cut."""
        made: list[Members] = []
        for each in clusters:
            length = self._length(each)
            if length <= _TOKENS or len(each) < 2:
                made.append(each)
                continue
            parts = self.split(each, _LOCAL_NEIGHBOURS, math.ceil(length / _TOKENS))
            smaller = all(self._length(part) <= 0.75 * length for part in parts)
            made += self.short(parts if smaller else _halves(each))
        return made

    def _length(self, members: Members) -> int:
        return sum(self.nodes.tokens[at] for at in members)


def _halves(members: Members) -> list[Members]:
    middle = len(members) // 2
    return [members[:middle], members[middle:]]


def _without_lone(clusters: set[Members], nodes: LayerNodes) -> set[Members]:
    """Put nodes that are alone into the clusters whose centroids are nearest to them."""
    kept = {each for each in clusters if len(each) > 1}
    within = {at for each in kept for at in each}
    lone = sorted({each[0] for each in clusters if len(each) == 1} - within)
    if not lone or not kept:
        return kept | {tuple(lone)} if lone else kept
    ordered = sorted(kept)
    centres = np.stack([nodes.vectors[list(each)].mean(axis=0) for each in ordered])
    nearest = (nodes.vectors[lone] @ centres.T).argmax(axis=1)
    joined: dict[Members, list[int]] = {}
    for at, cluster in zip(lone, nearest, strict=True):
        joined.setdefault(ordered[int(cluster)], []).append(at)
    return {tuple(sorted((*each, *joined.get(each, ())))) for each in ordered}
