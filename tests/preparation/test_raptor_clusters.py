import time

import numpy as np
import numpy.typing as npt
import psutil
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.preparation.dimension_reduction import PrincipalComponents, UniformManifold
from desktop_rag.preparation.gaussian_mixture import best_mixture, fit_mixture
from desktop_rag.preparation.raptor_clusters import LayerNodes, layer_clusters

Rows = npt.NDArray[np.float32]


def unit_vectors(subjects: int, each: int, spread: float = 0.5) -> Rows:
    """Return vectors around some directions, one subject after the other."""
    chance = np.random.default_rng(5)
    centres = np.repeat(chance.normal(size=(subjects, 64)), each, axis=0)
    made = centres + spread * chance.normal(size=centres.shape)
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)


def nothing() -> None:
    """Let the work go on."""


def clusters(vectors: Rows, tokens: int = 100) -> list[tuple[int, ...]]:
    nodes = LayerNodes(vectors, [tokens] * len(vectors))
    return layer_clusters(nodes, PrincipalComponents(), nothing)


def test_bic_finds_as_many_components_as_there_are() -> None:
    chance = np.random.default_rng(1)
    for count in (1, 3, 7):
        centres = np.repeat(20.0 * chance.normal(size=(count, 3)), 60, axis=0)
        points = centres + chance.normal(size=centres.shape)
        found = best_mixture(points, 50, 0, nothing)
        assert found.components == count
        assert np.allclose(found.shares.sum(axis=1), 1.0)
        groups = found.shares.argmax(axis=1).reshape(count, 60)
        assert all(len(set(group)) == 1 for group in groups.tolist())


def test_points_that_are_all_the_same_are_one_component() -> None:
    assert best_mixture(np.zeros((30, 4)), 50, 0, nothing).components == 1
    assert np.isfinite(fit_mixture(np.zeros((30, 4)), 5, 0).bic)


def test_subjects_are_clusters_and_every_node_is_in_one() -> None:
    found = clusters(unit_vectors(6, 60), tokens=10)
    assert {at for each in found for at in each} == set(range(360))
    assert len(found) >= 6
    for each in found:
        assert len({at // 60 for at in each}) == 1


def test_the_same_vectors_give_the_same_clusters() -> None:
    vectors = unit_vectors(10, 30, spread=1.5)
    assert clusters(vectors) == clusters(vectors.copy())


def test_no_cluster_is_too_long_to_be_read_at_once() -> None:
    found = clusters(unit_vectors(2, 100), tokens=300)
    assert max(map(len, found)) <= 3500 // 300 + 1
    assert {at for each in found for at in each} == set(range(200))


def test_nodes_that_are_all_alike_and_long_are_cut_apart() -> None:
    same = np.ones((40, 8), np.float32) / np.sqrt(8)
    found = clusters(same, tokens=1000)
    assert {at for each in found for at in each} == set(range(40))
    assert max(map(len, found)) <= 4
    assert min(map(len, found)) >= 2


def test_a_node_that_would_be_alone_joins_the_nearest_cluster() -> None:
    vectors = np.vstack([unit_vectors(2, 40), unit_vectors(3, 40)[-1:]])
    assert all(len(each) > 1 for each in clusters(vectors))


def test_two_thousand_nodes_take_seconds_and_little_memory() -> None:
    vectors = unit_vectors(60, 34, spread=1.0)
    process = psutil.Process()
    before, begun = process.memory_info().rss, time.process_time()
    found = clusters(vectors, tokens=175)
    assert time.process_time() - begun < 60.0
    assert process.memory_info().rss - before < 300 << 20
    assert len(found) > 2040 * 175 / 3500


def test_more_nodes_than_a_block_are_clustered_within_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("desktop_rag.preparation.raptor_clusters._BLOCK", 50)
    found = clusters(unit_vectors(3, 40, spread=1.5))
    assert {at for each in found for at in each} == set(range(120))
    assert all(max(each) - min(each) < 50 for each in found)


def test_it_can_be_stopped() -> None:
    token = CancelToken()
    token.cancel()
    nodes = LayerNodes(unit_vectors(10, 30), [100] * 300)
    with pytest.raises(Cancelled):
        layer_clusters(nodes, PrincipalComponents(), token.check)


def test_umap_gives_the_same_points_twice_and_keeps_subjects_apart() -> None:
    pytest.importorskip("umap", reason="the extra `raptor` is not installed")
    vectors = unit_vectors(4, 30)
    one, other = (UniformManifold().reduce(vectors, 10) for _ in range(2))
    assert np.array_equal(one, other)
    found = layer_clusters(LayerNodes(vectors, [100] * 120), UniformManifold(), nothing)
    assert all(len({at // 30 for at in each}) == 1 for each in found)
