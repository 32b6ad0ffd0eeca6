"""Votes of attention heads, held against the paper's algorithms written out."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from desktop_rag.core.types import ChunkId, DerivedId
from desktop_rag.retrieval.attention_head_search import HeadNorms, HeadVotes, add_votes
from desktop_rag.retrieval.derived_search import Block

HEADS, WIDTH, TEXTS = 3, 4, 9


def random_texts(seed: int) -> npt.NDArray[np.float16]:
    made = np.random.default_rng(seed).normal(size=(TEXTS, HEADS * WIDTH))
    return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float16)


def block(rows: npt.NDArray[np.float16], first: int = 1) -> Block:
    """Texts numbered from `first`, the even ones of document 2, the others of document 1."""
    ids = np.arange(first, first + len(rows))
    return ids, ids % 2 * -1 + 2, rows


def add(votes: HeadVotes, texts: Block, documents: npt.NDArray[np.int64] | None = None) -> None:
    votes.add(texts, HeadNorms.of(texts[2], HEADS), documents)


def cosine(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def written_out(rows: npt.NDArray[np.float16], asked: npt.NDArray[np.float32]) -> dict[int, float]:
    """Algorithms 1 and 2 of the paper, with loops over all pairs."""
    heads = rows.astype(np.float64).reshape(TEXTS, HEADS, WIDTH)
    wanted = asked.astype(np.float64).reshape(HEADS, WIDTH)
    scales = []
    for head in range(HEADS):
        own = heads[:, head]
        norm = float(np.mean([np.linalg.norm(each) for each in own]))
        apart = float(np.mean([1 - cosine(a, b) for a, b in product(own, own)]))
        scales.append(norm * apart)
    votes = dict.fromkeys(range(1, TEXTS + 1), 0.0)
    for head in range(HEADS):
        nearest = sorted(votes, key=lambda at: -cosine(heads[at - 1, head], wanted[head]))
        for rank, number in enumerate(nearest):
            votes[number] += scales[head] / sum(scales) * 2.0**-rank
    return votes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("blocks", [1, 2])
def test_the_votes_are_those_of_the_paper(seed: int, blocks: int) -> None:
    rows, asked = random_texts(seed), random_texts(seed + 100)[0].astype(np.float32)
    votes = HeadVotes.of(asked, HEADS, TEXTS)
    for part in np.array_split(np.arange(TEXTS), blocks):
        add(votes, block(rows[part], int(part[0]) + 1))
    expected = written_out(rows, asked)
    assert votes.shares() == {
        DerivedId(number): pytest.approx(share, abs=1e-3) for number, share in expected.items()
    }


def test_only_some_documents_are_voted_for_under_the_scales_of_all() -> None:
    rows, asked = random_texts(1), random_texts(7)[0].astype(np.float32)
    some = HeadVotes.of(asked, HEADS, TEXTS)
    add(some, block(rows), np.array([2]))
    found = some.shares()
    assert set(found) == {2, 4, 6, 8}
    alone = HeadVotes.of(asked, HEADS, TEXTS)
    add(alone, block(rows))
    assert (some.norms == alone.norms).all()
    assert max(found.values()) > 0.3, "ranks are counted among those alone"


def test_a_head_votes_for_no_more_than_it_is_asked_for() -> None:
    asked = random_texts(7)[0].astype(np.float32)
    votes = HeadVotes.of(asked, HEADS, 2)
    add(votes, block(random_texts(1)))
    add(votes, block(random_texts(2), TEXTS + 1))
    assert [len(each) for each in votes.nearest] == [2] * HEADS
    assert sum(votes.shares().values()) == pytest.approx(1.5)


def test_texts_that_are_all_the_same_leave_the_heads_equal() -> None:
    row = random_texts(3)[:1]
    votes = HeadVotes.of(row[0].astype(np.float32), HEADS, 3)
    add(votes, block(np.repeat(row, 3, axis=0)))
    assert votes.shares()[DerivedId(1)] == pytest.approx(1.0, abs=1e-3)


def test_nothing_is_voted_for_where_nothing_is() -> None:
    assert HeadVotes.of(random_texts(3)[0].astype(np.float32), HEADS, 3).shares() == {}


def test_votes_are_added_to_cosines_and_lift_what_was_not_found() -> None:
    one, two, three = map(ChunkId, (1, 2, 3))
    joined = add_votes([(one, 0.65), (two, 0.5)], [(two, 0.5), (three, 1.0)])
    assert joined == [(three, pytest.approx(0.7)), (one, 0.65), (two, pytest.approx(0.6))]
    assert add_votes([], [(one, 1.0)]) == [(one, 0.2)]
    assert add_votes([(one, 0.6)], []) == [(one, 0.6)]
