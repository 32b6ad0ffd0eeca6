"""Three steps for who opens the window for the first time: add, ask, check."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

_WIDEST = 400  # pixels
_BADGE = 22
_BETWEEN = 14


class FirstSteps(QWidget):
    """A column of numbers, each with what to do and how."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaximumWidth(_WIDEST)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, (title, text) in enumerate(self._steps()):
            self._add(grid, number, title, text)

    def _add(self, grid: QGridLayout, number: int, title: str, text: str) -> None:
        badge = QLabel(str(number + 1))
        badge.setObjectName("badge")
        badge.setFixedSize(_BADGE, _BADGE)
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        head = QLabel(title)
        head.setObjectName("heading")
        how = QLabel(text)
        how.setObjectName("muted")
        for label in (head, how):
            label.setWordWrap(True)
        grid.addWidget(badge, 3 * number, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(head, 3 * number, 1)
        grid.addWidget(how, 3 * number + 1, 1)
        grid.setRowMinimumHeight(3 * number + 2, _BETWEEN)

    def _steps(self) -> tuple[tuple[str, str], ...]:
        return (
            (
                self.tr("Add a folder or files"),
                self.tr("On the left, or drop them anywhere in this window."),
            ),
            (
                self.tr("Ask a question"),
                self.tr("In your own words, as soon as the first file is read."),
            ),
            (
                self.tr("Check the answer"),
                self.tr("Each number leads to its quote, marked in the document."),
            ),
        )
