"""What hardly anybody needs, behind a line that opens it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop_rag.gui.settings.setting_row import SettingRow
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton


class AdvancedSection(QWidget):
    """Rows that are closed at first.

    It opens by a click, for a search that finds one of its rows, and when one of them is not at its
    default: what is in force is never hidden, unless the user closes it.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.head = IconButton(theme, "forward", "").with_text(self._titled(0))
        self.head.setObjectName("fold")
        self.head.setCheckable(True)
        self.rows: list[SettingRow] = []
        self._is_open = False
        self._is_searched = False
        self._changed = 0
        self._body = QWidget()
        self._inside = QVBoxLayout(self._body)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 6)
        column.setSpacing(0)
        column.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._body)
        self.head.toggled.connect(self._turn)
        self._show()

    def add(self, row: SettingRow) -> None:
        """Put a row at the end."""
        self.rows.append(row)
        self._inside.addWidget(row)
        row.changed_state.connect(self._count)
        self._count()

    def search(self, *, is_on: bool) -> None:
        """Show what a search left of the rows; after it, be as before."""
        self._is_searched = is_on
        self.setVisible(any(not row.isHidden() for row in self.rows))
        self._show()

    @Slot(bool)
    def _turn(self, on: bool) -> None:  # noqa: FBT001 - Qt's
        self._is_open = on
        self._show()

    @Slot()
    def _count(self) -> None:
        before, self._changed = self._changed, sum(row.is_changed for row in self.rows)
        if self._changed > before:
            self.head.setChecked(True)
        self._show()

    def _show(self) -> None:
        is_open = self._is_open or self._is_searched
        self._body.setVisible(is_open)
        self.head.setText(self._titled(0 if is_open else self._changed))
        self.head.paint_as("down" if is_open else "forward", "muted", self._tip(is_open=is_open))
        self.head.setAccessibleName(self.head.text())

    def _titled(self, changed: int) -> str:
        if not changed:
            return self.tr("Advanced")
        return self.tr("Advanced: %n changed", "", changed)

    def _tip(self, *, is_open: bool) -> str:
        if is_open:
            return self.tr("Hide what hardly anybody needs")
        return self.tr("Show what hardly anybody needs")
