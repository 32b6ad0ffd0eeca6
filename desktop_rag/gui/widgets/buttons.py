"""Buttons that carry an icon of the theme, and tabs."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme


class IconButton(QToolButton):
    """A flat button: an icon, a tooltip that is also its accessible name, perhaps a text."""

    def __init__(self, theme: Theme, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name = name
        self._role = "muted"
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.setIconSize(QSize(18, 18))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.dress)
        self.dress()

    def paint_as(self, name: str, role: str, tip: str) -> None:
        """Show another icon, colour role and tooltip."""
        self._name, self._role = name, role
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.dress()

    def with_text(self, text: str) -> IconButton:
        """Show a text beside the icon, and return this button."""
        self.setText(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return self

    @Slot()
    def dress(self) -> None:
        """Draw the icon in the theme's colours."""
        self.setIcon(icon(self._name, getattr(self._theme.colors, self._role)))


class Tab(QToolButton):
    """A tab that stands in a row of others."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tab")
        self.setText(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
