"""A thin line between parts of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame


def separator() -> QFrame:
    """Return a line that is as wide as its place."""
    line = QFrame()
    line.setObjectName("line")
    return line


def vertical_separator() -> QFrame:
    """Return a line that is as high as its place."""
    line = QFrame()
    line.setObjectName("upright")
    return line
