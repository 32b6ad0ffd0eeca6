"""The plots of an evaluation: recall by the size of a knowledge base, and one figure of each way.

Recall is drawn with the second stage and without it. Each way's figure is a dot, with a line for
its interval and a ring for the run before.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.gui.display_text import join_details, join_list
from desktop_rag.gui.lab.evaluation_text import tr
from desktop_rag.gui.theme import SMALL, Theme, scaled

_HEIGHT, _CURVE_FOOT, _LEFT, _TOP = 210, 24, 40, 10
_CURVE_DOT = 4.0
_LEGEND = 0.34  # of the width
_CURVE_ROW = 20
_CORNERS = (  # of each way's mark; none: a circle
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.3), (1.2, 0.9), (-1.2, 0.9)),
    ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
)
_CURVE_TICKS = (0, 25, 50, 75, 100)
_ROW = 26
_FOOT = 22
_DOT = 5.0
_SIDE = 10
_MOST_NAME = 0.34  # of the width
_VALUE = 58
_TICKS = (0, 25, 50, 75, 100)
_ROUND = Qt.PenCapStyle.RoundCap


@dataclass(frozen=True, slots=True)
class CurveLine:
    """A way's figure in percent by the number of passages; `is_reread`: with the second stage."""

    name: str
    way: str
    is_reread: bool
    points: tuple[tuple[int, float], ...]

    def description(self) -> str:
        """Return the line in words."""
        said = join_list(tr("%1 at %2", f"{y:.1f}", f"{x:,}") for x, y in self.points)
        return f"{self.name}: {said}"


def curve_lines(
    rows: Sequence[Mapping[str, object]], key: str, names: Sequence[str]
) -> tuple[CurveLine, ...]:
    """Return the lines of a run's rows, whose names for people are `names`."""
    found: dict[tuple[str, str, bool], list[tuple[int, float]]] = {}
    for row, name in zip(rows, names, strict=True):
        at = (name, str(row["strategy"]), bool(row["second_stage"]))
        found.setdefault(at, []).append((int(str(row["size"])), float(str(row[key]))))
    return tuple(CurveLine(*at, tuple(sorted(points))) for at, points in found.items())


class CorpusSizePlot(QWidget):
    """Paints lines over a logarithmic scale; the same in words is its accessible description.

    Full lines and marks are with the second stage, broken lines and hollow marks without; each way
    has a mark of its own shape.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.lines: tuple[CurveLine, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_lines(self, measure: str, lines: Sequence[CurveLine]) -> None:
        """Show lines of a measure."""
        self.lines = tuple(lines)
        self.setAccessibleName(tr("%1 by the number of passages, in percent", measure))
        self.setAccessibleDescription("; ".join(line.description() for line in lines))
        self.setToolTip("\n".join(line.description() for line in lines))
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for a plot that can be read."""
        return QSize(320, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the scales, the lines and what they are."""
        del event
        sizes = sorted({size for line in self.lines for size, _ in line.points})
        if not sizes:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide = self.width() * (1 - _LEGEND) - _LEFT
        field = QRectF(_LEFT, _TOP, max(60.0, wide), _HEIGHT - _CURVE_FOOT - _TOP)
        self._paint_scale(painter, field, sizes)
        for row, line in enumerate(self.lines):
            at = [QPointF(_across(field, sizes, x), _down(field, y)) for x, y in line.points]
            self._paint_line(painter, line, at)
            y = _TOP + row * _CURVE_ROW + _CURVE_ROW / 2
            left = field.right() + 24
            self._paint_line(painter, line, [QPointF(left, y), QPointF(left + 24, y)])
            painter.setPen(self._theme.colors.of("text"))
            room = QRectF(left + 34, y - _CURVE_ROW / 2, self.width() - left - 38, _CURVE_ROW)
            mode = Qt.TextElideMode.ElideRight
            name = painter.fontMetrics().elidedText(line.name, mode, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, name)

    def _paint_scale(self, painter: QPainter, field: QRectF, sizes: Sequence[int]) -> None:
        colors = self._theme.colors
        painter.setFont(scaled(self.font(), SMALL))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for tick in _CURVE_TICKS:
            y = _down(field, tick)
            painter.setPen(QPen(colors.of("border"), 1))
            painter.drawLine(QPointF(field.left(), y), QPointF(field.right(), y))
            painter.setPen(colors.of("muted"))
            painter.drawText(QRectF(0, y - 9, _LEFT - 8, 18), right, f"{tick}")
        for size in sizes:
            x = _across(field, sizes, size)
            box = QRectF(x - 40, field.bottom() + 4, 80, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, f"{size:,}")

    def _paint_line(self, painter: QPainter, line: CurveLine, at: Sequence[QPointF]) -> None:
        colors = self._theme.colors
        color = colors.of("accent" if line.is_reread else "muted")
        broken = Qt.PenStyle.DashLine
        painter.setPen(QPen(color, 2, Qt.PenStyle.SolidLine if line.is_reread else broken))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(list(at))
        painter.setPen(QPen(color, 2))
        painter.setBrush(color if line.is_reread else colors.of("base"))
        ways = list(dict.fromkeys(each.way for each in self.lines))
        corners = _CORNERS[ways.index(line.way) % len(_CORNERS)]
        for point in at:
            if corners:
                painter.drawPolygon([point + QPointF(x, y) * _CURVE_DOT for x, y in corners])
            else:
                painter.drawEllipse(point, _CURVE_DOT, _CURVE_DOT)


def _across(field: QRectF, sizes: Sequence[int], size: int) -> float:
    low, high = math.log(sizes[0]), math.log(sizes[-1])
    share = (math.log(size) - low) / (high - low) if high > low else 0.5
    return field.left() + 16 + (field.width() - 32) * share


def _down(field: QRectF, percent: float) -> float:
    return field.bottom() - field.height() * percent / 100


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """A way's figure in percent, between `low` and `high`; `before` is the last run's, if any."""

    name: str
    value: float
    low: float
    high: float
    before: float | None = None

    def description(self) -> str:
        """Return the bar in words."""
        said = tr("%1: %2, between %3 and %4", self.name, *map(_one, self._figures()))
        return (
            said if self.before is None else join_details(said, tr("before: %1", _one(self.before)))
        )

    def _figures(self) -> tuple[float, float, float]:
        return self.value, self.low, self.high


class IntervalPlot(QWidget):
    """Paints bars from 0 to 100; the same in words is its accessible description."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.bars: tuple[IntervalBar, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_bars(self, measure: str, bars: Sequence[IntervalBar]) -> None:
        """Show bars of a measure."""
        self.bars = tuple(bars)
        self.setAccessibleName(tr("%1, in percent", measure))
        self.setAccessibleDescription("; ".join(bar.description() for bar in bars))
        self.setToolTip("\n".join(bar.description() for bar in bars))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for a row a way, and a scale."""
        return QSize(320, _ROW * len(self.bars) + _FOOT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the same height, and little width."""
        return QSize(220, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the scale, then the bars."""
        del event
        if not self.bars:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        field = self._field()
        self._paint_scale(painter, field)
        for row, bar in enumerate(self.bars):
            self._paint_bar(painter, field, row, bar)

    def _field(self) -> QRectF:
        """Return where 0 to 100 lies."""
        metrics = self.fontMetrics()
        widest = max(metrics.horizontalAdvance(bar.name) for bar in self.bars)
        left = _SIDE + min(widest + 6, int(self.width() * _MOST_NAME)) + 14
        return QRectF(left, 0, max(40, self.width() - left - _VALUE - _SIDE), self._height())

    def _height(self) -> int:
        return _ROW * len(self.bars)

    def _paint_scale(self, painter: QPainter, field: QRectF) -> None:
        colors = self._theme.colors
        painter.setFont(scaled(self.font(), SMALL))
        for tick in _TICKS:
            x = _at(field, tick)
            painter.setPen(QPen(colors.of("border"), 1))
            painter.drawLine(QPointF(x, 0), QPointF(x, field.height()))
            painter.setPen(colors.of("muted"))
            box = QRect(int(x) - 24, int(field.height()) + 2, 48, _FOOT - 2)
            painter.drawText(box, Qt.AlignmentFlag.AlignHCenter, f"{tick}")

    def _paint_bar(self, painter: QPainter, field: QRectF, row: int, bar: IntervalBar) -> None:
        colors = self._theme.colors
        top, middle = row * _ROW, row * _ROW + _ROW / 2
        painter.setFont(self.font())
        painter.setPen(colors.of("text"))
        room = int(field.left()) - _SIDE - 14
        name = self.fontMetrics().elidedText(bar.name, Qt.TextElideMode.ElideRight, room)
        sides = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(QRect(_SIDE, top, room, _ROW), sides, name)
        value = QRect(int(field.right()) + 14, top, _VALUE, _ROW)
        painter.drawText(value, sides, _one(bar.value))
        painter.setPen(QPen(colors.of("accent_line"), 4, Qt.PenStyle.SolidLine, _ROUND))
        low, high = _at(field, bar.low), _at(field, bar.high)
        painter.drawLine(QPointF(low, middle), QPointF(high, middle))
        if bar.before is not None:
            painter.setPen(QPen(colors.of("muted"), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(_at(field, bar.before), middle), _DOT + 2.5, _DOT + 2.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.of("accent"))
        painter.drawEllipse(QPointF(_at(field, bar.value), middle), _DOT, _DOT)


def _at(field: QRectF, percent: float) -> float:
    return field.left() + field.width() * min(100.0, max(0.0, percent)) / 100


def _one(value: float) -> str:
    return f"{value:.1f}"
