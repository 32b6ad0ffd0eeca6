"""What is shown of very many files, and in which order.

Sorting 100,000 names in one go holds every other thread up for a tenth of a second. Parts are
sorted one by one, and then together, which costs little since each part is in order already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.index_health import FAILED_STATES
from desktop_rag.core.page_notes import GARBLED_PAGES, HARD_PAGE, HARD_PAGES, PICTURE_PAGES
from desktop_rag.core.phrases import Phrase, parts_of
from desktop_rag.core.types import DocumentId, FileStatus
from desktop_rag.gui.controllers.folder_nodes import EVERYWHERE, FilePlace
from desktop_rag.gui.controllers.library_snapshot import is_passed_over, is_problem, is_ready

# What a file's state and reason are in the words that they are shown in.
Wording = Callable[[FileRow], str]

_PART = 4000
_RANKS = {FileStatus.QUEUED: 3, FileStatus.EXCLUDED: 5}


class FileColumn(IntEnum):
    """The table's columns."""

    NAME = 0
    STATE = 1
    PASSAGES = 2
    FOLDER = 3
    TYPE = 4
    PAGES = 5
    SIZE = 6
    CHANGED = 7
    SECONDS = 8
    REASON = 9


class FileGroup(StrEnum):
    """Which files are shown."""

    ALL = "all"
    READY = "ready"
    PROBLEMS = "problems"
    WAITING = "waiting"
    NO_PASSAGES = "no passages"
    NOT_READ = "not read"
    EXCLUDED = "excluded"
    FAILED = "failed"
    PROTECTED = "protected"
    PICTURES = "pictures"
    GARBLED = "garbled"
    HARD_TO_READ = "hard to read"
    EMPTY = "empty"
    UNSUPPORTED = "unsupported"
    COPIES = "copies"


@dataclass(frozen=True, slots=True)
class FileQuery:
    """What is shown, in which order, and of which folder."""

    text: str = ""
    group: FileGroup = FileGroup.ALL
    place: FilePlace = EVERYWHERE
    column: FileColumn = FileColumn.FOLDER
    descending: bool = False


def is_below(path: str, folder: str) -> bool:
    """Say whether a path is a folder or lies in it."""
    bare = folder.rstrip("/\\")
    return path == folder or path.startswith((f"{bare}/", f"{bare}\\"))


def name_of(row: FileRow) -> str:
    """Return a file's name."""
    return row.path[_cut(row.path) + 1 :]


def folder_of(row: FileRow) -> str:
    """Return the folder that a file lies in."""
    return row.path[: _cut(row.path)] or row.path[:1]


def type_of(row: FileRow) -> str:
    """Return a file's ending in capitals, as people name its format."""
    dot = row.path.rfind(".")
    return row.path[dot + 1 :].upper() if dot > _cut(row.path) + 1 else ""


def _cut(path: str) -> int:
    return max(path.rfind("/"), path.rfind("\\"))


def is_narrow(query: FileQuery) -> bool:
    """Say whether a query leaves anything out of the files of its place."""
    return bool(query.text or query.group is not FileGroup.ALL)


def as_kept(row: FileRow) -> str:
    """Word a file's reason as the catalog keeps it, without the remedy."""
    return parts_of(row.reason)[0].removesuffix(".")


class FileFilter:
    """Lets through what a query asks for; every word of its text must stand in path or wording.

    `shared` are the documents that several files have, for `FileGroup.COPIES`.
    Files alike in state and reason are worded once: there are few such kinds among very many files.
    """

    def __init__(
        self, query: FileQuery, wording: Wording, shared: frozenset[DocumentId] = frozenset()
    ) -> None:
        self._query = query
        self._wording = wording
        self._shared = shared
        self._words = query.text.casefold().split()
        self._told: dict[tuple[FileStatus, bool, bool, str], str] = {}

    def lets_pass(self, row: FileRow) -> bool:
        """Say whether a file is among what is asked for."""
        if not self._is_member(row):
            return False
        if not self._words:
            return True
        said = f"{row.path.casefold()}\n{self._worded(row)}"
        return all(word in said for word in self._words)

    def _is_member(self, row: FileRow) -> bool:
        group = self._query.group
        if group is FileGroup.COPIES:
            return row.document_id in self._shared
        return group is FileGroup.ALL or _MEMBERS[group](row)

    def _worded(self, row: FileRow) -> str:
        kind = (row.status, row.chunks > 0, is_problem(row), row.reason)
        if kind not in self._told:
            self._told[kind] = self._wording(row).casefold()
        return self._told[kind]


def _is_waiting(row: FileRow) -> bool:
    return row.status is FileStatus.QUEUED


def _is_left_out(row: FileRow) -> bool:
    return row.status is FileStatus.EXCLUDED


def _has_nothing(row: FileRow) -> bool:
    is_open = row.status in (FileStatus.QUEUED, FileStatus.EXCLUDED)
    return row.chunks == 0 and not is_open and not is_passed_over(row)


def _is_failed(row: FileRow) -> bool:
    return row.status in FAILED_STATES


def _is_protected(row: FileRow) -> bool:
    return row.status is FileStatus.ENCRYPTED


def _is_empty(row: FileRow) -> bool:
    return row.status is FileStatus.EMPTY


def _is_unsupported(row: FileRow) -> bool:
    return row.status is FileStatus.UNSUPPORTED


def _has_pictures(row: FileRow) -> bool:
    return row.status is FileStatus.NEEDS_OCR or _is_noted(row, PICTURE_PAGES)


def _is_garbled(row: FileRow) -> bool:
    return _is_noted(row, GARBLED_PAGES)


def _is_hard_to_read(row: FileRow) -> bool:
    return _is_noted(row, HARD_PAGE, HARD_PAGES)


def _is_noted(row: FileRow, *templates: str) -> bool:
    """Say whether one of these is among a file's notes."""
    return bool(row.reason) and any(
        isinstance(each, Phrase) and each.template in templates for each in parts_of(row.reason)
    )


def shared_documents(rows: Iterable[FileRow]) -> frozenset[DocumentId]:
    """Return the documents that several of the files have."""
    counted = Counter(row.document_id for row in rows if row.document_id is not None)
    return frozenset(document for document, count in counted.items() if count > 1)


_MEMBERS: dict[FileGroup, Callable[[FileRow], bool]] = {
    FileGroup.READY: is_ready,
    FileGroup.PROBLEMS: is_problem,
    FileGroup.WAITING: _is_waiting,
    FileGroup.NO_PASSAGES: _has_nothing,
    FileGroup.NOT_READ: is_passed_over,
    FileGroup.EXCLUDED: _is_left_out,
    FileGroup.FAILED: _is_failed,
    FileGroup.PROTECTED: _is_protected,
    FileGroup.PICTURES: _has_pictures,
    FileGroup.GARBLED: _is_garbled,
    FileGroup.HARD_TO_READ: _is_hard_to_read,
    FileGroup.EMPTY: _is_empty,
    FileGroup.UNSUPPORTED: _is_unsupported,
}


def sort_files(rows: Sequence[FileRow], query: FileQuery, token: CancelToken) -> list[FileRow]:
    """Sort rows by one column; equal ones stay in the order of their paths."""
    key = _KEYS[query.column]
    keys: list[Any] = [key(row) for row in rows]
    order: list[int] = []
    for start in range(0, len(rows), _PART):
        token.check()
        part = range(start, min(start + _PART, len(rows)))
        order += sorted(part, key=keys.__getitem__, reverse=query.descending)
    order.sort(key=keys.__getitem__, reverse=query.descending)
    token.check()
    return [rows[number] for number in order]


def _folded_name(row: FileRow) -> str:
    return name_of(row).casefold()


def _folded_path(row: FileRow) -> str:
    return row.path.casefold()


def _rank(row: FileRow) -> float:
    """Return what a sort by state puts first: what went wrong, then what waits, then the rest."""
    if is_ready(row):
        return 4
    if is_passed_over(row):
        return 4.5
    return _RANKS.get(row.status, 1 if row.chunks == 0 else 2)


def _passages(row: FileRow) -> float:
    return row.chunks


def _pages(row: FileRow) -> float:
    return row.pages or 0


def _size(row: FileRow) -> float:
    return row.stamp.size if row.stamp is not None else -1


def _changed(row: FileRow) -> float:
    return row.stamp.mtime_ns if row.stamp is not None else 0


def _seconds(row: FileRow) -> float:
    return row.seconds


def _reason(row: FileRow) -> str:
    return row.reason


_KEYS: dict[FileColumn, Callable[[FileRow], str] | Callable[[FileRow], float]] = {
    FileColumn.NAME: _folded_name,
    FileColumn.FOLDER: _folded_path,
    FileColumn.TYPE: type_of,
    FileColumn.STATE: _rank,
    FileColumn.PASSAGES: _passages,
    FileColumn.PAGES: _pages,
    FileColumn.SIZE: _size,
    FileColumn.CHANGED: _changed,
    FileColumn.SECONDS: _seconds,
    FileColumn.REASON: _reason,
}
