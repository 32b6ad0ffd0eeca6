"""Lines over a logarithmic axis as SVG: some panels in two columns, one legend for all.

The ground is white, so that the picture can be read on a dark page, too; each line has a dash of
its own, so that it can be told from the others without its colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _HEIGHT, _COLUMNS = 400, 270, 2
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 14, 34, 42
_LEGEND, _STEP = 34, 10
_STYLES = (
    ("#8a5a00", "2 3"),
    ("#3d7a3d", "7 3"),
    ("#7a4fa3", "9 3 2 3"),
    ("#1f5fa8", ""),
    ("#b03030", "1 5"),
)
_FONT = "font-family='sans-serif' font-size='12' fill='#222222'"
_SMALL = _FONT.replace("12", "10", 1)


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A point; `low` and `high` are the ends of the line through it."""

    x: float
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LineSeries:
    """A line with its name in the legend."""

    name: str
    points: Sequence[PlotPoint]


@dataclass(frozen=True, slots=True)
class LinePanel:
    """A title, what the axis below shows, and lines in percent."""

    title: str
    below: str
    series: Sequence[LineSeries]

    @property
    def floor(self) -> int:
        """Where the vertical axis begins: the ten below all points, at most 80."""
        low = min((point.low for line in self.series for point in line.points), default=0.0)
        return min(100 - 2 * _STEP, max(0, math.floor(low / _STEP) * _STEP))


def drawn_lines(panels: Sequence[LinePanel]) -> str:
    """Return the picture."""
    rows = -(-len(panels) // _COLUMNS)
    width, height = _WIDTH * min(_COLUMNS, len(panels)), _HEIGHT * rows + _LEGEND
    size = f"width='{width}' height='{height}'"
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' {size}>",
        f"<rect {size} fill='#ffffff'/>",
        *_legend(dict.fromkeys(line.name for panel in panels for line in panel.series)),
    ]
    for number, panel in enumerate(panels):
        left, top = number % _COLUMNS * _WIDTH, number // _COLUMNS * _HEIGHT + _LEGEND
        lines += _panel(panel, left, top)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _legend(names: dict[str, None]) -> Iterator[str]:
    left = 20
    for name, style in zip(names, _STYLES, strict=False):
        yield f"<line x1='{left}' x2='{left + 34}' y1='18' y2='18' {_stroke(style)}/>"
        yield f"<text x='{left + 40}' y='22' {_FONT}>{escape(name)}</text>"
        left += 60 + 7 * len(name)


def _panel(panel: LinePanel, left: int, top: int) -> Iterator[str]:
    axes = _Axes(panel, left, top)
    yield (
        f"<text x='{left + _LEFT}' y='{top + 20}' {_FONT} font-weight='bold'>"
        f"{escape(panel.title)}</text>"
    )
    yield from axes.grid()
    yield (
        f"<text x='{left + (_WIDTH + _LEFT) // 2}' y='{top + _HEIGHT - 6}' {_FONT} "
        f"text-anchor='middle'>{escape(panel.below)}</text>"
    )
    for line, style in zip(panel.series, _STYLES, strict=False):
        yield from axes.line(line, style)


class _Axes:
    """Where things stand in a panel."""

    def __init__(self, panel: LinePanel, left: int, top: int) -> None:
        self._left, self._right = left + _LEFT, left + _WIDTH - _RIGHT
        self._top, self._bottom = top + _TOP, top + _HEIGHT - _BOTTOM
        self._floor = panel.floor
        self._xs = sorted({point.x for line in panel.series for point in line.points})

    def x(self, value: float) -> float:
        low, high = math.log(self._xs[0]), math.log(self._xs[-1])
        share = (math.log(value) - low) / (high - low) if high > low else 0.5
        return self._left + 12 + share * (self._right - self._left - 24)

    def y(self, value: float) -> float:
        share = (value - self._floor) / (100 - self._floor)
        return self._bottom - share * (self._bottom - self._top)

    def grid(self) -> Iterator[str]:
        """Yield the axes with their figures."""
        ends = f"x1='{self._left}' x2='{self._right}'"
        step = _STEP if 100 - self._floor <= 5 * _STEP else 2 * _STEP
        for value in range(100, self._floor - 1, -step):
            y = self.y(value)
            yield f"<line {ends} y1='{y:.1f}' y2='{y:.1f}' stroke='#dddddd'/>"
            yield (
                f"<text x='{self._left - 6}' y='{y + 4:.1f}' {_FONT} text-anchor='end'>"
                f"{value}</text>"
            )
        for size in self._xs:
            yield (
                f"<text x='{self.x(size):.1f}' y='{self._bottom + 16}' {_SMALL} "
                f"text-anchor='middle'>{size:,.0f}</text>"
            )

    def line(self, line: LineSeries, style: tuple[str, str]) -> Iterator[str]:
        """Yield a line, its points, and the interval of each."""
        places = " ".join(f"{self.x(p.x):.1f},{self.y(p.value):.1f}" for p in line.points)
        yield f"<polyline points='{places}' fill='none' {_stroke(style)}/>"
        for point in line.points:
            x, color = self.x(point.x), style[0]
            yield (
                f"<line x1='{x:.1f}' x2='{x:.1f}' y1='{self.y(point.low):.1f}' "
                f"y2='{self.y(point.high):.1f}' stroke='{color}' stroke-opacity='0.35'/>"
            )
            yield f"<circle cx='{x:.1f}' cy='{self.y(point.value):.1f}' r='2.5' fill='{color}'/>"


def _stroke(style: tuple[str, str]) -> str:
    color, dash = style
    dashed = f" stroke-dasharray='{dash}'" if dash else ""
    return f"stroke='{color}' stroke-width='2'{dashed}"
