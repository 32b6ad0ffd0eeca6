"""What the buttons say that mend files, and what is said where none does."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.controllers.file_mending import Mend, Obstacle
from desktop_rag.gui.display_text import fill

_CONTEXT = "Mending"


def tr(text: str, *values: object) -> str:
    """Translate a sentence and fill in %1, %2 and so on."""
    return fill(QCoreApplication.translate(_CONTEXT, text), *values)


def button(mend: Mend, number: int) -> str:
    """Return what the button says that mends so many files."""
    if number > 1:
        return _of_several(mend, f"{number:,}")
    return {
        Mend.PASSWORD: tr("Enter password…"),
        Mend.RECOGNIZE: tr("Read with text recognition"),
        Mend.ARCHIVES: tr("Look into archives"),
        Mend.RETRY: tr("Read again"),
        Mend.SHOW_FOLDER: tr("Show in folder"),
        Mend.FIRST: tr("Read this first"),
        Mend.INCLUDE: tr("Include again"),
    }[mend]


def _of_several(mend: Mend, number: str) -> str:
    return {
        Mend.PASSWORD: tr("Enter password of %1…", number),
        Mend.RECOGNIZE: tr("Read %1 with text recognition", number),
        Mend.ARCHIVES: tr("Look into %1 archives", number),
        Mend.RETRY: tr("Read %1 again", number),
        Mend.SHOW_FOLDER: tr("Show in folder"),
        Mend.FIRST: tr("Read these %1 first", number),
        Mend.INCLUDE: tr("Include %1 again", number),
    }[mend]


def effect(mend: Mend) -> str:
    """Return what a button does beside what it says; empty where that is all."""
    return {
        Mend.RECOGNIZE: tr("Turns text recognition on for all scans of this knowledge base."),
        Mend.ARCHIVES: tr("Looks into all archives of this knowledge base from now on."),
    }.get(mend, "")


def hindrance(obstacle: Obstacle) -> str:
    """Return why nothing here mends a file, and what its user can do."""
    return {
        Obstacle.AWAY: tr(
            "Its folder cannot be reached now; what was read of it is kept. Connect the drive: it "
            "is looked at again by itself."
        ),
        Obstacle.UNFOLLOWED: tr(
            "No folder that is followed holds it, so it is not read again. To have it read, add it "
            "once more."
        ),
        Obstacle.NOTHING_FOUND: tr(
            "There was nothing in it that can be found. Open it to see what it holds."
        ),
    }[obstacle]
