"""A choice that looks like text: as wide as what is chosen, or narrower for want of room."""

from __future__ import annotations

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QComboBox, QWidget

_AROUND = 34
_NARROWEST = 84


class QuietCombo(QComboBox):
    """A flat combo box with a name for those who can't see it."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quiet")
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.currentTextChanged.connect(self._fit)

    @Slot(str)
    def _fit(self, text: str) -> None:
        wanted = min(260, self.fontMetrics().horizontalAdvance(text) + _AROUND)
        self.setMinimumWidth(min(wanted, _NARROWEST))
        self.setMaximumWidth(wanted)
        widest = [
            self.fontMetrics().horizontalAdvance(self.itemText(row)) for row in range(self.count())
        ]
        self.view().setMinimumWidth(max(widest, default=0) + _AROUND)
