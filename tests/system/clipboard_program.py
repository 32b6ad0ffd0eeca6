"""A program that copies an answer's table and ends, as a window does; a test runs it."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.chat import clipboard


def main() -> None:
    """Copy, and leave the clipboard in order."""
    app = QApplication([])
    QGuiApplication.clipboard().setMimeData(clipboard.table("| a | b |\n|---|---|\n| 1 | 2 |"))

    clipboard.detach_clipboard()
    print(QGuiApplication.clipboard().text())  # noqa: T201 - the test reads it
    app.processEvents()


if __name__ == "__main__":
    main()
