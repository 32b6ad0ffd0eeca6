"""What helps a file that is not found by a search: the one thing that the user can do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from desktop_rag.core.catalog_records import VANISHED, FileRow
from desktop_rag.core.phrases import code_of
from desktop_rag.core.types import FileStatus
from desktop_rag.gui.controllers.file_query import is_below
from desktop_rag.gui.controllers.library_snapshot import (
    LibrarySnapshot,
    is_left_unread,
    is_problem,
    is_unopened_archive,
)


class FileRemedy(StrEnum):
    """What can be done, in the order in which it is offered of several files."""

    PASSWORD = "password"  # noqa: S105 - the name of an act
    RECOGNIZE = "recognize"
    ARCHIVES = "archives"
    RETRY = "retry"
    SHOW_FOLDER = "show folder"
    FIRST = "first"
    INCLUDE = "include"


class Obstacle(StrEnum):
    """Why nothing in this window helps, where the file's own reason does not say it."""

    AWAY = "away"
    UNFOLLOWED = "unfollowed"
    NOTHING_FOUND = "nothing found"


@dataclass(frozen=True, slots=True)
class RemedyChoice:
    """Something that helps, and the files that it helps."""

    remedy: FileRemedy
    rows: tuple[FileRow, ...]


def remedy_of(row: FileRow, snapshot: LibrarySnapshot) -> FileRemedy | None:
    """Return what helps a file; None where nothing has to be done, or nothing in this window can.

    A file that holds no text is not read again: it would hold none still, and is read by itself
    when it changes.
    """
    if row.status is FileStatus.EXCLUDED:
        return FileRemedy.INCLUDE
    if obstacle_of(row, snapshot) is not None:
        return None
    if row.status is FileStatus.QUEUED:
        return FileRemedy.FIRST
    if row.status is FileStatus.ENCRYPTED:
        return FileRemedy.PASSWORD
    if is_left_unread(row):
        return FileRemedy.RECOGNIZE
    if is_unopened_archive(row):
        return FileRemedy.ARCHIVES
    if not is_problem(row) or row.status is FileStatus.EMPTY:
        return None
    return FileRemedy.SHOW_FOLDER if code_of(row.reason) == VANISHED else FileRemedy.RETRY


def obstacle_of(row: FileRow, snapshot: LibrarySnapshot) -> Obstacle | None:
    """Return why there is no remedy for a file, where its reason does not say what to do."""
    if any(is_below(row.path, folder) for folder in snapshot.away):
        return Obstacle.AWAY
    if not is_problem(row):
        return None
    if row.path in snapshot.unfollowed:
        return Obstacle.UNFOLLOWED
    is_silent = row.status is FileStatus.READY and not row.reason
    return Obstacle.NOTHING_FOUND if is_silent else None


def remedy_choices(rows: Iterable[FileRow], snapshot: LibrarySnapshot) -> tuple[RemedyChoice, ...]:
    """Return what helps any of these files, each with those that it helps."""
    helped: dict[FileRemedy, list[FileRow]] = {}
    for row in rows:
        remedy = remedy_of(row, snapshot)
        if remedy is not None:
            helped.setdefault(remedy, []).append(row)
    return tuple(RemedyChoice(each, tuple(helped[each])) for each in FileRemedy if each in helped)
