"""What the buttons of file remedies say, and what is said where there is none."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.controllers.file_remedies import FileRemedy, Obstacle
from desktop_rag.gui.display_text import fill

_CONTEXT = "FileRemedies"


def tr(text: str, *values: object) -> str:
    """Translate a sentence and fill in %1, %2 and so on."""
    return fill(QCoreApplication.translate(_CONTEXT, text), *values)


def button(remedy: FileRemedy, number: int) -> str:
    """Return what the button of a remedy for so many files says."""
    if number > 1:
        return _of_several(remedy, f"{number:,}")
    return {
        FileRemedy.PASSWORD: tr("Enter password…"),
        FileRemedy.RECOGNIZE: tr("Read with text recognition"),
        FileRemedy.ARCHIVES: tr("Look into archives"),
        FileRemedy.RETRY: tr("Read again"),
        FileRemedy.SHOW_FOLDER: tr("Show in folder"),
        FileRemedy.FIRST: tr("Read this first"),
        FileRemedy.INCLUDE: tr("Include again"),
    }[remedy]


def _of_several(remedy: FileRemedy, number: str) -> str:
    return {
        FileRemedy.PASSWORD: tr("Enter password of %1…", number),
        FileRemedy.RECOGNIZE: tr("Read %1 with text recognition", number),
        FileRemedy.ARCHIVES: tr("Look into %1 archives", number),
        FileRemedy.RETRY: tr("Read %1 again", number),
        FileRemedy.SHOW_FOLDER: tr("Show in folder"),
        FileRemedy.FIRST: tr("Read these %1 first", number),
        FileRemedy.INCLUDE: tr("Include %1 again", number),
    }[remedy]


def effect(remedy: FileRemedy) -> str:
    """Return what a button does beside what it says; empty where that is all."""
    return {
        FileRemedy.RECOGNIZE: tr("Turns text recognition on for all scans of this knowledge base."),
        FileRemedy.ARCHIVES: tr("Looks into all archives of this knowledge base from now on."),
    }.get(remedy, "")


def hindrance(obstacle: Obstacle) -> str:
    """Return why there is no remedy for a file here, and what its user can do."""
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
