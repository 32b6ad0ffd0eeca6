"""The map of query vectors: its gradient, and that it learns what there is to learn."""

from __future__ import annotations

import numpy as np
import pytest

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import Cancelled
from desktop_rag.evaluation.query_map_training import RankedCandidates, train_query_map
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.query_adaptation import adapted_query

SIZE = 12
SHARPNESS = 20.0  # what the teacher makes of a cosine


def units(random: np.random.Generator, *shape: int) -> Vectors:
    made = random.normal(size=shape)
    return (made / np.linalg.norm(made, axis=-1, keepdims=True)).astype(np.float32)


def turned_questions(count: int, seed: int) -> list[RankedCandidates]:
    """Questions whose teacher reads as if each were turned by the same rotation."""
    rotation = np.linalg.qr(np.random.default_rng(9).normal(size=(SIZE, SIZE)))[0]
    random, made = np.random.default_rng(seed), []
    for _ in range(count):
        query = units(random, SIZE)
        passages = units(random, int(random.integers(4, 20)), SIZE)
        scores = (SHARPNESS * passages @ (rotation @ query)).astype(np.float32)
        made.append(RankedCandidates(query, passages, scores))
    return made


def test_a_known_turn_is_learnt_and_the_first_candidate_is_the_teacher_s() -> None:
    trained = train_query_map(turned_questions(200, 1), turned_questions(40, 2), CancelToken())
    assert trained.after < 0.3 * trained.before
    held_out = turned_questions(60, 3)

    def agreed(query_map: np.ndarray[tuple[int, ...], np.dtype[np.float16]] | None) -> int:
        return sum(
            int(np.argmax(each.passages @ adapted_query(each.query, query_map)))
            == int(np.argmax(each.scores))
            for each in held_out
        )

    assert agreed(trained.query_map) > agreed(None) + 20


def test_training_is_the_same_at_every_run() -> None:
    runs = [
        train_query_map(turned_questions(30, 1), turned_questions(9, 2), CancelToken())
        for _ in range(2)
    ]
    assert (runs[0].query_map == runs[1].query_map).all()


def test_what_only_chance_taught_is_not_taken() -> None:
    random = np.random.default_rng(4)

    def noise(count: int) -> list[RankedCandidates]:
        return [
            RankedCandidates(
                units(random, SIZE), passages, (SHARPNESS * passages[:, 0]).astype(np.float32)
            )
            for passages in (units(random, 8, SIZE) * random.choice([-1, 1]) for _ in range(count))
        ]

    trained = train_query_map(noise(40), turned_questions(20, 5), CancelToken())
    assert trained.after <= trained.before


def test_training_hears_a_stop() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        train_query_map(turned_questions(9, 1), turned_questions(9, 2), token)
