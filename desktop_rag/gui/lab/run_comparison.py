"""A run beside an earlier one: what each way gained, and which questions made the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from desktop_rag.core.evaluation_records import EvaluationResult, EvaluationRun

_WHOLE = 0.9995  # a score from which on a question counts as found: scores are rounded


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """What one way gained since a run at `since`, in points of percent, over the same questions.

    `found` and `lost` are the questions that are wholly right now and were not, or the reverse;
    `asked` counts those that both runs asked, `is_all` whether those are all.
    """

    points: float
    since: float
    asked: int
    is_all: bool
    found: tuple[str, ...]
    lost: tuple[str, ...]


def score_change(now: EvaluationResult, before: EvaluationRun | None) -> ScoreChange | None:
    """Return what a way gained since an earlier run; None where that did not measure it."""
    earlier = before.way(now.name) if before is not None else None
    if earlier is None or before is None:
        return None
    both = [each for each in now.scores if each in earlier.scores]
    if not both:
        return None
    gained = [now.scores[each] - earlier.scores[each] for each in both]
    return ScoreChange(
        points=round(100 * sum(gained) / len(both), 1),
        since=before.made,
        asked=len(both),
        is_all=len(both) == len(now.scores) == len(earlier.scores),
        found=tuple(e for e in both if _is_right(now, e) and not _is_right(earlier, e)),
        lost=tuple(e for e in both if _is_right(earlier, e) and not _is_right(now, e)),
    )


def changed_settings(now: Mapping[str, str], before: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of the settings in which two runs differ."""
    return tuple(sorted(key for key in now if now[key] != before.get(key, now[key])))


def previous_run(
    runs: Sequence[EvaluationRun], run: EvaluationRun, way: EvaluationResult
) -> EvaluationRun | None:
    """Return the last run before one that measured a way on any of the same questions.

    `runs` begin with the newest.
    """
    older = (each for each in runs if each.id < run.id)
    return next((each for each in older if score_change(way, each) is not None), None)


def _is_right(way: EvaluationResult, question: str) -> bool:
    return way.scores[question] >= _WHOLE
