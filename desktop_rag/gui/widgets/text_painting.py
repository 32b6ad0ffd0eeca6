"""A few lines of text painted in a box: broken at words, the last line cut with …."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QTextLayout, QTextOption


def lines_of(text: str, font: QFont, width: int, most: int) -> list[str]:
    """Return the lines that a text takes in a width, at most so many."""
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    lines: list[str] = []
    rest = 0
    while len(lines) < most:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(max(10, width))
        rest = line.textStart()
        lines.append(_units(text, rest, line.textLength()).rstrip())
        rest += line.textLength()
    layout.endLayout()
    if lines and rest < len(text.encode("utf-16-le")) // 2:
        metrics = QFontMetricsF(font)
        room = width - metrics.horizontalAdvance("…")
        cut = metrics.elidedText(lines[-1], Qt.TextElideMode.ElideRight, room)
        lines[-1] = cut.removesuffix("…").rstrip() + "…"
    return lines


def elided_pair(metrics: QFontMetrics, first: str, second: str, width: int) -> tuple[str, str]:
    """Return two texts that fit beside each other in a width; the first has at least its half."""
    gap = metrics.averageCharWidth() * 2
    wanted = min(metrics.horizontalAdvance(second) + 2, (width - gap) // 2)
    room = width - gap - wanted
    cut = Qt.TextElideMode.ElideRight
    return metrics.elidedText(first, cut, room), metrics.elidedText(second, cut, wanted)


def height_of(lines: int, font: QFont) -> int:
    """Return the height of so many lines."""
    return int(lines * QFontMetricsF(font).lineSpacing()) + 1


def paint_line(painter: QPainter, box: QRect, text: str) -> None:
    """Paint one line from the top of a box, in the painter's font, cut with … if it is too long.

    Beside Chinese, Latin letters stand lower than the font's own height says: nothing is clipped.
    """
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, box.width())
    line = QRect(box.left(), box.top(), box.width(), metrics.height())
    painter.drawText(line, Qt.TextFlag.TextDontClip, shown)


def paint_lines(painter: QPainter, box: QRect, lines: list[str], font: QFont) -> None:
    """Paint lines from the top of a box."""
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    for row, line in enumerate(lines):
        baseline = box.top() + row * metrics.lineSpacing() + metrics.ascent()
        painter.drawText(QPointF(box.left(), baseline), line)


def _units(text: str, start: int, length: int) -> str:
    """Return a part of a text whose place is counted in UTF-16 units, as Qt does."""
    if text.isascii():
        return text[start : start + length]
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : 2 * (start + length)].decode("utf-16-le", "replace")
