"""What is told of one file beside its state: where it is, of which kind, how large, when read."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QLocale

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import folder_of, type_of
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.library import library_text
from desktop_rag.gui.library.file_kinds import kind_name, kind_of


def facts_of(row: FileRow) -> list[tuple[str, str]]:
    """Return names and values; of what is not known, nothing."""
    stamp = row.stamp
    is_tried = row.changed_at > 0 and row.status not in (FileStatus.QUEUED, FileStatus.EXCLUDED)
    told = [
        (library_text.tr("Folder"), sanitize_name(folder_of(row))),
        (library_text.tr("Type"), _type_text(row)),
        (library_text.tr("Size"), library_text.size(stamp.size) if stamp is not None else ""),
        (library_text.tr("Pages"), f"{row.pages:,}" if row.pages else ""),
        (library_text.tr("Changed"), changed_text(row)),
        (library_text.tr("Read"), library_text.moment(row.changed_at) if is_tried else ""),
        (library_text.tr("Shared by"), sanitize_name(row.author)),
    ]
    return [(name, value) for name, value in told if value]


def changed_text(row: FileRow) -> str:
    """Return when a file was last changed, as people here write it."""
    if row.stamp is None:
        return ""
    moment = QDateTime.fromMSecsSinceEpoch(row.stamp.mtime_ns // 1_000_000)
    return QLocale().toString(moment, QLocale.FormatType.ShortFormat)


def _type_text(row: FileRow) -> str:
    name, ending = kind_name(kind_of(row.path)), type_of(row)
    return name if name.upper() == ending else join_details(name, ending)
