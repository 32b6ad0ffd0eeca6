"""The sums of a write-ahead log, reckoned at once, are those that SQLite adds word by word."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.catalog.sqlite_pages import _sum

_WORD = st.integers(0, 2**32 - 1)


@given(
    st.lists(st.tuples(_WORD, _WORD), max_size=600), st.tuples(_WORD, _WORD), st.sampled_from("<>")
)
def test_a_sum_is_the_one_of_the_description(
    pairs: list[tuple[int, int]], start: tuple[int, int], order: str
) -> None:
    data = b"".join(struct.pack(f"{order}2I", *pair) for pair in pairs)
    one, two = start
    for left, right in pairs:
        one = (one + left + two) % 2**32
        two = (two + right + one) % 2**32
    assert _sum(data, start, order) == (one, two)
