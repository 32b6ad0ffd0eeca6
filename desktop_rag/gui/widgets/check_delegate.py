"""Rows with a box to tick, which a click anywhere on them ticks."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

_BOX = Qt.ItemDataRole.CheckStateRole


class CheckDelegate(QStyledItemDelegate):
    """Takes a row's text for its box."""

    def editorEvent(  # noqa: N802 - Qt's
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        """Turn the tick when the left button is let go on the row."""
        is_click = event.type() is QEvent.Type.MouseButtonRelease
        if not (is_click and isinstance(event, QMouseEvent)):
            return super().editorEvent(event, model, option, index)
        if event.button() is not Qt.MouseButton.LeftButton:
            return False
        is_ticked = Qt.CheckState(index.data(_BOX)) is Qt.CheckState.Checked
        turned = Qt.CheckState.Unchecked if is_ticked else Qt.CheckState.Checked
        return model.setData(index, turned, _BOX)
