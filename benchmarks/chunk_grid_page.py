"""The grid of chunk size, overlap and passages as a page, and whether the default is best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.comparison_page import head
from desktop_rag.core.settings import Chunking
from desktop_rag.evaluation import metrics

KS = (3, 5, 10)
BUDGETS = (500, 1000, 2000)
READINGS = ("chunk", "passage")
_KEYS = (*(f"k{k}" for k in KS), *(f"t{budget}" for budget in BUDGETS))
_CHOSEN = tuple(f"t{budget}" for budget in BUDGETS)
_HALVES = ("train", "dev")

_HEAD = """\
# Chunk size, overlap, and how many passages

<!-- Made by `python -m benchmarks.chunk_grid DATA --out docs/chunk-grid.md`. -->

```
python -m benchmarks.chunk_grid DATA --data-dir KEPT --out docs/chunk-grid.md
```

Long texts are cut into chunks of several sizes and overlaps, searched by words and meaning (the
first stage), and what is found is handed over in one of two ways: the *chunk* itself, or, as the
program does, the *passage* of up to 512 tokens around it. Figures are the share of questions, in
percent, of which an answer stands whole in one of the passages handed over, from the text that
holds it: among the first k, and among as many as 500, 1,000 and 2,000 tokens hold, the last one
cut where they end. Only the latter compare cells fairly: five passages of 512 tokens hold more
than five of 100, and cost a language model as much more.

Cells are chosen on the train half and held against the default on the dev half, whose texts and
questions are others. Texts are plain running text, without headings, pages or tables: what the
structure of a document gives to chunks is not measured here. Intervals are a bootstrap of 95 %
over the questions; no language model is asked. Tokens are the built-in embedder's. A short answer
that stands in its text twice counts as found at either place. The second stage, the built-in
reader, reads English alone: for Chinese there is one stage. It was trained on COVID-QA, among
others, so that its rows compare cells and tell nothing of how good it is. At most 24 chunks are
handed over as they are: those of 100 tokens do not quite fill 2,000."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A chunk's tokens, those that neighbours share, and what is handed over."""

    small: int
    overlap: int
    reading: str

    def told(self) -> str:
        """Return the cell in words."""
        return f"{self.small} tokens, overlap {self.overlap}, {self.reading}"


def default_cell() -> GridCell:
    """Return the program's own."""
    sizes = Chunking()
    return GridCell(sizes.small_tokens, sizes.overlap_tokens, READINGS[1])


@dataclass(frozen=True, slots=True)
class CellFigures:
    """What a cell found on one half.

    `holding` says of each question whether its answer was in the context: `k5` among five passages,
    `t500` within 500 tokens. `tokens` are those of k passages, in the mean.
    """

    half: str
    cell: GridCell
    chunks: int
    holding: Mapping[str, Sequence[float]]
    tokens: Mapping[int, int]

    def told(self) -> str:
        """Return the figures in a line."""
        shares = (f"{key} {metrics.percent(self.holding[key]):.1f}" for key in _KEYS)
        return f"{self.half}, {self.cell.told()}: {', '.join(shares)}"


@dataclass(frozen=True, slots=True)
class GridSet:
    """All cells on both halves of one language; `halves` are their texts and questions counted.

    `both_stages` are some cells on the dev half with the second stage.
    """

    name: str
    halves: Mapping[str, tuple[int, int]]
    figures: Sequence[CellFigures]
    both_stages: Mapping[GridCell, CellFigures] = field(default_factory=dict)

    def of(self, half: str) -> list[CellFigures]:
        """Return the cells of one half."""
        return [each for each in self.figures if each.half == half]

    def cell(self, half: str, cell: GridCell) -> CellFigures:
        """Return the figures of a cell; `ValueError` where it was not measured."""
        found = [each for each in self.of(half) if each.cell == cell]
        if not found:
            raise ValueError(cell)
        return found[0]

    def best(self, half: str, key: str) -> GridCell:
        """Return the cell with the most answers in the context; of equal ones the default."""

        def rank(each: CellFigures) -> tuple[float, bool]:
            return metrics.percent(each.holding[key]), each.cell == default_cell()

        return max(self.of(half), key=rank).cell

    def best_cells(self, half: str) -> list[GridCell]:
        """Return the best cell at each number of tokens."""
        return [self.best(half, key) for key in _CHOSEN]


@dataclass(frozen=True, slots=True)
class GridPage:
    """All that one run measured."""

    sets: Sequence[GridSet]
    machine: str
    minutes: float

    def text(self) -> str:
        """Return the page."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield from (_HEAD, "", "## Is the default the best cell?", "")
        yield f"The default is {default_cell().told()}."
        yield ""
        for one in self.sets:
            yield from _verdicts(one)
        yield "## All cells"
        yield ""
        yield "In brackets, the tokens of so many passages in the mean. The default is bold."
        yield ""
        for one in self.sets:
            for half in _HALVES:
                yield from _table(one, half)
        yield f"{self.machine}. The run took {self.minutes:.0f} minutes."


def _verdicts(one: GridSet) -> Iterator[str]:
    """Hold the best cell of train against the default on dev, with one stage and with both."""
    (texts, asked), (others, held) = (one.halves[half] for half in _HALVES)
    yield (
        f"{one.name}: {texts} texts with {asked} questions to choose by, {others} with {held} to "
        f"hold it against."
    )
    yield ""
    yield head(
        ("tokens", "stages", "best on train", "it, on dev", "default, on dev", "95 %",
         "the default has", "95 %")
    )  # fmt: skip
    told = []
    for key in _CHOSEN:
        cell = one.best(_HALVES[0], key)
        for stages in ("one", "two") if one.both_stages else ("one",):
            pair = [_of(one, each, stages).holding[key] for each in (cell, default_cell())]
            gain = [ours - best for best, ours in zip(*pair, strict=True)]
            yield _row(
                f"{int(key[1:]):,}",
                stages,
                cell.told(),
                f"{metrics.percent(pair[0]):.1f}",
                f"{metrics.percent(pair[1]):.1f}",
                _ends(pair[1]),
                f"{metrics.percent(gain):+.1f}",
                _ends(gain),
            )
            told.append(_judged(int(key[1:]), stages, cell, gain))
    yield ""
    yield from told
    yield ""


def _of(one: GridSet, cell: GridCell, stages: str) -> CellFigures:
    return one.both_stages[cell] if stages == "two" else one.cell(_HALVES[1], cell)


def _judged(budget: int, stages: str, cell: GridCell, gain: Sequence[float]) -> str:
    """Say whether the default is the best cell, as far as the interval tells."""
    low, high = metrics.interval(gain)
    start = f"- {budget:,} tokens, {stages} stage{'s' if stages == 'two' else ''}:"
    if cell == default_cell():
        return f"{start} the default is the best cell on train."
    if high < 0:
        return f"{start} **the default is worse** than the best cell of train."
    if low > 0:
        return f"{start} the default is better than the best cell of train."
    return f"{start} the default is not the best cell of train; on dev the interval holds 0."


def _table(one: GridSet, half: str) -> Iterator[str]:
    texts, asked = one.halves[half]
    yield f"### {one.name}, {half}: {texts} texts, {asked} questions"
    yield ""
    columns = ["size", "overlap", "reads", "chunks", *(f"first {k}" for k in KS)]
    for budget in BUDGETS:
        columns += [f"{budget:,} tokens", "95 %"]
    yield head(columns)
    for each in one.of(half):
        cell = each.cell
        cells = [str(cell.small), str(cell.overlap), cell.reading, f"{each.chunks:,}"]
        cells += [f"{metrics.percent(each.holding[f'k{k}']):.1f} ({each.tokens[k]:,})" for k in KS]
        for key in _CHOSEN:
            cells += [f"{metrics.percent(each.holding[key]):.1f}", _ends(each.holding[key])]
        yield _row(*(f"**{c}**" if cell == default_cell() else c for c in cells))
    yield ""


def _ends(values: Sequence[float]) -> str:
    low, high = metrics.interval(values)
    return f"[{low:.1f}, {high:.1f}]"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
