"""Horizontal bars as SVG: one panel a figure, one bar a peer, a line for its range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

_WIDTH, _NAMES, _VALUES = 790, 130, 120
_BAR, _GAP, _TITLE, _SPACE = 16, 8, 26, 18
_OURS, _THEIRS, _RANGE = "#1f5fa8", "#9aa5b1", "#333333"
_FONT = "font-family='sans-serif' font-size='12' fill='#222222'"


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar; `low` and `high` are the ends of the line across it."""

    name: str
    value: float
    low: float
    high: float
    told: str
    is_ours: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A title and its bars, on one scale from 0."""

    title: str
    bars: Sequence[Bar]

    @property
    def height(self) -> int:
        """In pixels."""
        return _TITLE + len(self.bars) * (_BAR + _GAP) + _SPACE


def drawn(panels: Sequence[Panel]) -> str:
    """Return the picture."""
    height = sum(panel.height for panel in panels) + _SPACE
    size = f"width='{_WIDTH}' height='{height}'"
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {height}' {size}>",
        f"<rect {size} fill='#ffffff'/>",
    ]
    top = _SPACE // 2
    for panel in panels:
        lines += _panel(panel, top)
        top += panel.height
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(panel: Panel, top: int) -> Iterator[str]:
    title = escape(panel.title)
    yield f"<text x='10' y='{top + 15}' {_FONT} font-weight='bold'>{title}</text>"
    most = max((max(bar.value, bar.high) for bar in panel.bars), default=0.0) or 1.0
    scale = (_WIDTH - _NAMES - _VALUES) / most
    for number, bar in enumerate(panel.bars):
        yield from _bar(bar, top + _TITLE + number * (_BAR + _GAP), scale)


def _bar(bar: Bar, top: int, scale: float) -> Iterator[str]:
    middle, text = top + _BAR / 2, top + _BAR - 4
    start, end = _NAMES + bar.low * scale, _NAMES + bar.high * scale
    color = _OURS if bar.is_ours else _THEIRS
    yield f"<text x='{_NAMES - 8}' y='{text}' {_FONT} text-anchor='end'>{escape(bar.name)}</text>"
    yield (
        f"<rect x='{_NAMES}' y='{top}' width='{bar.value * scale:.1f}' height='{_BAR}' "
        f"fill='{color}'/>"
    )
    if bar.low < bar.high:
        yield (
            f"<line x1='{start:.1f}' x2='{end:.1f}' y1='{middle}' y2='{middle}' "
            f"stroke='{_RANGE}' stroke-width='2'/>"
        )
    right = _NAMES + max(bar.value, bar.high) * scale + 6
    yield f"<text x='{right:.1f}' y='{text}' {_FONT}>{escape(bar.told)}</text>"
