"""A choice that looks like text: as wide as what is chosen, or narrower for want of room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QWidget

_AROUND = 34
_WIDEST = 340
_NARROWEST = 84
_LEAST = 24
_MOST_SHOWN = 24  # rows of the list before it scrolls
_BESIDE_ICON = 6
_SLACK = 3  # a text is measured in parts of pixels when it is cut


class FlatCombo(QComboBox):
    """A flat combo box with a name for those who can't see it."""

    def __init__(self, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("quiet")
        self.setAccessibleName(name)
        self.setToolTip(tip)
        self.setMaxVisibleItems(_MOST_SHOWN)
        self.currentTextChanged.connect(self._fit)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:  # noqa: N802 - Qt's
        """Cut the text with … where it does not fit, instead of in the middle of a letter."""
        super().initStyleOption(option)
        room = self.width() - _AROUND - self._icon_width()
        option.currentText = self.fontMetrics().elidedText(
            option.currentText,
            Qt.TextElideMode.ElideMiddle,
            max(room, _LEAST),
        )

    @Slot(str)
    def _fit(self, text: str) -> None:
        around = _AROUND + _SLACK + self._icon_width()
        wanted = min(_WIDEST, self.fontMetrics().horizontalAdvance(text) + around)
        self.setMinimumWidth(min(wanted, _NARROWEST))
        self.setMaximumWidth(wanted)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for all of what is chosen; Qt asks for what was, when it was first shown."""
        size = super().sizeHint()
        return QSize(self.maximumWidth(), size.height()) if self.count() else size

    def _icon_width(self) -> int:
        is_plain = self.itemIcon(self.currentIndex()).isNull()
        return 0 if is_plain else self.iconSize().width() + _BESIDE_ICON

    def showPopup(self) -> None:  # noqa: N802 - Qt's
        """Make the list as wide as its widest row."""
        widest = [self.width_of(row) for row in range(self.count())]
        self.view().setMinimumWidth(max(widest, default=0) + _AROUND)
        super().showPopup()

    def width_of(self, row: int) -> int:
        """Return how wide a row's text is."""
        return self.fontMetrics().horizontalAdvance(self.itemText(row))
