"""What strategies found, as rows of tables, and the page that is made of them.

Recall@k is over the order in which a strategy hands its passages over. Some collect: what their
first search found stays in front, so that their recall@5 is that of one search, whatever they find
later. Recall at its own count, as EfficientRAG reports it, is over all that is handed over; it is
held against what one search finds among as many passages, question by question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import not_

import numpy as np

from benchmarks import compared_texts as texts
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.retrieval_run import QuestionRanking

BLIND = "blind"
_COLUMNS = (
    "questions", "strategy", "reader", "n", "R@2", "R@5", "R@10", "all@5", "R@5, 95 %", "passages",
    "R@own", "over one search", "95 %", "calls", "ms",
)  # fmt: skip
_MOST_BLIND = 1.0  # points that the control may gain


@dataclass(frozen=True, slots=True)
class StrategyMeasurement:
    """What one strategy found; `single` is one search with the question, far down.

    `reader` says who read: `none`, `noise 0.2`, `blind`.
    """

    dataset: str
    strategy: str
    reader: str
    outcomes: Sequence[QuestionRanking]
    single: Sequence[QuestionRanking]

    @property
    def own(self) -> list[float]:
        """Recall among all that it handed over, question by question."""
        return [_recall(each, len(each.found.ids)) for each in self.outcomes]

    @property
    def gains(self) -> list[float]:
        """What that has over the recall of one search among as many passages."""
        counts = [len(each.found.ids) for each in self.outcomes]
        pairs = zip(self.own, self.single, counts, strict=True)
        return [own - _recall(one, count) for own, one, count in pairs]

    @property
    def gains_at_5(self) -> list[float]:
        """What its recall among the first five has over that of one search."""
        pairs = zip(self.outcomes, self.single, strict=True)
        return [_recall(each, 5) - _recall(one, 5) for each, one in pairs]


@dataclass(frozen=True, slots=True)
class Run:
    """All that one run measured; `timed` where nothing else kept the processors busy."""

    rows: Sequence[StrategyMeasurement]
    seconds: float
    timed: bool = True

    def page(self) -> str:
        """Return the page."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield texts.HEAD
        real = [row for row in self.rows if row.reader == "none"]
        read = [row for row in self.rows if row.reader not in ("none", BLIND)]
        blind = [row for row in self.rows if row.reader == BLIND]
        yield texts.READING if self.timed else f"{texts.READING} {texts.UNTIMED}"
        yield from self._table(texts.REAL, real)
        yield from self._table(texts.SIMULATED, read)
        if read:
            yield from _verdicts(read)
        if blind:
            yield from _control(blind)
        yield texts.TAIL
        if self.timed:
            yield f"\nThe run took {self.seconds / 60:.0f} minutes, without embedding the passages."

    def _table(self, told: str, rows: Sequence[StrategyMeasurement]) -> Iterator[str]:
        if rows:
            yield from (told, head(_COLUMNS))
            yield from (line(row, timed=self.timed) for row in rows)


def head(columns: Sequence[str]) -> str:
    """Return a table's first two lines."""
    return f"| {' | '.join(columns)} |\n|{'|'.join('---' for _ in columns)}|"


def line(row: StrategyMeasurement, *, timed: bool = True) -> str:
    """Return a row of the table."""
    found = [each.found for each in row.outcomes]
    taken = [each.milliseconds for each in row.outcomes]
    return _line(
        row.dataset,
        f"`{row.strategy}`",
        row.reader,
        str(len(found)),
        *(_percent([_recall(each, k) for each in row.outcomes]) for k in (2, 5, 10)),
        _percent([metrics.all_found(o.found.ids, o.item.gold, 5) for o in row.outcomes]),
        _interval([_recall(each, 5) for each in row.outcomes]),
        f"{np.mean([len(each.ids) for each in found]):.1f}",
        _percent(row.own),
        f"{metrics.percent(row.gains):+.1f}",
        _interval(row.gains),
        f"{np.mean([each.llm_calls for each in found]):.1f}",
        f"{metrics.percentile(taken, 50):.0f}" if timed else "–",
    )


def _verdicts(rows: Sequence[StrategyMeasurement]) -> Iterator[str]:
    """Say which strategies beat one search, reader by reader, and why the others do not."""
    yield texts.VERDICTS
    for reader in dict.fromkeys(row.reader for row in rows if row.reader.startswith("noise")):
        of_it = [row for row in rows if row.reader == reader]
        better = [metrics.interval(row.gains)[0] > 0 for row in of_it]
        yield f"- **{reader}**: {_names(compress(of_it, better))}."
        if not all(better):
            yield f"  Not: {_names(compress(of_it, map(not_, better)))}."
    yield ""
    yield texts.WHY


def _control(rows: Sequence[StrategyMeasurement]) -> Iterator[str]:
    """Say what the control gained, and whether that is more than it may."""
    yield texts.CONTROL
    yield head(("questions", "strategy", "at 5", "95 %", "at its own count", "95 %", "at most 1"))
    for row in rows:
        gains = metrics.percent(row.gains_at_5), metrics.percent(row.gains)
        yield _line(
            row.dataset,
            f"`{row.strategy}`",
            f"{gains[0]:+.1f}",
            _interval(row.gains_at_5),
            f"{gains[1]:+.1f}",
            _interval(row.gains),
            "yes" if max(gains) <= _MOST_BLIND else "**no**",
        )


def _names(rows: Iterable[StrategyMeasurement]) -> str:
    """Return strategies by question set."""
    sets: dict[str, list[str]] = {}
    for row in rows:
        sets.setdefault(row.dataset, []).append(f"`{row.strategy}`")
    return "; ".join(f"{name}: {', '.join(each)}" for name, each in sets.items()) or "none"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _recall(outcome: QuestionRanking, k: int) -> float:
    return metrics.recall(outcome.found.ids, outcome.item.gold, k)


def _percent(values: Sequence[float]) -> str:
    return f"{metrics.percent(values):.1f}"


def _interval(values: Sequence[float]) -> str:
    low, high = metrics.interval(values)
    return f"[{low:.1f}, {high:.1f}]"
