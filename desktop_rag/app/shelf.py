"""A knowledge base's content at one moment, sorted and counted where it is read: off the GUI."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from desktop_rag.core.types import FileId, FileStatus, KbId
from desktop_rag.store.records import FileRow, KnowledgeBase, Source

_GOOD = {FileStatus.READY, FileStatus.UNCHANGED, FileStatus.MOVED}


def is_ready(row: FileRow) -> bool:
    """Return whether a file can be found by a search."""
    return row.status in _GOOD and row.chunks > 0


def is_problem(row: FileRow) -> bool:
    """Return whether a file is not searchable, not just waiting, and not left out on purpose."""
    return row.status not in (FileStatus.QUEUED, FileStatus.EXCLUDED) and not is_ready(row)


@dataclass(frozen=True, slots=True)
class Branch:
    """A source and the files below it, ordered by path; `is_away` where it can't be reached."""

    source: Source
    files: tuple[FileRow, ...]
    problems: int
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class Shelf:
    """A knowledge base's branches, all knowledge bases to switch to, and counts of files.

    `excluded` are rows of what was left out on purpose; they are not among `files`.
    """

    kbs: tuple[KnowledgeBase, ...]
    current: str
    branches: tuple[Branch, ...] = ()
    files: tuple[FileRow, ...] = ()
    ready: int = 0
    problems: int = 0
    waiting: int = 0
    excluded: tuple[FileRow, ...] = ()

    @property
    def away(self) -> tuple[str, ...]:
        """The sources that can't be reached now."""
        return tuple(branch.source.path for branch in self.branches if branch.is_away)


def shelf_of(
    kbs: Iterable[KnowledgeBase],
    current: str,
    sources: Iterable[Source],
    files: Iterable[FileRow],
    excluded: Iterable[str] = (),
) -> Shelf:
    """Sort and count."""
    rows = tuple(sorted(files, key=_path))
    branches = _branches(tuple(sources), rows)
    return Shelf(
        kbs=tuple(kbs),
        current=current,
        branches=branches,
        files=rows,
        ready=sum(map(is_ready, rows)),
        problems=sum(branch.problems for branch in branches),
        waiting=sum(row.status is FileStatus.QUEUED for row in rows),
        excluded=tuple(_left_out(-n, path) for n, path in enumerate(excluded, start=1)),
    )


def _left_out(number: int, path: str) -> FileRow:
    """Return a row for something that has none in the catalog; its number is below zero."""
    return FileRow(
        id=FileId(number),
        kb=KbId(0),
        path=path,
        stamp=None,
        status=FileStatus.EXCLUDED,
        reason="",
        document_id=None,
        chunks=0,
        pages=None,
        seconds=0.0,
        changed_at=0.0,
    )


def _branches(sources: tuple[Source, ...], rows: tuple[FileRow, ...]) -> tuple[Branch, ...]:
    """Put every file under the deepest source that holds it; folders first, by path."""
    ordered = sorted(sources, key=_place)
    below: dict[str, list[FileRow]] = {source.path: [] for source in ordered}
    single = {source.path for source in ordered if not source.is_folder}
    folders = [(each.path, _inside(each.path)) for each in ordered if each.is_folder]
    folders.sort(key=_depth, reverse=True)
    for row in rows:
        if row.path in single:
            below[row.path].append(row)
            continue
        for path, inside in folders:
            if row.path.startswith(inside):
                below[path].append(row)
                break
    return tuple(
        Branch(source, tuple(below[source.path]), sum(map(is_problem, below[source.path])))
        for source in ordered
    )


def _inside(folder: str) -> tuple[str, str]:
    """Return how the paths below a folder begin, with either separator."""
    bare = folder.rstrip("/\\")
    return f"{bare}/", f"{bare}\\"


def _depth(folder: tuple[str, tuple[str, str]]) -> int:
    return len(folder[0])


def _place(source: Source) -> tuple[bool, str]:
    return not source.is_folder, source.path.casefold()


def _path(row: FileRow) -> str:
    return row.path
