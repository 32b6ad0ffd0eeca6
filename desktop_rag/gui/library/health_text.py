"""What is said of each kind of files that an index lacks: its name, what it means, its counts."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop_rag.core.index_health import HealthFinding, HealthKind
from desktop_rag.gui.display_text import fill, join_details
from desktop_rag.gui.library import library_text

_CONTEXT = "Health"


def tr(text: str, *values: object) -> str:
    """Translate a sentence and fill in %1, %2 and so on."""
    return fill(QCoreApplication.translate(_CONTEXT, text), *values)


def title(kind: HealthKind) -> str:
    """Return the name of a kind."""
    return {
        HealthKind.FAILED: tr("Could not be read"),
        HealthKind.PROTECTED: tr("Protected with a password"),
        HealthKind.PICTURES: tr("Pictures that were not read"),
        HealthKind.GARBLED: tr("Pages with garbled letters"),
        HealthKind.HARD_TO_READ: tr("Pages that were hard to read"),
        HealthKind.STALE: tr("Out of date"),
        HealthKind.WAITING: tr("Waiting to be read"),
        HealthKind.TO_RECOGNIZE: tr("Pictures still to be read"),
        HealthKind.EMPTY: tr("Without text"),
        HealthKind.DUPLICATE: tr("Copies"),
        HealthKind.UNSUPPORTED: tr("Kinds that are not read"),
        HealthKind.EXCLUDED: tr("Excluded"),
    }[kind]


def meaning(kind: HealthKind, *, recognizes_text: bool) -> str:
    """Return what a kind means, in a sentence or two."""
    if kind is HealthKind.PICTURES and not recognizes_text:
        return tr(
            "Text recognition is off for this knowledge base: what stands in scans and pictures "
            "is not found."
        )
    return {
        HealthKind.FAILED: tr(
            "Nothing of them is found. Another try helps where the disk or the connection was at "
            "fault; a damaged file must be saved anew in its own program."
        ),
        HealthKind.PROTECTED: tr("Only a password opens them. Nothing of them is found."),
        HealthKind.PICTURES: tr(
            "Their text could not be recognised. Another try helps where it took too long."
        ),
        HealthKind.GARBLED: tr(
            "Their fonts do not say which letters they show. Text recognition can read them."
        ),
        HealthKind.HARD_TO_READ: tr(
            "Their text was recognised, and may be wrong. A larger or sharper copy helps."
        ),
        HealthKind.STALE: tr(
            "They changed, or were read by an older version of the program: an older text is found."
        ),
        HealthKind.WAITING: tr("They are found as soon as they are read."),
        HealthKind.TO_RECOGNIZE: tr("Their text is recognised when all other files are read."),
        HealthKind.EMPTY: tr("They can be opened, and hold no text."),
        HealthKind.DUPLICATE: tr("Files of the same content: it is kept, and found, once."),
        HealthKind.UNSUPPORTED: tr(
            "There is nothing in them that this program reads, or they are archives that it was "
            "not asked to look into."
        ),
        HealthKind.EXCLUDED: tr("You took them out. They can be included again."),
    }[kind]


def counts(finding: HealthFinding) -> str:
    """Return how many files, and pages of them."""
    files = library_text.files(finding.files)
    if not finding.pages:
        return files
    pages = tr("1 page") if finding.pages == 1 else tr("%1 pages", f"{finding.pages:,}")
    return join_details(files, pages)


def mend(kind: HealthKind, *, recognizes_text: bool) -> str:
    """Return what the button says that mends a kind; empty where none does."""
    again = tr("Try again") if recognizes_text else tr("Turn text recognition on")
    return {
        HealthKind.FAILED: tr("Try again"),
        HealthKind.PROTECTED: tr("Enter password…"),
        HealthKind.PICTURES: again,
        HealthKind.GARBLED: again,
        HealthKind.STALE: tr("Read anew"),
        HealthKind.WAITING: tr("Read now"),
        HealthKind.TO_RECOGNIZE: tr("Recognise now"),
    }.get(kind, "")
