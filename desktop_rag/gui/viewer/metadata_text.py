"""What a document says of itself, in lines for the window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop_rag.core.document_metadata import DocumentMetadata
from desktop_rag.gui.display_text import fill

_CONTEXT = "DocumentMetadata"
_MOST_NAMES = 5  # of authors, recipients or keywords that are shown


def metadata_lines(metadata: DocumentMetadata) -> tuple[str, ...]:
    """Return a line for each thing that a document says of itself."""
    told = (
        (_tr("By %1"), _names(metadata.authors)),
        (_tr("To %1"), _names(metadata.recipients)),
        (_tr("Subject: %1"), metadata.subject),
        (_tr("Keywords: %1"), _names(metadata.keywords)),
        (_tr("Written on %1"), _day(metadata.created)),
        (_tr("Last changed on %1"), _day(metadata.modified)),
        (_tr("Language: %1"), _language(metadata.language)),
    )
    return tuple(fill(sentence, value) for sentence, value in told if value)


def _tr(text: str) -> str:
    return QCoreApplication.translate(_CONTEXT, text)


def _names(names: tuple[str, ...]) -> str:
    more = " …" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def _day(seconds: float | None) -> str:
    if seconds is None:
        return ""
    day = QDateTime.fromSecsSinceEpoch(int(seconds)).date()
    return QLocale().toString(day, QLocale.FormatType.LongFormat)


def _language(code: str) -> str:
    """Return a language's own name; the code where Qt knows none."""
    return (QLocale(code).nativeLanguageName() or code) if code else ""
