"""What each way found, answered and cited, as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.comparison_page import StrategyMeasurement, head
from benchmarks.questions_on_documents import FoundPlaces
from benchmarks.table_questions.measurement import AnsweredItem
from benchmarks.whole_document_questions.__main__ import CitationCount, RowCount
from desktop_rag.evaluation import metrics

_EXACT = 90.0  # percent of table questions that have to be right
_RIVAL, _GRAPH = "linked_hops", "entity_graph"

_HEAD = """\
# Ways that knowledge bases are prepared for, compared

<!-- Made by `python -m benchmarks.prepared_ways` with `--out docs/prepared-ways.md`. -->

```
python -m benchmarks.prepared_ways DATA DOCUMENTS QUESTIONS --data-dir KEPT \\
    --out docs/prepared-ways.md
```

Each way beside a single pass and linked hops, in one run, **without a language model**: what is
derived beforehand is made by rules and by the built-in models. With one, summaries are written,
questions and propositions are better, and tables are asked by SQL of its own; nothing here says
how much that is worth. The second stage read all 30 candidates, however long that took, so that no
figure depends on the machine. What preparing takes, and what a search then takes, are
`python -m benchmarks --only preparing`."""

_HOPS = """\
## Questions that need several passages

R@k is recall among the first k passages, "all@5" how often all that are needed are among five.
"Over one search" is what R@5 has over that of a single pass, question by question, with a
bootstrap interval of 95 %. Each passage is a document of its own here: there is little for
RAPTOR's trees to sum up, and no table of contents for `prompt_rag`."""

_PLACES = """\
## Places in real documents

How often the gold place (a page, a text, a table's row) comes first / is among the first five, in
percent."""

_TABLES = """\
## Questions over whole tables

Sums, counts, means, extremes, groups and filters over all rows, English and Chinese; right is what
other libraries compute from the original files, exactly. "Late" ones were written last, and nothing
was changed for them."""

_WHOLE = """\
## A question to each document

A row is right where it says what stands in that document; false where the document says nothing of
it and the row does. `each` asks each document by itself; the others ask all at once, and a document
counts as answering where it is quoted."""

_CITED = """\
## Citations

Of what is said: how many sentences are cited, and how many of these stand in the original file, as
another library reads it (pypdf; text files as they are)."""


@dataclass(frozen=True, slots=True)
class PlacesOfWay:
    """Where a way found the places that questions of one kind ask for."""

    way: str
    kind: str
    found: FoundPlaces


@dataclass(frozen=True, slots=True)
class TablesOfWay:
    """What a way answered to the questions over tables."""

    way: str
    answered: Sequence[AnsweredItem]

    @property
    def exact(self) -> float:
        """How many are exactly right, in percent."""
        return metrics.percent([float(each.is_right) for each in self.answered])

    def among(self, group: str) -> str:
        """Return how many of a group are right, of how many."""
        of_it = [each.is_right for each in self.answered if group in each.groups]
        return f"{sum(of_it)}/{len(of_it)}"


@dataclass(frozen=True, slots=True)
class RowsOfWay:
    """What a way said of each document."""

    way: str
    kind: str
    questions: int
    rows: RowCount


@dataclass(frozen=True, slots=True)
class CitedWay:
    """What was cited in so many answers."""

    way: str
    answers: int
    count: CitationCount


@dataclass(frozen=True, slots=True)
class PreparedWays:
    """All that one run measured."""

    hops: Sequence[StrategyMeasurement]
    places: Sequence[PlacesOfWay]
    tables: Sequence[TablesOfWay]
    rows: Sequence[RowsOfWay]
    cited: Sequence[CitedWay]

    def text(self) -> str:
        """Return the page."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from (_HEAD, "")
        if self.hops:
            yield from (_HOPS, "")
            yield from _hops(self.hops)
        yield from (_PLACES, "")
        yield from _places(self.places)
        yield from ("", _TABLES, "")
        yield from _tables(self.tables)
        yield from ("", _WHOLE, "")
        yield from _rows(self.rows)
        yield from ("", _CITED, "")
        yield from _cited(self.cited)


def recalls_at_5(row: StrategyMeasurement) -> list[float]:
    """Return recall among the first five, question by question."""
    return [metrics.recall(each.found.ids, each.item.gold, 5) for each in row.outcomes]


def _hops(rows: Sequence[StrategyMeasurement]) -> Iterator[str]:
    yield head(("questions", "way", "n", "R@2", "R@5", "all@5", "over one search", "95 %"))
    for row in rows:
        shares = [
            [metrics.recall(each.found.ids, each.item.gold, k) for each in row.outcomes]
            for k in (2, 5)
        ]
        every = [metrics.all_found(each.found.ids, each.item.gold, 5) for each in row.outcomes]
        low, high = metrics.interval(row.gains_at_5)
        yield _line(
            row.dataset,
            f"`{row.strategy}`",
            str(len(row.outcomes)),
            *(f"{metrics.percent(each):.1f}" for each in (*shares, every)),
            f"{metrics.percent(row.gains_at_5):+.1f}",
            f"[{low:+.1f}, {high:+.1f}]",
        )
    yield ""
    yield from _graph_verdict(rows)


def _graph_verdict(rows: Sequence[StrategyMeasurement]) -> Iterator[str]:
    """Say on how many sets the graph of entities finds no less than linked hops."""
    found = {(row.dataset, row.strategy): metrics.percent(recalls_at_5(row)) for row in rows}
    sets = [name for name, way in found if way == _GRAPH and (name, _RIVAL) in found]
    kept = [name for name in sets if found[name, _GRAPH] >= found[name, _RIVAL]]
    if sets:
        yield (
            f"`{_GRAPH}` finds no less than `{_RIVAL}` among five on {len(kept)} of {len(sets)} "
            f"sets: {', '.join(kept) or 'none'}.\n"
        )


def _places(rows: Sequence[PlacesOfWay]) -> Iterator[str]:
    kinds = {row.kind: len(row.found.ranks) for row in rows}
    yield head(("way", *(f"{kind} ({count})" for kind, count in kinds.items())))
    for way in dict.fromkeys(row.way for row in rows):
        cells = [row.found for row in rows if row.way == way]
        yield _line(f"`{way}`", *(f"{each.first:.1f} / {each.five:.1f}" for each in cells))


def _tables(rows: Sequence[TablesOfWay]) -> Iterator[str]:
    groups = ("tried", "fresh", "late", "en", "zh", "all")
    yield head(("way", *groups, "exact, %"))
    for row in rows:
        yield _line(f"`{row.way}`", *map(row.among, groups), f"{row.exact:.1f}")
    first = rows[0]
    verdict = "reached" if first.exact >= _EXACT else "**missed**"
    yield f"\nThe bar of {_EXACT:.0f} % for `{first.way}` is {verdict}."


def _rows(rows: Sequence[RowsOfWay]) -> Iterator[str]:
    yield head(("questions", "n", "way", "right rows", "of", "false rows", "of"))
    for row in rows:
        count = row.rows
        yield _line(
            row.kind,
            str(row.questions),
            f"`{row.way}`",
            *map(str, (count.right, count.answering, count.false, count.silent)),
        )


def _cited(rows: Sequence[CitedWay]) -> Iterator[str]:
    yield head(("way", "answers", "sentences", "cited", "standing in the file"))
    for row in rows:
        count = row.count
        told = row.answers, count.quotes, count.cited, count.holding
        yield _line(f"`{row.way}`", *map(str, told))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
