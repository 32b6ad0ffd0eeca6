"""A plot of one figure: a dot a way, the line of its interval, a ring for the run before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.lab.eval_words import tr
from desktop_rag.gui.theme import SMALL, Theme, scaled

_ROW = 26
_FOOT = 22
_DOT = 5.0
_SIDE = 10
_MOST_NAME = 0.34  # of the width
_VALUE = 58
_TICKS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class IntervalBar:
    """A way's figure in percent, between `low` and `high`; `before` is the last run's, if any."""

    name: str
    value: float
    low: float
    high: float
    before: float | None = None

    def told(self) -> str:
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
        self.setAccessibleDescription("; ".join(bar.told() for bar in bars))
        self.setToolTip("\n".join(bar.told() for bar in bars))
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


_ROUND = Qt.PenCapStyle.RoundCap


def _at(field: QRectF, percent: float) -> float:
    return field.left() + field.width() * min(100.0, max(0.0, percent)) / 100


def _one(value: float) -> str:
    return f"{value:.1f}"
