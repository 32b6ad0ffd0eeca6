"""What was measured of each peer, and how the program stands beside the best of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.result_table import Measurement
from desktop_rag.evaluation import metrics

FASTER = 4.0  # times the fastest peer in indexing
AHEAD = 20.0  # points ahead of the best peer


@dataclass(frozen=True, slots=True)
class PeerRound:
    """One round of one peer, in a fresh process and an empty folder; memory and disk in MiB."""

    index_seconds: float
    passages: int
    search_seconds: Sequence[float]
    is_found: Sequence[bool]
    memory_indexing: float
    memory_searching: float
    disk: float


@dataclass(frozen=True, slots=True)
class PeerMeasurement:
    """All rounds of a peer."""

    name: str
    versions: dict[str, str]
    rounds: Sequence[PeerRound]

    @property
    def index_seconds(self) -> float:
        """The mean over the rounds."""
        return float(np.mean([each.index_seconds for each in self.rounds]))

    def search_milliseconds(self, share: float) -> float:
        """Return a percentile over all questions of all rounds."""
        every = [taken for each in self.rounds for taken in each.search_seconds]
        return metrics.percentile([1000 * taken for taken in every], share)

    @property
    def found(self) -> list[float]:
        """Of each question, in how many of the rounds its page was among the first five."""
        every = np.array([each.is_found for each in self.rounds], dtype=float)
        return [float(share) for share in every.mean(axis=0)]

    @property
    def found_percent(self) -> float:
        """How many of the questions found their page, in percent."""
        return metrics.percent(self.found)

    def most(self, value: Callable[[PeerRound], float]) -> float:
        """Return the most of a figure over the rounds."""
        return max(value(each) for each in self.rounds)


@dataclass(frozen=True, slots=True)
class PeerDifference:
    """How the program stands beside one peer, with the same questions in both.

    `faster`: how many times as fast it indexes; `longer`: how many times as long its search takes,
    p50 and p95; `ahead`: how many points more of the gold pages it finds, and the 95 % interval.
    """

    name: str
    faster: float
    longer: tuple[float, float]
    ahead: float
    interval: tuple[float, float]


def difference(ours: PeerMeasurement, peer: PeerMeasurement) -> PeerDifference:
    """Return how the program stands beside a peer."""
    gains = [a - b for a, b in zip(ours.found, peer.found, strict=True)]
    low, high = metrics.interval(gains)
    longer = [ours.search_milliseconds(k) / peer.search_milliseconds(k) for k in (50, 95)]
    return PeerDifference(
        peer.name,
        peer.index_seconds / ours.index_seconds,
        (longer[0], longer[1]),
        metrics.percent(gains),
        (low, high),
    )


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: the program's figure beside that of the best peer, and whether it is met."""

    topic: str
    measurement: Measurement
    told: str
    is_met: bool


def goals(ours: PeerMeasurement, peers: Sequence[PeerMeasurement]) -> list[Goal]:
    """Return what was to be reached, each against the peer that is best at it."""
    return [
        _indexing(ours, min(peers, key=lambda each: each.index_seconds)),
        *(_searching(ours, peers, share) for share in (50, 95)),
        _finding(ours, max(peers, key=lambda each: each.found_percent)),
    ]


def _indexing(ours: PeerMeasurement, best: PeerMeasurement) -> Goal:
    times = difference(ours, best).faster
    row = Measurement(
        "indexing", ours.index_seconds, "s", best.index_seconds, best.name,
        f"≥ {FASTER:.0f} times as fast",
    )  # fmt: skip
    return Goal("indexing", row, f"{times:.1f} times as fast", times >= FASTER)


def _searching(ours: PeerMeasurement, peers: Sequence[PeerMeasurement], share: int) -> Goal:
    best = min(peers, key=lambda each: each.search_milliseconds(share))
    mine, theirs = ours.search_milliseconds(share), best.search_milliseconds(share)
    what = f"search p{share}, ours with reranking"
    row = Measurement(what, mine, "ms", theirs, best.name, "not slower")
    return Goal("searching", row, f"{mine / theirs:.1f} times as long", mine <= theirs)


def _finding(ours: PeerMeasurement, best: PeerMeasurement) -> Goal:
    beside = difference(ours, best)
    low, high = beside.interval
    what = "gold page among the first five"
    gate = f"≥ {AHEAD:.0f} points ahead"
    row = Measurement(what, ours.found_percent, "%", best.found_percent, best.name, gate)
    told = f"{beside.ahead:+.1f} points, 95 % {low:+.1f} to {high:+.1f}"
    return Goal("finding", row, told, beside.ahead >= AHEAD)
