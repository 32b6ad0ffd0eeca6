"""The ground of a list's row: chosen, under the mouse, or where the keyboard is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from desktop_rag.gui.colors import Colors

_ROUND = 6


def paint_row_background(painter: QPainter, option: QStyleOptionViewItem, colors: Colors) -> None:
    """Paint what lies behind a row's text; nothing where the row is in no state."""
    box = option.rect.adjusted(0, 1, -2, -1)
    chosen = bool(option.state & QStyle.StateFlag.State_Selected)
    if chosen or option.state & QStyle.StateFlag.State_MouseOver:
        painter.setPen(colors.of("chosen_line" if chosen else "hover"))
        painter.setBrush(colors.of("soft" if chosen else "hover"))
        painter.drawRoundedRect(box, _ROUND, _ROUND)
    if option.state & QStyle.StateFlag.State_HasFocus:
        painter.setPen(colors.of("accent"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, _ROUND, _ROUND)
