"""What a click meant."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication


def is_plain_click() -> bool:
    """Return whether no key is down that makes a click choose one more row, or many."""
    several = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    return not QApplication.keyboardModifiers() & several
