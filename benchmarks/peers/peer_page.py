"""The page that compares peers: table, goals, picture, and what each one runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.comparison_page import head
from benchmarks.peers import peer_texts as texts
from benchmarks.peers.bar_plot import Bar, Panel, drawn
from benchmarks.peers.peer_list import OURS, PEERS
from benchmarks.peers.peer_results import PeerMeasurement, difference, goals
from desktop_rag.evaluation import metrics

_COLUMNS = (
    "", "passages", "index", "each round", "pages/s", "search p50", "p95", "gold page in 5",
    "95 %", "memory, indexing", "searching", "disk",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """What was asked of all, and where: the names of the files, and `machine` in words.

    `sets` says of each question, in their order, whose it is.
    """

    files: Sequence[str]
    pages: int
    sets: Sequence[str]
    machine: str
    minutes: float


@dataclass(frozen=True, slots=True)
class PeerComparison:
    """All that one run measured, by the peers' keys."""

    trial: Trial
    measured: dict[str, PeerMeasurement]

    def page(self, picture: str) -> str:
        """Return the page; `picture` is the plot's file."""
        return "\n".join(self._lines(picture)) + "\n"

    def table(self) -> str:
        """Return a row a peer."""
        rows = [self._row(each) for each in self.measured.values()]
        return "\n".join([head(_COLUMNS), *rows])

    def found_by_set(self) -> str:
        """Return a row a peer with what it finds of each set's questions; nothing of one set."""
        names = list(dict.fromkeys(self.trial.sets))
        if len(names) < 2:
            return ""
        counts = (f"{name} ({self.trial.sets.count(name)})" for name in names)
        lines = [head(("gold page in 5, 95 %", *counts))]
        for each in self.measured.values():
            cells = [self._found_in(each, name) for name in names]
            lines.append(f"| {' | '.join((each.name, *cells))} |")
        return "\n".join(lines)

    def _found_in(self, each: PeerMeasurement, name: str) -> str:
        some = [got for got, of in zip(each.found, self.trial.sets, strict=True) if of == name]
        low, high = metrics.interval(some)
        return f"{metrics.percent(some):.1f} % ({low:.0f}–{high:.0f})"

    @property
    def peers(self) -> list[PeerMeasurement]:
        """All but this program."""
        return [each for key, each in self.measured.items() if key != OURS]

    def differences(self) -> str:
        """Return a row a peer: how the program stands beside it."""
        lines = [head(("beside", "indexing", "search p50", "p95", "gold page in 5", "95 %"))]
        for peer in self.peers:
            beside = difference(self.measured[OURS], peer)
            (middle, late), (low, high) = beside.longer, beside.interval
            lines.append(
                f"| {beside.name} | {beside.faster:.1f} times as fast |"
                f" {middle:.1f} times as long | {late:.1f} times as long |"
                f" {beside.ahead:+.1f} points | {low:+.1f} to {high:+.1f} |"
            )
        return "\n".join(lines)

    def goals(self) -> str:
        """Return the goals as a table; nothing where the program or a peer is missing."""
        if OURS not in self.measured or not self.peers:
            return ""
        ours, peers = self.measured[OURS], self.peers
        lines = [head(("what", "ours", "best peer", "so it is", "goal", "met"))]
        for goal in goals(ours, peers):
            row = goal.measurement
            lines.append(
                f"| {row.what} | {row.ours:.4g} {row.unit} | {row.floor:.4g} {row.unit}"
                f" ({row.floor_name}) | {goal.told} | {row.gate} |"
                f" {'yes' if goal.is_met else '**no**'} |"
            )
        return "\n".join(lines)

    def _missed(self) -> Iterator[str]:
        reached = goals(self.measured[OURS], self.peers)
        topics = dict.fromkeys(goal.topic for goal in reached if not goal.is_met)
        yield from (texts.MISSED[topic] for topic in topics)

    def plot(self) -> str:
        """Return the picture as SVG."""
        every = self.measured.items()
        return drawn(
            [
                Panel("Indexing, seconds", [_indexing(key, each) for key, each in every]),
                Panel(
                    "Search, milliseconds: p50 (line: to p95)",
                    [_searching(key, each) for key, each in every],
                ),
                Panel(
                    "Gold page among the first five, % (line: 95 %)",
                    [_finding(key, each) for key, each in every],
                ),
            ]
        )

    def _row(self, each: PeerMeasurement) -> str:
        seconds = ", ".join(f"{one.index_seconds:.1f}" for one in each.rounds)
        low, high = metrics.interval(each.found)
        passages = each.most(lambda one: one.passages)
        cells = (
            each.name,
            f"{passages:,.0f}" if passages else "–",
            f"{each.index_seconds:.1f} s",
            seconds,
            f"{self.trial.pages / each.index_seconds:.1f}",
            f"{each.search_milliseconds(50):.0f} ms",
            f"{each.search_milliseconds(95):.0f} ms",
            f"{each.found_percent:.1f} %",
            f"{low:.0f}–{high:.0f}",
            f"{each.most(lambda one: one.memory_indexing):,.0f} MiB",
            f"{each.most(lambda one: one.memory_searching):,.0f} MiB",
            f"{each.most(lambda one: one.disk):.1f} MiB",
        )
        return f"| {' | '.join(cells)} |"

    def _lines(self, picture: str) -> Iterator[str]:
        trial = self.trial
        rounds = max(len(each.rounds) for each in self.measured.values())
        yield texts.HEAD
        yield (
            f"{len(trial.files)} PDFs with {trial.pages} pages, {len(trial.sets)} questions, "
            f"{rounds} rounds. {trial.machine}. The run took {trial.minutes:.0f} minutes.\n"
        )
        yield from (self.table(), texts.READING, f"![The same figures as bars]({picture})")
        if by_set := self.found_by_set():
            yield from (texts.SETS, by_set)
        told = self.goals()
        if told:
            yield from (texts.GOALS, told, *self._missed())
            yield from (texts.DIFFERENCES, self.differences())
        yield texts.PIPELINES
        for key, each in self.measured.items():
            yield from _pipeline(key, each)
        yield texts.DESKTOP.strip()
        yield texts.COMMAND.format(rounds=rounds, files=", ".join(trial.files)).rstrip()


def _pipeline(key: str, each: PeerMeasurement) -> Iterator[str]:
    first, _, rest = PEERS[key].description().partition("\n\n")
    versions = ", ".join(f"{name} {number}" for name, number in each.versions.items())
    yield f"**{each.name}** ({versions}). {first}\n{rest}\n"


def _indexing(key: str, each: PeerMeasurement) -> Bar:
    taken = [one.index_seconds for one in each.rounds]
    value = each.index_seconds
    return Bar(each.name, value, min(taken), max(taken), f"{value:.0f} s", key == OURS)


def _searching(key: str, each: PeerMeasurement) -> Bar:
    middle, high = each.search_milliseconds(50), each.search_milliseconds(95)
    return Bar(each.name, middle, middle, high, f"{middle:.0f} / {high:.0f} ms", key == OURS)


def _finding(key: str, each: PeerMeasurement) -> Bar:
    low, high = metrics.interval(each.found)
    value = each.found_percent
    return Bar(each.name, value, low, high, f"{value:.0f} %", key == OURS)


def check_names(wanted: Sequence[str]) -> None:
    """Raise SystemExit where a name is none of a peer."""
    unknown = [name for name in wanted if name not in PEERS]
    if unknown:
        raise SystemExit(f"There is no peer {', '.join(unknown)}: {', '.join(PEERS)}")
