"""Time weighting: of passages that fit about as well, those of newer files come first.

A passage's score is multiplied by ½ + ½ · 2^(-age / half-life), age and half-life in days: 1 for a
file of today, ¾ after one half-life, never under ½, so that age alone hides nothing that fits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from desktop_rag.core.types import DocumentId
from desktop_rag.retrieval.query import RankedChunk

LEAST = 0.5
"""What age leaves of a score at least; of a file whose date is not known, too."""

_DAY = 86400.0


def weigh_by_age(
    ranked: Sequence[RankedChunk], changed: Mapping[DocumentId, float], half_life: float, now: float
) -> list[RankedChunk]:
    """Return passages with their scores weighed by age, best first; equal ones as they were.

    What was not among the reranked stays behind what was, whatever its age. `changed` is when each
    document's newest file was changed, and `now` the time, in Unix seconds.
    """
    weighed = [_weighed(each, changed, half_life, now) for each in ranked]
    weighed.sort(key=lambda each: -each.candidate.score)
    read = [each for each in weighed if each.candidate.fused_rank is not None]
    if not read:
        return weighed
    floor = read[-1].candidate.score
    rest = (each for each in weighed if each.candidate.fused_rank is None)
    return [*read, *(each.at_most(floor) for each in rest)]


def age_weight(seconds: float, half_life: float) -> float:
    """Return what a score is multiplied by at an age; a date in the future is no age."""
    return LEAST + (1.0 - LEAST) * math.exp2(-max(0.0, seconds) / _DAY / half_life)


def _weighed(
    each: RankedChunk, changed: Mapping[DocumentId, float], half_life: float, now: float
) -> RankedChunk:
    at = changed.get(each.chunk.document_id)
    factor = LEAST if at is None else age_weight(now - at, half_life)
    candidate = each.candidate
    return replace(
        each, candidate=replace(candidate, score=candidate.score * factor, age_weight=factor)
    )
