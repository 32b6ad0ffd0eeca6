"""The system's programs and its browser, caught before one of them starts."""

from __future__ import annotations

from typing import Self

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

_SCHEMES = ("file", "http", "https")


class Desktop(QObject):
    """Stands for what opens files and addresses of the web, within a `with`.

    `opened` are the paths of the files, and the addresses as a browser gets them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def __enter__(self) -> Self:
        for scheme in _SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "take")  # type: ignore[arg-type] # it takes str
        return self

    def __exit__(self, *_: object) -> None:
        for scheme in _SCHEMES:
            QDesktopServices.unsetUrlHandler(scheme)

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Note what is to be opened."""
        self.opened.append(url.toLocalFile() or bytes(url.toEncoded().data()).decode("ascii"))
