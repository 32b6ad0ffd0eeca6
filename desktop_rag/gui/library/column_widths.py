"""How wide the columns of a table of files are: as what they hold, as far as there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFontMetrics

from desktop_rag.gui.controllers.file_query import FileColumn


@dataclass(frozen=True, slots=True)
class ColumnBounds:
    """The least and the largest width of a column, in pixels of a font of usual size."""

    least: int
    most: int


BOUNDS = {
    FileColumn.NAME: ColumnBounds(180, 420),
    FileColumn.STATE: ColumnBounds(80, 230),
    FileColumn.REASON: ColumnBounds(90, 620),
    FileColumn.PASSAGES: ColumnBounds(60, 110),
    FileColumn.FOLDER: ColumnBounds(70, 260),
    FileColumn.TYPE: ColumnBounds(44, 90),
    FileColumn.PAGES: ColumnBounds(50, 90),
    FileColumn.SIZE: ColumnBounds(56, 110),
    FileColumn.CHANGED: ColumnBounds(90, 170),
    FileColumn.SECONDS: ColumnBounds(60, 110),
}
_YIELDING = (FileColumn.REASON, FileColumn.FOLDER, FileColumn.NAME)
"""Which columns get narrower where there is no room for all, the first ones first."""
_PADDING = 18  # pixels beside a text
_ICON = 24  # pixels before one


def wanted_widths(
    texts: Mapping[FileColumn, Sequence[str]], metrics: QFontMetrics
) -> dict[FileColumn, int]:
    """Return the width that each column's texts take, in pixels, within its bounds."""
    scale = metrics.height() / 16
    wanted = {}
    for column, told in texts.items():
        widest = max((metrics.horizontalAdvance(text) for text in told), default=0)
        icon = _ICON if column in (FileColumn.NAME, FileColumn.STATE) else 0
        bounds = BOUNDS[column]
        low, high = int(bounds.least * scale), int(bounds.most * scale)
        wanted[column] = min(high, max(low, widest + icon + _PADDING))
    return wanted


def fitted_widths(
    wanted: Mapping[FileColumn, int], room: int, metrics: QFontMetrics
) -> dict[FileColumn, int]:
    """Return widths that fit into `room` pixels, as far as the least ones do."""
    scale, widths = metrics.height() / 16, dict(wanted)
    over = sum(widths.values()) - room
    for column in _YIELDING:
        if over > 0 and column in widths:
            given = min(over, max(0, widths[column] - int(BOUNDS[column].least * scale)))
            widths[column] -= given
            over -= given
    if over < 0:
        last = FileColumn.REASON if FileColumn.REASON in widths else FileColumn.NAME
        widths[last] -= over
    return widths
