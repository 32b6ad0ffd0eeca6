"""Where a passage stands in its document, in the window's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.types import Locator, LocatorKind


def locator_text(locator: Locator) -> str:
    """Return a place in a few words: `page 3`, `sheet Sales A1:C4`."""
    cells = f" {locator.cells}" if locator.cells else ""
    return _words()[locator.kind].replace("%1", f"{locator.value}{cells}")


def _words() -> dict[LocatorKind, str]:
    def tr(text: str) -> str:
        return QCoreApplication.translate("Places", text)

    return {
        LocatorKind.PAGE: tr("page %1"),
        LocatorKind.SLIDE: tr("slide %1"),
        LocatorKind.SHEET: tr("sheet %1"),
        LocatorKind.ROW: tr("row %1"),
        LocatorKind.SECTION: tr("section %1"),
        LocatorKind.LINE: tr("line %1"),
        LocatorKind.PART: tr("part %1"),
        LocatorKind.MESSAGE: tr("message %1"),
    }
