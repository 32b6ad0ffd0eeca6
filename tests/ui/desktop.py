"""The system's programs, caught before one of them starts."""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices


class Desktop(QObject):
    """Stands for the programs that open files, within a `with`."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def __enter__(self) -> Self:
        QDesktopServices.setUrlHandler("file", self, "take")
        return self

    def __exit__(self, *_: object) -> None:
        QDesktopServices.unsetUrlHandler("file")

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Note what is to be opened."""
        self.opened.append(url.toLocalFile())
