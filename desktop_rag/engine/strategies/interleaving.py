"""Make one ranked list of several: the best of each, then the second of each, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from desktop_rag.core.types import Passage


def interleaved(lists: Sequence[Sequence[Passage]]) -> tuple[Passage, ...]:
    """Return the passages of all lists by their rank, each passage once."""
    ranked = chain.from_iterable(zip_longest(*lists))
    return tuple({each.chunk_id: each for each in ranked if each is not None}.values())
