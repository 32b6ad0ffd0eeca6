"""Recall against corpus size as a page: a picture, what each way loses, and all figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.comparison_page import head
from benchmarks.line_plot import LinePanel, LineSeries, PlotPoint, drawn_lines
from benchmarks.retrieval_setup import FUSED, ONE_STAGE, TWO_STAGES, WAYS
from desktop_rag.evaluation import metrics

KS = (1, 2, 5, 10)
_TOLD = 5  # passages among which the comparisons count
_EASY = 97  # percent that every way finds of a set which cannot tell them apart

_HEAD = """\
# One stage of retrieval and two, as a corpus grows

<!-- Made by `python -m benchmarks.corpus_size_curve DATA --out docs/two-stages.md`. -->

```
python -m benchmarks.corpus_size_curve DATA --data-dir KEPT --out docs/two-stages.md
```

**The claim.** Vectors alone find less and less of what is needed as a corpus grows; a second stage
that reads the candidates again makes up for it (so [QAnything](https://github.com/netease-youdao/QAnything)
of its two stages). Here it is measured for this program: by words alone (`bm25`), by meaning alone
(`dense`), both joined (`fused`), and both joined with a second stage that reads the first 30
candidates (`two stages`).

**Which second stage.** For English it is the built-in reader (`pair-reader`), a cross-encoder: that
is the program's usual search. It reads English alone, so **for Chinese the program's usual search
is `fused`**. Beside it stands here what the setting `retrieval.reranker=late-interaction` adds for
languages that the reader does not read: the embedder's own vectors, token by token (MaxSim, Khattab
& Zaharia 2020), without any training to rank.

**How.** The same questions are asked of ever larger parts of a corpus. A part holds every passage
that the questions need, and others drawn at random; a smaller part lies whole in a larger one, and
each size but the largest is drawn several times. Each part is *indexed by itself*: restricting the
candidates of one large index would be untrue for BM25, whose weights come from how often a word
occurs in all passages, and with it for fusion. Vectors and the reader's scores do not depend on
other passages, so each is computed once. All 30 candidates are read, without the limit of a quarter
of a second that the program has by default: so no figure depends on the machine."""

_DATA = """\
Recall@k is the share of a question's gold passages among the first k. HotpotQA's questions need two
passages each (recall@1 is at most 50), CMRC's one. The Chinese corpus is CMRC's own passages
(simplified characters) with those of DRCD's dev set (traditional ones), since CMRC alone is small:
a part of what is added is easier to tell apart than passages of the same set would be. Intervals
are a bootstrap of 95 % over the questions, each with its mean over the draws. The reader was
trained on HotpotQA's train questions; these are of its dev set. Nothing here asks a language
model."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What a way found in one part; `recalls` are each question's, by k."""

    size: int
    seed: int
    way: str
    recalls: dict[int, list[float]]

    def told(self) -> str:
        """Return the point in a line."""
        shares = (f"R@{k} {metrics.percent(each):.1f}" for k, each in self.recalls.items())
        return f"{self.size:,} passages, draw {self.seed + 1}, {self.way}: {', '.join(shares)}"


@dataclass(frozen=True, slots=True)
class CurveSet:
    """All points of one question set, whose questions need so many passages each."""

    name: str
    questions: int
    points: Sequence[CurvePoint]
    reranker: str = ""
    needed: int = 1

    @property
    def sizes(self) -> list[int]:
        """The parts, smallest first."""
        return sorted({point.size for point in self.points})

    def each(self, way: str, size: int, k: int) -> list[float]:
        """Return each question's recall, in the mean over the draws."""
        draws = [p.recalls[k] for p in self.points if (p.way, p.size) == (way, size)]
        return [float(mean) for mean in np.mean(np.array(draws), axis=0)]

    def added(self, size: int) -> list[float]:
        """Return what the second stage adds to the first, question by question."""
        return _minus(self.each(TWO_STAGES, size, _TOLD), self.each(FUSED, size, _TOLD))

    def lost(self, way: str) -> list[float]:
        """Return what a way loses from the smallest part to the largest, question by question."""
        small, large = self.sizes[0], self.sizes[-1]
        return _minus(self.each(way, small, _TOLD), self.each(way, large, _TOLD))


@dataclass(frozen=True, slots=True)
class CurvePage:
    """All that one run measured."""

    sets: Sequence[CurveSet]
    machine: str
    minutes: float

    def text(self, picture: str) -> str:
        """Return the page; `picture` is the plot's file."""
        return "\n".join(self._lines(picture)) + "\n"

    def picture(self) -> str:
        """Return the picture: a row of panels a k, a column a question set."""
        rows = [[(one, one.needed) for one in self.sets], [(one, _TOLD) for one in self.sets]]
        return drawn_lines(
            [
                LinePanel(f"{one.name}: recall@{k}, %", "passages in the corpus", _series(one, k))
                for row in rows
                for one, k in row
            ]
        )

    def _lines(self, picture: str) -> Iterator[str]:
        yield from (_HEAD, "", _DATA, "", f"![Recall against corpus size]({picture})", "")
        yield "## What growth costs"
        yield ""
        for one in self.sets:
            yield from _losses(one)
        yield "## What the second stage adds"
        yield ""
        yield "Points of recall@5 that `two stages` has over `fused`, question by question."
        yield ""
        for one in self.sets:
            yield from _additions(one)
        yield "## All figures"
        for one in self.sets:
            yield from _figures(one)
        yield ""
        yield f"{self.machine}. The run took {self.minutes:.0f} minutes."


def _series(one: CurveSet, k: int) -> list[LineSeries]:
    return [
        LineSeries(way, [_point(one.each(way, size, k), size) for size in one.sizes])
        for way in WAYS
    ]


def _point(recalls: Sequence[float], size: int) -> PlotPoint:
    low, high = metrics.interval(recalls)
    return PlotPoint(size, metrics.percent(recalls), low, high)


def _losses(one: CurveSet) -> Iterator[str]:
    """Say what each way loses, and whether the second stage loses less than the others."""
    small, large = one.sizes[0], one.sizes[-1]
    second = f", second stage `{one.reranker}`" if one.reranker else ""
    yield f"{one.name}, {one.questions} questions, {small:,} to {large:,} passages{second}:"
    yield ""
    yield head(
        (
            "way",
            f"R@5 at {small:,}",
            f"at {large:,}",
            "lost",
            "95 %",
            "two stages lose less by",
            "95 %",
        )
    )
    of_both = one.lost(TWO_STAGES)
    for way in WAYS:
        lost = one.lost(way)
        less = _minus(lost, of_both)
        compared = (_points(less), _ends(less)) if way != TWO_STAGES else ("", "")
        yield _row(
            f"`{way}`",
            f"{metrics.percent(one.each(way, small, _TOLD)):.1f}",
            f"{metrics.percent(one.each(way, large, _TOLD)):.1f}",
            f"{metrics.percent(lost):.1f}",
            _ends(lost),
            *compared,
        )
    yield ""
    yield _verdict(one, of_both)
    yield ""


def _verdict(one: CurveSet, of_both: Sequence[float]) -> str:
    """Return what the intervals say of the claim."""
    surely = {way: metrics.interval(_minus(one.lost(way), of_both)) for way in ONE_STAGE}
    less = [f"`{way}`" for way, (low, _) in surely.items() if low > 0]
    more = [f"`{way}`" for way, (_, high) in surely.items() if high < 0]
    rest = [f"`{way}`" for way, (low, high) in surely.items() if low <= 0 <= high]
    told = [
        f"{words} {', '.join(names)}"
        for words, names in (
            ("surely less than", less),
            ("surely more than", more),
            ("neither surely less nor surely more than", rest),
        )
        if names
    ]
    low, high = metrics.interval(of_both)
    own = "also lose with growth" if low > 0 else "do not surely lose with growth"
    if min(metrics.percent(one.each(way, one.sizes[-1], _TOLD)) for way in WAYS) >= _EASY:
        return (
            f"**These questions decide nothing**: among {one.sizes[-1]:,} passages every way still "
            f"finds {_EASY} % or more. A curve would need a larger or a harder corpus."
        )
    return f"Two stages {own} (interval {low:.1f} to {high:.1f}); they lose {'; '.join(told)}."


def _additions(one: CurveSet) -> Iterator[str]:
    yield head((one.name, "added", "95 %"))
    for size in one.sizes:
        added = one.added(size)
        yield _row(f"{size:,} passages", _points(added), _ends(added))
    yield ""


def _figures(one: CurveSet) -> Iterator[str]:
    yield ""
    yield head((one.name, "way", "draws", *(cell for k in KS for cell in (f"R@{k}", "95 %"))))
    for size in one.sizes:
        for way in WAYS:
            draws = sum((p.way, p.size) == (way, size) for p in one.points)
            cells = [
                cell
                for k in KS
                for cell in (
                    f"{metrics.percent(one.each(way, size, k)):.1f}",
                    _ends(one.each(way, size, k)),
                )
            ]
            yield _row(f"{size:,} passages", f"`{way}`", str(draws), *cells)


def _minus(one: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(one, other, strict=True)]


def _points(values: Sequence[float]) -> str:
    return f"{metrics.percent(values):+.1f}"


def _ends(values: Sequence[float]) -> str:
    low, high = metrics.interval(values)
    return f"[{low:.1f}, {high:.1f}]"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
